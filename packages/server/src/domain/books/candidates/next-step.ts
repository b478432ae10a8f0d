import { istanbul } from '../../../kernel/istanbul.ts'
import type { Queryable } from '../../../platform/postgres/db.ts'
import type { Said } from '../../../platform/refusal.ts'
import type { Deposit } from '../../deposits/index.ts'
import { wasReversed } from '../../deposits/index.ts'
import { NO_MERCHANT } from '../../ledger/index.ts'
import type { Payout } from '../../withdrawals/index.ts'
import {
  isOpen,
  isWaiting,
  mayBeFee,
  wasNotSent,
  findWithdrawalById,
  refundsOfDeposit,
} from '../../withdrawals/index.ts'
import type { StoredLine } from '../../statements/index.ts'
import { payoutReferences } from '../../statements/index.ts'
import { excessStep } from '../journal/oversized-debit.ts'
import type { ProposeStep, StepReason } from '../journal/propose-step.ts'
import { propose, reverseStep } from '../journal/propose-step.ts'
import { bankItemOf } from './bank-words.ts'

/** What a person would do about a candidate: a decision about the line, a proposal, or what must be done before. */
export type NextStep = { because?: StepReason } & (
  | { do: 'match'; lineId: string; depositId: string }
  | { do: 'suspend' | 'dismiss'; lineId: string }
  | { do: 'correction'; lineId: string; found?: 'same_money' }
  | { do: 'sent' | 'return'; lineId: string; withdrawalId: string }
  | ProposeStep
  | { do: 'stop' | 'reject' | 'resolve' | 'look'; withdrawalId: string }
  /** `sign`: the line that shows it. */
  | { do: 'explain'; sign: string | Said }
)

export const isUnexplained = ({ state }: StoredLine) => state === 'suspense' || state === 'needs_review'

/** What must be done about a line before anything else can be said about it. */
export async function stepBefore(db: Queryable, line: StoredLine): Promise<NextStep | null> {
  if (line.state === 'needs_review' && line.correctsLineId !== null) return { do: 'correction', lineId: line.id }
  if (line.state === 'suspense' && line.depositId !== null) return { do: 'suspend', lineId: line.id }
  const named =
    line.candidateWithdrawalId === null ? undefined : await findWithdrawalById(db, line.candidateWithdrawalId)
  if (!isUnexplained(line) || (named?.status !== 'pending' && named?.status !== 'processing')) return null
  return { do: named.status === 'pending' ? 'stop' : 'resolve', withdrawalId: named.id }
}

/** A deposit with refunds cannot lose its money: they are stopped, or, once paid, its merchant is charged for the debit. */
export async function refundBefore(db: Queryable, debit: StoredLine, credit: StoredLine): Promise<NextStep | null> {
  const { state, merchantId, depositId } = credit
  if (state !== 'matched' || merchantId === null || depositId === null) return null
  const refunds = await refundsOfDeposit(db, merchantId, depositId)
  if (refunds.some(({ status }) => status === 'completed'))
    return {
      ...owedStep(debit),
      because: 'refund_paid',
      afterwards: propose('receivable', [], { depositId }, ['settles']),
    }
  const sending = refunds.find(({ status }) => status === 'processing')
  if (sending) return { do: 'look', withdrawalId: sending.id, because: 'refund_is_sent' }
  const [refund] = refunds
  if (!refund) return null
  const how = refund.state === 'awaiting_approval' ? 'reject' : 'stop'
  return { do: how, withdrawalId: refund.id, because: 'refund_first' }
}

export function refundStep(line: StoredLine): ProposeStep {
  return propose('refund_unexplained', [line.id], {}, line.senderIban === null ? ['iban'] : [])
}

/** A refund of this line and nothing else. */
export const isRefund = (step: NextStep) => step.do === 'propose' && step.kind === 'refund_unexplained'

/** A split is taken back before one of its payments can be a storno. */
export function splitBefore(debit: StoredLine, { id, journalId }: StoredLine): NextStep | null {
  if (journalId === null) return null
  const afterwards = propose('storno', [debit.id, id])
  return { ...reverseStep(journalId), because: 'split_first', afterwards }
}

export function depositStep(line: StoredLine, deposit: Deposit): NextStep {
  const { id, status } = deposit
  if (wasReversed(deposit))
    return { ...propose('deposit_payment', [line.id], { depositId: id }), because: 'storno_cancelled' }
  if (status === 'cancelled') return refundStep(line)
  if (status === 'completed' || status === 'failed') return { ...refundStep(line), because: 'takes_no_more' }
  return line.state === 'suspense'
    ? { do: 'match', lineId: line.id, depositId: id }
    : propose('deposit_payment', [line.id], { depositId: id })
}

/** A debit may name several payouts; the matcher keeps one. */
export function isNamedOn({ direction, narrative, candidateWithdrawalId }: StoredLine, withdrawalId: string): boolean {
  if (candidateWithdrawalId === withdrawalId) return true
  return direction === 'debit' && candidateWithdrawalId !== null && payoutReferences(narrative).includes(withdrawalId)
}

export const owedStep = (line: StoredLine) => propose('receivable', [line.id])

export function hasLine(direction: StoredLine['direction'], { withdrawalId }: Payout, its: StoredLine[]): boolean {
  return its.some((one) => one.direction === direction && one.withdrawalId === withdrawalId)
}

