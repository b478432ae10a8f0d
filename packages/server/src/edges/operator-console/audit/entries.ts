import type { AuditEntry } from '../../../domain/audit/index.ts'
import type { Html } from '../../web/html.ts'
import { html, plainName } from '../../web/html.ts'
import { dataTable, second } from '../../web/console/parts.ts'
import type { Viewer } from '../page.ts'
import { addressOf } from './filter.ts'
import { WORDS } from './words.ts'

export function entriesTable(viewer: Viewer, entries: AuditEntry[]): Html {
  const words = WORDS[viewer.language]
  const columns = [words.at, words.actor, words.action, words.subject, words.change, words.why]
  return dataTable(
    viewer.words.audit,
    columns.map((label) => ({ label })),
    entries.map((entry) => ({
      href: null,
      cells: [
        html`${second(new Date(entry.at))}<span class="line mild">#${entry.number}</span>`,
        html`<a href="${addressOf({ actor: entry.actor })}">${actorText(viewer, entry.actor)}</a>
          <span class="line mild">${originText(viewer, entry.origin)}</span>`,
        html`<code>${entry.action}</code>`,
        subjectText(viewer, entry.subject),
        changeText(viewer, entry),
        html`<span class="address">${plainName(entry.reason ?? '–')}</span>`,
      ],
    })),
  )
}

function actorText({ language }: Viewer, actor: string): string {
  const words = WORDS[language]
  if (actor === 'operator') return words.unnamed
  return actor.startsWith('merchant:') ? `${words.userOf} …${actor.slice(-6)}` : plainName(actor)
}

/** Where the decision was taken: edge, address, or host and account on it. */
function originText({ language }: Viewer, { edge = '', address, host, user }: Record<string, string>): string {
  const where = address ?? [user, host].filter((part) => part !== undefined).join('@')
  return plainName([WORDS[language].edges[edge] ?? edge, where].filter((part) => part !== '').join(' · ') || '–')
}

/** Pages about a subject, by its kind. */
const PAGES: Record<string, string> = {
  merchant: '/merchants/',
  deposit: '/transactions/',
  withdrawal: '/transactions/',
  line: '/matching/',
  operator: '/people/',
  file: '/statements/',
  day: '/books/',
}

function subjectText({ language, root }: Viewer, subject: string): Html {
  const [kind = '', id = ''] = subject.split(':')
  const page = PAGES[kind]
  const text = html`<span class="id">${plainName(subject)}</span>`
  const isLink = page !== undefined && /^[\w.-]+$/.test(id)
  return html`<span class="subject">${isLink ? html`<a href="${root}${page}${id}">${text}</a>` : text}</span>
    <a class="mild" href="${addressOf({ subject })}">${WORDS[language].history}</a>`
}

type Values = Record<string, unknown>
const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Fields that differ, before → after. */
function changeText({ language }: Viewer, { before, after }: AuditEntry): Html {
  const [old, now] = [isObject(before) ? before : {}, isObject(after) ? after : {}]
  const fields = [...new Set([...Object.keys(old), ...Object.keys(now)])].filter(
    (field) => JSON.stringify(old[field]) !== JSON.stringify(now[field]),
  )
  if (fields.length === 0) return html`–`
  const none = html`<span class="mild">${WORDS[language].nothingBefore}</span>`
  return html`<ul class="changed">
    ${fields.map((field) => {
      const was = field in old && html`<del>${text(old[field])}</del> <span aria-hidden="true">→</span> `
      return html`<li>
        <span class="mild">${field}</span> ${was}${field in now ? html`<ins>${text(now[field])}</ins>` : none}
      </li>`
    })}
  </ul>`
}

const MAX_VALUE = 300

function text(value: unknown): string {
  const isList = Array.isArray(value) && value.every((one) => typeof one === 'string')
  const whole = isList ? value.join(', ') : typeof value === 'string' ? value : (JSON.stringify(value) ?? '–')
  return plainName(whole.length > MAX_VALUE ? `${whole.slice(0, MAX_VALUE).toWellFormed()}…` : whole)
}
