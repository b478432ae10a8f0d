import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/db.ts'
import { causedByData } from '../../platform/db.ts'
import type { Ids } from '../../platform/ids.ts'
import type { Log } from '../../platform/log.ts'
import type { BankLine } from '../statements/index.ts'
import { importLines, keepUnread, readCursor, saveCursor } from '../statements/index.ts'
import type { Rail, StatementPage } from './rail.ts'

type Needs = { db: Db; clock: Clock; ids: Ids; log: Log }

/**
 * Reads one page of a rail's statement: ask the bank with no transaction open, then take in lines and cursor together.
 * Two processes that read the same page change nothing twice, because a line is taken in once. Returns how many were new.
 */
export async function fetchLines(app: Needs, rail: Rail): Promise<number> {
  const cursor = await readCursor(app.db, rail.name)
  const page = await rail.statement(cursor)
  if (page.outcome === 'unreachable') {
    app.log.warn({ rail: rail.name, why: page.why }, 'the bank did not give its statement; it is asked again')
    return 0
  }
  const moved = page.cursor !== cursor
  if (!moved && page.lines.length + page.unread.length === 0) return 0
  const { imported, suspected, kept } = await takeIn(app, rail.name, page)
  if (kept > 0) app.log.warn({ rail: rail.name, kept }, 'lines could not be taken in; see: vezne line unread')
  if (suspected > 0)
    app.log.warn({ rail: rail.name, suspected }, 'suspected corrections; see: vezne line list --state queue')
  return Math.max(imported, Number(moved && page.more))
}

type Page = Extract<StatementPage, { outcome: 'read' }>
type Taken = { imported: number; suspected: number; kept: number }

/** If the database refuses the page because of its data, each line is tried by itself, and a refused one is kept as it came. */
async function takeIn(app: Needs, source: string, page: Page): Promise<Taken> {
  try {
    return await app.db.transaction((tx) => takeInLines(app, tx, source, page))
  } catch (error) {
    if (!causedByData(error)) throw error
  }
  const total: Taken = { imported: 0, suspected: 0, kept: 0 }
  for (const line of page.lines) {
    const taken = await app.db
      .transaction((tx) => takeInLines(app, tx, source, { lines: [line], unread: [] }))
      .catch((error: unknown) => {
        if (!causedByData(error)) throw error
        page.unread.push({ raw: asRead(line), why: (error as Error).message })
        return { imported: 0, suspected: 0, kept: 0 }
      })
    total.imported += taken.imported
    total.suspected += taken.suspected
    total.kept += taken.kept
  }
  const last = await app.db.transaction((tx) => takeInLines(app, tx, source, { ...page, lines: [] }))
  return { ...total, kept: total.kept + last.kept }
}

async function takeInLines(
  app: Needs,
  tx: Tx,
  source: string,
  { lines, unread, cursor }: Pick<Page, 'lines' | 'unread'> & { cursor?: string },
): Promise<Taken> {
  if (cursor !== undefined) await saveCursor(tx, source, cursor)
  const { imported, suspected, foreign } = await importLines(app, tx, source, lines)
  const strangers = foreign.map((line) => ({ raw: asRead(line), why: 'not one of our accounts' }))
  await keepUnread(app, tx, source, [...unread, ...strangers])
  return { imported, suspected, kept: unread.length + strangers.length }
}

/** In the bank's own shape, so that it can be read again. */
function asRead({ accountIban, bankReference, amount, bookedAt, ...rest }: BankLine): string {
  return JSON.stringify({ account: accountIban, reference: bankReference, amount: Number(amount), bookedAt, ...rest })
}
