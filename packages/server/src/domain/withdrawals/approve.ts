import type { Actor } from '../../kernel/actor.ts'
import { actorName } from '../../kernel/actor.ts'
import { mustGiveReason } from '../../kernel/reason.ts'
import { refuse } from '../../kernel/refusals/refuse.ts'
import type { Clock } from '../../platform/time/clock.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import type { Ids } from '../../platform/crypto/ids.ts'
import { voidHold } from '../ledger/index.ts'
import type { Authority } from '../people/index.ts'
import { authorizedByName, freeNumber, lockEntitled, markInPlace, markWord, rowInPlace } from '../people/index.ts'
import type { OwnWords } from './approval-words.ts'
import { newestOf, newestWords, ownWords, wordOf } from './approval-words.ts'
import type { WithdrawalViews } from './change-withdrawal.ts'
import { changeWithdrawal } from './change-withdrawal.ts'
import type { Approval, ApprovalRow } from './decisions/store.ts'
import { insertApproval } from './decisions/store.ts'
import { mustNotAwaitCheck } from './restores/must-not-await-check.ts'
import { findWithdrawalById, lockWithdrawal } from './store.ts'
import type { Withdrawal } from './withdrawal.ts'

type Deps = Authority & { db: Db; clock: Clock; ids: Ids; views: WithdrawalViews }

/** Two different people: of each only the newest word counts. */
const APPROVALS_NEEDED = 2

export async function approveWithdrawal(app: Deps, actor: Actor, id: string, note: string | null): Promise<Withdrawal> {
  return decide(app, actor, id, 'approve', note)
}

/** One rejection is enough. The money returns to the merchant. */
export async function rejectWithdrawal(app: Deps, actor: Actor, id: string, note: string): Promise<Withdrawal> {
  mustGiveReason('note', note)
  return decide(app, actor, id, 'reject', note.trim())
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
    const withdrawal = await lockWaiting(tx, id)
    if (decision === 'reject') await mustNotAwaitCheck(tx, withdrawal)
    const own = await ownWords(app, tx, withdrawal, operator)
    // The approval would not count, and neither does one that was given before: it may be rejected.
    if (own.isDoubted && decision === 'approve') throw markInPlace()
    if (stands(own.said) && !own.isDoubted) throw refuse('approval_decided_before', { operator })
    const number = await recordWord(app, tx, withdrawal, own, { operator, decision, note })
    const decided = await (decision === 'reject' ? reject(app, tx, withdrawal, actor) : approve(app, tx, withdrawal))
    await audit(`withdrawal:${id}`, {
      before: { stage: withdrawal.stage },
      after: { stage: decided.stage, ...(number > 1 && { number }) },
      reason: note === null ? null : KEPT_NOTE,
    })
    return decided
  })
}

/** Its giver takes an approval back, as long as no second person has approved. The giver may decide again. */
export async function withdrawApproval(app: Deps, actor: Actor, id: string, why: string): Promise<void> {
  const note = why.trim()
  mustGiveReason('why', note)
  const operator = actorName(actor)
  await authorizedByName(app, actor, 'withdrawal.unapprove', async (tx, audit) => {
    const withdrawal = await lockWaiting(tx, id)
    const own = await ownWords(app, tx, withdrawal, operator)
    if (!stands(own.said)) throw refuse('approval_not_given', { operator, withdrawal: id })
    const number = await recordWord(app, tx, withdrawal, own, { operator, decision: 'withdrawn', note })
    await audit(`withdrawal:${id}`, {
      before: { approved: true },
      after: { approved: false, number },
      reason: KEPT_NOTE,
    })
  })
}

const KEPT_NOTE = 'see withdrawal_approvals'

async function lockWaiting(tx: Tx, id: string): Promise<Withdrawal> {
  const known = await findWithdrawalById(tx, id)
  if (!known) throw refuse('withdrawal_unknown', { withdrawal: id })
  const withdrawal = (await lockWithdrawal(tx, known.merchantId, id)) as Withdrawal
  if (withdrawal.stage === 'awaiting_approval') return withdrawal
  throw refuse('withdrawal_awaits_no_approval', { stage: withdrawal.stage })
}

const stands = (own: Approval[]) => newestOf(own).some(({ decision }) => decision !== 'withdrawn')

/** Returns the number of this word, after the person's `own` earlier ones: even if it takes one back. */
async function recordWord(
  app: Pick<Deps, 'clock' | 'marks'>,
  tx: Tx,
  withdrawal: Withdrawal,
  own: OwnWords,
  said: Omit<ApprovalRow, 'withdrawalId' | 'number'>,
): Promise<number> {
  const last = Math.max(0, ...own.said.map(({ number }) => number))
  const isBack = said.decision === 'withdrawn'
  const number = freeNumber(last, own.taken, (one) => (one % 2 === 0) === isBack)
  const word = { ...said, number }
  if (!(await insertApproval(tx, withdrawal, word, app.clock.now()))) throw rowInPlace()
  await markWord(app, tx, wordOf(withdrawal, word))
  return number
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

/** Ids of those that enough people have approved who may still do so. */
export async function approvedOf(
  app: Pick<Authority, 'marks'>,
  tx: Tx,
  withdrawals: Withdrawal[],
): Promise<Set<string>> {
  const approvals = (await newestWords(app, tx, withdrawals)).filter(({ decision }) => decision === 'approve')
  if (approvals.length === 0) return new Set()
  const names = [...new Set(approvals.map(({ operator }) => operator))]
  const entitled = await lockEntitled(app, tx, names, 'withdrawal.approve')
  const counting = Map.groupBy(
    approvals.filter(({ operator }) => entitled.has(operator)),
    ({ withdrawalId }) => withdrawalId,
  )
  return new Set([...counting].filter(([, list]) => list.length >= APPROVALS_NEEDED).map(([id]) => id))
}