/** The debit that a second one may repeat: some banks book it again under another date. */
export function repeatedDebit(line: StoredLine, { withdrawalId }: Payout, its: StoredLine[]): StoredLine | undefined {
  if (line.reason !== 'payout_line_twice' || line.direction !== 'debit') return undefined
  const dates = ({ valueDate, bookedAt }: StoredLine) => `${valueDate} ${istanbul(bookedAt).day}`
  return its.find(
    (one) =>
      one.direction === 'debit' &&
      one.withdrawalId === withdrawalId &&
      one.amount === line.amount &&
      dates(one) !== dates(line),
  )
}

/** The debit of the payout that has the line's number and another amount: the bank has corrected the line. */
export function correctedDebit(line: StoredLine, { withdrawalId }: Payout, its: StoredLine[]): StoredLine | undefined {
  const { direction, bankReference, collectingAccountId, amount } = line
  if (direction !== 'debit' || bankReference === null || line.candidateWithdrawalId !== withdrawalId) return undefined
  return its.find(
    (one) =>
      one.direction === 'debit' &&
      one.withdrawalId === withdrawalId &&
      one.bankReference === bankReference &&
      one.collectingAccountId === collectingAccountId &&
      one.amount !== amount,
  )
}

export const sameMoneyStep = ({ id }: StoredLine): NextStep => ({ do: 'correction', lineId: id, found: 'same_money' })

/** The merchant of the payout was given its money back: it settles what a debit of it is owed. */
export function hasMoneyBack(payout: Payout, its: StoredLine[]): boolean {
  const hasMerchant = payout.merchantId !== NO_MERCHANT
  return hasMerchant && (wasNotSent(payout) || (payout.state === 'returned' && hasLine('credit', payout, its)))
}

/** It may be a part of the payout's debit. Money that was not handed to the bank cannot have left. */
export function isPart(line: StoredLine, payout: Payout, its: StoredLine[]): boolean {
  const { amount, sourceAccountId, submits, state } = payout
  const mayHaveLeft = !wasNotSent(payout) && (submits > 0 || state !== 'ready')
  const isSmaller = line.direction === 'debit' && line.amount < amount && line.collectingAccountId === sourceAccountId
  return isSmaller && mayHaveLeft && !hasLine('debit', payout, its)
}

const idsOf = (...lines: StoredLine[]) => lines.map(({ id }) => id)

/** `rest`: the other parts, if there are such. */
export function partsStep(line: StoredLine, { withdrawalId }: Payout, rest: StoredLine[] | undefined): ProposeStep {
  return propose('payout_debit', idsOf(line, ...(rest ?? [])), { withdrawalId }, rest ? [] : ['line'])
}

export const isOfParts = (step: NextStep) => step.do === 'propose' && step.kind === 'payout_debit'

/** What the bank took for a payout that it had debited. */
function chargeStep(line: StoredLine, { amount }: Payout): ProposeStep | null {
  const item = line.senderIban === null ? bankItemOf(line) : null
  return item !== null && mayBeFee(line.amount, amount) ? propose(item, [line.id]) : null
}

/** `its`: the lines that belong to the payout or name it. Null: there is none. */
export function debitStep(line: StoredLine, payout: Payout, its: StoredLine[]): NextStep | null {
  const { withdrawalId, amount, sourceAccountId } = payout
  if (isOpen(payout)) return { do: 'resolve', withdrawalId }
  if (line.collectingAccountId !== sourceAccountId) return null
  if (wasNotSent(payout)) return owedStep(line)
  if (hasLine('debit', payout, its)) return chargeStep(line, payout) ?? owedStep(line)
  return line.amount > amount ? excessStep(line, payout) : { do: 'sent', lineId: line.id, withdrawalId }
}

/** `rest`: other credits that make its amount with this one, if there are such. Null: there is none. */
export function returnStep(
  line: StoredLine,
  payout: Payout,
  its: StoredLine[],
  rest: StoredLine[] | undefined,
): NextStep | null {
  const { withdrawalId, amount } = payout
  if (isOpen(payout)) return { do: 'resolve', withdrawalId }
  // Less costs, of which more came back later.
  if (line.amount > amount - returnedOf(payout, its)) return null
  const byHand = line.amount === amount && line.state === 'suspense'
  const byLine: NextStep = { do: 'return', lineId: line.id, withdrawalId }
  if (wasNotSent(payout)) {
    const waits = its.some((one) => one.direction === 'debit' && isWaiting(one))
    return byHand && waits ? byLine : null
  }
  if (byHand) return byLine
  return rest && !hasLine('credit', payout, its)
    ? propose('payout_return', idsOf(line, ...rest), { withdrawalId })
    : propose('payout_return', [line.id], { withdrawalId }, ['costs'])
}

function returnedOf({ withdrawalId }: Payout, its: StoredLine[]): bigint {
  const credits = its.filter((one) => one.direction === 'credit' && one.withdrawalId === withdrawalId)
  return [...new Map(credits.map((one) => [one.id, one.amount])).values()].reduce((sum, one) => sum + one, 0n)
}

export const pairStep = (kind: 'storno' | 'own_transfer', line: StoredLine, other: StoredLine) =>
  propose(kind, idsOf(line, other))

/** `open`: what is owed. More than that stays in suspense. */
export function settleStep({ id, amount }: StoredLine, settles: string, open = amount): ProposeStep {
  return propose('receivable', [id], { settles, ...(amount > open && { rest: { amount: amount - open } }) })
}
