import type { DepositFlag } from '../../deposits/index.ts'
import { isLate } from '../../deposits/index.ts'
import type { Candidate, LineFacts, Reason } from './score-match.ts'
import { reasonsOf, senderVerdict, withinLateWindow, withinTolerance } from './score-match.ts'

type Matched = {
  candidate: Candidate
  receivedAmount: bigint
  flags: DepositFlag[]
  reasons: Reason[]
}
type CompleteWhy = 'exact' | 'rest_arrived' | 'within_tolerance' | 'received_accepted'
type HoldWhy = 'short' | 'over' | 'third_party_sender' | 'late_review'
type SuspenseWhy =
  | 'no_reference'
  | 'unknown_reference'
  | 'ambiguous'
  | 'wrong_account'
  | 'duplicate'
  | 'deposit_cancelled'
  | 'deposit_failed'
  | 'too_late'
  | 'uncertain_reference'
  | 'own_transfer'

export type Decision =
  | ({ verdict: 'complete'; why: CompleteWhy } & Matched)
  /** The money is earmarked in suspense; the deposit goes to `processing` or stays there. */
  | ({ verdict: 'hold'; why: HoldWhy } & Matched)
  | { verdict: 'suspense'; why: SuspenseWhy; duplicateOf?: Candidate }
  /** A debit or a reversal: resolved by a person or by payout matching. */
  | { verdict: 'needs_review'; why: 'outgoing' }

/**
 * Decides what a bank line means. `byCode`: deposits whose code is in the text. Never guesses, never first in first out: a person
 * decides if a line is ambiguous or the money differs.
 */
export function decideMatch(line: LineFacts, byCode: Candidate[], codesInText: number): Decision {
  // Some files write a reversal as a credit with a zero or negative amount.
  if (line.direction === 'debit' || line.amount <= 0n) return { verdict: 'needs_review', why: 'outgoing' }
  const named = distinct(byCode)
  // A transfer between our own accounts: no customer has paid, whatever the text says.
  if (line.fromOwnAccount) return suspense('own_transfer')
  const [candidate, another] = named
  if (candidate === undefined) return suspense(codesInText > 0 ? 'unknown_reference' : 'no_reference')
  if (another !== undefined) return suspense('ambiguous')
  const obstacle = obstacleOf(line, candidate)
  if (obstacle === 'duplicate') return { ...suspense(obstacle), duplicateOf: candidate }
  return obstacle === null ? decideOpen(line, candidate) : suspense(obstacle)
}

/** Each deposit once; if a text contains its code twice, the more certain match counts. */
function distinct(candidates: Candidate[]): Candidate[] {
  const byDeposit = new Map<string, Candidate>()
  for (const candidate of candidates) {
    const key = `${candidate.merchantId} ${candidate.id}`
    if (candidate.how === 'word' || !byDeposit.has(key)) byDeposit.set(key, candidate)
  }
  return [...byDeposit.values()]
}

const suspense = (why: SuspenseWhy) => ({ verdict: 'suspense' as const, why })

function isOpen({ status }: Candidate): boolean {
  return status === 'pending' || status === 'processing' || status === 'expired'
}

function onItsAccount(line: LineFacts, { accounts }: Candidate): boolean {
  return accounts.includes(line.collectingAccountId)
}

/** Why the one named deposit cannot take the money automatically. */
function obstacleOf(line: LineFacts, candidate: Candidate): SuspenseWhy | null {
  if (!isCertain(line, candidate)) return 'uncertain_reference'
  if (candidate.status === 'completed') return 'duplicate'
  if (candidate.status === 'cancelled') return 'deposit_cancelled'
  if (candidate.status === 'failed') return 'deposit_failed'
  if (candidate.status === 'expired' && !withinLateWindow(line, candidate)) return 'too_late'
  return onItsAccount(line, candidate) ? null : 'wrong_account'
}

/** A code inside other text may be chance: it counts only if account and amount match too. */
function isCertain(line: LineFacts, candidate: Candidate): boolean {
  if (candidate.how === 'word') return true
  if (!onItsAccount(line, candidate)) return false
  return line.amount === candidate.amount - (isOpen(candidate) ? candidate.receivedAmount : 0n)
}

function decideOpen(line: LineFacts, candidate: Candidate): Decision {
  const { policy } = candidate
  const receivedAmount = candidate.receivedAmount + line.amount
  const flags = flagsAfter(line, candidate, receivedAmount)
  const matched: Matched = { candidate, receivedAmount, flags, reasons: reasonsOf(line, candidate) }
  const hold = (why: HoldWhy): Decision => ({ verdict: 'hold', why, ...matched })
  const complete = (why: CompleteWhy): Decision => ({ verdict: 'complete', why, ...matched })

  // Flags of earlier lines count too: a remainder from the right sender does not make the first part valid.
  if (policy.nameCheck === 'require' && flags.includes('name_mismatch')) return hold('third_party_sender')
  if (policy.late === 'review' && flags.includes('late')) return hold('late_review')

  const difference = receivedAmount - candidate.amount
  if (difference === 0n) return complete(candidate.receivedAmount > 0n ? 'rest_arrived' : 'exact')
  // Nothing was missing: a second payment, which no policy accepts automatically.
  if (candidate.receivedAmount >= candidate.amount) return hold('over')
  if (policy.amount === 'accept_received') return complete('received_accepted')
  if (withinTolerance(difference, policy)) return complete('within_tolerance')
  return hold(difference < 0n ? 'short' : 'over')
}

/** `underpaid` and `overpaid` compare the total with the requested amount, whether or not a policy accepts it. */
function flagsAfter(line: LineFacts, candidate: Candidate, receivedAmount: bigint): DepositFlag[] {
  const flags = new Set(candidate.flags)
  flags.delete('underpaid')
  if (receivedAmount < candidate.amount) flags.add('underpaid')
  if (receivedAmount > candidate.amount) flags.add('overpaid')
  if (isLate(candidate, line.bookedAt)) flags.add('late')
  if (isOfAnother(line, candidate)) flags.add('name_mismatch')
  return [...flags]
}

/** A missing name is no mismatch to warn about, but it does not satisfy a policy that requires the name. */
function isOfAnother(line: LineFacts, { customerName, policy }: Candidate): boolean {
  if (policy.nameCheck === 'off') return false
  const verdict = senderVerdict(line, customerName)
  return verdict === 'different' || (verdict === 'unknown' && policy.nameCheck === 'require')
}
