import { formatMoney } from '../../../kernel/money.ts'
import type { Tx } from '../../../platform/postgres/db.ts'
import { invalidField, Refusal } from '../../../platform/refusal.ts'
import type { NewEntry } from '../../ledger/index.ts'
import { bookedOn, debitClearing, debitReceipt, merchantAccount, suspenseOf } from '../../ledger/index.ts'
import type { Payout } from '../../payouts/index.ts'
import { findPayout, ifPaidAfterAll, isOpen, isWaiting, lockPayout } from '../../payouts/index.ts'
import { settlementOf, wasNotSent } from '../../payouts/index.ts'
import type { StoredLine } from '../../statements/index.ts'
import { lockLinesAbout, payoutReferences } from '../../statements/index.ts'
import { lockWithdrawal } from '../../withdrawals/index.ts'
import type { JournalEntry } from './journal-entry.ts'
import type { Plan, Planner } from './plan.ts'
import { lockTheLines, mustBeDebit, wrong } from './plan.ts'

/**
 * The bank debited a payout in several lines. Together they are its debit, with the same effect as one line of its amount: an
 * open payout is settled, and a return that waited for the debit is booked.
 */
export const planPayoutDebit: Planner = async (_app, tx, { terms }) => {
  const { withdrawalId = '' } = terms
  const payout = await lockThePayout(tx, withdrawalId)
  const others = await lockLinesAbout(tx, withdrawalId)
  mustAwaitDebit(payout, others)
  const locked = await lockTheLines(tx, terms, [withdrawalId])
  const lines = locked.map(mustBeFree).toSorted((a, b) => a.bookedAt.getTime() - b.bookedAt.getTime())
  mustBeItsParts(lines, payout)
  const waiting = waitingReturn(payout, others)
  return {
    entries: [
      ...(isOpen(payout) ? await settlements(tx, payout, lines) : []),
      ...lines.map(debitClearing),
      ...(waiting ? [returnOf(payout, waiting)] : []),
    ],
    lines: [
      ...lines.map((line) => ({ line, becomes: 'payout' as const })),
      ...(waiting ? [{ line: waiting, becomes: 'return' as const }] : []),
    ],
    deposits: [],
    sent: payout,
    ...(waiting && { returned: payout }),
    payoutState: isOpen(payout) ? 'open' : payout.state,
  }
}

/** A return that came before the debit is booked with it. */
export function waitingReturn(payout: Payout, others: StoredLine[]): StoredLine | undefined {
  return payout.state === 'returned' ? undefined : others.find((line) => line.state === 'suspense' && isWaiting(line))
}

/** The lines are unexplained again. The payout stays completed, and is reported as one without a debit. */
export async function planDebitTakenBack(tx: Tx, { details }: JournalEntry): Promise<Plan> {
  const { withdrawalId = '', lineIds } = details.terms
  const payout = await lockThePayout(tx, withdrawalId)
  const lines = await lockTheLines(tx, { lineIds })
  const other = lines.find((line) => line.withdrawalId !== withdrawalId)
  if (other) throw wrong(other, `a debit of payout ${withdrawalId}`)
  return {
    entries: lines.map(debitReceipt),
    lines: lines.map((line) => unexplained(line, [withdrawalId])),
    deposits: [],
    unsent: [payout],
  }
}

/** Open again, with the payout that its text names. */
export function unexplained(line: StoredLine, withdrawalIds: string[]): Plan['lines'][number] {
  const named = payoutReferences(line.narrative)
  const candidateWithdrawalId = withdrawalIds.find((id) => named.includes(id)) ?? null
  return { line: { ...line, candidateWithdrawalId }, becomes: 'needs_review' }
}

export async function lockThePayout(tx: Tx, withdrawalId: string): Promise<Payout> {
  const known = await findPayout(tx, withdrawalId)
  if (!known) throw invalidField('withdrawal', 'must be the withdrawal whose payout the bank debited')
  return (await lockPayout(tx, known.merchantId, withdrawalId)) as Payout
}

