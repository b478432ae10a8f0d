import type { Actor } from '../../kernel/actor.ts'
import { actorName } from '../../kernel/actor.ts'
import type { Clock } from '../../platform/time/clock.ts'
import type { Db, Queryable, Tx } from '../../platform/postgres/db.ts'
import type { Ids } from '../../platform/crypto/ids.ts'
import { Refusal } from '../../platform/refusal.ts'
import { voidHold } from '../ledger/index.ts'
import type { Authority, Word } from '../people/index.ts'
import { authorizedByName, forged, lockActive, markWord, ofPeople } from '../people/index.ts'
import type { WithdrawalViews } from './change-withdrawal.ts'
import { changeWithdrawal } from './change-withdrawal.ts'
import type { Approval } from './decisions/store.ts'
import { insertApproval, approvalsOf } from './decisions/store.ts'
import { mustNotAwaitCheck } from './restores/must-not-await-check.ts'
import { findWithdrawalById, listByStage, lockWithdrawal } from './store.ts'
import type { Withdrawal } from './withdrawal.ts'

type Deps = Authority & { db: Db; clock: Clock; ids: Ids; views: WithdrawalViews }

/** Two different people: a person has one row, by primary key. */
const APPROVALS_NEEDED = 2

export async function approveWithdrawal(app: Deps, actor: Actor, id: string, note: string | null): Promise<Withdrawal> {
  return decide(app, actor, id, 'approve', note)
}

/** One rejection is enough. The money returns to the merchant. */
export async function rejectWithdrawal(app: Deps, actor: Actor, id: string, note: string | null): Promise<Withdrawal> {
  return decide(app, actor, id, 'reject', note)
}

async function decide(
  app: Deps,
  actor: Actor,
  id: string,
  decision: 'approve' | 'reject',
  note: string | null,
): Promise<Withdrawal> {
  const operator = actorName(actor)
  return authorizedByName(app, actor, `withdrawal.${decision}`, async (tx, audit) => {
    const known = await findWithdrawalById(tx, id)
    if (!known) throw new Refusal('NOT_FOUND', `There is no withdrawal ${id}.`)
    const withdrawal = await lockWithdrawal(tx, known.merchantId, id)
    if (withdrawal?.stage !== 'awaiting_approval') {
      throw new Refusal('INVALID_STATE', `The withdrawal does not wait for approval; it is ${withdrawal?.stage}.`)
    }
    if (decision === 'reject') await mustNotAwaitCheck(tx, withdrawal)
    if ((await decidedOf(app, tx, [withdrawal])).some((one) => one.operator === operator))
      throw new Refusal('INVALID_STATE', `${operator} has decided about it already; a second person is needed.`)
    await insertApproval(tx, withdrawal, { operator, decision, note }, app.clock.now())
    await markWord(app, tx, wordOf(withdrawal, { operator, decision }))
    const decided = await (decision === 'reject' ? reject(app, tx, withdrawal, actor) : approve(app, tx, withdrawal))
    await audit(`withdrawal:${id}`, {
      before: { stage: withdrawal.stage },
      after: { stage: decided.stage },
      reason: note === null ? null : 'see withdrawal_approvals',
    })
    return decided
  })
}

async function reject(app: Deps, tx: Tx, withdrawal: Withdrawal, actor: Actor): Promise<Withdrawal> {
  const failed = { stage: 'failed' as const, failureReason: 'rejected_by_operator' as const }
  const rejected = await changeWithdrawal(app, tx, withdrawal, failed)
  await voidHold(app, tx, { merchantId: withdrawal.merchantId, subjectId: withdrawal.id }, { actor })
  return rejected
}

async function approve(app: Deps, tx: Tx, withdrawal: Withdrawal): Promise<Withdrawal> {
  if (!(await approvedOf(app, tx, [withdrawal])).has(withdrawal.id)) return withdrawal
  return changeWithdrawal(app, tx, withdrawal, { stage: 'queued' })
}

/** Binds the approval to what is paid, and to whom. */
function wordOf(
  { merchantId, id, amount, iban }: Withdrawal,
  { operator, decision }: Pick<Approval, 'operator' | 'decision'>,
): Word {
  return { row: ['withdrawal_approvals', merchantId, id, operator], person: operator, says: { decision, amount, iban } }
}

/** Decisions of people, without rows that were written in SQL. */
export async function decidedOf(
  app: Pick<Authority, 'marks'>,
  db: Queryable,
  withdrawals: Withdrawal[],
): Promise<Approval[]> {
  return ofPeople(app, db, await approvalsOf(db, withdrawals), wordIn(withdrawals))
}

function wordIn(withdrawals: Withdrawal[]): (one: Approval) => Word {
  const byId = new Map(withdrawals.map((one) => [one.id, one]))
  return (one) => wordOf(byId.get(one.withdrawalId) as Withdrawal, one)
}

/** Ids of those that enough people have approved, without people who were disabled since. */
export async function approvedOf(
  app: Pick<Authority, 'marks'>,
  tx: Tx,
  withdrawals: Withdrawal[],
): Promise<Set<string>> {
  const approvals = (await decidedOf(app, tx, withdrawals)).filter(({ decision }) => decision === 'approve')
  if (approvals.length === 0) return new Set()
  const active = await lockActive(tx, [...new Set(approvals.map(({ operator }) => operator))])
  const counting = Map.groupBy(
    approvals.filter(({ operator }) => active.has(operator)),
    ({ withdrawalId }) => withdrawalId,
  )
  return new Set([...counting].filter(([, list]) => list.length >= APPROVALS_NEEDED).map(([id]) => id))
}

/** Withdrawals with an approval that no one has given: it was written in SQL. */
export async function forgedApprovals(
  app: Pick<Authority, 'marks'> & { db: Queryable },
  limit: number,
): Promise<string[]> {
  const waiting = await listByStage(app.db, 'awaiting_approval', limit)
  const found = await forged(app, app.db, await approvalsOf(app.db, waiting), wordIn(waiting))
  return found.map(({ withdrawalId }) => withdrawalId)
}
