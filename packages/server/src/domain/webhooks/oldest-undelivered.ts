import type { Db } from '../../platform/postgres/db.ts'
import { sendingEndpoints } from '../merchants/index.ts'
import { selectOldestOpen } from './deliveries/store.ts'
import { selectOldestUndistributed } from './store.ts'

/**
 * Since when the oldest event waits that should have arrived. Endpoints that are disabled or have no address are left out: their
 * events wait for a person.
 */
export async function oldestUndelivered({ db }: { db: Db }): Promise<Date | null> {
  const undistributed = await selectOldestUndistributed(db)
  const lanes = (await sendingEndpoints(db)).map(({ merchantId, id }) => ({ merchantId, endpointId: id }))
  // With the settings of transactions, which go by index whatever the statistics say.
  const [open] = await db.oneStatement((tx) => selectOldestOpen(tx, lanes))
  const waiting = [undistributed, open?.oldest ?? null].filter((at) => at !== null)
  return waiting.toSorted((a, b) => a.getTime() - b.getTime())[0] ?? null
}
