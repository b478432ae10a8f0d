import type { Difference } from './difference.ts'

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
