import type { Why } from '../../../kernel/refusals/refuse.ts'
import { refuse } from '../../../kernel/refusals/refuse.ts'
import type { Db, Tx } from '../../../platform/postgres/db.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import type { Log } from '../../../platform/log.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { insertCall } from '../../withdrawals/index.ts'
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
      await record(app, tx, payouts, `${batch.fileName} is in outbox/ again: a program has put it back`)
      app.log.warn({ batch: id, file: batch.fileName }, 'an order file is in outbox/ again; its batch is released')
      return true
    }
    const isStopped = await stopFile(batch)
    // One that was released is fetched now, as any other.
    if (!isStopped && (why === null || state === 'released')) return false
    app.log.error({ batch: id, file: batch.fileName, why, isStopped }, 'an order file in outbox/ must not be sent')
    const then = isStopped ? 'was taken out' : 'was taken again by a program'
    await record(app, tx, payouts, `${batch.fileName} was in outbox/ and ${then}: ${why}`)
    if (isFinal === null && isStopped) {
      await changeBatch(tx, batch, { state: 'staged', stagedName: stoppedName(batch) })
      await updateProblem(tx, batch, problemText(heldUp(batch, why)))
    } else {
      if (state === 'released') await changeBatch(tx, batch, { state: 'fetched', fetchedAt: app.clock.now() })
      await updateProblem(tx, batch, problemOf(batch, why, isStopped))
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

async function whyNeverAgain(tx: Tx, { id, state }: Batch): Promise<string | null> {
  if (state === 'cancelled') return 'the batch was cancelled, and its payouts leave in another'
  return (await hasReport(tx, id)) ? 'the bank has reported about it, so it has the file' : null
}

/** Since the batch was made, a report, a statement or people may have shown that a payout was paid, or ended it. */
export function whyNotSendable(payouts: Payout[]): string | null {
  const stopped = payouts.find(({ state, reason }) => state !== 'unknown' || reason !== null)
  if (!stopped) return null
  const { withdrawalId, state, reason } = stopped
  return `Payout ${withdrawalId} in it is ${state === 'unknown' ? `in doubt (${reason})` : state} and must not be sent`
}

export function heldUp({ id }: Batch, why: string | null): Refusal {
  return refuse('order_file_held_up', { problem: String(why), batch: id })
}

/** A refusal as it is stored, for the pages that translate what is stored. */
export function problemText(error: Error): string {
  if (!(error instanceof Refusal) || error.said === null) return error.message
  const { problem, batch, folder, fault } = error.said.facts as Record<string, string>
  switch (error.why) {
    case 'order_file_held_up' satisfies Why:
      return `${problem}. Cancel the batch, then its other payouts leave in another: vezne batch cancel ${batch}`
    case 'order_folder_unusable' satisfies Why:
      return `The folder ${folder} cannot be used: ${fault}. It needs staging/ and outbox/, on one file system. Run commands about it on the machine of the workers.`
    default:
      return error.message
  }
}

/** The person sees it beside the payout, too. */
async function record({ clock }: Deps, tx: Tx, payouts: Payout[], detail: string): Promise<void> {
  for (const payout of payouts.filter(isOpen))
    await insertCall(tx, payout, { kind: 'find', outcome: 'pending', detail }, clock.now())
}

function problemOf(batch: Batch, why: string | null, isStopped: boolean): string {
  const what = isStopped
    ? `The service moved it to staging/${stoppedName(batch)}, so that it is not sent.`
    : 'A program took it again before the service could stop it: ask the bank at once not to execute it.'
  return `Its file was in outbox/, but ${why}. ${what} Find out why your program left it there or put it back.`
}
