import type { NewEntry } from '../../ledger/index.ts'

/** The closed list. docs/ledger.md has the bookings of each; constraint `journal_entries_known_kind` has the same list. */
export const JOURNAL_KINDS = [
  'own_transfer',
  'bank_charge',
  'bank_tax',
  'interest',
  'receivable',
  'fee_withdrawal',
  'refund_unexplained',
  'payout_return',
  'payout_debit',
  'storno',
  'own_funds',
  'opening_balance',
  'unmatch',
  'deposit_payment',
  'reversal',
] as const
export type JournalKind = (typeof JOURNAL_KINDS)[number]

/** What the first person says. Which fields are needed depends on the kind. */
export type Terms = {
  lineIds: string[]
  depositId?: string
  /** Deposit payment: how much of the line is for which deposit. */
  parts?: { depositId: string; amount: bigint }[]
  /** Deposit payment, payout return, receivable: what is left of the line; it stays in suspense. */
  rest?: { amount: bigint }
  /** Refund, receivable: it uses what this entry has left. */
  restOf?: string
  /** What a deposit becomes whose money is taken back. */
  to?: 'failed' | 'processing'
  withdrawalId?: string
  /** Payout debit, payout return: the payouts that one line is the debit, or the return, of. */
  withdrawalIds?: string[]
  /** Payout debit: what the bank charged besides, in the same line. Payout return: what it gives back of a charge. */
  charge?: { amount: bigint }
  /** Payouts whose account and amount, or recipient, the line has, and whose debit it is not, or, of a refund, whose return. */
  notPayouts?: string[]
  /** Receivable, payout return: the entry whose money a credit gives back; bank charge: the one whose rest is written off. */
  settles?: string
  /** Who bears the costs of a return. */
  costsBy?: 'merchant' | 'operator'
  /** Where a refund goes, if not to the IBAN on the line. */
  iban?: string
  name?: string
  /** Opening balance. */
  accountId?: string
  amount?: bigint
  /** yyyy-mm-dd */
  day?: string
  /** Fee withdrawal: from which merchants' fees. Filled in when it is proposed. */
  shares?: { merchantId: string; amount: bigint }[]
}

/** What it changes: the second person approves exactly this. */
export type Seen = {
  lines: { id: string; state: string; reason: string | null; becomes: string }[]
  deposits: { id: string; merchantId: string; status: string; sequence: number; becomes: string }[]
  entries: NewEntry[]
  /** The refund of unexplained money, or the payout, or payouts, that came back or have their debit. */
  payout: string | null
  /** Payout debit: `open`, or how the payout had ended. */
  payoutState?: string
}

export type Details = { terms: Terms; seen: Seen }

/** Posted. */
export type JournalEntry = {
  /** Of its proposal, if there was one. */
  id: string
  kind: JournalKind
  details: Details
  reason: string
  /** Null: no one, because its lines say what they are. */
  proposedBy: string | null
  proposedAt: Date
  /** Null: one person booked it, as one may. */
  approvedBy: string | null
  postedAt: Date
  reverses: string | null
  reversedAt: Date | null
  /** By which it was booked, of which the two people are then those of the rule. */
  ruleId: string | null
}

/** A return of a payout in one credit with other money, or other payouts. */
export const isReturnOfMore = ({ kind, details: { terms } }: Pick<JournalEntry, 'kind' | 'details'>) =>
  kind === 'payout_return' &&
  [terms.settles, terms.charge, terms.rest, terms.withdrawalIds].some((one) => one !== undefined)

/** JSON has no bigint: amounts are stored as text. */
export function writeDetails(details: Details): string {
  return JSON.stringify(details, (_key, value: unknown) => (typeof value === 'bigint' ? value.toString() : value))
}

export function readDetails(stored: unknown): Details {
  const isAmount = (key: string, value: unknown) => key === 'amount' && typeof value === 'string'
  return JSON.parse(JSON.stringify(stored), (key, value: unknown) =>
    isAmount(key, value) ? BigInt(value as string) : value,
  ) as Details
}
