import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db.ts'
import type { Ids } from '../../platform/ids.ts'
import type { Log } from '../../platform/log.ts'
import type { BankLine } from '../statements/index.ts'
import { importLines, keepUnread, readCursor, saveCursor } from '../statements/index.ts'
import type { Rail } from './rail.ts'

type Needs = { db: Db; clock: Clock; ids: Ids; log: Log }

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
  const { imported, kept } = await app.db.transaction(async (tx) => {
    await saveCursor(tx, rail.name, page.cursor)
    const result = await importLines(app, tx, rail.name, page.lines)
    const foreign = result.foreign.map((line) => ({ raw: asRead(line), why: 'not one of our accounts' }))
    await keepUnread(app, tx, rail.name, [...page.unread, ...foreign])
    return { imported: result.imported, kept: page.unread.length + foreign.length }
  })
  if (kept > 0) app.log.warn({ rail: rail.name, kept }, 'lines could not be taken in; see: vezne line unread')
  return Math.max(imported, page.more ? 1 : 0)
}

/** In the bank's own shape, so that it can be read again. */
function asRead({ accountIban, bankReference, amount, bookedAt, ...rest }: BankLine): string {
  return JSON.stringify({ account: accountIban, reference: bankReference, amount: Number(amount), bookedAt, ...rest })
}
