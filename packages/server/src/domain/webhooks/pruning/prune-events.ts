import type { Clock } from '../../../platform/time/clock.ts'
import { DAY_MS } from '../../../platform/time/clock.ts'
import type { Db, Tx } from '../../../platform/postgres/db.ts'
import { prunedPlaces, updatePruned } from '../../merchants/index.ts'
import { deleteAttempts } from '../attempts/store.ts'
import { selectDeliveries } from '../deliveries/store.ts'
import { deleteEvents, lockEvents, selectOldEvents } from '../store.ts'

type Deps = { db: Db; clock: Clock; keepEventsDays: number }
/** `judged`: old enough; `pruned`: deleted, or in a dry run to be deleted. */
type Pruned = { judged: number; pruned: number }

/** Some milliseconds of work and locks. */
const BATCH_SIZE = 500

/** Run by the worker: continues at its position in each merchant's stream, one batch each. Returns the number of events checked. */
export async function pruneEvents(app: Deps, merchantIds: string[]): Promise<number> {
  const places = await prunedPlaces(app.db)
  let judged = 0
  for (const merchantId of merchantIds) {
    judged += (await pruneBatch(app, merchantId, places.get(merchantId) ?? '0', false))?.judged ?? 0
  }
  return judged
}

/** A merchant's whole stream from the beginning, including events kept before. A dry run only counts. */
export async function pruneStream(
  app: Deps,
  merchantId: string,
  { dryRun, onProgress }: { dryRun: boolean; onProgress: (sum: Pruned) => void },
): Promise<Pruned> {
  const sum = { judged: 0, pruned: 0 }
  for (let after: string | undefined = '0'; after !== undefined;) {
    const batch = await pruneBatch(app, merchantId, after, dryRun)
    sum.judged += batch?.judged ?? 0
    sum.pruned += batch?.pruned ?? 0
    after = batch?.last
    if (after !== undefined) onProgress(sum)
  }
  return sum
}

/** Returns null if nothing after this position is old enough. Several processes may run it at once. */
async function pruneBatch(
  { db, clock, keepEventsDays }: Deps,
  merchantId: string,
  after: string,
  dryRun: boolean,
): Promise<(Pruned & { last: string }) | null> {
  const before = new Date(clock.now().getTime() - keepEventsDays * DAY_MS)
  // For a dry run too: inside a transaction every lookup uses an index.
  return db.transaction(async (tx) => {
    const old = await selectOldEvents(tx, { merchantId, after, before, limit: BATCH_SIZE })
    const last = old.at(-1)?.position
    if (last === undefined) return null
    const superseded = old.filter(({ isNewest }) => !isNewest).map(({ id }) => id)
    if (dryRun) return { judged: old.length, pruned: (await delivered(tx, merchantId, superseded)).length, last }
    // Locked first: a concurrent resend adds its delivery before this lock, or not at all.
    const ids = await delivered(tx, merchantId, await lockEvents(tx, merchantId, superseded))
    await deleteAttempts(tx, merchantId, ids)
    await deleteEvents(tx, merchantId, ids)
    await updatePruned(tx, merchantId, last)
    return { judged: old.length, pruned: ids.length, last }
  })
}

/** Events that are delivered everywhere: no delivery is open or given up. */
async function delivered(tx: Tx, merchantId: string, ids: string[]): Promise<string[]> {
  const open = new Set((await selectDeliveries(tx, merchantId, ids)).map(({ eventId }) => eventId))
  return ids.filter((id) => !open.has(id))
}
