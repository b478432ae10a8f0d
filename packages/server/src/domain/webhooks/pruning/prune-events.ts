import type { Clock } from '../../../platform/time/clock.ts'
import type { Db, Tx } from '../../../platform/postgres/db.ts'
import { deleteAttempts } from '../attempts/store.ts'
import { selectDeliveries } from '../deliveries/store.ts'
import { deleteEvents, lockEvents, selectOldEvents } from '../store.ts'
import { selectPruned, upsertPruned } from './store.ts'

type Deps = { db: Db; clock: Clock; keepEventsDays: number }
/** `judged` were old enough, `pruned` of them are gone, or would be. */
type Pruned = { judged: number; pruned: number }

const DAY_MS = 86_400_000
/** Some milliseconds of work, and of locks. */
const BATCH_SIZE = 500

/** The worker's: goes on where it was in each merchant's stream, one batch each. Returns how many events it looked at. */
export async function pruneEvents(app: Deps, merchantIds: string[]): Promise<number> {
  const places = await selectPruned(app.db)
  let judged = 0
  for (const merchantId of merchantIds) {
    judged += (await pruneBatch(app, merchantId, places.get(merchantId) ?? '0', false))?.judged ?? 0
  }
  return judged
}

/** All of a merchant's stream from its beginning, also what was kept before. A dry run only counts. */
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

/** Null when nothing after this place is old enough. Several processes may run it at once. */
async function pruneBatch(
  { db, clock, keepEventsDays }: Deps,
  merchantId: string,
  after: string,
  dryRun: boolean,
): Promise<(Pruned & { last: string }) | null> {
  const before = new Date(clock.now().getTime() - keepEventsDays * DAY_MS)
  // A dry run too: inside a transaction every look-up goes by index.
  return db.transaction(async (tx) => {
    const old = await selectOldEvents(tx, { merchantId, after, before, limit: BATCH_SIZE })
    const last = old.at(-1)?.position
    if (last === undefined) return null
    const superseded = old.filter(({ isNewest }) => !isNewest).map(({ id }) => id)
    if (dryRun) return { judged: old.length, pruned: (await delivered(tx, merchantId, superseded)).length, last }
    // Locked first: whoever sends one of them again adds its delivery before this, or not at all.
    const ids = await delivered(tx, merchantId, await lockEvents(tx, merchantId, superseded))
    await deleteAttempts(tx, merchantId, ids)
    await deleteEvents(tx, merchantId, ids)
    await upsertPruned(tx, merchantId, last)
    return { judged: old.length, pruned: ids.length, last }
  })
}

/** Those that are on their way to no endpoint, and were given up at none. */
async function delivered(tx: Tx, merchantId: string, ids: string[]): Promise<string[]> {
  const open = new Set((await selectDeliveries(tx, merchantId, ids)).map(({ eventId }) => eventId))
  return ids.filter((id) => !open.has(id))
}
