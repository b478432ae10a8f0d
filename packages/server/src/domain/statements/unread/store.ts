import type { UNREAD } from '../../../kernel/refusals/unread.ts'
import type { Said } from '../../../platform/refusal.ts'
import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import type { Found, Search } from '../../../kernel/search.ts'
import { ERASED } from '../../../kernel/erased.ts'
import type { Sql } from '../../../platform/postgres/sql.ts'
import { sql } from '../../../platform/postgres/sql.ts'

export type UnreadLine = { raw: string; why: Said }

/** Not to be imported: a line on the recipient's account, and one with amount zero. The index `unread_lines_waiting` has the same. */
const CALM: readonly string[] = ['unread_other_side', 'unread_amount_zero'] satisfies (keyof typeof UNREAD)[]

/** Whether a person must review it. */
export function needsAttention({ why }: UnreadLine): boolean {
  return !CALM.includes(why.why)
}

/** The same line read again is the same row, even if the bank's address changes: `source` contains its URL. */
export async function insertUnread(
  tx: Tx,
  source: string,
  lines: (UnreadLine & { hash: string })[],
  { at, uploadedFileId }: { at: Date; uploadedFileId: string | null },
): Promise<void> {
  await tx.query(sql`
    insert into unread_lines (source, raw_hash, raw, why, created_at, uploaded_file_id)
    select ${source}, one.hash, one.raw, one.why::jsonb, ${at}, ${uploadedFileId} from unnest(
      ${lines.map(({ hash }) => hash)}::text[],
      ${lines.map(({ raw }) => raw)}::text[],
      ${lines.map(({ why }) => JSON.stringify(why))}::text[]
    ) as one (hash, raw, why)
    where not exists (select 1 from unread_lines u where u.raw_hash = one.hash)
    on conflict do nothing`)
}

/** `uploadedFileId`: of the file with which a person brought it; null for one of a connection or an inbox. */
export type StoredUnread = UnreadLine & { source: string; hash: string; createdAt: Date; uploadedFileId: string | null }

const columns = sql`
  u.source, u.raw_hash as hash, u.raw, u.why, u.created_at as "createdAt", u.uploaded_file_id as "uploadedFileId"`

/** By a person, and by no one opened again: who did, the audit knows. */
const isClosed = sql`u.closed_at is not null`

const isOpen = sql`
  u.taken_in_at is null and u.why ->> 'why' not in ('unread_other_side', 'unread_amount_zero')
  and not (${isClosed})`

/** Unread lines that wait for a person. */
export function listUnread(db: Queryable): Promise<StoredUnread[]> {
  return db.query<StoredUnread>(sql`select ${columns} from unread_lines u where ${isOpen} order by u.created_at`)
}

/** `uploads`: whether those of files that people uploaded are among them. */
const isToRetry = (uploads: boolean) =>
  sql`u.taken_in_at is null and (${uploads} or u.uploaded_file_id is null) and not (${isClosed})`

type Retry = { uploads: boolean }

/** Lines to import again, from this position on, in pages: all that were not imported and that no one has closed. */
export function selectToRetry(
  db: Queryable,
  after: { source: string; hash: string },
  { uploads, limit }: Retry & { limit: number },
): Promise<StoredUnread[]> {
  return db.query<StoredUnread>(sql`
    select ${columns} from unread_lines u
    where ${isToRetry(uploads)} and (u.source, u.raw_hash) > (${after.source}, ${after.hash})
    order by u.source, u.raw_hash limit ${limit}`)
}

/** Whether it is still to be imported. No one closes it until the transaction ends. */
export async function lockToRetry(tx: Tx, line: StoredUnread, { uploads }: Retry): Promise<boolean> {
  const rows = await tx.query(
    sql`select 1 from unread_lines u where ${isIts(line)} and ${isToRetry(uploads)} for update`,
  )
  return rows.length > 0
}

/** Includes who closed it and why. */
export type ListedUnread = StoredUnread & { closedBy: string | null; closedWhy: string | null }

export function selectNewestNotTaken(db: Queryable, limit: number): Promise<ListedUnread[]> {
  return db.query<ListedUnread>(sql`
    select ${columns}, u.closed_by as "closedBy", u.close_reason as "closedWhy"
    from unread_lines u where u.taken_in_at is null order by u.created_at desc limit ${limit}`)
}

