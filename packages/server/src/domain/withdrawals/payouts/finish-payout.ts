import type { Clock } from '../../../platform/time/clock.ts'
import type { Marks } from '../../../platform/crypto/marks.ts'
import type { Tx } from '../../../platform/postgres/db.ts'
import type { Ids } from '../../../platform/crypto/ids.ts'
import type { Cause, NewEntry } from '../../ledger/index.ts'
import {
  bankAccount,
  bookedOn,
  lockAccounts,
  merchantAccount,
  openAndPost,
  suspenseClearing,
  suspenseOf,
} from '../../ledger/index.ts'
import type { LineReason, StoredLine } from '../../statements/index.ts'
import { decidePayoutLine, lockLinesAbout, mustBeGenuine } from '../../statements/index.ts'
import { isWaiting } from './payout-lines.ts'
import type { Payout } from './payout.ts'
import { clearSeenLine, updatePayout, updatePayouts, updateSeenLine } from './store.ts'
import type { WithdrawalViews } from '../change-withdrawal.ts'
import type { FailureReason, Withdrawal } from '../withdrawal.ts'
import { changeWithdrawal, changeWithdrawals } from '../change-withdrawal.ts'
import { FAILURE_REASONS } from '../withdrawal.ts'
import { lockRefundedDeposit } from '../refunds/update-refunded.ts'
import { lockWithdrawal, lockWithdrawals } from '../store.ts'

type Deps = { clock: Clock; ids: Ids; marks: Marks; views: WithdrawalViews }

/** The bank has sent it: the money in transit has left the bank account, and the fee is ours. */
export async function settlePayout(
  app: Deps,
  tx: Tx,
  payout: Payout,
  bankReference: string,
  cause: Cause = {},
): Promise<Payout> {
  const { settled, withdrawal } = await recordSettlement(app, tx, payout, bankReference)
  await openAndPost(app, tx, [{ ...cause, ...settlementOf(payout, withdrawal) }])
  return settled
}

type Sent = { payout: Payout; bankReference: string }

/** The bank has sent these. One transaction locks the shared accounts once for all of them. */
export async function settlePayouts(app: Deps, tx: Tx, sent: Sent[]): Promise<void> {
  if (sent.length === 0) return
  const recorded = await recordSettlements(app, tx, sent)
  await openAndPost(
    app,
    tx,
    recorded.map(({ settled, withdrawal }) => settlementOf(settled, withdrawal)),
  )
}

/** All of a settlement except its booking. */
export async function recordSettlement(app: Deps, tx: Tx, payout: Payout, bankReference: string) {
  const [recorded] = await recordSettlements(app, tx, [{ payout, bankReference }])
  return recorded as { settled: Payout; withdrawal: Withdrawal }
}

async function recordSettlements(app: Deps, tx: Tx, sent: Sent[]) {
  const keys = sent.map(({ payout }) => ({ merchantId: payout.merchantId, id: payout.withdrawalId }))
  const locked = new Map((await lockWithdrawals(tx, keys)).map((one) => [one.id, one]))
  const settlements = sent.map(({ payout, bankReference }) => {
    const withdrawal = locked.get(payout.withdrawalId)
    if (!withdrawal) throw new Error(`Payout ${payout.withdrawalId} has no withdrawal.`)
    const settled: Payout = { ...payout, state: 'sent', bankReference, reason: null }
    return { payout, settled, withdrawal, changes: { state: 'sent' as const, bankReference } }
  })
  const changes = settlements.map(({ payout, settled }) => ({ before: payout, after: settled }))
  await updatePayouts(tx, changes, app.clock.now())
  await changeWithdrawals(app, tx, settlements)
  return settlements
}

/** The booking of a settlement, or of the part of it that one of several debits shows. */
export function settlementOf(payout: Payout, { amount, fee }: Pick<Withdrawal, 'amount' | 'fee'>): NewEntry {
  const { merchantId, withdrawalId: subjectId } = payout
  const { transit, cash, fees } = accountsOf(payout)
  const transfers = [
    { from: transit, to: cash, amount },
    ...(fee > 0n ? [{ from: transit, to: fees, amount: fee }] : []),
  ]
  return { kind: 'withdrawal_settlement', merchantId, subjectId, transfers }
}

/** The bank has definitely refused it: everything returns to the merchant, including the fee. */
export async function failPayout(app: Deps, tx: Tx, payout: Payout, reason: string, cause: Cause = {}): Promise<void> {
  const withdrawal = await theirs(tx, payout)
  await updatePayout(
    tx,
    payout,
    { state: 'failed', nextAt: payout.nextAt, bankReference: null, reason },
    app.clock.now(),
  )
  await changeWithdrawal(app, tx, withdrawal, { state: 'failed', failureReason: failureOf(reason) })
  const { transit, available } = accountsOf(payout)
  const amount = withdrawal.amount + withdrawal.fee
  await post(app, tx, payout, {
    ...cause,
    kind: 'withdrawal_refusal',
    transfers: [{ from: transit, to: available, amount }],
  })
}

