import type { ListedTransaction, TransactionFilter, TransactionKind } from '../../../domain/overview/index.ts'
import { istanbulTime } from '../../../kernel/istanbul.ts'
import { formatMoney } from '../../../kernel/money.ts'
import type { Html } from '../../web/html.ts'
import { html, plainName } from '../../web/html.ts'
import { cardTable, minute } from '../../web/console/parts.ts'
import type { ExportedColumn } from '../../web/console/transaction-export.ts'
import { exportLinks } from '../../web/console/transaction-export.ts'
import { addressOf, dayFields, paged, period, stateBadge, statusField } from '../../web/console/transaction-list.ts'
import type { Page, Viewer } from '../page.ts'
import type { Words } from '../words-tr.ts'

/** The list in a file, with its words. */
export function exportedColumns(words: Words, kind: TransactionKind): ExportedColumn[] {
  return [
    { name: kind === 'deposit' ? words.customer : words.recipient, kind: 'text', cell: ({ name }) => plainName(name) },
    { name: words.amount, kind: 'amount', cell: ({ amount }) => amount },
    { name: words.fee, kind: 'amount', cell: ({ fee }) => fee },
    { name: words.currency, kind: 'text', cell: ({ currency }) => currency },
    { name: words.status, kind: 'text', cell: ({ status }) => words.codes.statuses[status] },
    { name: words.created, kind: 'text', cell: ({ createdAt }) => istanbulTime(createdAt) },
    { name: words.processId, kind: 'text', cell: ({ processId }) => plainName(processId) },
    { name: words.id, kind: 'text', cell: ({ id }) => id },
  ]
}

/** One kind, of the session's merchant. */
export function transactionsPage(viewer: Viewer, filter: TransactionFilter, rows: ListedTransaction[]): Page {
  const { words, root } = viewer
  const section = filter.kind === 'deposit' ? 'deposits' : 'withdrawals'
  const { shown, next } = paged(words, filter, rows)
  const main = html`<h1>${words[section]}</h1>
    <p class="lead">${period(filter)}</p>
    <form class="filters" action="${root}/${section}">${statusField(words, filter)} ${dayFields(words, filter)}</form>
    ${shown.length === 0 ? html`<p class="empty">${words.noTransactions}</p>` : table(viewer, section, shown)}
    <p class="more below-table">${next} ${exportLinks(words, addressOf(filter, viewer.now))}</p>`
  return { title: words[section], section, main }
}

function table(viewer: Viewer, section: 'deposits' | 'withdrawals', rows: ListedTransaction[]): Html {
  const { words, root } = viewer
  const name = section === 'deposits' ? words.customer : words.recipient
  const columns = [words.status, words.created, words.processId, words.id].map((label) => ({ label }))
  return cardTable(
    words[section],
    [{ label: name }, { label: words.amount, isMoney: true }, ...columns],
    rows.map((row) => ({
      href: `${root}/transactions/${row.id}`,
      cells: [
        html`${plainName(row.name)}`,
        html`${formatMoney(row.amount, row.currency)}`,
        stateBadge(viewer, row.status),
        minute(row.createdAt),
        html`${plainName(row.processId)}`,
        html`<a class="id" href="${root}/transactions/${row.id}">${row.id}</a>`,
      ],
    })),
  )
}
