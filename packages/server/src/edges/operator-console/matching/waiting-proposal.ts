import type { Html } from '../../web/html.ts'
import { html } from '../../web/html.ts'
import type { Viewer } from '../page.ts'
import type { DeskLine } from './desk.ts'
import { DESK_WORDS } from './desk-words.ts'
import { WORDS } from './words.ts'

/** Someone has said what the line is; nothing else is said about it until that is decided. */
export const isWaiting = ({ proposal }: DeskLine) => proposal !== null

/** The card of the line says which proposals. */
export function waitingNote({ language, root }: Viewer): Html {
  const words = DESK_WORDS[language]
  return html`<h2>${words.waitsTitle}</h2>
    <div class="card">
      <p>${words.waitsLead}</p>
      <p class="acts">
        <a class="button small" href="${root}/approvals" data-key="m">${WORDS[language].does.approve}</a>
      </p>
    </div>`
}
