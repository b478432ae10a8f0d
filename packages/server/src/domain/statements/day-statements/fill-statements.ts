import type { Clock } from '../../../platform/time/clock.ts'
import type { Db } from '../../../platform/postgres/db.ts'
import type { Ids } from '../../../platform/crypto/ids.ts'
import type { Log } from '../../../platform/log.ts'
import { runBatch } from '../../set-aside/index.ts'
import type { StoredLine } from '../bank-line.ts'
import { claimWithoutStatement, lockImport } from '../store.ts'
import { updateStatements } from './line-totals/store.ts'
import { withStatements } from './with-statements.ts'

/** Small, because imports wait meanwhile. */
const BATCH_SIZE = 500

/** Assigns statements to lines imported by a version without statements. Returns how many. */
export async function fillStatements(app: { db: Db; clock: Clock; ids: Ids; log: Log }): Promise<number> {
  const { moved } = await runBatch<StoredLine, StoredLine>(app, {
    what: 'line',
    idOf: ({ id }) => id,
    claim: (tx, only) => claimWithoutStatement(tx, BATCH_SIZE, only),
    async work(tx, lines) {
      await lockImport(tx)
      await updateStatements(tx, await withStatements(app, tx, lines))
      return lines
    },
  })
  return moved
}
