import { DEPOSIT_STATUSES } from '../../../domain/deposits/index.ts'
import type { ListedTransaction, TransactionFilter } from '../../../domain/overview/index.ts'
import { WITHDRAWAL_STATUSES } from '../../../domain/withdrawals/index.ts'
import { isDay, istanbul } from '../../../kernel/istanbul.ts'
import { formatMoney } from '../../../kernel/money.ts'
import type { Html } from '../../web/html.ts'
import { html, plainName } from '../../web/html.ts'
import { dataTable, maskedName, minute } from '../../web/console/parts.ts'
import type { Page, Viewer } from '../page.ts'

const PAGE_SIZE = 50
const KINDS = ['deposit', 'withdrawal'] as const
const ID = /^[0-9a-f]{24}$/

export type MerchantNames = ReadonlyMap<string, string>

/** The filter that an address asks for; what it does not say, or says wrongly, is the default: today's deposits. */
export function filterFrom(query: Record<string, unknown>, now: Date): TransactionFilter {
  const text = (name: string) => (typeof query[name] === 'string' ? query[name] : '')
  const today = istanbul(now).day
  const kind = KINDS.find((one) => one === text('kind')) ?? 'deposit'
  const statuses: readonly string[] = kind === 'deposit' ? DEPOSIT_STATUSES : WITHDRAWAL_STATUSES
  const to = isDay(text('to')) ? text('to') : today
  const from = isDay(text('from')) && text('from') <= to ? text('from') : to < today ? to : today
  return {
    kind,
    merchantId: ID.test(text('merchant')) ? text('merchant') : null,
    status: statuses.find((one) => one === text('status')),
    from,
    to,
    before: ID.test(text('before')) ? text('before') : undefined,
    limit: PAGE_SIZE,
  }
}

export function transactionsPage(
  viewer: Viewer,
  filter: TransactionFilter,
  rows: ListedTransaction[],
  merchants: MerchantNames,
): Page {
  const { words } = viewer
  const shown = rows.slice(0, PAGE_SIZE)
  const last = rows.length > PAGE_SIZE ? shown.at(-1)?.id : undefined
  const main = html`<h1>${words.transactions}</h1>
    <p class="lead">${period(filter)}</p>
    ${filterForm(viewer, filter, merchants)}
    ${shown.length === 0 ? html`<p class="empty">${words.noTransactions}</p>` : table(viewer, shown, merchants)}
    ${last !== undefined && html`<p class="more"><a href="?${addressOf(filter, last)}">${words.older}</a></p>`}`
  return { title: words.transactions, section: 'transactions', main }
}

/** 17.11.2026, or two such days. */
function period({ from, to }: TransactionFilter): string {
  const day = (text: string) => text.split('-').toReversed().join('.')
  return from === to ? day(from) : `${day(from)} – ${day(to)}`
}

function table(viewer: Viewer, rows: ListedTransaction[], merchants: MerchantNames): Html {
  const { words, root } = viewer
  const columns = [words.customer, words.status, words.notes, words.merchant, words.created, words.id]
  const [name, ...rest] = columns.map((label) => ({ label }))
  return dataTable(
    words.transactions,
    [name as { label: string }, { label: words.amount, isMoney: true }, ...rest],
    rows.map((row) => ({
      href: `${root}/transactions/${row.id}`,
      cells: [
        html`${maskedName(plainName(row.name))}`,
        html`${formatMoney(row.amount, row.currency)}`,
        stateBadge(viewer, row.status),
        html`${row.notes.join(', ')}`,
        html`${plainName(merchants.get(row.merchantId) ?? row.merchantId)}`,
        minute(row.createdAt),
        html`<a class="id" href="${root}/transactions/${row.id}">${row.id}</a>`,
      ],
    })),
  )
}

const LOOKS: Record<string, string> = {
  completed: 'good',
  matched: 'good',
  failed: 'bad',
  processing: 'busy',
  suspense: 'busy',
  needs_review: 'busy',
}

export function stateBadge({ words }: Viewer, status: string): Html {
  return html`<span class="state ${LOOKS[status] ?? ''}">${words.statuses[status] ?? status}</span>`
}

function addressOf(filter: TransactionFilter, before: string): string {
  const { kind, merchantId, status, from, to } = filter
  const query = new URLSearchParams({ kind, from, to, before })
  if (merchantId !== null) query.set('merchant', merchantId)
  if (status !== undefined) query.set('status', status)
  return query.toString()
}

function filterForm({ words, root }: Viewer, filter: TransactionFilter, merchants: MerchantNames): Html {
  const statuses: readonly string[] = filter.kind === 'deposit' ? DEPOSIT_STATUSES : WITHDRAWAL_STATUSES
  const option = (value: string, label: string, isChosen: boolean) =>
    html`<option value="${value}" ${isChosen && html`selected`}>${label}</option>`
  return html`<form class="filters" action="${root}/transactions">
    <label class="field"
      >${words.kind}
      <select name="kind">
        ${KINDS.map((kind) => option(kind, words[kind], kind === filter.kind))}
      </select>
    </label>
    <label class="field"
      >${words.status}
      <select name="status">
        ${option('', words.anyStatus, filter.status === undefined)}
        ${statuses.map((status) => option(status, words.statuses[status] ?? status, status === filter.status))}
      </select>
    </label>
    <label class="field"
      >${words.merchant}
      <select name="merchant">
        ${option('', words.allMerchants, filter.merchantId === null)}
        ${[...merchants].map(([id, name]) => option(id, plainName(name), id === filter.merchantId))}
      </select>
    </label>
    <label class="field">${words.from}<input type="date" name="from" value="${filter.from}" /></label>
    <label class="field">${words.to}<input type="date" name="to" value="${filter.to}" /></label>
    <button class="button small">${words.show}</button>
  </form>`
}
