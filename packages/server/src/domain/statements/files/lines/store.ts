import type { Queryable, Tx } from '../../../../platform/postgres/db.ts'
import { rowsOf } from '../../../../platform/postgres/rows.ts'
import { sql } from '../../../../platform/postgres/sql.ts'
import type { LineState, StatementTotal, StoredLine } from '../../bank-line.ts'
import { ENTERED_BY_HAND, ITS_SOURCE } from '../../bank-line.ts'
import { isEntered } from '../../entered/store.ts'
import type { KeyedLine } from '../../store.ts'
import { changeLines, keyedColumns, linesOf, queryLines, selectLines } from '../../store.ts'
import { formatOfLine, isNotUndone, nameOfFile } from '../store.ts'

export type BatchSum = {
  collectingAccountId: string
  reference: string
  format: string | null
  day: string
  /** Negative for debits. */
  total: bigint
  /** Its lines. */
  lineIds: string[]
}

export type FileOfLine = { lineId: string; id: string; name: string }

/** The file of each of these lines that came in one. */
export function filesOfLines(db: Queryable, lineIds: string[]): Promise<FileOfLine[]> {
  return queryLines<FileOfLine>(
    db,
    sql`l.id as "lineId", l.statement_file_id as id, ${nameOfFile} as name`,
    sql`where l.id = any(${lineIds}::text[]) and l.statement_file_id is not null`,
  )
}

type Entry = { collectingAccountId: string; reference: string }

/** Batches with these numbers that other files gave as details, by file and day. */
export function selectBatchSums(tx: Tx, entries: Entry[], fileId: string): Promise<BatchSum[]> {
  const distinct = [...new Map(entries.map((one) => [`${one.collectingAccountId}|${one.reference}`, one])).values()]
  return queryLines<BatchSum>(
    tx,
    sql`l.collecting_account_id as "collectingAccountId", l.batch_reference as reference, ${formatOfLine} as format,
      to_char(l.booked_at at time zone 'Europe/Istanbul', 'YYYY-MM-DD') as day, array_agg(l.id order by l.id) as "lineIds",
      sum(case l.direction when 'credit' then l.amount else -l.amount end)::bigint as total`,
    sql`join ${rowsOf('w', distinct, { collectingAccountId: 'text', reference: 'text' })}
      on l.collecting_account_id = w.collecting_account_id and l.batch_reference = w.reference
    where l.statement_file_id <> ${fileId} and ${isNotUndone}
    group by l.collecting_account_id, l.batch_reference, l.statement_file_id, day`,
  )
}

type Money = { collectingAccountId: string; amount: bigint; direction: string; fromTime: Date; toTime: Date }
const MONEY = {
  collectingAccountId: 'text',
  amount: 'bigint',
  direction: 'text',
  fromTime: 'timestamptz',
  toTime: 'timestamptz',
} as const

/** Lines of these files with this amount on this day. Where `numbered` lines are compared, only those without number: else the numbers decide. */
export function selectSameMoney(tx: Tx, wanted: Money[], fileIds: string[], numbered: boolean): Promise<KeyedLine[]> {
  const keyOf = (one: Money) => `${one.collectingAccountId}|${one.amount}|${one.direction}|${one.fromTime.getTime()}`
  const distinct = [...new Map(wanted.map((one) => [keyOf(one), one])).values()]
  const comparable = numbered ? sql`and l.bank_reference is null` : sql``
  return queryLines<KeyedLine>(
    tx,
    keyedColumns,
    sql`join (${rowsOf('w', distinct, MONEY)} cross join unnest(${fileIds}::text[]) as f (file_id))
      on l.statement_file_id = f.file_id and l.amount = w.amount and l.collecting_account_id = w.collecting_account_id
      and l.direction = w.direction and l.booked_at >= w.from_time and l.booked_at < w.to_time ${comparable}
    where ${isNotUndone} order by l.id`,
  )
}

type Key = { collectingAccountId: string; naturalKey: string; occurrence: number }

