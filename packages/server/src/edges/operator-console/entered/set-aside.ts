import type { ShownFile } from '../../../domain/statements/index.ts'
import { ENTERED_BY_HAND } from '../../../domain/statements/index.ts'
import { cardTable } from '../../web/console/parts.ts'
import type { Html } from '../../web/html.ts'
import { html, plainName } from '../../web/html.ts'
import type { Viewer } from '../page.ts'
import { masked } from '../reveal/personal-data.ts'
import { dayText, signedAmount } from './similar.ts'
import { ENTERED_WORDS } from './words.ts'

/** Lines of a file that were not booked because people had entered them, each with the entered one: one may be another payment. */
export function setAsideLines(viewer: Viewer, { setAside, byState }: ShownFile): Html {
  if (setAside.length === 0) return html``
  const words = ENTERED_WORDS[viewer.language]
  const data = masked(viewer)
  const at = (id: string, label: string) => html`<a href="${viewer.root}/matching/${id}">${label}</a>`
  const rows = setAside.map((line) => ({
    href: null,
    cells: [
      html`${dayText(line.valueDate)}`,
      html`${signedAmount(line, line.currency)}`,
      html`${data.name(line.senderName) || '–'}`,
      html`${data.text(line.narrative, [line.senderName]) || '–'}`,
      html`${plainName(line.bankReference ?? '–')}`,
      html`${at(line.id, words.openLine)} ·
      ${line.correctsLineId !== null && at(line.correctsLineId, words.openEntered)}`,
    ],
  }))
  const count = byState.find(({ reason }) => reason === ENTERED_BY_HAND)?.count ?? rows.length
  return html`<h2>${words.setAside}</h2>
    <p class="lead">${words.setAsideLead}</p>
    ${cardTable(
      words.setAside,
      [
        { label: words.day },
        { label: words.amount, isMoney: true },
        ...[words.sender, words.text, words.number, words.line].map((label) => ({ label })),
      ],
      rows,
    )}
    ${count > rows.length && html`<p class="hint">${words.firstOf(rows.length, count)}</p>`}`
}
