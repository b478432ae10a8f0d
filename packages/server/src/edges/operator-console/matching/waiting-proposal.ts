import type { Html } from '../../web/html.ts'
import { html, plainName } from '../../web/html.ts'
import { age, minute } from '../../web/console/parts.ts'
import type { Viewer } from '../page.ts'
import type { DeskLine } from './desk.ts'
import { DESK_WORDS } from './desk-words.ts'
import { WORDS } from './words.ts'

const proposed = ({ entries }: DeskLine) => entries.filter(({ state }) => state === 'proposed')

/** Someone has said what the line is; nothing else is said about it until that is decided. */
export const isWaiting = (shown: DeskLine) => shown.request !== null || proposed(shown).length > 0

export function waitingNote(viewer: Viewer, shown: DeskLine): Html {
  const words = DESK_WORDS[viewer.language]
  const { root, now, words: shared } = viewer
  const { request } = shown
  const all = [
    ...proposed(shown).map(({ kind, ...one }) => ({ ...one, what: shared.entryKinds[kind] ?? kind })),
    ...(request ? [{ ...request, what: WORDS[viewer.language].match }] : []),
  ]
  return html`<h2>${words.waitsTitle}</h2>
    <p class="lead">${words.waitsLead}</p>
    <div class="cards">
      ${all.map(
        ({ what, proposedBy, proposedAt, reason }) =>
          html`<article class="card">
            <div class="head">
              <b>${what}</b>
              <span class="mild">${minute(proposedAt)} · ${age(proposedAt, now, shared.age)}</span>
            </div>
            <p>${proposedBy}${reason !== null && `: ${plainName(reason)}`}</p>
            <p class="acts"><a class="button small" href="${root}/approvals" data-key="m">${words.toApprovals}</a></p>
          </article>`,
      )}
    </div>`
}
