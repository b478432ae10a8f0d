import type { Tx } from '../../../../platform/postgres/db.ts'
import type { Batch } from './batch.ts'
import { NEXT } from './batch.ts'
import type { Change } from './store.ts'
import { updateBatch } from './store.ts'

/** False if another process has changed it. A step that is not in the table is a bug. */
export function changeBatch(tx: Tx, before: Batch, change: Change): Promise<boolean> {
  if (!NEXT[before.state].includes(change.state))
    throw new Error(`Batch ${before.id} cannot go from ${before.state} to ${change.state}.`)
  return updateBatch(tx, before, change)
}
