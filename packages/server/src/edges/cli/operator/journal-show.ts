import type { JournalEntry, ShownEntry } from '../../../domain/books/index.ts'
import type { AccountRef } from '../../../domain/ledger/index.ts'
import { formatMoney } from '../../../kernel/money.ts'
import { facts, table } from '../core/output.ts'
import { linesTable } from './line.ts'

/** What it books: bookings, balances, lines, deposits, and the payout. */
export function describeEntry(shown: ShownEntry, accountName: (id: string) => string): string[] {
  const { lines, accounts } = shown
  const { seen } = shown.details
  const nameOf = ({ kind, merchantId, subject = '' }: AccountRef) =>
    `${kind} ${subject === '' ? merchantId : accountName(subject)}`
  const bookings = seen.entries.flatMap(({ kind, transfers }) =>
    transfers.map(({ from, to, amount }) => [kind, nameOf(from), nameOf(to), formatMoney(amount, from.currency)]),
  )
  const balances = accounts.map(({ account, balance, change, after }) => {
    const money = (amount: bigint | null) => (amount === null ? '' : formatMoney(amount, account.currency))
    return [nameOf(account), money(balance), money(change), money(after)]
  })
  const became = seen.lines.map(({ id, state, becomes }) => `line ${id}: ${state} → ${becomes}`)
  const deposits = seen.deposits.map((one) => `deposit ${one.id} of ${one.merchantId}: ${one.status} → ${one.becomes}`)
  const payout = shown.details.terms.iban ?? seen.payout
  return [
    ...(bookings.length > 0 ? table(['booking', 'from', 'to', 'amount'], bookings) : ['It books nothing.']),
    '',
    ...(balances.length > 0 ? table(['account', 'balance now', 'change', 'afterwards'], balances) : []),
    ...(lines.length > 0 ? ['', ...linesTable(lines)] : []),
    '',
    ...became,
    ...deposits,
    ...describeTerms(shown),
    ...(payout === null ? [] : [payoutWords(shown, payout)]),
  ]
}

function describeTerms({ kind, details: { terms, seen } }: ShownEntry): string[] {
  const { settles, withdrawalId, depositId, charge, rest, restOf, notPayouts = [] } = terms
  const currency = seen.entries[0]?.transfers[0]?.from.currency ?? ''
  return [
    ...(kind === 'payout_debit' ? openWords(seen) : []),
    ...notPayouts.map(
      (id) =>
        `is not the ${kind === 'refund_unexplained' ? 'return' : 'debit'} of payout ${id}, although account and amount, or recipient, are its own`,
    ),
    ...(settles === undefined ? [] : [settlesWords(kind, seen, settles)]),
    ...(settles === undefined || withdrawalId === undefined || kind !== 'receivable'
      ? []
      : [`from the balance of the merchant of withdrawal ${withdrawalId}`]),
    ...(settles === undefined || depositId === undefined
      ? []
      : [
          `from the balance of the merchant of deposit ${depositId}: a refund of it was paid or is on its way, or the bank took a part back`,
        ]),
    ...(rest === undefined ? [] : [`rest: ${formatMoney(rest.amount, currency)} stays in suspense`]),
    ...(charge === undefined
      ? []
      : [
          `charge of the bank ${kind === 'payout_return' ? 'given back' : 'besides'}: ${formatMoney(charge.amount, currency)}`,
        ]),
    ...(restOf === undefined ? [] : [`uses the rest of entry ${restOf}`]),
  ]
}

function settlesWords(kind: ShownEntry['kind'], { entries }: ShownEntry['details']['seen'], settles: string) {
  if (kind === 'bank_charge') return `writes off what is still owed by ${settles}`
  const isCharge =
    kind === 'receivable' && entries.some((one) => one.transfers.some(({ to }) => to.kind === 'merchant_available'))
  return isCharge ? `gives back what the merchant was charged by ${settles}` : `gives back what is owed by ${settles}`
}

/** Of several payouts, which are open. */
function openWords({ payout, payoutState = '' }: ShownEntry['details']['seen']): string[] {
  const [ids, states] = [(payout ?? '').split(', '), payoutState.split(', ')]
  const open = ids.filter((_id, place) => states[place] === 'open')
  if (open.length === 0) return []
  return [
    ids.length === 1 ? 'the payout is open: the lines complete it' : `open, completed by the line: ${open.join(', ')}`,
  ]
}

function payoutWords({ kind, details }: ShownEntry, payout: string): string {
  if (kind === 'refund_unexplained') return `pays out to ${payout}`
  if (payout.includes(', ')) {
    const isReturn = kind === 'payout_return' || details.seen.lines.some(({ becomes }) => becomes === 'suspense')
    if (isReturn) return `payouts ${payout}: ${kind === 'reversal' ? 'did not come back' : 'each returned'}`
    const now = kind === 'reversal' ? 'have no debit any more; they stay as they ended' : 'each has its debit'
    return `payouts ${payout}: ${now}`
  }
  if (kind === 'reversal' && details.seen.lines.some(({ becomes }) => becomes === 'suspense'))
    return `payout ${payout}: did not come back`
  if (kind === 'reversal') return `payout ${payout}: has no debit any more; it stays as it ended`
  return `payout ${payout}: ${kind === 'payout_return' ? 'returned' : 'has its debit'}`
}

/** Who proposed and approved a posted entry, when and why. */
export function headOf(entry: JournalEntry): string[] {
  const { id, kind, reason, proposedBy, proposedAt, approvedBy, postedAt, reverses, reversedAt } = entry
  return facts([
    ['entry', `${id}, ${kind}`],
    ['why', reason],
    [approvedBy === null ? 'booked' : 'proposed', `by ${proposedBy ?? 'no one'}, ${proposedAt.toISOString()}`],
    ...(approvedBy === null
      ? []
      : ([['approved', `by ${approvedBy}, ${postedAt.toISOString()}`]] as [string, string][])),
    ...(reverses === null ? [] : ([['takes back', reverses]] as [string, string][])),
    ...(reversedAt === null ? [] : ([['taken back', reversedAt.toISOString()]] as [string, string][])),
  ])
}
