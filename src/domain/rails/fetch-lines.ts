import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db.ts'
import type { Ids } from '../../platform/ids.ts'
import type { Log } from '../../platform/log.ts'
import type { BankDirectory } from '../banks/index.ts'
import { importLines, readCursor, saveCursor } from '../statements/index.ts'
import type { Rail } from './rail.ts'

type Needs = { db: Db; clock: Clock; ids: Ids; log: Log; banks: BankDirectory }

/**
 * Reads one page of a rail's statement: ask the bank with no transaction open, then take in lines and cursor together.
 * Two processes that read the same page change nothing twice, because a line is taken in once. Answers how many were new.
 */
export async function fetchLines(app: Needs, rail: Rail): Promise<number> {
  const cursor = await readCursor(app.db, rail.name)
  const page = await rail.statement(cursor)
  if (page.outcome === 'unreachable') {
    app.log.warn({ rail: rail.name, why: page.why }, 'the bank did not give its statement; it is asked again')
    return 0
  }
  if (page.cursor === cursor) return 0
  const { imported, foreign } = await app.db.transaction(async (tx) => {
    await saveCursor(tx, rail.name, page.cursor)
    return importLines(app, tx, rail.name, page.lines)
  })
  if (foreign > 0) app.log.warn({ rail: rail.name, foreign }, 'lines of accounts that are not ours were left out')
  return Math.max(imported, page.more ? 1 : 0)
}