/** The stored lines with these keys. */
export async function selectKnown(db: Queryable, keys: Key[]): Promise<string[]> {
  const types = { collectingAccountId: 'text', naturalKey: 'text', occurrence: 'int' } as const
  const rows = await queryLines<{ id: string }>(
    db,
    sql`l.id`,
    sql`join ${rowsOf('w', keys, types)} on l.collecting_account_id = w.collecting_account_id
      and l.natural_key = w.natural_key and l.occurrence = w.occurrence`,
  )
  return rows.map(({ id }) => id)
}

type Place = { statementId: string; id: string }
type Page = { fileIds: string[]; after: Place; limit: number }
export const START: Place = { statementId: '', id: '' }

/** Lines of these statements that count and that these files did not give. Those that people entered have their own comparison. */
export function selectOthers(db: Queryable, statementIds: string[], { fileIds, after, limit }: Page): Promise<Place[]> {
  // Not in the order of ids alone: all lines of all accounts could then be read for it.
  return queryLines<Place>(
    db,
    sql`l.id, l.statement_id as "statementId"`,
    sql`where l.statement_id = any(${statementIds}::text[]) and (l.statement_id, l.id) > (${after.statementId}, ${after.id})
      and l.state <> 'dismissed' and (l.statement_file_id = any(${fileIds}::text[])) is not true and not ${isEntered}
      order by l.statement_id, l.id limit ${limit}`,
  )
}

export function selectKeyed(db: Queryable, ids: string[]): Promise<KeyedLine[]> {
  if (ids.length === 0) return Promise.resolve([])
  return queryLines<KeyedLine>(db, keyedColumns, sql`where l.id = any(${ids}::text[]) order by l.booked_at, l.id`)
}

export type FileTotal = { state: LineState; reason: string | null; count: number; credits: bigint; debits: bigint }

/** The lines that the file brought, by state. */
export function totalsOfFile(db: Queryable, fileId: string): Promise<FileTotal[]> {
  return queryLines<FileTotal>(
    db,
    sql`l.state, l.reason, count(*)::int as count,
      coalesce(sum(l.amount) filter (where l.direction = 'credit'), 0)::bigint as credits,
      coalesce(sum(l.amount) filter (where l.direction = 'debit'), 0)::bigint as debits`,
    sql`where l.statement_file_id = ${fileId} group by 1, l.reason order by 1, l.reason`,
  )
}

/** Lines of the file that were not booked because people had entered them. */
export function setAsideOfFile(db: Queryable, fileId: string, limit: number): Promise<StoredLine[]> {
  return selectLines(
    db,
    sql`where l.statement_file_id = ${fileId} and l.state = 'dismissed' and l.reason = ${ENTERED_BY_HAND}
      order by l.id limit ${limit}`,
  )
}

export async function countOfFile(
  db: Queryable,
  fileId: string,
): Promise<{ lines: number; suspected: number; toMatch: number }> {
  const [row] = await queryLines<{ lines: number; suspected: number; toMatch: number }>(
    db,
    sql`count(*)::int as lines, (count(l.corrects_line_id) filter (where l.reason is distinct from ${ENTERED_BY_HAND}))::int as suspected,
      (count(*) filter (where l.state = 'new'))::int as "toMatch"`,
    sql`where l.statement_file_id = ${fileId}`,
  )
  return row ?? { lines: 0, suspected: 0, toMatch: 0 }
}

/** Whether the account has lines of these days that no file gave, other than those that people entered. */
export async function hasOtherLines(db: Queryable, statementIds: string[]): Promise<boolean> {
  const rows = await queryLines<unknown>(
    db,
    sql`1`,
    sql`where l.statement_id = any(${statementIds}::text[]) and l.statement_file_id is null and not ${isEntered} limit 1`,
  )
  return rows.length > 0
}

/** Locks some lines of the file, after this id. Locked first, then read: their parts are those after the wait. */
export async function lockLinesOfFile(tx: Tx, fileId: string, after: string, limit: number): Promise<KeyedLine[]> {
  const locked = await queryLines<{ id: string }>(
    tx,
    sql`l.id`,
    sql`where l.statement_file_id = ${fileId} and l.id > ${after} order by l.id limit ${limit} for update`,
  )
  const ids = locked.map(({ id }) => id)
  return queryLines<KeyedLine>(tx, keyedColumns, sql`where l.id = any(${ids}::text[]) order by l.id`)
}

