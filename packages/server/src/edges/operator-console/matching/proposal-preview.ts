import type { EntryPreview } from '../../../domain/books/index.ts'
import type { AccountRef } from '../../../domain/ledger/index.ts'
import { NO_MERCHANT } from '../../../domain/ledger/index.ts'
import { groupedIban } from '../../../kernel/iban.ts'
import { formatMoney } from '../../../kernel/money.ts'
import type { Html } from '../../web/html.ts'
import { html, plainName } from '../../web/html.ts'
import { worded } from '../../web/console/codes/codes.ts'
import { dataTable } from '../../web/console/parts.ts'
import type { Viewer } from '../page.ts'
import type { Choices } from './proposal-choices.ts'
import { masked } from '../reveal/personal-data.ts'
import { unconfirmedMarks } from '../entered/origin.ts'
import { DESK_WORDS } from './desk-words.ts'
import { outcomeList } from './outcome-list.ts'
import { WORDS } from './words.ts'

/** What the person typed, by field. */
type Values = Pick<URLSearchParams, 'get'>

/** What a proposal would book: transfers, balances before and after, and what becomes of lines, deposits and payouts. */
export function previewTable(
  viewer: Viewer,
  { details: { seen }, accounts, subject, recipient, unconfirmed }: EntryPreview,
  choices: Choices,
  values: Values,
): Html {
  const words = WORDS[viewer.language]
  const nameOf = (account: AccountRef) => accountWords(viewer, account, choices)
  const transfers = seen.entries.flatMap((entry) => entry.transfers)
  const columns = [{ label: words.from }, { label: words.to }, { label: viewer.words.amount, isMoney: true }]
  const rows = transfers.map(({ from, to, amount }) => {
    return {
      href: null,
      cells: [nameOf(from), nameOf(to), formatMoney(amount, from.currency)].map((text) => html`${text}`),
    }
  })
  const balances = accounts.map(({ account, balance, after }) => {
    const [before, then] = [balance, after ?? balance].map((amount) => formatMoney(amount, account.currency))
    return { href: null, cells: [html`${nameOf(account)}`, html`${before}`, html`${then}`] }
  })
  const [now, later] = WORDS[viewer.language].beforeAfter
  return html`<h3>${words.previewTitle}</h3>
    ${unconfirmedMarks(viewer, unconfirmed)} ${recipient && recipientNote(viewer, recipient, values)}
    ${transfers.length === 0 ? html`<p>${words.booksNothing}</p>` : dataTable(words.previewTitle, columns, rows)}
    ${
      balances.length > 0 &&
      html`<h3>${words.balances}</h3>
        ${dataTable(
          words.balances,
          [{ label: viewer.words.account }, { label: now, isMoney: true }, { label: later, isMoney: true }],
          balances,
        )}`
    }
    ${outcomeList(viewer, { seen, subject, merchants: choices.merchants })}`
}

/** The sender is masked as on the line; what was typed instead is shown in full. */
function recipientNote(viewer: Viewer, recipient: NonNullable<EntryPreview['recipient']>, values: Values): Html {
  const words = DESK_WORDS[viewer.language]
  const data = masked(viewer)
  const isTyped = (field: string) => (values.get(field) ?? '') !== ''
  const isOther = isTyped('iban')
  const name = isTyped('name') ? plainName(recipient.name) : data.name(recipient.name)
  const iban = isOther ? groupedIban(plainName(recipient.iban)) : data.iban(recipient.iban)
  return html`<p class="say ${isOther && 'bad'}">
    ${words.goesTo}: <b>${name} · ${iban}</b>
    (${isOther ? words.toOther : words.toSender})
  </p>`
}

/** In words that also hold for money of no merchant, which is ours to give back. */
export function accountKindWords({ language, words: { codes } }: Viewer, kind: string, merchantId: string): string {
  const { house, houseHeld } = DESK_WORDS[language]
  if (merchantId === NO_MERCHANT && kind === 'merchant_available') return house
  if (merchantId === NO_MERCHANT && kind === 'merchant_held') return houseHeld
  return worded(codes.accounts, kind)
}

export function accountWords(
  viewer: Viewer,
  account: AccountRef,
  { accountName, merchants }: Pick<Choices, 'accountName' | 'merchants'>,
): string {
  const { kind, subject, merchantId } = account
  const name = accountKindWords(viewer, kind, merchantId)
  const whose = subject ? accountName(subject) : merchants.get(merchantId)
  return whose ? `${name} (${plainName(whose)})` : name
}
