import type { Queryable, Tx } from '../../platform/postgres/db.ts'
import type { Sql } from '../../platform/postgres/sql.ts'
import { sql } from '../../platform/postgres/sql.ts'

type PendingEntry = {
  at: Date
  actor: string
  action: string
  subject: string
  before: string | null
  after: string | null
  reason: string | null
  origin: string
  /** By which the service knows it as its own; null: of someone else. */
  mark: string | null
}

/** As it is hashed: time and JSON as text. */
export type ChainedEntry = Omit<PendingEntry, 'at'> & { number: number; at: string; previousHash: Buffer; hash: Buffer }

export type Head = { number: number; hash: Buffer }

/** The trigger audit_pending_chained numbers it at the commit. */
export async function insertPending(tx: Tx, entry: PendingEntry): Promise<void> {
  const { at, actor, action, subject, before, after, reason, origin, mark } = entry
  await tx.query(sql`
    insert into audit_pending (at, actor, action, subject, before, after, reason, origin, mark)
    values (${at}, ${actor}, ${action}, ${subject}, ${before}::jsonb, ${after}::jsonb, ${reason}, ${origin}::jsonb, ${mark})`)
}

export async function selectHead(db: Queryable): Promise<Head> {
  const [row] = await db.query<Head>(sql`select number, hash from audit_head`)
  if (!row) throw new Error('The table audit_head is empty; its only row was deleted.')
  return row
}

const CHAINED = sql`number, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at, actor, action, subject,
  before::text as before, after::text as after, reason, origin::text as origin, mark, previous_hash as "previousHash", hash`

/** In the order of their numbers. */
export function selectAfter(db: Queryable, number: number, limit: number): Promise<ChainedEntry[]> {
  return db.query<ChainedEntry>(sql`
    select ${CHAINED} from audit_entries where number > ${number} order by number limit ${limit}`)
}

/** Numbers of those whose mark an earlier entry has. The condition is that of the index `audit_entries_mark_once`. */
export async function selectCopied(db: Queryable, entries: ChainedEntry[]): Promise<number[]> {
  const marks = entries.flatMap(({ mark }) => mark ?? [])
  const rows = await db.query<{ number: number }>(sql`
    select unnest((array_agg(number order by number))[2:]) as number from audit_entries
    where mark = any(${marks}::text[]) and mark like '%.%' group by mark having count(*) > 1`)
  return rows.map(({ number }) => number)
}

export async function selectEntry(db: Queryable, number: number): Promise<ChainedEntry | undefined> {
  const [row] = await db.query<ChainedEntry>(sql`select ${CHAINED} from audit_entries where number = ${number}`)
  return row
}

export function selectHashes(db: Queryable, numbers: number[]): Promise<Head[]> {
  return db.query<Head>(sql`select number, hash from audit_entries where number = any(${numbers}::int[])`)
}

export type AuditFilter = {
  actor?: string | undefined
  action?: string | undefined
  subject?: string | undefined
  since?: Date | undefined
  until?: Date | undefined
  /** Number of an entry: those that come after it in this order. */
  before?: number | undefined
}

/** Newest first. The time is ordered as it is stored: by its text, the index would not be used. */
export function selectEntries(db: Queryable, filter: AuditFilter, limit: number): Promise<ChainedEntry[]> {
  const { actor, action, subject, since = new Date(0), until, before } = filter
  const equal = (column: Sql, value: string | undefined) =>
    value === undefined ? sql`` : sql`and ${column} = ${value}`
  const place =
    before === undefined
      ? sql``
      : sql`and (at, number) < ((select b.at from audit_entries b where b.number = ${before}), ${before})`
  return db.query<ChainedEntry>(sql`
    select ${CHAINED} from audit_entries
    where at >= ${since} ${until === undefined ? sql`` : sql`and at < ${until}`} ${place}
      ${equal(sql`actor`, actor)} ${equal(sql`action`, action)} ${equal(sql`subject`, subject)}
    order by audit_entries.at desc, number desc limit ${limit}`)
}

/** Those of these subjects that have an entry. */
export async function selectAudited(db: Queryable, subjects: string[]): Promise<string[]> {
  const rows = await db.query<{ subject: string }>(sql`
    select one.subject from unnest(${subjects}::text[]) as one (subject)
    where exists (select 1 from audit_entries e where e.subject = one.subject)`)
  return rows.map(({ subject }) => subject)
}

/** `problem` and `verifiedNumber`: of the last verification; the other fields: the last head written outside. */
export type AuditState = {
  verifiedAt: Date | null
  verifiedNumber: number | null
  problem: string | null
  writtenAt: Date | null
  writtenNumber: number | null
  writtenTo: 'file' | 'log' | null
}

export async function selectState(db: Queryable): Promise<AuditState> {
  const [row] = await db.query<AuditState>(sql`
    select verified_at as "verifiedAt", verified_number as "verifiedNumber", problem, written_at as "writtenAt",
      written_number as "writtenNumber", written_to as "writtenTo" from audit_state`)
  if (!row) throw new Error('The table audit_state is empty; its only row was deleted.')
  return row
}

export async function updateVerified(tx: Tx, number: number, problem: string | null, at: Date): Promise<void> {
  await tx.query(sql`
    update audit_state set verified_at = ${at}, verified_number = ${number}, problem = ${problem}`)
}

export async function updateWritten(tx: Tx, number: number, to: 'file' | 'log', at: Date): Promise<void> {
  await tx.query(sql`
    update audit_state set written_at = ${at}, written_number = ${number}, written_to = ${to}`)
}

/** Rows of open transactions of others are not seen. */
export async function countPending(db: Queryable): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`select count(*)::int as count from audit_pending`)
  return row?.count ?? 0
}
