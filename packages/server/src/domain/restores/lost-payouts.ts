import type { Marks } from '../../platform/crypto/marks.ts'
import type { Actor } from '../../kernel/actor.ts'
import { actorName } from '../../kernel/actor.ts'
import { refuse } from '../../kernel/refusals/refuse.ts'
import type { Clock } from '../../platform/time/clock.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import type { Ids } from '../../platform/crypto/ids.ts'
import type { Cause } from '../ledger/index.ts'
import { bookedOn, postHolds } from '../ledger/index.ts'
import type { Authority } from '../people/index.ts'
import { authorized } from '../people/index.ts'
import type { StoredLine } from '../statements/index.ts'
import { lockLine } from '../statements/index.ts'
import type { Payout, Withdrawal, WithdrawalViews } from '../withdrawals/index.ts'
import {
  payoutFor,
  assignLine,
  settlePayout,
  doubtIntents,
  insertIntents,
  changeWithdrawal,
  insertCall,
  lockWithdrawal,
  namesWithdrawal,
} from '../withdrawals/index.ts'

/** What writing a lost payout again needs. */
export type LostDeps = { clock: Clock; ids: Ids; marks: Marks; views: WithdrawalViews }
type Deps = LostDeps & { db: Db }

/** A debit without a payout of ours whose text names the withdrawal. */
export function isDebitOf(line: StoredLine, { id, amount, currency }: Withdrawal): boolean {
  return line.amount === amount && line.currency === currency && namesWithdrawal(line, id)
}

/** The statement shows that it was sent after the restore point: its payout is stored again and settled by the line. */
export async function settleLost(app: Deps, { merchantId, id }: Withdrawal, lineId: string): Promise<boolean> {
  return app.db.transaction(async (tx) => {
    const withdrawal = await lockWithdrawal(tx, merchantId, id)
    const line = await lockLine(tx, lineId)
    // A concurrent check was faster.
    if (withdrawal?.status !== 'pending' || line?.state !== 'needs_review') return false
    const from = { connection: line.source, accountId: line.collectingAccountId }
    const payout = await writeAgain(app, tx, withdrawal, from)
    await settleBy(app, tx, payout, line)
    return true
  })
}

/** The line is the debit of the payout. */
export async function settleBy(
  app: LostDeps,
  tx: Tx,
  payout: Payout,
  line: StoredLine,
  cause: Cause = {},
): Promise<void> {
  const said = { kind: 'line' as const, outcome: line.direction, detail: line.bankReference }
  await insertCall(tx, payout, said, app.clock.now())
  await settlePayout(app, tx, payout, line.bankReference ?? '', { ...cause, effectiveOn: bookedOn(line) })
  await assignLine(app, tx, payout, line, 'payout_sent', cause)
}

/** The bank has it but no statement line shows it: a person names the account. Its outcome is unknown, and the bank is queried. */
export async function doubtLost(
  app: Deps & Authority,
  actor: Actor,
  { merchantId, id }: Withdrawal,
  { connection, accountId }: { connection: string; accountId: string },
): Promise<void> {
  await authorized(app, actor, 'restore.record', async (tx, audit) => {
    const withdrawal = await lockWithdrawal(tx, merchantId, id)
    mustBePending(withdrawal, id)
    const from = { connection, accountId }
    const payout = await writeAgain(app, tx, withdrawal, from, { actor })
    const detail = actorName(actor)
    await insertCall(tx, payout, { kind: 'person', outcome: 'sent before the restore', detail }, app.clock.now())
    await doubtIntents(tx, app.clock.now())
    await audit(`withdrawal:${id}`, { before: { status: withdrawal.status }, after: { sent: true, ...from } })
  })
}

export function mustBePending(withdrawal: Withdrawal | undefined, id: string): asserts withdrawal is Withdrawal {
  if (!withdrawal) throw refuse('withdrawal_unknown', { withdrawal: id })
  const { status } = withdrawal
  if (status !== 'pending') throw refuse('restore_withdrawal_not_pending', { withdrawal: id, status })
}

export async function writeAgain(
  app: LostDeps,
  tx: Tx,
  withdrawal: Withdrawal,
  { connection, accountId: sourceAccountId }: { connection: string; accountId: string },
  cause: Cause = {},
): Promise<Payout> {
  // The rail was lost in the restore.
  const rail = 'unknown'
  await changeWithdrawal(app, tx, withdrawal, { state: 'sending', sourceAccountId, rail, scheduledFor: null })
  const payout = await payoutFor(app, withdrawal, connection, sourceAccountId, rail, app.clock.now())
  await insertIntents(tx, [payout], app.clock.now())
  await postHolds(app, tx, [{ merchantId: withdrawal.merchantId, subjectId: withdrawal.id }], cause)
  return payout
}