/** Lines that wait for a person and whose hash starts with `id`. */
export function lockUnread(tx: Tx, id: string): Promise<StoredUnread[]> {
  return tx.query<StoredUnread>(sql`
    select ${columns} from unread_lines u where starts_with(u.raw_hash, ${id}) and ${isOpen} for update of u`)
}

type Key = Pick<StoredUnread, 'source' | 'hash'>
const isIts = ({ source, hash }: Key) => sql`u.source = ${source} and u.raw_hash = ${hash}`

type Closing = { operator: string; reason: string; at: Date }

export async function updateClosed(tx: Tx, line: Key, { operator, reason, at }: Closing): Promise<void> {
  await tx.query(sql`
    update unread_lines u set closed_at = ${at}, closed_by = ${operator}, close_reason = ${reason} where ${isIts(line)}`)
}

/** Closed lines whose hash starts with `id`, and that were not imported. */
export function lockClosed(tx: Tx, id: string): Promise<Key[]> {
  return tx.query<Key>(sql`
    select u.source, u.raw_hash as hash from unread_lines u
    where starts_with(u.raw_hash, ${id}) and u.taken_in_at is null and ${isClosed} for update of u`)
}

export async function updateReopened(tx: Tx, line: Key): Promise<void> {
  await tx.query(sql`
    update unread_lines u set closed_at = null, closed_by = null, close_reason = null where ${isIts(line)}`)
}

export async function countUnread(db: Queryable): Promise<{ count: number; oldest: Date | null }> {
  const [row] = await db.query<{ count: number; oldest: Date | null }>(sql`
    select count(*)::int as count, min(u.created_at) as oldest from unread_lines u where ${isOpen}`)
  return row ?? { count: 0, oldest: null }
}

export async function markImported(tx: Tx, { source, hash }: StoredUnread, by: string, at: Date): Promise<void> {
  await tx.query(sql`
    update unread_lines set taken_in_at = ${at}, taken_in_by = ${by} where source = ${source} and raw_hash = ${hash}`)
}

const namesSql = (withdrawalId: Sql) => sql`
  u.taken_in_at is null and u.named_ids <> '{}' and u.named_ids @> array[${withdrawalId} collate "default"]`

/** Includes lines that a person has closed: they need no attention but still show that the money may have left. */
export function isNamedUnreadSql(withdrawalId: Sql): Sql {
  return sql`exists (select 1 from unread_lines u where ${namesSql(withdrawalId)})`
}

export function selectUnreadNaming(db: Queryable, withdrawalId: string, limit: number): Promise<StoredUnread[]> {
  return db.query<StoredUnread>(sql`
    select ${columns} from unread_lines u where ${namesSql(sql`${withdrawalId}::text`)}
    order by u.created_at limit ${limit}`)
}

/** Searches by the id of a withdrawal that the line names; `status` is why it could not be read. */
export async function searchUnread(db: Queryable, { id }: Search, limit: number): Promise<Found[]> {
  if (id === null) return []
  const naming = await selectUnreadNaming(db, id, limit)
  return naming.map(({ hash, why, createdAt }) => {
    const unknown = { merchantId: null, amount: null, currency: '' }
    return {
      kind: 'unread line',
      id: unreadId(hash),
      ...unknown,
      status: why,
      createdAt,
      matched: 'names the withdrawal',
    }
  })
}

/** Short id for people: enough of the hash to be unique. */
export function unreadId(hash: string): string {
  return hash.slice(0, 12)
}

type Naming = { source: string; hash: string; waits: boolean }

/** Lines whose text contains one of these; `waits`: for a person. Scans the whole table. */
export function selectNaming(tx: Tx, texts: string[]): Promise<Naming[]> {
  return tx.query<Naming>(sql`
    select u.source, u.raw_hash as hash, (${isOpen}) as waits from unread_lines u
    where exists (select from unnest(${texts}::text[]) as one (wanted) where strpos(u.raw, one.wanted) > 0)`)
}

/** Keeps the hash, so that the line is recognised when it is read again. */
export async function eraseUnread(tx: Tx, lines: { source: string; hash: string }[]): Promise<void> {
  await tx.query(sql`
    update unread_lines u set raw = ${ERASED} from unnest(
      ${lines.map(({ source }) => source)}::text[],
      ${lines.map(({ hash }) => hash)}::text[]
    ) as one (source, hash)
    where u.source = one.source and u.raw_hash = one.hash`)
}
