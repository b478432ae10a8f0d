import { createHash } from 'node:crypto'
import type { Vault } from '../../../../platform/crypto/vault.ts'
import type { Actor } from '../../../../kernel/actor.ts'
import type { Ids } from '../../../../platform/crypto/ids.ts'
import { note } from '../../../../kernel/refusals/note.ts'
import { refuse } from '../../../../kernel/refusals/refuse.ts'
import { causedByData } from '../../../../platform/postgres/database-faults.ts'
import { Refusal } from '../../../../platform/refusal.ts'
import { authorized } from '../../../people/index.ts'
import type { Batch } from './batch.ts'
import { UNFETCHED } from './batch.ts'
import { finishCancel } from './cancel-batch.ts'
import { isInOutbox, isStaged, releaseFile, removeStaged, stageFile } from './order-folder.ts'
import { changeBatch } from './change-batch.ts'
import type { Exchange } from './misplaced-files.ts'
import { findMisplaced, heldUp, problemOf, takeUpMisplaced, whyNotSendable } from './misplaced-files.ts'
import type { SendingDeps } from '../sending/hand-over.ts'
import { isNewest } from '../sending/hand-over.ts'
import { mustReadBack } from './read-back.ts'
import { DIFFERS } from '../payout.ts'
import { batchHasMark, forgedOf } from '../payout-mark.ts'
import { selectPayoutsById } from '../store.ts'
import { findBatch, findLiveBatch, selectContent, selectInWork, selectItems, updateProblem } from './store.ts'

type Deps = SendingDeps & { ids: Ids; vault: Vault }

const MAX_BATCHES = 100

/**
 * Takes each batch one step further: staged, released, fetched, or released again. Every step may be repeated after a crash, by any
 * process. Returns how many moved.
 */
export async function releaseBatches(app: Deps, connections: Exchange[]): Promise<number> {
  const names = connections.map(({ name }) => name)
  let moved = 0
  for (const batch of await findMisplaced(app, connections)) moved += Number(await advance(app, batch, takeUpMisplaced))
  for (const batch of await selectInWork(app.db, names, MAX_BATCHES)) moved += Number(await advance(app, batch, step))
  return moved
}

/** The payout came into doubt: a file with it leaves outbox/ at once. If the folder cannot be used now, workers do it later. */
export async function stopFileOf(app: Deps, withdrawalId: string): Promise<void> {
  const batch = await findLiveBatch(app.db, withdrawalId)
  if (batch?.state === 'released' && batch.problem === null) await advance(app, batch, takeUpMisplaced)
}

/** A person who has repaired the folder takes the batch on at once, and sees what is still wrong. */
export async function retryBatch(app: Deps, actor: Actor, id: string): Promise<Batch> {
  const found = await authorized(app, actor, 'batch.retry', async (tx, audit) => {
    const one = await findBatch(tx, id)
    if (!one) throw refuse('batch_unknown', { batch: id })
    await audit(`batch:${id}`, { before: { state: one.state, problem: one.problem } })
    return one
  })
  if (!UNFETCHED.includes(found.state)) await acknowledge(app, found)
  for (;;) {
    const [batch] = await selectInWork(app.db, [found.connection], MAX_BATCHES, id)
    if (!batch || !(await step(app, batch))) break
  }
  const batch = (await findBatch(app.db, id)) as Batch
  if (batch.state !== 'cut' && batch.state !== 'staged') return batch
  throw refuse('order_file_before_restore', { batch: id })
}

/** A person has looked at a file that came back and was stopped. */
async function acknowledge(app: Deps, batch: Batch): Promise<void> {
  if (await isInOutbox(batch)) return void (await takeUpMisplaced(app, batch))
  await removeStaged(batch)
  await app.db.transaction((tx) => updateProblem(tx, batch, null))
}

/** A folder that cannot be used, or a batch that fails, holds up no other. Returns whether the batch changed. */
async function advance(app: Deps, batch: Batch, work: (app: Deps, batch: Batch) => Promise<boolean>): Promise<boolean> {
  try {
    return await work(app, batch)
  } catch (error) {
    if (!(error instanceof Refusal || causedByData(error))) throw error
    const problem = problemOf(error as Error)
    app.log.error({ batch: batch.id, connection: batch.connection, problem }, 'an order batch is held up')
    await app.db.transaction((tx) => updateProblem(tx, batch, problem))
    return false
  }
}

async function step(app: Deps, batch: Batch): Promise<boolean> {
  // An older database would release a file again that the bank has.
  if ((batch.state === 'cut' || batch.state === 'staged') && !(await isNewest(app))) return false
  switch (batch.state) {
    case 'cut':
      await mustBeSendable(app, batch)
      return state(app, batch)
    case 'staged':
      // If a process crashed after it moved the file, the batch is released: only so it can be taken out again.
      if (await isStaged(batch, batch.stagedName as string)) {
        await mustBeSendable(app, batch)
        await mustReadBack(app, batch)
      }
      await releaseFile(batch, batch.stagedName as string)
      return app.db.transaction((tx) => changeBatch(tx, batch, { state: 'released', releasedAt: app.clock.now() }))
    case 'released':
      return !(await isInOutbox(batch)) && end(app, batch)
    case 'cancelling':
      return finishCancel(app, batch)
    default:
      return false
  }
}

async function mustBeSendable(app: Deps, batch: Batch): Promise<void> {
  if (!(await batchHasMark(app, batch))) throw heldUp(batch, note('order_batch_forged'))
  const items = await selectItems(app.db, batch.id)
  const payouts = await selectPayoutsById(
    app.db,
    items.map(({ withdrawalId }) => withdrawalId),
  )
  const [forged] = await forgedOf(app, payouts)
  const why = forged === undefined ? whyNotSendable(payouts) : differs(forged)
  if (why !== null) throw heldUp(batch, why)
}

const differs = (withdrawal: string) => note('order_payout_in_doubt', { withdrawal, reason: DIFFERS })

async function end(app: Deps, batch: Batch): Promise<boolean> {
  const fetched = { state: 'fetched' as const, fetchedAt: app.clock.now() }
  const ended = await app.db.transaction((tx) => changeBatch(tx, batch, fetched))
  if (ended) await removeStaged(batch)
  return ended
}

/** Each attempt has a name of its own; only the one that is recorded is ever released. */
async function state(app: Deps, batch: Batch): Promise<boolean> {
  const content = await selectContent(app.db, batch.id)
  const isWhole = content && createHash('sha256').update(content).digest('hex') === batch.sha256
  if (!isWhole) throw heldUp(batch, note('order_batch_forged'))
  const stagedName = `${batch.fileName}.${app.ids.next()}`
  await stageFile(batch, stagedName, content)
  // If another process was faster, this file stays in staging/ until the batch has ended.
  return app.db.transaction((tx) => changeBatch(tx, batch, { state: 'staged', stagedName }))
}