/** The bank reports that the money was sent and came back. A line read before may already hold the money in suspense. */
export async function settleAndReturn(app: Deps, tx: Tx, payout: Payout, bankReference: string): Promise<void> {
  const waiting = (await lockLinesAbout(tx, payout.withdrawalId)).find(isWaiting)
  // Two bookings in one transaction: lock lines first, then all accounts together, in order.
  await lockAccountsOf(tx, payout, waiting)
  await returnPayout(app, tx, await settlePayout(app, tx, payout, bankReference), waiting)
}

/** Money that came back after it had left is a separate movement; the withdrawal stays completed, and the fee stays ours. */
export async function returnPayout(
  app: Deps,
  tx: Tx,
  payout: Payout,
  line?: StoredLine,
  cause: Cause = {},
  reason: string | null = payout.reason,
): Promise<void> {
  const withdrawal = await recordReturn(app, tx, payout, line, reason)
  const { cash, available } = accountsOf(payout)
  const inSuspense = line?.state === 'suspense'
  const from = inSuspense ? suspenseOf(line) : cash
  const booked = line && !inSuspense ? { effectiveOn: bookedOn(line) } : {}
  const transfers = [{ from, to: available, amount: withdrawal.amount }]
  await post(app, tx, payout, { ...booked, ...cause, kind: 'withdrawal_return', transfers })
}

/** All of a return except its booking. */
export async function recordReturn(
  app: Deps,
  tx: Tx,
  payout: Payout,
  line: StoredLine | undefined,
  reason: string | null = payout.reason,
): Promise<Withdrawal> {
  const withdrawal = await theirs(tx, payout)
  if (withdrawal.state !== 'sent') throw new Error(`Withdrawal ${withdrawal.id} is ${withdrawal.state}, not sent.`)
  const { bankReference } = payout
  await updatePayout(tx, payout, { state: 'returned', nextAt: payout.nextAt, bankReference, reason }, app.clock.now())
  await changeWithdrawal(app, tx, withdrawal, { state: 'returned' })
  if (line) await recordLine(app, tx, payout, line, 'payout_returned')
  return withdrawal
}

/** The return was booked by mistake: the payout is completed again, and no credit shows it. Books nothing. */
export async function undoReturn(app: Deps, tx: Tx, payout: Payout): Promise<void> {
  const withdrawal = await theirs(tx, payout)
  const { nextAt, bankReference, reason } = payout
  await updatePayout(tx, payout, { state: 'sent', nextAt, bankReference, reason }, app.clock.now())
  await clearSeenLine(tx, payout, 'credit')
  await changeWithdrawal(app, tx, withdrawal, { state: 'sent' })
}

/** Assigns the line to the payout and empties its suspense. Books nothing else: its movement is booked, or cancels another line's. */
export async function assignLine(
  app: Deps,
  tx: Tx,
  payout: Payout,
  line: StoredLine,
  reason: LineReason,
  cause: Cause = {},
): Promise<void> {
  await mustBeGenuine(app, tx, [line])
  await recordLine(app, tx, payout, line, reason)
  if (line.state === 'suspense')
    await openAndPost(app, tx, [{ ...suspenseClearing(line, payout.sourceAccountId), ...cause }])
}

/** All accounts that settling and returning with this line may change. Deposits are locked before accounts. */
export async function lockAccountsOf(tx: Tx, payout: Payout, line: StoredLine | undefined): Promise<void> {
  await lockRefundedDeposit(tx, payout.merchantId, payout.withdrawalId)
  await lockAccounts(tx, [...Object.values(accountsOf(payout)), ...(line ? [suspenseOf(line)] : [])])
}

/** Assigns the line to the payout and books nothing. */
async function recordLine(app: Deps, tx: Tx, payout: Payout, line: StoredLine, reason: LineReason): Promise<void> {
  const decision = { state: 'matched' as const, reason, payout, candidateWithdrawalId: payout.withdrawalId }
  await decidePayoutLine(tx, line, decision, app.clock.now())
  await updateSeenLine(tx, payout, line)
}

async function theirs(tx: Tx, { merchantId, withdrawalId }: Payout): Promise<Withdrawal> {
  const withdrawal = await lockWithdrawal(tx, merchantId, withdrawalId)
  if (!withdrawal) throw new Error(`Payout ${withdrawalId} has no withdrawal.`)
  return withdrawal
}

function accountsOf({ merchantId, currency, sourceAccountId }: Payout) {
  return {
    transit: merchantAccount('payouts_in_transit', merchantId, currency),
    available: merchantAccount('merchant_available', merchantId, currency),
    fees: merchantAccount('fees', merchantId, currency),
    cash: bankAccount('bank_cash', sourceAccountId, currency),
  }
}

function post(
  app: Deps,
  tx: Tx,
  { merchantId, withdrawalId }: Payout,
  entry: Omit<NewEntry, 'merchantId' | 'subjectId'>,
): Promise<void> {
  return openAndPost(app, tx, [{ ...entry, merchantId, subjectId: withdrawalId }])
}

export function failureOf(reason: string): FailureReason {
  return Object.hasOwn(FAILURE_REASONS, reason) ? (reason as FailureReason) : 'bank_refused'
}
