import type { ListedTransaction, TransactionFilter } from '../../../domain/overview/index.ts'
import { formatMoney } from '../../../kernel/money.ts'
import type { Html } from '../../web/html.ts'
import { html, plainName } from '../../web/html.ts'
import { maskedName } from '../../web/console/masked.ts'
import { dataTable, minute } from '../../web/console/parts.ts'
import {
  dayFields,
  filterFrom,
  option,
  paged,
  period,
  stateBadge,
  statusField,
} from '../../web/console/transaction-list.ts'
import type { MerchantNames } from '../names.ts'
import type { Page, Viewer } from '../page.ts'

const KINDS = ['deposit', 'withdrawal'] as const
const ID = /^[0-9a-f]{24}$/

/** The filter that an address asks for; the default is today's deposits of all merchants. */
export function wantedFrom(query: Record<string, unknown>, now: Date): TransactionFilter {
  const kind = KINDS.find((one) => one === query['kind']) ?? 'deposit'
  const { merchant } = query
  const merchantId = typeof merchant === 'string' && ID.test(merchant) ? merchant : null
  return { ...filterFrom(query, now, kind), merchantId }
}

export function transactionsPage(
  viewer: Viewer,
  filter: TransactionFilter,
  rows: ListedTransaction[],
  merchants: MerchantNames,
): Page {
  const { words } = viewer
  const { kind, merchantId } = filter
  const { shown, next } = paged(words, filter, rows, { kind, ...(merchantId !== null && { merchant: merchantId }) })
  const main = html`<h1>${words.transactions}</h1>
    <p class="lead">${period(filter)}</p>
    ${filterForm(viewer, filter, merchants)}
    ${shown.length === 0 ? html`<p class="empty">${words.noTransactions}</p>` : table(viewer, shown, merchants)} ${next}`
  return { title: words.transactions, section: 'transactions', main }
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

function filterForm({ words, root }: Viewer, filter: TransactionFilter, merchants: MerchantNames): Html {
  return html`<form class="filters" action="${root}/transactions">
    <label class="field"
      >${words.kind}
      <select name="kind">
        ${KINDS.map((kind) => option(kind, words[kind], kind === filter.kind))}
      </select>
    </label>
    ${statusField(words, filter)}
    <label class="field"
      >${words.merchant}
      <select name="merchant">
        ${option('', words.allMerchants, filter.merchantId === null)}
        ${[...merchants].map(([id, name]) => option(id, plainName(name), id === filter.merchantId))}
      </select>
    </label>
    ${dayFields(words, filter)}
  </form>`
}
