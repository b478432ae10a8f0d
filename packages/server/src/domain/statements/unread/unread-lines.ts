import { createHash } from 'node:crypto'
import type { Clock } from '../../../platform/time/clock.ts'
import type { Db, Tx } from '../../../platform/postgres/db.ts'
import type { Ids } from '../../../platform/crypto/ids.ts'
import type { BankLine } from '../bank-line.ts'
import { importLines } from '../import-lines.ts'
import type { UnreadLine } from './store.ts'
import { insertUnread, markTakenIn, selectUnread } from './store.ts'

/**
 * Keeps what could not be taken in, as it came; PostgreSQL refuses NUL, so it is written out. Equal lines within one reading
 * may be two payments: each is a row.
 */
export async function keepUnread(
  { clock }: { clock: Clock },
  tx: Tx,
  source: string,
  lines: UnreadLine[],
): Promise<void> {
  if (lines.length === 0) return
  const occurrences = new Map<string, number>()
  const kept = lines.map(({ raw, why }) => {
    const text = raw.replaceAll('\0', '\\0')
    const occurrence = (occurrences.get(text) ?? 0) + 1
    occurrences.set(text, occurrence)
    const key = occurrence === 1 ? text : `${text}|${occurrence}`
    return { raw: text, why, hash: createHash('sha256').update(key).digest('base64url') }
  })
  await insertUnread(tx, source, kept, clock.now())
}

export function listUnread({ db }: { db: Db }) {
  return selectUnread(db)
}

/**
 * Tries again what was left out, after an account was opened or a reader mended. Answers how many lines came in; a line
 * that had come in by another way in between is known and counts as taken in.
 */
export async function retakeUnread(
  app: { db: Db; clock: Clock; ids: Ids },
  read: (raw: string) => BankLine | null,
): Promise<number> {
  let taken = 0
  for (const { source, hash, raw } of await selectUnread(app.db)) {
    const line = read(raw)
    if (!line) continue
    taken += await app.db.transaction(async (tx) => {
      const { foreign } = await importLines(app, tx, source, [line])
      if (foreign.length > 0) return 0
      await markTakenIn(tx, source, hash, app.clock.now())
      return 1
    })
  }
  return taken
}
