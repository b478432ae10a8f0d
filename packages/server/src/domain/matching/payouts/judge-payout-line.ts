import { isWholeIban, normaliseIban } from '../../../kernel/iban.ts'
import type { StoredLine } from '../../statements/index.ts'
import type { Payout } from '../../withdrawals/index.ts'
import { isWaiting, mayBeFee, wasNotSent } from '../../withdrawals/index.ts'

export type LineFacts = Pick<StoredLine, 'direction' | 'amount' | 'collectingAccountId' | 'senderIban'>
export type PayoutFacts = Pick<
  Payout,
  'withdrawalId' | 'amount' | 'sourceAccountId' | 'iban' | 'submits' | 'state' | 'reason'
>
export type OtherLine = Pick<StoredLine, 'direction' | 'amount' | 'state' | 'reason' | 'withdrawalId'>

export type Verdict =
  /** The money left or came back. The line belongs to the payout. */
  | 'payout_sent'
  | 'payout_returned'
  /** The second line of a payout that was refused or never paid: the two cancel out. */
  | 'cancels'
  /** Needs a person's decision. */
  | 'payout_differs'
  | 'payout_line_twice'
  | 'payout_other_sender'
  | 'payout_other_recipient'
  | 'payout_no_debit'
  | 'payout_second_debit'
  | 'payout_taken_back'

/**
 * What a line means for the payout that its text names. `others`: lines decided before that belong to the payout or
 * name it. A credit is a return only if amount, account and sender fit and the statement shows that the money had left,
 * once.
 */
export function judgePayoutLine(
  line: LineFacts,
  payout: PayoutFacts,
  others: OtherLine[],
  ownIbans: ReadonlySet<string>,
): Verdict {
  if (line.amount !== payout.amount || line.collectingAccountId !== payout.sourceAccountId) return 'payout_differs'
  // Money not yet submitted to the bank cannot have left or come back.
  if (payout.submits === 0 && payout.state === 'ready') return 'payout_differs'
  // A second debit for one payout would mean that it was paid twice.
  if (others.some((other) => other.direction === line.direction && (isIts(other, payout) || isWaiting(other))))
    return 'payout_line_twice'
  if (line.direction === 'credit' && !mayReturn(line.senderIban, payout, ownIbans)) return 'payout_other_sender'
  if (line.direction === 'debit' && isToAnother(line.senderIban, payout, ownIbans)) return 'payout_other_recipient'
  // The same direction was excluded above, so the waiting line has the opposite one.
  if (wasNotSent(payout)) return others.some(isWaiting) ? 'cancels' : 'payout_taken_back'
  if (line.direction === 'debit') return 'payout_sent'
  // The bank may have reported the return before its line.
  if (payout.state !== 'returned' && !others.some((other) => isIts(other, payout))) return 'payout_no_debit'
  // The bank may give a second debit back, and the recipient keep the first.
  const unexplained = netOf(others.filter((other) => isUnexplained(other, payout)))
  return !mayBeFee(unexplained, payout.amount) || stillOut(others, payout) >= line.amount
    ? 'payout_second_debit'
    : 'payout_returned'
}

/** A debit beside its own that no one has explained, or judged. */
function isUnexplained(other: OtherLine, payout: PayoutFacts): boolean {
  const { direction, state } = other
  return direction === 'debit' && (state === 'needs_review' || state === 'new') && !isIts(other, payout)
}

const netOf = (lines: OtherLine[]) =>
  lines.reduce((sum, { direction, amount }) => (direction === 'debit' ? sum + amount : sum - amount), 0n)

/** Debits beside its own that no one has explained, or that are owed to us, less the credits about it that settled them. */
function stillOut(others: OtherLine[], payout: PayoutFacts): bigint {
  return netOf(
    others.filter(
      (other) => isUnexplained(other, payout) || (isOwed(other.state, other.reason) && !isIts(other, payout)),
    ),
  )
}

const isOwed = (state: string, reason: string | null) => state === 'matched' && reason === 'receivable'

function isIts({ state, withdrawalId }: OtherLine, payout: PayoutFacts): boolean {
  return state === 'matched' && withdrawalId === payout.withdrawalId
}

/** The bank shows a complete IBAN that is neither the recipient's nor ours: it may have paid someone else. */
function isToAnother(senderIban: string | null, { iban }: PayoutFacts, ownIbans: ReadonlySet<string>): boolean {
  const written = normaliseIban(senderIban ?? '')
  return written !== iban && !ownIbans.has(written) && isWholeIban(written)
}

/** Banks return from the recipient's account, from ours, or without a sender. Anyone else may have copied the text. */
function mayReturn(senderIban: string | null, { iban }: PayoutFacts, ownIbans: ReadonlySet<string>): boolean {
  const sender = normaliseIban(senderIban ?? '')
  return sender === '' || sender === iban || ownIbans.has(sender)
}
