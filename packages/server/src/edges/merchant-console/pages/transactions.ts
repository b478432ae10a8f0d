import type { ListedTransaction, TransactionFilter } from '../../../domain/overview/index.ts'
import { formatMoney } from '../../../kernel/money.ts'
import type { Html } from '../../web/html.ts'
import { html, plainName } from '../../web/html.ts'
import { dataTable, minute } from '../../web/console/parts.ts'
import { dayFields, paged, period, stateBadge, statusField } from '../../web/console/transaction-list.ts'
import type { Page, Viewer } from '../page.ts'

/** One kind, of the session's merchant. */
export function transactionsPage(viewer: Viewer, filter: TransactionFilter, rows: ListedTransaction[]): Page {
  const { words, root } = viewer
  const section = filter.kind === 'deposit' ? 'deposits' : 'withdrawals'
  const { shown, next } = paged(words, filter, rows)
  const main = html`<h1>${words[section]}</h1>
    <p class="lead">${period(filter)}</p>
    <form class="filters" action="${root}/${section}">${statusField(words, filter)} ${dayFields(words, filter)}</form>
    ${shown.length === 0 ? html`<p class="empty">${words.noTransactions}</p>` : table(viewer, section, shown)} ${next}`
  return { title: words[section], section, main }
}

function table(viewer: Viewer, section: 'deposits' | 'withdrawals', rows: ListedTransaction[]): Html {
  const { words, root } = viewer
  const name = section === 'deposits' ? words.customer : words.recipient
  const columns = [words.status, words.created, words.processId, words.id].map((label) => ({ label }))
  return dataTable(
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
