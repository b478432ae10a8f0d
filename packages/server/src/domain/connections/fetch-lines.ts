import { note } from '../../kernel/refusals/note.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { causedByData } from '../../platform/postgres/database-faults.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import type { Marks } from '../../platform/crypto/marks.ts'
import type { Ids } from '../../platform/crypto/ids.ts'
import type { Log } from '../../platform/log.ts'
import type { BankLine, Cursor, KeyedUnread, UnreadLine } from '../statements/index.ts'
import {
  importLines,
  keepKeyed,
  keepUnread,
  keyUnread,
  needsAttention,
  readCursor,
  saveCursor,
  saveReadAt,
} from '../statements/index.ts'
import type { Connection, StatementPage } from './connection.ts'
import { writeLine } from './read-page.ts'

type Deps = { db: Db; clock: Clock; ids: Ids; log: Log; marks: Marks }

/** The bank is read every second. Writing this as often would be most of the writes of an idle service. */
const WRITE_EVERY_MS = 2000

/**
 * Reads one page of a statement: calls the bank with no transaction open, then saves lines and cursor together; reading a page twice
 * changes nothing. Returns how many lines were new; zero ends the reader's turn. `onEnd` is called at the end of the statement.
 */
export async function fetchLines(
  app: Deps,
  connection: Connection,
  onEnd: () => void = () => undefined,
): Promise<number> {
  // Taken before the call: lines booked during the call may be missing from the response.
  const askedAt = app.clock.now()
  const known = await readCursor(app.db, connection.name)
  const page = await connection.statement(known?.cursor)
  if (page.outcome === 'unreachable') {
    const unreadSeconds = known?.readAt ? Math.round((askedAt.getTime() - known.readAt.getTime()) / 1000) : null
    app.log.warn(
      { connection: connection.name, why: page.why, unreadSeconds },
      'the bank did not give its statement; it is asked again, and its deposits do not expire meanwhile',
    )
    return 0
  }
  const next = { source: connection.name, cursor: page.cursor, readAt: page.more ? null : askedAt }
  const moved = page.cursor !== known?.cursor
  if (!moved && page.lines.length + page.unread.length === 0) {
    if (next.readAt && isWorthWriting(known.readAt, askedAt)) await app.db.transaction((tx) => saveReadAt(tx, next))
    if (!page.more) onEnd()
    return 0
  }
  const { imported, suspected, kept } = await ingest(app, next, page)
  if (!page.more) onEnd()
  if (kept > 0)
    app.log.warn({ connection: connection.name, kept }, 'lines could not be taken in; see: vezne line unread')
  if (suspected > 0)
    app.log.warn(
      { connection: connection.name, suspected },
      'suspected corrections; see: vezne line list --state needs_review',
    )
  return Math.max(imported, Number(moved && page.more && readsOn(connection, page, imported)))
}

/** After a lost cursor many pages are known: this many are read without a pause. */
const MAX_KNOWN_PAGES = 50
const knownPages = new WeakMap<Connection, number>()

/** Some banks report more pages for ever. A page without lines, or many without a new line, end the reader's turn. */
function readsOn(connection: Connection, { lines }: Page, imported: number): boolean {
  const inARow = imported > 0 ? 0 : (knownPages.get(connection) ?? 0) + 1
  knownPages.set(connection, inARow % MAX_KNOWN_PAGES)
  return lines.length > 0 && inARow < MAX_KNOWN_PAGES
}

type Page = Extract<StatementPage, { outcome: 'read' }>
type Ingested = { imported: number; suspected: number; kept: number }

/** Lines per transaction: a bank may return more in a page, and other imports wait for the lock. */
const PART = 500

type Part = { lines: BankLine[]; unread: KeyedUnread[]; next?: Cursor | undefined }

/** In parts. The cursor is saved with the last one; after a crash before that, the page is read again, and known lines change nothing. */
async function ingest(app: Deps, next: Cursor, page: Page): Promise<Ingested> {
  const unread = keyUnread(page.unread)
  const parts = Math.max(Math.ceil(Math.max(page.lines.length, unread.length) / PART), 1)
  const total: Ingested = { imported: 0, suspected: 0, kept: 0 }
  for (let at = 0; at < parts; at++) {
    const [from, to] = [at * PART, (at + 1) * PART]
    const part = { lines: page.lines.slice(from, to), unread: unread.slice(from, to) }
    add(total, await ingestPart(app, next.source, { ...part, next: at === parts - 1 ? next : undefined }))
  }
  return total
}

function add(total: Ingested, { imported, suspected, kept }: Ingested): void {
  total.imported += imported
  total.suspected += suspected
  total.kept += kept
}

/** If the database refuses a part because of its data, each line is tried alone, and a refused line is stored unchanged. */
async function ingestPart(app: Deps, source: string, part: Part): Promise<Ingested> {
  try {
    return await app.db.transaction((tx) => ingestLines(app, tx, source, part))
  } catch (error) {
    if (!causedByData(error)) throw error
  }
  const total: Ingested = { imported: 0, suspected: 0, kept: 0 }
  const refused: UnreadLine[] = []
  for (const line of part.lines) {
    try {
      add(total, await app.db.transaction((tx) => ingestLines(app, tx, source, { lines: [line], unread: [] })))
    } catch (error) {
      if (!causedByData(error)) throw error
      refused.push({ raw: writeLine(line), why: note('unread_not_storable', { error: (error as Error).message }) })
    }
  }
  const rest = { ...part, lines: [], unread: [...part.unread, ...keyUnread(refused)] }
  add(total, await app.db.transaction((tx) => ingestLines(app, tx, source, rest)))
  return total
}

async function ingestLines(app: Deps, tx: Tx, source: string, { lines, unread, next }: Part): Promise<Ingested> {
  if (next) await saveCursor(tx, next)
  const { imported, suspected, notBooked } = await importLines(app, tx, source, lines)
  const kept = notBooked.map(({ line, why }) => ({ raw: writeLine(line), why }))
  await keepKeyed(app, tx, source, unread)
  await keepUnread(app, tx, source, kept)
  return { imported, suspected, kept: [...unread, ...kept].filter(needsAttention).length }
}

/** Also if it is in the future: a sandbox clock was set back. */
function isWorthWriting(before: Date | null, now: Date): boolean {
  const age = before ? now.getTime() - before.getTime() : WRITE_EVERY_MS
  return age >= WRITE_EVERY_MS || age < 0
}
