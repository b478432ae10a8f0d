import { say } from '../../../acts/refusals/say.ts'
import type { FilePreview } from '../../../domain/statements/index.ts'
import { formatMoney } from '../../../kernel/money.ts'
import type { Html } from '../../web/html.ts'
import { html, plainName } from '../../web/html.ts'
import { cardTable } from '../../web/console/parts.ts'
import type { Viewer } from '../page.ts'
import { enterLink } from '../entered/link.ts'
import { periodText } from './parts.ts'
import { PROPOSED_WORDS } from './proposed-words.ts'

/** Lines of a file that would not be booked. */
export function unreadLines(viewer: Viewer, { unreadLines: lines, counts }: FilePreview): Html | false {
  if (lines.length === 0) return false
  const words = PROPOSED_WORDS[viewer.language]
  const rows = lines.map(({ line: { valueDate, amount, direction, currency, bankReference }, why }) => ({
    href: null,
    cells: [
      html`${periodText({ fromDay: valueDate, toDay: valueDate })}`,
      html`${formatMoney(direction === 'debit' ? -amount : amount, currency)}`,
      html`${plainName(say(viewer.language, why))}`,
      html`${plainName(bankReference ?? '–').slice(0, 100)}`,
    ],
  }))
  const heads = [words.unreadWhy, words.number].map((label) => ({ label }))
  return html`<h2>${words.unreadLines}</h2>
    <p class="hint">${viewer.sandbox ? words.unreadInSandbox : html`${words.unreadInLive} ${enterLink(viewer)}`}</p>
    ${cardTable(words.unreadLines, [{ label: words.day }, { label: words.amount, isMoney: true }, ...heads], rows)}
    ${counts.unread > rows.length && html`<p class="hint">${words.firstUnread(rows.length, counts.unread)}</p>`}`
}