/** Marks lines of files that a connection has given too: that confirms them. */
export async function markShown(tx: Tx, keys: Key[]): Promise<void> {
  const types = { collectingAccountId: 'text', naturalKey: 'text', occurrence: 'int' } as const
  await changeLines(
    tx,
    sql`set shown_by_connection = true, confirmed_by = coalesce(l.confirmed_by, ${ITS_SOURCE}) from ${rowsOf('w', keys, types)}
    where l.collecting_account_id = w.collecting_account_id and l.natural_key = w.natural_key and l.occurrence = w.occurrence
      and l.statement_file_id is not null and not l.shown_by_connection`,
  )
}

/** Lines of these files that the connection has not given. */
export function selectNotShown(db: Queryable, fileIds: string[], limit: number): Promise<KeyedLine[]> {
  return queryLines<KeyedLine>(
    db,
    keyedColumns,
    sql`where l.statement_file_id is not null and l.statement_file_id = any(${fileIds}::text[]) and not l.shown_by_connection and l.state <> 'dismissed' order by l.statement_file_id, l.id limit ${limit}`,
  )
}

/** So that the same line of a corrected file is new. */
export async function freeKeys(tx: Tx, ids: string[]): Promise<void> {
  await changeLines(tx, sql`set natural_key = 'undone|' || l.id where l.id = any(${ids}::text[])`)
}

/** Numbers that another file gave for lines that came without one, or with a provisional one. The key stays: the line is known again by it. */
export async function saveNumbers(tx: Tx, numbers: Map<string, string>): Promise<void> {
  const rows = [...numbers].map(([id, number]) => ({ id, number }))
  await changeLines(
    tx,
    sql`set bank_reference = n.number from ${rowsOf('n', rows, { id: 'text', number: 'text' })}
    where l.id = n.id`,
  )
}

type Numbered = { collectingAccountId: string; direction: string; bankReference: string | null }

/** Lines that came with one of these numbers and have got another since. */
export function selectRenumbered(tx: Tx, lines: Numbered[]): Promise<(KeyedLine & { firstNumber: string })[]> {
  const types = { collectingAccountId: 'text', direction: 'text', bankReference: 'text' } as const
  return tx.query<KeyedLine & { firstNumber: string }>(sql`
    select l.* from (select distinct n.* from ${rowsOf('n', lines, types)}) as wanted
    cross join lateral (${linesOf(
      sql`${keyedColumns}, wanted.bank_reference as "firstNumber"`,
      sql`where l.collecting_account_id = wanted.collecting_account_id and l.direction = wanted.direction
        and l.natural_key >= 'number|' || wanted.bank_reference || '|' and l.natural_key < 'number|' || wanted.bank_reference || '}'
        and l.bank_reference <> wanted.bank_reference and ${isNotUndone}
      order by l.natural_key limit 10`,
    )}) as l
    order by l.id`)
}

/** Takes such numbers off the lines of these days that came without one. */
export async function forgetNumbers(tx: Tx, statementIds: string[]): Promise<void> {
  await changeLines(
    tx,
    sql`set bank_reference = null
    where l.statement_id = any(${statementIds}::text[]) and l.bank_reference is not null and left(l.natural_key, 5) = 'text|'`,
  )
}

/** Gives these lines the numbers with which they came. Their key is `number|NUMBER|HASH`, see `naturalKey`. */
export async function restoreNumbers(tx: Tx, ids: string[]): Promise<void> {
  await changeLines(
    tx,
    sql`set bank_reference = left(substr(l.natural_key, 8), -44)
    where l.id = any(${ids}::text[]) and left(l.natural_key, 7) = 'number|'`,
  )
}

export function totalsByStatement(db: Queryable, statementIds: string[]): Promise<StatementTotal[]> {
  return queryLines<StatementTotal>(
    db,
    sql`l.statement_id as "statementId", count(*)::int as lines,
      coalesce(sum(l.amount) filter (where l.direction = 'credit'), 0)::bigint as credits,
      coalesce(sum(l.amount) filter (where l.direction = 'debit'), 0)::bigint as debits`,
    sql`where l.statement_id = any(${statementIds}::text[]) and ${isNotUndone} and l.reason is distinct from ${ENTERED_BY_HAND} group by l.statement_id`,
  )
}
