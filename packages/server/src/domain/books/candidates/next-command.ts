import { istanbul } from '../../../kernel/istanbul.ts'
import type { Queryable } from '../../../platform/postgres/db.ts'
import type { Deposit } from '../../deposits/index.ts'
import { NO_MERCHANT } from '../../ledger/index.ts'
import type { Payout } from '../../payouts/index.ts'
import { isOpen, isWaiting, wasNotSent } from '../../payouts/index.ts'
import type { StoredLine } from '../../statements/index.ts'
import { findWithdrawalById, refundsOfDeposit } from '../../withdrawals/index.ts'
import { isWithCharge } from './with-charge.ts'

// The command that a person would run about a candidate: one that is accepted. Null: there is none.

const propose = (kind: string, ...lines: StoredLine[]) =>
  `vezne journal propose ${kind} ${lines.map(({ id }) => `--line ${id}`).join(' ')}`

export const isUnexplained = ({ state }: StoredLine) => state === 'suspense' || state === 'needs_review'

/** What must be done about a line before anything else can be said about it. */
export async function stepBefore(db: Queryable, line: StoredLine): Promise<string | null> {
  if (line.state === 'needs_review' && line.correctsLineId !== null) return `vezne line correction ${line.id}`
  if (line.state === 'suspense' && line.depositId !== null) return `vezne line suspend ${line.id}`
  const named =
    line.candidateWithdrawalId === null ? undefined : await findWithdrawalById(db, line.candidateWithdrawalId)
  if (!isUnexplained(line) || (named?.status !== 'pending' && named?.status !== 'processing')) return null
  return named.status === 'pending' ? `vezne withdrawal stop ${named.id}` : `vezne withdrawal resolve ${named.id}`
}

/** A deposit with refunds cannot lose its money: they are stopped, or, once paid, its merchant is charged for the debit. */
export async function refundStep(db: Queryable, debit: StoredLine, credit: StoredLine): Promise<string | null> {
  const { state, merchantId, depositId } = credit
  if (state !== 'matched' || merchantId === null || depositId === null) return null
  const refunds = await refundsOfDeposit(db, merchantId, depositId)
  if (refunds.some(({ status }) => status === 'completed'))
    return `its refund was paid: ${receivableCommand(debit)}, then vezne journal propose receivable --settles ENTRY --deposit ${depositId}`
  const sending = refunds.find(({ status }) => status === 'processing')
  if (sending) return `its refund is being sent, wait for the outcome: vezne withdrawal show ${sending.id}`
  const [refund] = refunds
  const command = refund?.stage === 'awaiting_approval' ? 'reject' : 'stop'
  return refund ? `stop the refund of its deposit first: vezne withdrawal ${command} ${refund.id}` : null
}

export function refundCommand(line: StoredLine): string {
  return `${propose('refund_unexplained', line)}${line.senderIban === null ? ' --iban IBAN' : ''}`
}

export function depositCommand(line: StoredLine, { id, status }: Deposit): string {
  if (status === 'cancelled') return refundCommand(line)
  return line.state === 'suspense'
    ? `vezne line match ${line.id} ${id}`
    : `${propose('reassign', line)} --deposit ${id}`
}

export const receivableCommand = (line: StoredLine) => propose('receivable', line)

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

export const sameMoneyCommand = ({ id }: StoredLine) => `vezne line correction ${id} --same-money`

/** The merchant of the payout was given its money back: it settles what a debit of it is owed. */
export function hasMoneyBack(payout: Payout, its: StoredLine[]): boolean {
  const hasMerchant = payout.merchantId !== NO_MERCHANT
  return hasMerchant && (wasNotSent(payout) || (payout.state === 'returned' && hasLine('credit', payout, its)))
}

export const chargeAfter = ({ withdrawalId }: Payout) =>
  `its merchant has the money back: if the recipient has it too, book this as owed and then take it from the merchant's balance (vezne journal propose receivable --settles ENTRY --withdrawal ${withdrawalId})`

/** It may be a part of the payout's debit. Money that was not handed to the bank cannot have left. */
export function isPart(line: StoredLine, payout: Payout, its: StoredLine[]): boolean {
  const { amount, sourceAccountId, submits, state } = payout
  const mayHaveLeft = !wasNotSent(payout) && (submits > 0 || state !== 'intent')
  const isSmaller = line.direction === 'debit' && line.amount < amount && line.collectingAccountId === sourceAccountId
  return isSmaller && mayHaveLeft && !hasLine('debit', payout, its)
}

/** `rest`: the other parts, if there are such. */
export function partsCommand(line: StoredLine, { withdrawalId }: Payout, rest: StoredLine[] | undefined): string {
  const missing = rest ? '' : ' --line REST'
  return `${propose(PARTS, line, ...(rest ?? []))}${missing} --withdrawal ${withdrawalId}`
}

const PARTS = 'payout_debit'
export const isOfParts = (next: string) => next.startsWith(propose(PARTS))

/** `its`: the lines that belong to the payout or name it. */
export function debitCommand(line: StoredLine, payout: Payout, its: StoredLine[]): string | null {
  const { withdrawalId: id, amount, sourceAccountId } = payout
  if (isOpen(payout)) return `vezne withdrawal resolve ${id}`
  if (line.collectingAccountId !== sourceAccountId) return null
  if (wasNotSent(payout) || hasLine('debit', payout, its)) return receivableCommand(line)
  if (isWithCharge(line, payout)) return `${propose('bank_charge', line)} --withdrawal ${id}`
  return line.amount > amount
    ? `${receivableCommand(line)} --withdrawal ${id}`
    : `vezne line sent ${line.id} --withdrawal ${id}`
}

/** `rest`: other credits that make its amount with this one, if there are such. */
export function returnCommand(
  line: StoredLine,
  payout: Payout,
  its: StoredLine[],
  rest: StoredLine[] | undefined,
): string | null {
  const { withdrawalId: id, amount } = payout
  if (isOpen(payout)) return `vezne withdrawal resolve ${id}`
  // Less costs, of which more came back later.
  if (line.amount > amount - returnedOf(payout, its)) return null
  const byHand = line.amount === amount && line.state === 'suspense'
  if (wasNotSent(payout)) {
    const waits = its.some((one) => one.direction === 'debit' && isWaiting(one))
    return byHand && waits ? `vezne line return ${line.id} --withdrawal ${id}` : null
  }
  if (byHand) return `vezne line return ${line.id} --withdrawal ${id}`
  return rest && !hasLine('credit', payout, its)
    ? `${propose('payout_return', line, ...rest)} --withdrawal ${id}`
    : `${propose('return_with_costs', line)} --withdrawal ${id} --costs WHO`
}

function returnedOf({ withdrawalId }: Payout, its: StoredLine[]): bigint {
  const credits = its.filter((one) => one.direction === 'credit' && one.withdrawalId === withdrawalId)
  return [...new Map(credits.map((one) => [one.id, one.amount])).values()].reduce((sum, one) => sum + one, 0n)
}

export const pairCommand = (kind: 'storno' | 'own_transfer', line: StoredLine, other: StoredLine) =>
  propose(kind, line, other)

export const settleCommand = (line: StoredLine, entryId: string) => `${receivableCommand(line)} --settles ${entryId}`
