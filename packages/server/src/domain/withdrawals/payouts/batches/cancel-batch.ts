import { note } from '../../../../kernel/refusals/note.ts'
import type { Actor } from '../../../../kernel/actor.ts'
import { actorName } from '../../../../kernel/actor.ts'
import { istanbulTime } from '../../../../kernel/istanbul.ts'
import { mustGiveReason } from '../../../../kernel/reason.ts'
import type { Why } from '../../../../kernel/refusals/refuse.ts'
import { refuse } from '../../../../kernel/refusals/refuse.ts'
import type { Log } from '../../../../platform/log.ts'
import type { Db, Queryable, Tx } from '../../../../platform/postgres/db.ts'
import { Refusal } from '../../../../platform/refusal.ts'
import type { Clock } from '../../../../platform/time/clock.ts'
import { MINUTE_MS } from '../../../../platform/time/clock.ts'
import type { Authority } from '../../../people/index.ts'
import { authorizedByName } from '../../../people/index.ts'
import { insertCall } from '../../bank-calls/store.ts'
import { lockPayout, updatePayout } from '../store.ts'
import type { Batch } from './batch.ts'
import { isInOutbox, removeStaged, takeBack } from './order-folder.ts'
import { hasReport } from './reports/store.ts'
import { changeBatch } from './change-batch.ts'
import { takeUpMisplaced } from './misplaced-files.ts'
import { cancelItems, findBatch, lockBatch, selectItems } from './store.ts'

type Deps = { db: Db; clock: Clock; log: Log }
type Wish = { reason: string; holdMinutes: number }

/**
 * A person takes a batch back before the bank has fetched it. Its payouts are to be sent again after `holdMinutes`, in another
 * batch; until then two people may end them. Refused if the file is gone from outbox/.
 */
export async function cancelBatch(app: Authority & Deps, actor: Actor, id: string, wish: Wish): Promise<Batch> {
  mustGiveReason('why', wish.reason)
  const before = await findBatch(app.db, id)
  // A program may have put its file back since a worker looked.
  if (before?.state === 'fetched' && (await isInOutbox(before))) await takeUpMisplaced(app, before)
  const batch = await authorizedByName(app, actor, 'batch.cancel', async (tx, audit) => {
    const found = await lockBatch(tx, id)
    if (!found) throw refuse('batch_unknown', { batch: id })
    const { state } = found
    await audit(`batch:${id}`, { before: { state }, after: { state: 'cancelling' }, reason: wish.reason })
    if (state === 'cancelling') return found
    if (state === 'fetched' || state === 'cancelled') throw await tooLate(tx, found)
    const holdUntil = new Date(app.clock.now().getTime() + wish.holdMinutes * MINUTE_MS)
    const change = { cancelledBy: actorName(actor), cancelReason: wish.reason.trim(), holdUntil }
    await changeBatch(tx, found, { state: 'cancelling', ...change })
    return { ...found, state: 'cancelling' as const, ...change }
  })
  await finishCancel(app, batch).catch((error: unknown) => {
    if (!(error instanceof Refusal) || error.said?.why !== ('order_folder_unusable' satisfies Why)) throw error
    throw refuse('order_file_cancelling', { problem: error.said, batch: id }, { cause: error })
  })
  const ended = (await findBatch(app.db, id)) as Batch
  if (ended.state === 'cancelled') return ended
  throw await tooLate(app.db, ended)
}

/** Why the batch cannot be cancelled, and what to do instead. */
async function tooLate(
  db: Queryable,
  { id, state, fileName, cancelledBy, cancelledAt, fetchedAt }: Batch,
): Promise<Refusal> {
  const at = (time: Date | null) => (time ? istanbulTime(time).slice(0, 16) : '–')
  if (state === 'cancelled')
    return refuse('order_file_cancelled', { person: cancelledBy ?? '–', at: at(cancelledAt), batch: id })
  if (await hasReport(db, id)) return refuse('order_file_reported', { file: fileName, batch: id })
  return refuse('order_file_fetched', { file: fileName, at: at(fetchedAt), batch: id })
}

/** Also run by workers, after a crash. The file decides: taken back, or fetched. Returns false if another process has ended it. */
export async function finishCancel(app: Deps, batch: Batch): Promise<boolean> {
  const taken = await takeBack(batch, batch.stagedName)
  const now = app.clock.now()
  const changed = await app.db.transaction(async (tx) => {
    await lockBatch(tx, batch.id)
    // Who reports about a file has it, even if a copy was left in outbox/.
    const isOurs = taken && !(await hasReport(tx, batch.id))
    const ended = isOurs
      ? { state: 'cancelled' as const, cancelledAt: now }
      : { state: 'fetched' as const, fetchedAt: now }
    const isFirst = await changeBatch(tx, batch, ended)
    if (isFirst && isOurs) await returnPayouts(tx, batch, now)
    return isFirst
  })
  if (changed) await removeStaged(batch)
  return changed
}

/** Only payouts that wait for nothing but this file: one with a reason is in doubt for another cause, and stays so. */
async function returnPayouts(tx: Tx, batch: Batch, now: Date): Promise<void> {
  await cancelItems(tx, batch.id)
  const items = await selectItems(tx, batch.id)
  for (const { merchantId, withdrawalId } of items.toSorted((a, b) => (a.withdrawalId < b.withdrawalId ? -1 : 1))) {
    const payout = await lockPayout(tx, merchantId, withdrawalId)
    if (payout?.state !== 'asking' || payout.reason !== null) continue
    await updatePayout(
      tx,
      payout,
      { state: 'ready', nextAt: batch.holdUntil ?? now, bankReference: null, reason: null },
      now,
    )
    const by = { person: batch.cancelledBy ?? '', reason: batch.cancelReason ?? '' }
    const detail = note('call_order_file_cancelled', { batch: batch.id, ...by })
    await insertCall(tx, payout, { kind: 'person', outcome: 'not_sent', detail }, now)
  }
}
