import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import { rowsOf } from '../../../platform/postgres/rows.ts'
import { sql } from '../../../platform/postgres/sql.ts'
import type { Finding, ImportedStatement, StatementFile } from './statement-file.ts'
import { COMPLETE_FORMATS, FINAL_FORMATS } from './statement-file.ts'

/** Of `bank_lines l`. */
export const formatOfLine = sql`(select f.format from statement_files f where f.id = l.statement_file_id)`
export const nameOfFile = sql`(select f.name from statement_files f where f.id = l.statement_file_id)`
/** Of `bank_lines l`: the newest file with a final statement of its day. */
export const finalOfDay = sql`(
  select i.file_id from imported_statements i join statement_files f on f.id = i.file_id and f.state = 'imported'
  where i.collecting_account_id = l.collecting_account_id and i.format = any(${[...COMPLETE_FORMATS]}::text[])
    and i.to_day >= (l.booked_at at time zone 'Europe/Istanbul')::date
    and i.from_day <= (l.booked_at at time zone 'Europe/Istanbul')::date
  order by i.file_id desc limit 1)`
/** Of `bank_lines l`: it came in a final statement. A page of one counts as a report until all pages came. */
export const cameInFinal = sql`exists (
  select 1 from imported_statements i where i.file_id = l.statement_file_id
    and i.collecting_account_id = l.collecting_account_id and i.format = any(${[...FINAL_FORMATS]}::text[]))`
/** An undone line is as if it had never come. */
export const isNotUndone = sql`l.reason is distinct from 'import_undone'`

const columns = sql`
  f.id, f.connection, f.name, f.sha256, f.size, f.format, f.profile, f.account_iban as "accountIban", f.state, f.checks,
  f.accepted_why as "acceptedWhy", f.lines, f.pending, f.unread, f.created_by as "createdBy", f.created_at as "createdAt",
  f.imported_at as "importedAt", f.undone_by as "undoneBy", f.undone_at as "undoneAt", f.undone_why as "undoneWhy",
  f.approved_sha256 as "approvedSha256", f.stopped_why as "stoppedWhy"`

export async function findFile(db: Queryable, id: string): Promise<StatementFile | undefined> {
  return (await db.query<StatementFile>(sql`select ${columns} from statement_files f where f.id = ${id}`))[0]
}

/** The file with this content that was not undone. */
export async function findBySha(db: Queryable, sha256: string): Promise<StatementFile | undefined> {
  const rows = await db.query<StatementFile>(sql`
    select ${columns} from statement_files f where f.sha256 = ${sha256} and f.state <> 'undone'`)
  return rows[0]
}

/** Which of these contents were imported, also if that was undone, or are being imported. */
export async function importedAmong(db: Queryable, sha256s: string[]): Promise<Set<string>> {
  const rows = await db.query<{ sha256: string }>(sql`
    select f.sha256 from statement_files f where f.sha256 = any(${sha256s}::text[])`)
  return new Set(rows.map(({ sha256 }) => sha256))
}

/** What the checks of these files found. */
export async function selectChecks(db: Queryable, ids: string[]): Promise<Finding[]> {
  const rows = await db.query<Pick<StatementFile, 'checks'>>(sql`
    select f.checks from statement_files f where f.id = any(${ids}::text[])`)
  return rows.flatMap(({ checks }) => checks)
}

/** Newest first, before this id. */
export function listFiles(db: Queryable, limit: number, before?: string): Promise<StatementFile[]> {
  const older = before === undefined ? sql`` : sql`where f.id < ${before}`
  return db.query<StatementFile>(
    sql`select ${columns} from statement_files f ${older} order by f.id desc limit ${limit}`,
  )
}

/** When one of the newest files was imported or undone last. */
export async function filesChangedAt(db: Queryable): Promise<Date | null> {
  const [row] = await db.query<{ at: Date | null }>(sql`
    select max(greatest(n.imported_at, n.undone_at)) as at
    from (select f.imported_at, f.undone_at from statement_files f order by f.id desc limit 100) as n`)
  return row?.at ?? null
}

/** Imports that no process has finished since. */
export function selectInterrupted(db: Queryable, before: Date, limit: number): Promise<StatementFile[]> {
  return db.query<StatementFile>(sql`
    select ${columns} from statement_files f where f.state = 'importing' and f.created_at < ${before}
      and f.stopped_why is null
    order by f.created_at limit ${limit}`)
}

