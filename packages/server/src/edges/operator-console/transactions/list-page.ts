import { NO_MERCHANT } from '../../../domain/ledger/index.ts'
import type {
  ListedTransaction,
  SavedView,
  sumTransactions,
  TransactionFilter,
} from '../../../domain/overview/index.ts'
import { MOST_SUMMED, SUMMED_AT_ONCE } from '../../../domain/overview/index.ts'
import { formatMoney } from '../../../kernel/money.ts'
import type { Html } from '../../web/html.ts'
import { html, plainName } from '../../web/html.ts'
import { cardTable } from '../../web/console/parts.ts'
import { exportLinks } from '../../web/console/transaction-export.ts'
import {
  addressOf,
  dayFields,
  filterFrom,
  option,
  paged,
  period,
  statusField,
} from '../../web/console/transaction-list.ts'
import type { MerchantNames } from '../names.ts'
import type { Page, Viewer } from '../page.ts'
import type { ColumnName } from './columns.ts'
import { CHOICES, columnLabel, columnsField, columnsFrom, shownCell } from './columns.ts'
import { savedViews } from './saved-views.ts'
import { WORDS } from './words.ts'

const KINDS = ['deposit', 'withdrawal'] as const
const ID = /^[0-9a-f]{24}$/
/** 10.000, as amounts are written in both languages. */
const COUNT = new Intl.NumberFormat('tr-TR')

export type Wanted = { filter: TransactionFilter; columns: readonly ColumnName[] }

/** What an address asks for; the default is today's deposits of all merchants. */
export function wantedFrom(query: Record<string, unknown>, now: Date): Wanted {
  const kind = KINDS.find((one) => one === query['kind']) ?? 'deposit'
  const { merchant } = query
  const merchantId = typeof merchant === 'string' && ID.test(merchant) ? merchant : null
  return { filter: { ...filterFrom(query, now, kind), merchantId }, columns: columnsFrom(query) }
}

/** What follows the question mark, for links and saved views. */
export function wantedAddress({ filter, columns }: Wanted, now: Date): string {
  return addressOf(filter, now, fixedFields({ filter, columns }))
}

function fixedFields({ filter: { kind, merchantId }, columns }: Wanted): Record<string, string> {
  return { kind, ...(merchantId !== null && { merchant: merchantId }), ...columnsField(columns) }
}

type Sums = Awaited<ReturnType<typeof sumTransactions>>
/** `isSummed`: a person asked for the sum of a long list. */
type Facts = { rows: ListedTransaction[]; sums: Sums; isSummed: boolean; merchants: MerchantNames; views: SavedView[] }

export function transactionsPage(
  viewer: Viewer,
  wanted: Wanted,
  { rows, sums, isSummed, merchants, views }: Facts,
): Page {
  const { words, now } = viewer
  const { filter } = wanted
  const { shown, next } = paged(words, filter, rows, fixedFields(wanted))
  const address = wantedAddress(wanted, now)
  const main = html`<h1>${words.transactions}</h1>
    <p class="lead">${period(filter)}</p>
    ${savedViews(viewer, views, address)} ${filterForm(viewer, wanted, merchants)}
    ${shown.length > 0 && html`<p class="total">${sums ? sumText(viewer, sums, filter.status === undefined) : noSum(viewer, address, isSummed)}</p>`}
    ${shown.length === 0 ? html`<p class="empty">${words.noTransactions}</p>` : table(viewer, wanted, shown, merchants)}
    <p class="more below-table">${next} ${exportLinks(words, address)}</p>`
  return { title: words.transactions, section: 'transactions', main }
}

/** Of all rows of the filter, not only of this page. `isMixed`: of all states. */
function sumText({ language }: Viewer, sums: NonNullable<Sums>, isMixed: boolean): Html {
  const words = WORDS[language]
  const counted = (count: number) => words.counted(COUNT.format(count), count)
  const count = sums.reduce((sum, one) => sum + one.count, 0)
  const completed = sums.reduce((sum, one) => sum + one.completedCount, 0)
  const money = (of: 'amount' | 'completed') =>
    html`<b>${sums.map((one) => formatMoney(one[of], one.currency)).join(' + ')}</b>`
  return html`${counted(count)} · ${money('amount')}
  ${isMixed && html`· ${words.completedSum} ${counted(completed)}, ${money('completed')}`}`
}

function noSum({ language, root }: Viewer, address: string, isSummed: boolean): Html {
  const words = WORDS[language]
  if (isSummed) return html`${words.tooMany(COUNT.format(MOST_SUMMED))}`
  return html`${words.moreThan(COUNT.format(SUMMED_AT_ONCE))} ·
    <a href="${root}/transactions?${address}&sum=1">${words.sumUp}</a>`
}

function table(viewer: Viewer, { columns }: Wanted, rows: ListedTransaction[], merchants: MerchantNames): Html {
  const { words, root } = viewer
  const isMoney = (column: ColumnName) => column === 'amount' || column === 'fee'
  return cardTable(
    words.transactions,
    [...columns.map((one) => ({ label: columnLabel(viewer, one), isMoney: isMoney(one) })), { label: words.id }],
    rows.map((row) => ({
      href: `${root}/transactions/${row.id}`,
      cells: [
        ...columns.map((one) => shownCell(viewer, one, row, merchants)),
        html`<a class="id" href="${root}/transactions/${row.id}">${row.id}</a>`,
      ],
    })),
  )
}

function filterForm(viewer: Viewer, { filter, columns }: Wanted, merchants: MerchantNames): Html {
  const { words, root, language } = viewer
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
        ${option(NO_MERCHANT, words.house, filter.merchantId === NO_MERCHANT)}
      </select>
    </label>
    ${dayFields(words, filter)}
    <details class="chosen-columns">
      <summary>${WORDS[language].columns}</summary>
      <div role="group" aria-label="${WORDS[language].columns}">
        ${CHOICES.map(
          (one) =>
            html`<label class="choice"
              ><input
                type="checkbox"
                name="columns"
                value="${one}"
                ${columns.includes(one) && html`checked`}
              />${columnLabel(viewer, one)}</label
            >`,
        )}
      </div>
    </details>
  </form>`
}
