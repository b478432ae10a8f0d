import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import { ERASED } from '../../../kernel/erased.ts'
import { sql } from '../../../platform/postgres/sql.ts'

export type UnreadLine = { raw: string; why: string }

/** The same line read again is the same row. */
export async function insertUnread(
  tx: Tx,
  source: string,
  lines: (UnreadLine & { hash: string })[],
  at: Date,
): Promise<void> {
  await tx.query(sql`
    insert into unread_lines (source, raw_hash, raw, why, created_at)
    select ${source}, hash, raw, why, ${at} from unnest(
      ${lines.map(({ hash }) => hash)}::text[],
      ${lines.map(({ raw }) => raw)}::text[],
      ${lines.map(({ why }) => why)}::text[]
    ) as one (hash, raw, why) on conflict do nothing`)
}

export function selectUnread(
  db: Queryable,
): Promise<(UnreadLine & { source: string; hash: string; createdAt: Date })[]> {
  return db.query<UnreadLine & { source: string; hash: string; createdAt: Date }>(sql`
    select source, raw_hash as hash, raw, why, created_at as "createdAt" from unread_lines
    where taken_in_at is null order by created_at`)
}

export async function countUnread(db: Queryable): Promise<{ count: number; oldest: Date | null }> {
  const [row] = await db.query<{ count: number; oldest: Date | null }>(sql`
    select count(*)::int as count, min(created_at) as oldest from unread_lines where taken_in_at is null`)
  return row ?? { count: 0, oldest: null }
}

export async function markTakenIn(tx: Tx, source: string, hash: string, at: Date): Promise<void> {
  await tx.query(sql`update unread_lines set taken_in_at = ${at} where source = ${source} and raw_hash = ${hash}`)
}

type Naming = { source: string; hash: string; waits: boolean }

/** Lines in whose text one of these stands; `waits`: not taken in yet. Reads all of them: they are few. */
export function selectNaming(tx: Tx, texts: string[]): Promise<Naming[]> {
  return tx.query<Naming>(sql`
    select u.source, u.raw_hash as hash, u.taken_in_at is null as waits from unread_lines u
    where exists (select from unnest(${texts}::text[]) as one (wanted) where strpos(u.raw, one.wanted) > 0)`)
}

/** Its hash stays, so that it is known when it is read again. */
export async function eraseUnread(tx: Tx, lines: { source: string; hash: string }[]): Promise<void> {
  await tx.query(sql`
    update unread_lines u set raw = ${ERASED} from unnest(
      ${lines.map(({ source }) => source)}::text[],
      ${lines.map(({ hash }) => hash)}::text[]
    ) as one (source, hash)
    where u.source = one.source and u.raw_hash = one.hash`)
}