/** Imports that stopped, or that go on since `before`, oldest first. */
export function selectUnfinished(db: Queryable, before: Date, limit: number): Promise<StatementFile[]> {
  return db.query<StatementFile>(sql`
    select ${columns} from statement_files f
    where f.state = 'importing' and (f.stopped_why is not null or f.created_at < ${before})
    order by f.created_at limit ${limit}`)
}

type NewFile = Omit<
  StatementFile,
  'state' | 'lines' | 'pending' | 'unread' | 'importedAt' | 'undoneBy' | 'undoneAt' | 'undoneWhy' | 'stoppedWhy'
> & { approvedLines: Buffer | null }

/** Does nothing, and says so, if another process has stored the same content. */
export async function insertFile(tx: Tx, file: NewFile): Promise<boolean> {
  const { id, connection, name, sha256, size, format, profile, accountIban, checks, acceptedWhy } = file
  const rows = await tx.query(sql`
    insert into statement_files
      (id, connection, name, sha256, size, format, profile, account_iban, state, checks, accepted_why, created_by, created_at,
       approved_lines, approved_sha256)
    values (${id}, ${connection}, ${name}, ${sha256}, ${size}, ${format}, ${profile && JSON.stringify(profile)}::json,
      ${accountIban}, 'storing', ${JSON.stringify(checks)}::json, ${acceptedWhy}, ${file.createdBy}, ${file.createdAt},
      ${file.approvedLines}, ${file.approvedSha256})
    on conflict (sha256) where state <> 'undone' do nothing returning id`)
  return rows.length > 0
}

export async function selectApprovedLines(db: Queryable, id: string): Promise<Buffer | null> {
  const rows = await db.query<{ keys: Buffer | null }>(sql`
    select f.approved_lines as keys from statement_files f where f.id = ${id}`)
  return rows[0]?.keys ?? null
}

export async function markStopped(tx: Tx, id: string, line: string): Promise<void> {
  await tx.query(sql`update statement_files set stopped_why = ${line} where id = ${id} and state = 'importing'`)
}

/** The same piece again changes nothing: its bytes are the same. */
export async function insertPart(tx: Tx, fileId: string, number: number, data: Buffer): Promise<void> {
  await tx.query(sql`
    insert into statement_file_parts (file_id, number, data) values (${fileId}, ${number}, ${data})
    on conflict on constraint statement_file_parts_pkey do nothing`)
}

export async function selectPart(db: Queryable, fileId: string, number: number): Promise<Buffer | undefined> {
  const rows = await db.query<{ data: Buffer }>(sql`
    select p.data from statement_file_parts p where p.file_id = ${fileId} and p.number = ${number}`)
  return rows[0]?.data
}

/** Not changed by others until the transaction ends. */
export async function lockFile(tx: Tx, id: string): Promise<StatementFile | undefined> {
  const rows = await tx.query<StatementFile>(sql`
    select ${columns} from statement_files f where f.id = ${id} for update`)
  return rows[0]
}

export async function markImporting(tx: Tx, id: string): Promise<void> {
  await tx.query(sql`update statement_files set state = 'importing' where id = ${id} and state = 'storing'`)
}

type Done = Pick<StatementFile, 'id' | 'checks'> & { lines: number; pending: number; unread: number }

export async function markImported(tx: Tx, { id, checks, lines, pending, unread }: Done, at: Date): Promise<void> {
  await tx.query(sql`
    update statement_files set state = 'imported', lines = ${lines}, pending = ${pending}, unread = ${unread}, imported_at = ${at},
      checks = ${JSON.stringify(checks)}::json
    where id = ${id} and state = 'importing'`)
}

export async function markUndone(tx: Tx, id: string, { who, why, at }: { who: string; why: string; at: Date }) {
  await tx.query(sql`
    update statement_files set state = 'undone', undone_by = ${who}, undone_at = ${at}, undone_why = ${why}
    where id = ${id} and state <> 'undone'`)
}

const STATEMENT = {
  fileId: 'text',
  number: 'int',
  collectingAccountId: 'text',
  format: 'text',
  bankId: 'text',
  fromDay: 'date',
  toDay: 'date',
  opening: 'bigint',
  closing: 'bigint',
  lines: 'int',
  credits: 'bigint',
  debits: 'bigint',
} as const

