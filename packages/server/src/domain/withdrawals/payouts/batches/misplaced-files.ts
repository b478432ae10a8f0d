import type { Said } from '../../../../platform/refusal.ts'
import { note } from '../../../../kernel/refusals/note.ts'
import { refuse } from '../../../../kernel/refusals/refuse.ts'
import type { Db, Tx } from '../../../../platform/postgres/db.ts'
import type { Clock } from '../../../../platform/time/clock.ts'
import type { Log } from '../../../../platform/log.ts'
import { Refusal } from '../../../../platform/refusal.ts'
import { insertCall } from '../../bank-calls/store.ts'
import type { Payout } from '../payout.ts'
import { isOpen } from '../payout.ts'
import { lockPayout } from '../store.ts'
import type { Batch, OrderConnection } from './batch.ts'
import { changeBatch } from './change-batch.ts'
import { isInOutbox, listOrderFiles, stopFile, stoppedName } from './order-folder.ts'
import { hasReport } from './reports/store.ts'
import { lockBatch, selectItems, selectMisplaced, updateProblem } from './store.ts'

type Deps = { db: Db; clock: Clock; log: Log }

export type Exchange = Pick<OrderConnection, 'name' | 'folder'>

/** Batches whose file is in outbox/ and should not be: a program has put it back, or the bank has it in another way. */
export async function findMisplaced({ db }: Deps, connections: Exchange[]): Promise<Batch[]> {
  const found: Batch[] = []
  for (const { name, folder } of connections) {
    const names = listOrderFiles(folder)
    if (names.waiting.length + names.stopped.length > 0) found.push(...(await selectMisplaced(db, name, names)))
  }
  return found
}

/**
 * The bank can get the file again. So the batch is released again; but if one of its payments may have been made, or is made in another
 * way, the file is taken out of outbox/. Returns whether something changed.
 */
export async function takeUpMisplaced(app: Deps, { id, state }: Batch): Promise<boolean> {
  return app.db.transaction(async (tx) => {
    const batch = await lockBatch(tx, id)
    if (!batch || batch.state !== state) return false
    // Decisions of people hold these locks, so one of the two sees the other.
    const payouts = await lockPayouts(tx, batch)
    const isFinal = await whyNeverAgain(tx, batch)
    const why = isFinal ?? whyNotSendable(payouts)
    if (why === null && state === 'released') return false
    if (why === null && (await isInOutbox(batch))) {
      await changeBatch(tx, batch, { state: 'released', releasedAt: app.clock.now() })
      await record(app, tx, payouts, note('call_order_file_back', { file: batch.fileName }))
      app.log.warn({ batch: id, file: batch.fileName }, 'an order file is in outbox/ again; its batch is released')
      return true
    }
    const isStopped = await stopFile(batch)
    // One that was released is fetched now, as any other.
    if (!isStopped && (why === null || state === 'released')) return false
    const problem = why ?? note('order_file_was_stopped')
    app.log.error({ batch: id, file: batch.fileName, problem, isStopped }, 'an order file in outbox/ must not be sent')
    await record(app, tx, payouts, note('call_order_file_stopped', { file: batch.fileName, isStopped, problem }))
    if (isFinal === null && isStopped) {
      await changeBatch(tx, batch, { state: 'staged', stagedName: stoppedName(batch) })
      await updateProblem(tx, batch, problemOf(heldUp(batch, problem)))
    } else {
      if (state === 'released') await changeBatch(tx, batch, { state: 'fetched', fetchedAt: app.clock.now() })
      await updateProblem(tx, batch, misplaced(batch, problem, isStopped))
    }
    return isStopped
  })
}

/** In the order of cancelling. */
async function lockPayouts(tx: Tx, { id }: Batch): Promise<Payout[]> {
  const payouts: Payout[] = []
  const items = await selectItems(tx, id)
  for (const { merchantId, withdrawalId } of items.toSorted((a, b) => (a.withdrawalId < b.withdrawalId ? -1 : 1))) {
    const payout = await lockPayout(tx, merchantId, withdrawalId)
    if (payout) payouts.push(payout)
  }
  return payouts
}

async function whyNeverAgain(tx: Tx, { id, state }: Batch): Promise<Said | null> {
  if (state === 'cancelled') return note('order_file_was_cancelled')
  return (await hasReport(tx, id)) ? note('order_file_was_reported') : null
}

/** Since the batch was made, a report, a statement or people may have shown that a payout was paid, or ended it. */
export function whyNotSendable(payouts: Payout[]): Said | null {
  const stopped = payouts.find(({ state, reason }) => state !== 'asking' || reason !== null)
  if (!stopped) return null
  const { withdrawalId, state, reason } = stopped
  return state === 'asking'
    ? note('order_payout_in_doubt', { withdrawal: withdrawalId, reason })
    : note('order_payout_ended', { withdrawal: withdrawalId, state })
}

export function heldUp({ id }: Batch, problem: Said): Refusal {
  return refuse('order_file_held_up', { problem, batch: id })
}

/** What holds it up, as it is stored: for pages, and for who repairs it. */
export function problemOf(error: Error): Said {
  return error instanceof Refusal && error.said !== null ? error.said : note('order_failed', { error: error.message })
}

/** The person sees it beside the payout, too. */
async function record({ clock }: Deps, tx: Tx, payouts: Payout[], detail: Said): Promise<void> {
  for (const payout of payouts.filter(isOpen))
    await insertCall(tx, payout, { kind: 'find', outcome: 'pending', detail }, clock.now())
}

function misplaced(batch: Batch, problem: Said, isStopped: boolean): Said {
  return isStopped
    ? note('order_file_taken_out', { problem, staged: stoppedName(batch) })
    : note('order_file_gone_again', { problem })
}
