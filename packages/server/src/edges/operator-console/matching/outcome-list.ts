import type { EntryPreview } from '../../../domain/books/index.ts'
import { formatMoney } from '../../../kernel/money.ts'
import type { Html } from '../../web/html.ts'
import { html } from '../../web/html.ts'
import { worded } from '../../web/console/codes/codes.ts'
import type { MerchantNames } from '../names.ts'
import { transactionName } from '../names.ts'
import type { Viewer } from '../page.ts'
import { DESK_WORDS } from './desk-words.ts'
import { WORDS } from './words.ts'

/** `merchants`: their names. */
type Outcome = Pick<EntryPreview['details'], 'seen'> & Pick<EntryPreview, 'subject'> & { merchants: MerchantNames }

/** What becomes of lines, deposits and payouts: the same for who proposes an entry and for who approves it. */
export function outcomeList(viewer: Viewer, outcome: Outcome): Html {
  const { seen, subject } = outcome
  const { language, root, words: codeWords } = viewer
  const words = WORDS[language]
  const status = (one: string) => worded(codeWords.codes.statuses, one)
  return html`${subject.isOfSender && html`<p class="say bad">${DESK_WORDS[language].ofSender}</p>`}
    <ul class="notes">
      ${seen.deposits.map(
        ({ id, status: now, becomes }) =>
          html`<li>
            ${words.depositBecomes} ${transactionLink(viewer, outcome, id)}: ${status(now)} →
            ${now === becomes ? status(becomes) : html`<b>${status(becomes)}</b>`}
          </li>`,
      )}
      ${payoutItems(viewer, outcome)} ${costsItem(viewer, subject)}
      ${subject.paidTwice.map((id) => html`<li>${DESK_WORDS[language].paidTwice}: ${transactionLink(viewer, outcome, id)}</li>`)}
      ${seen.lines.map(
        ({ id, state, becomes }) =>
          html`<li>
            ${words.lineBecomes} <a class="id" href="${root}/matching/${id}">${id}</a>: ${status(state)} →
            ${words.becomes[becomes] ?? becomes}
          </li>`,
      )}
    </ul>`
}

/** As its merchant calls it, and its id. */
export function transactionLink(
  { root, words }: Viewer,
  { subject, merchants }: Omit<Outcome, 'seen'>,
  id: string,
): Html {
  const its = subject.transactions.find((one) => one.id === id)
  return html`${its && `${transactionName(words, merchants, its)} · `}<a class="id" href="${root}/transactions/${id}"
      >${id}</a
    >`
}

/** A refund has no withdrawal yet: of it the recipient is named. */
function payoutItems(viewer: Viewer, of: Outcome): Html[] {
  const { seen } = of
  const { payout, payoutState = '' } = seen
  if (payout === null) return []
  const ids = payout.split(', ')
  if (!ids.every((id) => /^[0-9a-f]{24}$/.test(id)))
    return [html`<li>${WORDS[viewer.language].payoutOf} ${payout}</li>`]
  const states = payoutState.split(', ')
  return ids.map((id, place) => {
    const outcome = payoutBecomes(viewer, seen.lines, states[place] === 'open')
    return html`<li>
      ${viewer.words.withdrawal} ${transactionLink(viewer, of, id)}${outcome !== '' && html`: <b>${outcome}</b>`}
    </li>`
  })
}

/** A debit may come with the return that waited for it. */
function payoutBecomes({ language }: Viewer, lines: Outcome['seen']['lines'], isOpen: boolean): string {
  const { payoutBecomes: outcomes } = DESK_WORDS[language]
  const told = lines.map(({ becomes }) => {
    if (becomes === 'payout') return isOpen ? outcomes.completed : outcomes.debited
    if (becomes === 'return') return outcomes.returned
    if (becomes === 'suspense') return outcomes.notReturned
    return becomes === 'needs_review' ? outcomes.notDebited : ''
  })
  return [...new Set(told)].filter((text) => text !== '').join(', ')
}

function costsItem({ language }: Viewer, { costs }: Outcome['subject']): Html | false {
  if (!costs) return false
  const [sent, came, rest] = [costs.sent, costs.came, costs.sent - costs.came].map((amount) =>
    formatMoney(amount, costs.currency),
  )
  return html`<li>${DESK_WORDS[language].costs(sent ?? '', came ?? '', rest ?? '', costs.by)}</li>`
}
