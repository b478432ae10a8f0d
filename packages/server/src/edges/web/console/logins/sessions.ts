import type { listSessions, Session } from '../../../../domain/identity/index.ts'
import type { Html } from '../../html.ts'
import { html, plainName } from '../../html.ts'
import { decisionForm, ownForm } from '../decision-form.ts'
import { deviceName } from './device-name.ts'
import { age, cardTable, minute } from '../parts.ts'
import type { Viewer } from '../routes.ts'
import type { SharedWords } from '../words-tr.ts'
import { LOGIN_WORDS } from './words.ts'

type Listed = Awaited<ReturnType<typeof listSessions>>[number]

/** Open sessions, each with a button that ends it, but for the one that looks. `pathOf`: where a session is ended. */
export function sessionsTable(
  viewer: Viewer<SharedWords>,
  me: Session,
  sessions: Listed[],
  pathOf: (session: Listed) => string,
): Html {
  const words = LOGIN_WORDS[viewer.language]
  if (sessions.length === 0) return html`<p class="mild">${words.noSessions}</p>`
  const end = (session: Listed) => {
    if (session.id === me.id) return html`<span class="state good">${words.current}</span>`
    return session.loginId === me.loginId
      ? ownForm(viewer, pathOf(session), html``, words.end, 'plain')
      : decisionForm(viewer, 'session.revoke', pathOf(session), html``, words.end, 'plain')
  }
  const rows = sessions.map((session) => ({
    href: null,
    cells: [
      html`${plainName(session.name)}`,
      html`<span class="mild">${device(words, session)}</span>`,
      html`${session.address ?? '–'}`,
      html`${minute(session.lastUsedAt)} · ${age(session.lastUsedAt, viewer.now, viewer.words.age)}`,
      end(session),
    ],
  }))
  const columns = [words.person, words.device, words.address, words.lastUsed, ''].map((label) => ({ label }))
  return cardTable(words.sessions, columns, rows)
}

function device(words: (typeof LOGIN_WORDS)['tr'], { kind, userAgent }: Listed): string {
  const agent = plainName(deviceName(userAgent ?? ''))
  return kind === 'command_line' ? [words.commandLine, agent].join(' ').trim() : agent || words.unknown
}