export async function insertImported(tx: Tx, statements: ImportedStatement[]): Promise<void> {
  await tx.query(sql`
    insert into imported_statements
      (file_id, number, collecting_account_id, format, bank_id, from_day, to_day, opening, closing, lines, credits, debits)
    select n.* from ${rowsOf('n', statements, STATEMENT)}
    on conflict on constraint imported_statements_pkey do nothing`)
}

const statementColumns = sql`
  i.file_id as "fileId", i.number, i.collecting_account_id as "collectingAccountId", i.format, i.bank_id as "bankId",
  to_char(i.from_day, 'YYYY-MM-DD') as "fromDay", to_char(i.to_day, 'YYYY-MM-DD') as "toDay",
  i.opening, i.closing, i.lines, i.credits, i.debits`
const stands = sql`exists (select 1 from statement_files f where f.id = i.file_id and f.state = 'imported')`

export function selectStatementsOf(db: Queryable, fileId: string): Promise<ImportedStatement[]> {
  return db.query<ImportedStatement>(sql`
    select ${statementColumns} from imported_statements i where i.file_id = ${fileId} order by i.number`)
}

export type Period = { collectingAccountId: string; fromDay: string; toDay: string }

export type Overlapping = ImportedStatement & { importedAt: Date; connection: string }

/** Statements of the account that share a day with this period, newest first. */
export function selectOverlapping(db: Queryable, period: Period): Promise<Overlapping[]> {
  return db.query<Overlapping>(sql`
    select ${statementColumns}, f.imported_at as "importedAt", f.connection
    from imported_statements i join statement_files f on f.id = i.file_id and f.state = 'imported'
    where i.collecting_account_id = ${period.collectingAccountId} and i.to_day >= ${period.fromDay}::date
      and i.from_day <= ${period.toDay}::date
    order by i.to_day desc, i.file_id desc`)
}

/** The last statement with a closing balance that ends before this day. */
export async function selectBefore(
  db: Queryable,
  accountId: string,
  day: string,
): Promise<ImportedStatement | undefined> {
  const rows = await db.query<ImportedStatement>(sql`
    select ${statementColumns} from imported_statements i
    where i.collecting_account_id = ${accountId} and i.to_day < ${day}::date and i.format = any(${[...FINAL_FORMATS]}::text[]) and ${stands}
    order by i.to_day desc, i.file_id desc, i.number desc limit 1`)
  return rows[0]
}

/** The first statement that begins after this day. */
export async function selectAfter(
  db: Queryable,
  accountId: string,
  day: string,
): Promise<ImportedStatement | undefined> {
  const rows = await db.query<ImportedStatement>(sql`
    select ${statementColumns} from imported_statements i
    where i.collecting_account_id = ${accountId} and i.to_day > ${day}::date and i.from_day > ${day}::date
      and i.format = any(${[...FINAL_FORMATS]}::text[]) and ${stands}
    order by i.to_day, i.file_id, i.number limit 1`)
  return rows[0]
}

/** The last day of each account that a statement of whole days covers. */
export function selectCovered(db: Queryable, accountIds: string[]): Promise<{ id: string; day: string | null }[]> {
  return db.query<{ id: string; day: string | null }>(sql`
    select one.id, (
      select to_char(i.to_day, 'YYYY-MM-DD') from imported_statements i
      where i.collecting_account_id = one.id and i.format = any(${[...FINAL_FORMATS]}::text[]) and ${stands}
      order by i.to_day desc limit 1
    ) as day
    from unnest(${accountIds}::text[]) as one (id)`)
}

/** The last day of this account that a statement of whole days covers. */
export async function coveredUntil(db: Queryable, accountId: string): Promise<string | null> {
  return (await selectCovered(db, [accountId]))[0]?.day ?? null
}

type Days = { accountIds: string[]; fromDay: string; toDay: string }

/** Files of other formats that have these days of these accounts, or are being imported. */
export async function selectOtherFiles(
  tx: Tx,
  { id, format }: Pick<StatementFile, 'id' | 'format'>,
  { accountIds, fromDay, toDay }: Days,
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(sql`
    select f.id from statement_files f where f.state = 'importing' and f.format <> ${format} and f.id <> ${id}
    union
    select i.file_id from imported_statements i join statement_files f on f.id = i.file_id
    where i.collecting_account_id = any(${accountIds}::text[]) and i.to_day >= ${fromDay}::date and i.from_day <= ${toDay}::date
      and f.format <> ${format} and f.state = 'imported'`)
  return rows.map((row) => row.id)
}
