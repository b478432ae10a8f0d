import { say } from '../../../acts/refusals/say.ts'
import type { CollectingAccount } from '../../../domain/banks/index.ts'
import { groupedIban } from '../../../kernel/iban.ts'
import { formatMoney } from '../../../kernel/money.ts'
import type { Found } from '../../../kernel/search.ts'
import { FOUND_BY } from '../../../kernel/search.ts'
import { html, plainName } from '../../web/html.ts'
import { maskedIban, maskedName, wordsOf } from '../../web/console/masked.ts'
import { cardTable, minute } from '../../web/console/parts.ts'
import type { MerchantNames } from '../names.ts'
import { merchantName } from '../names.ts'
import type { Page, Viewer } from '../page.ts'
import { stateBadge } from '../../web/console/transaction-list.ts'

type Results = { text: string; accounts: CollectingAccount[]; found: Found[]; more: boolean }

export const accountAddress = ({ id, bankName }: CollectingAccount) =>
  `/accounts?${new URLSearchParams({ bank: bankName }).toString()}#account-${id}`

export function searchPage(viewer: Viewer, { text, accounts, found, more }: Results, merchants: MerchantNames): Page {
  const { words, root } = viewer
  const kinds = {
    deposit: words.deposit,
    withdrawal: words.withdrawal,
    line: words.line,
    'unread line': words.unreadLine,
  }
  const href = ({ kind, id }: Found) =>
    kind === 'unread line' ? `${root}/unread` : `${root}/${kind === 'line' ? 'matching' : 'transactions'}/${id}`
  const typed = wordsOf(text)
  const count = accounts.length + found.length
  const rows = found.map((one) => ({
    href: href(one),
    cells: [
      html`${kinds[one.kind]}`,
      html`${one.amount === null ? '' : formatMoney(one.direction === 'debit' ? -one.amount : one.amount, one.currency)}`,
      typeof one.status === 'string' ? stateBadge(viewer, one.status) : html`${say(viewer.language, one.status)}`,
      html`${one.merchantId === null ? '' : merchantName(words, merchants, one.merchantId)}`,
      minute(one.createdAt),
      html`${matchedWords(viewer, plainName(one.matched), typed)}`,
      html`<a class="id" href="${href(one)}">${one.id}</a>`,
    ],
  }))
  const labels = [words.status, words.merchant, words.created, words.matchedBy, words.id].map((label) => ({ label }))
  const columns = [{ label: words.kind }, { label: words.amount, isMoney: true }, ...labels]
  const main = html`<h1>${words.search}</h1>
    <p class="lead">${count === 0 ? words.nothingFound : words.found(count)}</p>
    ${accounts.map((one) => html`<p><a href="${root}${accountAddress(one)}">${words.accounts}: ${one.bankName} · ${groupedIban(one.iban)}</a></p>`)}
    ${found.length > 0 && cardTable(words.search, columns, rows)}
    ${more && html`<p class="more">${words.thereAreMore}</p>`}`
  return { title: words.search, section: null, main, search: text }
}

/** How it was found. Of a name what was typed, and the first letters of the rest. */
function matchedWords({ words: { codes } }: Viewer, matched: string, typed: ReadonlySet<string>): string {
  const shown = matched.split(', ').map((part) => {
    const by = FOUND_BY.find((one) => part === one || part.startsWith(`${one} `))
    if (by === undefined) return maskedName(part, typed)
    const value = part.slice(by.length + 1)
    const told = by === 'IBAN' ? maskedIban(value) : by === 'code' ? value : maskedName(value, typed)
    return `${codes.foundBy[by]} ${told}`.trim()
  })
  return shown.join(', ')
}
