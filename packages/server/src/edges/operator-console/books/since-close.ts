import type { ClosedWith, DayReport } from '../../../domain/books/index.ts'
import { DIFFERENCE_KINDS } from '../../../domain/books/index.ts'
import { formatMoney } from '../../../kernel/money.ts'
import type { Html } from '../../web/html.ts'
import { html } from '../../web/html.ts'
import { dataTable, minute } from '../../web/console/parts.ts'
import { stateBadge } from '../../web/console/transaction-list.ts'
import type { Viewer } from '../page.ts'
import { WORDS } from './words.ts'

/** What two people signed, where it differs from what the day shows now. */
export function sinceClose(viewer: Viewer, report: DayReport): Html {
  const { closedWith } = report
  if (!closedWith || closedWith.changed.length === 0) return html``
  const words = WORDS[viewer.language]
  return html`<section class="card proof">
    <h2 class="first">${words.since}</h2>
    <p class="note">
      ${minute(closedWith.at)} <b>${closedWith.closedBy}</b> ${words.events.closed}. ${words.sinceText}
    </p>
    ${figures(viewer, report, closedWith)} ${closedWith.lines.length > 0 && lines(viewer, report, closedWith)}
  </section>`
}

function figures(viewer: Viewer, { accounts }: DayReport, { changed }: ClosedWith): Html {
  const words = WORDS[viewer.language]
  return dataTable(
    words.since,
    [
      { label: words.figure },
      ...[words.atClose, words.now, words.difference].map((label) => ({ label, isMoney: true })),
    ],
    changed.map(({ name, before, now }) => {
      const { label, money } = namedFigure(viewer, accounts, name)
      const amount = (value: string | null) => (value === null || value === 'null' ? 0n : BigInt(value))
      const cells = [label, money(before), money(now), money(String(amount(now) - amount(before)))]
      return { href: null, cells: cells.map((text) => html`${text}`) }
    }),
  )
}

function lines(viewer: Viewer, { accounts }: DayReport, { lines: late }: ClosedWith): Html {
  const words = WORDS[viewer.language]
  const bankOf = (id: string) => accounts.find(({ collectingAccountId }) => collectingAccountId === id)?.bankName ?? id
  return html`<h3 class="below">${words.lateLines}</h3>
    ${dataTable(
      words.lateLines,
      [
        { label: words.readAt },
        { label: words.account },
        { label: words.state },
        { label: words.amount, isMoney: true },
      ],
      late.map(({ id, collectingAccountId, direction, amount, currency, state, createdAt }) => ({
        href: `${viewer.root}/matching/${id}`,
        cells: [
          html`<a href="${viewer.root}/matching/${id}">${minute(createdAt)}</a>`,
          html`${bankOf(collectingAccountId)}`,
          stateBadge(viewer, state),
          html`${formatMoney(direction === 'debit' ? -amount : amount, currency)}`,
        ],
      })),
    )}`
}

type Account = { iban: string; bankName: string; currency: string }
type NamedFigure = { label: string; money: (value: string | null) => string }

/** A stored figure is a text, also of one that is not known. */
function amountOf({ none }: { none: string }, currency: string, value: string | null): string {
  return value === null || value === 'null' ? none : formatMoney(BigInt(value), currency)
}

/** A stored figure in words: `TR… credits`, `TR… accepted LINE` or `TRY suspense`. */
function namedFigure({ language }: Viewer, accounts: Account[], name: string): NamedFigure {
  const words = WORDS[language]
  const [whose = '', what = '', subject = ''] = name.split(' ')
  const account = accounts.find(({ iban }) => iban === whose)
  const currency = account?.currency ?? whose
  const money = (value: string | null) => amountOf(words, currency, value)
  if (!account) return { label: `${words.total}: ${words.kinds[what] ?? what.replaceAll('_', ' ')}`, money }
  const plain: Record<string, string> = {
    ...{ opening: words.opening, closing: words.closing, credits: words.credits, debits: words.debits },
    ...{ ledger: words.ledger, carried: words.closing },
    ...(what in DIFFERENCE_KINDS && words.differenceKinds),
  }
  const label = [plain[what] ?? name.slice(whose.length + 1), what in DIFFERENCE_KINDS ? subject : '']
  return { label: `${account.bankName} …${whose.slice(-4)}: ${label.filter(Boolean).join(' ')}`, money }
}