export function mustAwaitDebit(payout: Payout, others: StoredLine[]): void {
  const { withdrawalId, state, submits } = payout
  if (wasNotSent(payout))
    throw new Refusal('INVALID_STATE', `The payout is ${state}: it was not sent. ${ifPaidAfterAll(payout)}`)
  // As for one line of its amount: money not yet submitted to the bank cannot have left.
  if (state === 'intent' && submits === 0)
    throw new Refusal(
      'INVALID_STATE',
      `The payout was not handed to the bank yet: these are not its debits. If they are, two people end it first: vezne withdrawal resolve ${withdrawalId}`,
    )
  const its = others.find((line) => line.direction === 'debit' && line.withdrawalId === withdrawalId)
  if (its) throw new Refusal('INVALID_STATE', `The payout has its debit already: vezne line show ${its.id}`)
}

/** One that was explained before has a way back. */
export function mustBeFree(line: StoredLine): StoredLine {
  if (line.state !== 'matched' || line.journalId === null) return mustBeDebit(line)
  throw new Refusal(
    'INVALID_STATE',
    `Line ${line.id} is explained as ${line.reason}. Take that back first: vezne journal reverse ${line.journalId}`,
  )
}

function mustBeItsParts(lines: StoredLine[], payout: Payout): void {
  const { withdrawalId, sourceAccountId, amount, currency } = payout
  const elsewhere = lines.find((line) => line.collectingAccountId !== sourceAccountId)
  if (elsewhere)
    throw new Refusal('INVALID_STATE', `Line ${elsewhere.id} is on another account than the payout left from.`)
  const foreign = lines.find((line) => (line.candidateWithdrawalId ?? withdrawalId) !== withdrawalId)
  if (foreign)
    throw new Refusal(
      'INVALID_STATE',
      `Line ${foreign.id} names withdrawal ${foreign.candidateWithdrawalId}, not this one.`,
    )
  const total = lines.reduce((sum, line) => sum + line.amount, 0n)
  const have = `The lines have ${formatMoney(total, currency)} of the ${formatMoney(amount, currency)} of the payout`
  if (total < amount)
    throw new Refusal(
      'INVALID_STATE',
      `${have}: ${formatMoney(amount - total, currency)} is missing. It may come in a later line; until then these wait in review (vezne line list --state needs_review). If the bank says that no more comes, see docs/payouts.md, "A payout in several lines".`,
    )
  const all = lines.map(({ id }) => `--line ${id}`).join(' ')
  if (total > amount) throw new Refusal('INVALID_STATE', `${have}: ${tooMuch(lines, payout, total - amount, all)}`)
  if (lines.length > 1) return
  throw new Refusal('INVALID_STATE', `${have}: one line is enough. ${oneLine(payout, lines[0]?.id ?? '')}`)
}

function tooMuch(lines: StoredLine[], { withdrawalId, currency }: Payout, excess: bigint, all: string): string {
  const needless = lines.find((line) => line.amount <= excess)
  if (needless) return `line ${needless.id} is not needed. Leave it out; it is explained on its own.`
  return `${formatMoney(excess, currency)} too much. Once the payout has ended, that is owed to us, or a bank_charge: vezne journal propose receivable ${all} --withdrawal ${withdrawalId}`
}

function oneLine(payout: Payout, lineId: string): string {
  const { withdrawalId } = payout
  const first = isOpen(payout) ? `vezne withdrawal resolve ${withdrawalId} --found REFERENCE, then: ` : ''
  return `${first}vezne line sent ${lineId} --withdrawal ${withdrawalId}`
}

/** Each part on the day of its line; the fee with the last. */
export async function settlements(tx: Tx, payout: Payout, lines: StoredLine[]): Promise<NewEntry[]> {
  const withdrawal = await lockWithdrawal(tx, payout.merchantId, payout.withdrawalId)
  if (withdrawal?.amount !== payout.amount)
    throw new Refusal('INVALID_STATE', 'The payout differs from its withdrawal. See: vezne doctor')
  const { fee } = withdrawal
  return lines.map((line) => ({
    ...settlementOf(payout, { amount: line.amount, fee: line === lines.at(-1) ? fee : 0n }),
    effectiveOn: bookedOn(line),
  }))
}

export function returnOf(
  { merchantId, withdrawalId: subjectId, currency, amount }: Payout,
  waiting: StoredLine,
): NewEntry {
  const to = merchantAccount('merchant_available', merchantId, currency)
  return { kind: 'withdrawal_return', merchantId, subjectId, transfers: [{ from: suspenseOf(waiting), to, amount }] }
}
