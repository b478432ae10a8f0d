import { createHash } from 'node:crypto'
import type { Actor } from '../../kernel/actor.ts'
import { actorName } from '../../kernel/actor.ts'
import { refuse } from '../../kernel/refusals/refuse.ts'
import type { Clock } from '../../platform/time/clock.ts'
import type { Db, Queryable } from '../../platform/postgres/db.ts'
import type { Ids } from '../../platform/crypto/ids.ts'
import type { Authority } from '../people/index.ts'
import { approvalOf, authorizedByName } from '../people/index.ts'
import type { WithdrawalViews } from './change-withdrawal.ts'
import { changeWithdrawal } from './change-withdrawal.ts'
import { findWithdrawalById, lockWithdrawalById, updateApproved } from './store.ts'
import type { Withdrawal } from './withdrawal.ts'
import { hasMark, markOf } from './withdrawal-mark.ts'

type Marking = Pick<Authority, 'marks'>
type Deps = Authority & { db: Db; clock: Clock; ids: Ids; views: WithdrawalViews }

/** What a person must have seen of a withdrawal to approve it. After any change of it, it must be approved anew. */
export function seenToApprove(withdrawal: Withdrawal): string {
  const { id, merchantId, amount, fee, currency, iban, accountName, stateReason } = withdrawal
  const seen = [id, merchantId, String(amount), String(fee), currency, iban, accountName, stateReason]
  return createHash('sha256').update(JSON.stringify(seen)).digest('hex')
}

/** People type the first characters on a command line. */
const SHORTEST_SEEN = 12

/** Refuses one that does not wait for approval, is not what the person saw, or that Vezne has not written. */
export async function waitsAsSeen(app: Marking, db: Queryable, id: string, seen: string): Promise<Withdrawal> {
  return mustWaitAsSeen(app, id, seen, await findWithdrawalById(db, id))
}

async function mustWaitAsSeen(app: Marking, id: string, seen: string, found: Withdrawal | undefined) {
  const withdrawal = mustAwaitApproval(id, found)
  // The approval makes a new mark of all of it, also of what no card shows.
  if (!(await hasMark(app, withdrawal))) throw refuse('withdrawal_not_recorded', { withdrawal: id })
  if (seen.length >= SHORTEST_SEEN && seenToApprove(withdrawal).startsWith(seen)) return withdrawal
  throw refuse('withdrawal_not_as_seen', { withdrawal: id })
}

export function mustAwaitApproval(id: string, withdrawal: Withdrawal | undefined): Withdrawal {
  if (!withdrawal) throw refuse('withdrawal_unknown', { withdrawal: id })
  if (withdrawal.state === 'awaiting_approval') return withdrawal
  throw refuse('withdrawal_awaits_no_approval', { state: withdrawal.state })
}

/** The second person approves what both have seen. */
export function approveWithdrawal(app: Deps, actor: Actor, id: string, seen: string): Promise<Withdrawal> {
  return authorizedByName(app, actor, 'withdrawal.approve', async (tx, audit) => {
    const approvedBy = [approvalOf(app).proposedBy, actorName(actor)]
    const withdrawal = await mustWaitAsSeen(app, id, seen, await lockWithdrawalById(tx, id))
    const approved = { ...withdrawal, approvedBy }
    const marked = { ...approved, mark: await markOf(app.marks, approved) }
    await updateApproved(tx, marked)
    const queued = await changeWithdrawal(app, tx, marked, { state: 'queued' })
    await audit(`withdrawal:${id}`, { before: { state: withdrawal.state }, after: { state: queued.state, approvedBy } })
    return queued
  })
}
