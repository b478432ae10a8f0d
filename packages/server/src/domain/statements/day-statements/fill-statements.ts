import type { Clock } from '../../../platform/time/clock.ts'
import type { Db } from '../../../platform/postgres/db.ts'
import type { Ids } from '../../../platform/crypto/ids.ts'
import { claimWithoutStatement, lockImport } from '../store.ts'
import { updateStatements } from './line-totals/store.ts'
import { withStatements } from './with-statements.ts'

/** Small, because imports wait meanwhile. */
const BATCH_SIZE = 500

/** Assigns statements to lines imported by a version without statements. Returns how many. */
export async function fillStatements(app: { db: Db; clock: Clock; ids: Ids }): Promise<number> {
  return app.db.transaction(async (tx) => {
    const lines = await claimWithoutStatement(tx, BATCH_SIZE)
    if (lines.length === 0) return 0
    await lockImport(tx)
    await updateStatements(tx, await withStatements(app, tx, lines))
    return lines.length
  })
}
