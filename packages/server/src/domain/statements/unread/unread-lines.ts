import { createHash } from 'node:crypto'
import type { Actor } from '../../../kernel/actor.ts'
import { actorName } from '../../../kernel/actor.ts'
import { mustGiveReason } from '../../../kernel/reason.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import type { Db, Queryable, Tx } from '../../../platform/postgres/db.ts'
import type { Ids } from '../../../platform/crypto/ids.ts'
import { refuse } from '../../../kernel/refusals/refuse.ts'
import { normaliseIban } from '../../../kernel/iban.ts'
import { accountsByIban } from '../../banks/index.ts'
import type { Authority } from '../../people/index.ts'
import { authorize, authorized } from '../../people/index.ts'
import type { BankLine } from '../bank-line.ts'
import { importLines } from '../import-lines.ts'
import type { StoredUnread, UnreadLine } from './store.ts'
import {
  insertUnread,
  lockClosed,
  lockToRetry,
  lockUnread,
  markImported,
  selectNewestNotTaken,
  selectToRetry,
  updateClosed,
  updateReopened,
} from './store.ts'

export type KeyedUnread = UnreadLine & { hash: string }

/** PostgreSQL refuses NUL, so it is escaped. Equal lines within one reading may be two payments, so each has its own key. */
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

/** Stores lines that could not be imported, unchanged. `uploadedFileId`: of the file, if a person uploaded it. */
export function keepUnread(
  app: { clock: Clock },
  tx: Tx,
  source: string,
  lines: UnreadLine[],
  uploadedFileId: string | null = null,
): Promise<void> {
  return keepKeyed(app, tx, source, keyUnread(lines), uploadedFileId)
}

export async function keepKeyed(
  { clock }: { clock: Clock },
  tx: Tx,
  source: string,
  lines: KeyedUnread[],
  uploadedFileId: string | null = null,
): Promise<void> {
  if (lines.length > 0) await insertUnread(tx, source, lines, { at: clock.now(), uploadedFileId })
}

const MAX_LISTED = 1000

/** Includes closed lines and the recipient's side of our payouts. */
export function listUnreadAndClosed({ db }: { db: Queryable }) {
  return selectNewestNotTaken(db, MAX_LISTED)
}

/** A person decides that the line needs no more attention. It is kept, and still counts as naming its payouts. */
export async function closeUnread(
  app: Authority & { db: Db; clock: Clock },
  actor: Actor,
  id: string,
  reason: string,
): Promise<void> {
  mustGiveReason('why', reason)
  await authorized(app, actor, 'unread.close', async (tx, audit) => {
    const [only, another] = await lockUnread(tx, id)
    if (!only) throw refuse('unread_line_unknown', { line: id })
    if (another) throw refuse('unread_line_ambiguous', { line: id })
    await updateClosed(tx, only, { operator: actorName(actor), reason, at: app.clock.now() })
    await audit(`unread:${only.hash}`, { after: { state: 'closed' }, reason: 'see unread_lines' })
  })
}

/** A person decides that a closed line waits again. Only then is it retried. */
export async function reopenUnread(app: Authority & { db: Db; clock: Clock }, actor: Actor, id: string): Promise<void> {
  await authorized(app, actor, 'unread.reopen', async (tx, audit) => {
    const [only, another] = await lockClosed(tx, id)
    if (!only) throw refuse('closed_line_unknown', { line: id })
    if (another) throw refuse('unread_line_ambiguous', { line: id })
    await updateReopened(tx, only)
    await audit(`unread:${only.hash}`, { before: { state: 'closed' }, after: { state: 'open' } })
  })
}

const PAGE = 1000

type Importing = Authority & { db: Db; clock: Clock; ids: Ids }

/**
 * Retries lines that were not imported and that no one has closed, after an account was opened or a parser fixed.
 * Returns how many were imported; a line imported in another way meanwhile is known and counts. In live not those of uploaded files.
 */
export async function reimportUnread(
  app: Importing,
  actor: Actor,
  read: (raw: string) => BankLine | null,
): Promise<number> {
  await app.db.transaction((tx) => authorize(app, tx, actor, 'unread.reimport'))
  let taken = 0
  let last = { source: '', hash: '' }
  for (;;) {
    const page = await selectToRetry(app.db, last, { uploads: app.sandbox, limit: PAGE })
    const accounts = await accountsByIban(app.db)
    for (const one of page) {
      const line = read(one.raw)
      // Most may be of accounts that are not ours: skip the transaction for those.
      if (line && accounts.has(normaliseIban(line.accountIban))) taken += await reimport(app, actor, one, line)
    }
    const end = page.at(-1)
    if (!end) return taken
    last = end
  }
}

/** Whether a retry may book it. In live two people approved the file without this line, so one person does not add it. */
export const canRetry = (sandbox: boolean, { uploadedFileId }: StoredUnread) => sandbox || uploadedFileId === null

async function reimport(app: Importing, actor: Actor, unread: StoredUnread, line: BankLine): Promise<number> {
  return app.db.transaction(async (tx) => {
    const audit = await authorize(app, tx, actor, 'unread.reimport')
    if (!(await lockToRetry(tx, unread, { uploads: app.sandbox }))) return 0
    const { notBooked } = await importLines(app, tx, unread.source, [line])
    if (notBooked.length > 0) return 0
    await markImported(tx, unread, actorName(actor), app.clock.now())
    await audit(`unread:${unread.hash}`, { after: { state: 'imported' } })
    return 1
  })
}
