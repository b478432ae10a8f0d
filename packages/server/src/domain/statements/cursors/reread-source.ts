import type { Db } from '../../../platform/postgres/db.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { resetCursor, lastReads } from './store.ts'

/**
 * The next read of this source begins at the beginning: for a bank that no longer knows the cursor it gave. Lines that were
 * taken in before are known and change nothing. Its deposits do not expire before it is read to its end again.
 */
export async function rereadSource({ db }: { db: Db }, source: string): Promise<void> {
  if (await db.transaction((tx) => resetCursor(tx, source))) return
  const known = (await lastReads(db, [])).map((one) => one.source)
  throw new Refusal(
    'NOT_FOUND',
    `No statement of ${source} has been read. Known sources: ${known.join(', ') || 'none'}.`,
  )
}
