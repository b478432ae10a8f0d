import { createHash } from 'node:crypto'
import type { Clock } from '../../../platform/time/clock.ts'
import type { Db, Tx } from '../../../platform/postgres/db.ts'
import type { Ids } from '../../../platform/crypto/ids.ts'
import { invalidField, Refusal } from '../../../platform/refusal.ts'
import { normaliseIban } from '../../../kernel/iban.ts'
import { accountsByIban } from '../../banks/index.ts'
import type { BankLine } from '../bank-line.ts'
import { importLines } from '../import-lines.ts'
import type { StoredUnread, UnreadLine } from './store.ts'
import {
  insertClosing,
  insertUnread,
  lockUnread,
  markImported,
  selectNewestNotTaken,
  selectNotTaken,
  selectUnread,
} from './store.ts'

export type KeyedUnread = UnreadLine & { hash: string }

/** PostgreSQL refuses NUL, so it is written out. Equal lines within one reading may be two payments: each has a key of its own. */
export function keyUnread(lines: UnreadLine[]): KeyedUnread[] {
  const occurrences = new Map<string, number>()
  return lines.map(({ raw, why }) => {
    const text = raw.replaceAll('\0', '\\0')
    const occurrence = (occurrences.get(text) ?? 0) + 1
    occurrences.set(text, occurrence)
    const key = occurrence === 1 ? text : `${text}|${occurrence}`
    return { raw: text, why, hash: createHash('sha256').update(key).digest('base64url') }
  })
}

/** Keeps what could not be taken in, as it came. */
export function keepUnread(app: { clock: Clock }, tx: Tx, source: string, lines: UnreadLine[]): Promise<void> {
  return keepKeyed(app, tx, source, keyUnread(lines))
}

export async function keepKeyed(
  { clock }: { clock: Clock },
  tx: Tx,
  source: string,
  lines: KeyedUnread[],
): Promise<void> {
  if (lines.length > 0) await insertUnread(tx, source, lines, clock.now())
}

export function listUnread({ db }: { db: Db }) {
  return selectUnread(db)
}

const MOST_LISTED = 1000

/** Also what was closed, and the other side of our payouts. */
export function listAllUnread({ db }: { db: Db }) {
  return selectNewestNotTaken(db, MOST_LISTED)
}

const LEAST_REASON = 5

/** A person says that it needs no more attention. It is kept, and still counts as naming the payouts that it names. */
export async function closeUnread(
  app: { db: Db; clock: Clock },
  id: string,
  operator: string,
  reason: string,
): Promise<void> {
  if (reason.trim().length < LEAST_REASON) throw invalidField('why', 'must say why it needs no more attention')
  await app.db.transaction(async (tx) => {
    const [only, another] = await lockUnread(tx, id)
    if (!only) throw new Refusal('NOT_FOUND', `No unread line that waits has the id ${id}. See: vezne line unread`)
    if (another) throw new Refusal('INVALID_STATE', `Several unread lines begin with ${id}. Give more of the id.`)
    await insertClosing(tx, only, { operator, reason, at: app.clock.now() })
  })
}

const PAGE = 1000

/**
 * Tries again what was left out, after an account was opened or a reader mended, also what a person has closed. Returns how many lines
 * came in; a line that had come in by another way in between is known and counts as taken in.
 */
export async function reimportUnread(
  app: { db: Db; clock: Clock; ids: Ids },
  read: (raw: string) => BankLine | null,
): Promise<number> {
  let taken = 0
  let last = { source: '', hash: '' }
  for (;;) {
    const page = await selectNotTaken(app.db, last, PAGE)
    const accounts = await accountsByIban(app.db)
    for (const one of page) {
      const line = read(one.raw)
      // Most may be of accounts that are not ours: they cost no transaction.
      if (line && accounts.has(normaliseIban(line.accountIban))) taken += await reimport(app, one, line)
    }
    const end = page.at(-1)
    if (!end) return taken
    last = end
  }
}

async function reimport(
  app: { db: Db; clock: Clock; ids: Ids },
  { source, hash }: StoredUnread,
  line: BankLine,
): Promise<number> {
  return app.db.transaction(async (tx) => {
    const { foreign } = await importLines(app, tx, source, [line])
    if (foreign.length > 0) return 0
    await markImported(tx, source, hash, app.clock.now())
    return 1
  })
}
