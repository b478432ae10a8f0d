import { sumOf } from '../../../kernel/money.ts'
import type { Payout } from '../../withdrawals/index.ts'
import { PAID_WITHOUT_DEBIT } from '../../withdrawals/index.ts'
import type { CashMove } from '../../ledger/index.ts'
import type { DayLine } from '../../statements/index.ts'

/** Why the bank and the ledger differ about one matter at the end of a day. */
export const DIFFERENCE_KINDS = {
  payout_without_debit: 'the payout is completed, and no debit shows it yet',
  paid_without_debit: 'two people said that it was paid without a debit, and the balance of the bank does not show it',
  return_without_credit: 'the payout came back by word of the bank, and no credit shows it yet',
  debit_in_review: 'a debit that no one has explained yet',
  credit_in_review: 'a credit that waits for a person',
  line_not_matched: 'a line that the matcher has not read yet',
  booked_on_other_day: 'in the books on another day than at the bank',
  accepted: 'two people accepted it when they closed an earlier day',
  unexplained: 'not explained',
} as const
export type DifferenceKind = keyof typeof DIFFERENCE_KINDS

/** The word of people does not explain what the bank's balance contradicts. */
export function isUnexplained({ kind }: { kind: DifferenceKind }): boolean {
  return kind === 'unexplained' || kind === 'paid_without_debit'
}

/** `amount`: what the bank has more than the ledger. */
export type Difference = {
  /** A withdrawal, a bank line or a deposit; empty: none is known. */
  subject: string
  merchantId: string
  kind: DifferenceKind
  amount: bigint
  /** The other day, if it is known: of the debit, or of the entry. */
  otherDay: string | null
}

/** All lines and cash movements of one account about one matter, whenever they were. */
export type Matter = { lines: DayLine[]; moves: CashMove[]; payout: Payout | undefined }

/** What the bank has more than the ledger at the end of a day. The bank does not count a dismissed line. */
export function differenceAt({ lines, moves }: Matter, day: string | null): bigint {
  const until = (one: { day: string }) => day === null || one.day <= day
  const bank = lines.filter((line) => until(line) && line.state !== 'dismissed')
  return sumOf(bank) - sumOf(moves.filter(until))
}

/** Why a matter differs at the end of a day. */
export function kindOf(matter: Matter, day: string, amount: bigint): DifferenceKind {
  const { lines, moves, payout } = matter
  const counted = lines.filter(({ state }) => state !== 'dismissed')
  const seen = counted.filter((line) => line.day <= day)
  const shows = (direction: DayLine['direction']) => seen.some((line) => line.direction === direction)
  if (payout && amount === payout.amount && !shows('debit')) {
    // Its debit came on a later day after all.
    const hasDebit = counted.some(({ direction }) => direction === 'debit')
    return payout.reason === PAID_WITHOUT_DEBIT && !hasDebit ? 'paid_without_debit' : 'payout_without_debit'
  }
  if (payout?.state === 'returned' && amount === -payout.amount && !shows('credit')) return 'return_without_credit'
  const [line, ...more] = seen
  if (line && more.length === 0 && moves.length === 0 && amount === line.amount) {
    if (line.state === 'new') return 'line_not_matched'
    if (line.state === 'needs_review') return line.direction === 'debit' ? 'debit_in_review' : 'credit_in_review'
  }
  return differenceAt(matter, null) === 0n ? 'booked_on_other_day' : 'unexplained'
}

/** Without payouts that two people know to be paid without a debit, as far as the bank has `rest` more than the others explain. */
export function withoutPaid(differences: Difference[], rest: bigint): Difference[] {
  let left = rest
  return differences.filter(({ kind, amount }) => {
    if (kind !== 'paid_without_debit') return true
    const isShown = amount <= left
    if (isShown) left -= amount
    return isShown
  })
}

/** The first later day on which the other side is. */
export function otherDayOf({ lines, moves }: Matter, day: string): string | null {
  const later = [...lines, ...moves].map((one) => one.day).filter((one) => one > day)
  return later.toSorted()[0] ?? null
}

/** What two people accepted at the close of `day` without a line or an entry, and whether the balances still differ by it. */
export type AcceptedRest = { amount: bigint; day: string; state: 'stands' | 'ended' | 'unclear' }

const NOT_NAMED = { subject: '', merchantId: '', otherDay: null } as const

/**
 * Divides what neither a line nor an entry explains into what was accepted before and the rest. Null: the bank gave no
 * balance to tell. An accepted amount must not hide another difference: if both may be, more counts as unexplained.
 */
export function divideRest(
  rest: bigint | null,
  before: { amount: bigint; day: string } | null,
): { differences: Difference[]; accepted: AcceptedRest | null } {
  const accepted = before?.amount ?? 0n
  const isKept = rest === null || rest === accepted || (rest !== 0n && abs(rest - accepted) > abs(rest))
  const kept = isKept ? accepted : 0n
  const parts: Difference[] = [
    { ...NOT_NAMED, kind: 'accepted', amount: kept },
    { ...NOT_NAMED, kind: 'unexplained', amount: (rest ?? kept) - kept },
  ]
  const state = rest === null || rest === accepted ? 'stands' : rest === 0n ? 'ended' : 'unclear'
  return { differences: parts.filter(({ amount }) => amount !== 0n), accepted: before && { ...before, state } }
}

export function abs(amount: bigint): bigint {
  return amount < 0n ? -amount : amount
}
