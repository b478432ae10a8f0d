import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import { rowsOf } from '../../../platform/postgres/rows.ts'
import type { Sql } from '../../../platform/postgres/sql.ts'
import { sql } from '../../../platform/postgres/sql.ts'

/** Movements on an account in a period, as reported by one connection. Days are yyyy-mm-dd in Istanbul, both included. */
export type Statement = {
  id: string
  collectingAccountId: string
  connection: string
  fromDay: string
  toDay: string
  /** Null if the bank does not give it. */
  openingBalance: bigint | null
  closingBalance: bigint | null
  createdAt: Date
}

export type DayStatement = Pick<Statement, 'id' | 'collectingAccountId' | 'connection'> & { day: string }

/** Statements get lines now: opens missing ones and returns all with their stored ids. The caller holds the import lock. */
export function openDayStatements(tx: Tx, wanted: DayStatement[], at: Date): Promise<DayStatement[]> {
  return tx.query<DayStatement>(sql`
    with wanted as materialized (
      select w.id, w.collecting_account_id, w.connection, w.day
      from ${rowsOf('w', wanted, { id: 'text', collectingAccountId: 'text', connection: 'text', day: 'date' })}
    ), opened as (
      insert into statements (id, collecting_account_id, connection, from_day, to_day, created_at, newest_line_at)
      select w.id, w.collecting_account_id, w.connection, w.day, w.day, ${at}::timestamptz, ${at}::timestamptz from wanted w
      on conflict on constraint statements_once do nothing
      returning id, collecting_account_id, connection, from_day
    ), found as (
      select o.id, o.collecting_account_id, o.connection, o.from_day from opened o
      union all
      select s.id, s.collecting_account_id, s.connection, s.from_day from wanted w cross join lateral (
        select s.id, s.collecting_account_id, s.connection, s.from_day from statements s
        where s.collecting_account_id = w.collecting_account_id and s.from_day = w.day and s.to_day = w.day
          and s.connection = w.connection limit 1
      ) as s
    ), touched as (
      update statements s set newest_line_at = greatest(s.newest_line_at, ${at}::timestamptz) from found f where s.id = f.id
    )
    select f.id, f.collecting_account_id as "collectingAccountId", f.connection, to_char(f.from_day, 'YYYY-MM-DD') as day
    from found f`)
}

/** In index order, so that a page reads only its own rows. */
export function selectStatements(db: Queryable, accountId: string | undefined, limit: number): Promise<Statement[]> {
  const newestFirst =
    accountId === undefined
      ? sql`order by s.from_day desc, s.id desc`
      : sql`where s.collecting_account_id = ${accountId} order by s.from_day desc, s.to_day desc, s.connection desc`
  return db.query<Statement>(sql`
    select s.id, s.collecting_account_id as "collectingAccountId", s.connection,
      to_char(s.from_day, 'YYYY-MM-DD') as "fromDay", to_char(s.to_day, 'YYYY-MM-DD') as "toDay",
      s.opening_balance as "openingBalance", s.closing_balance as "closingBalance", s.created_at as "createdAt"
    from statements s ${newestFirst} limit ${limit}`)
}

export type Balances = { opening: bigint | null; closing: bigint | null }
export type DayBalance = Balances & { statementId: string }

/** A statement that continues where the stored one closed is its next page: the day's opening balance stays. */
export async function updateBalances(
  tx: Tx,
  { statementId, opening, closing }: DayBalance,
  fileId: string,
): Promise<void> {
  await tx.query(sql`
    update statements s set balances_file_id = ${fileId}, closing_balance = coalesce(${closing}::bigint, s.closing_balance),
      opening_balance = case when s.closing_balance = ${opening}::bigint and s.opening_balance is not null then s.opening_balance
        else coalesce(${opening}::bigint, s.opening_balance) end
    where s.id = ${statementId}`)
}

/** The import of the file that gave them was undone. Returns the days. */
export function clearBalances(tx: Tx, ids: string[], fileId: string): Promise<DayStatement[]> {
  return tx.query<DayStatement>(sql`
    update statements s set opening_balance = null, closing_balance = null, balances_file_id = null
    where s.id = any(${ids}::text[]) and s.balances_file_id = ${fileId}
    returning s.id, s.collecting_account_id as "collectingAccountId", s.connection, to_char(s.from_day, 'YYYY-MM-DD') as day`)
}

/** Statements of these days, of any connection, in the order of the index by account. */
export async function selectDayIds(
  db: Queryable,
  accountId: string,
  fromDay: string,
  toDay: string,
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql`
    select s.id from statements s
    where s.collecting_account_id = ${accountId} and s.from_day >= ${fromDay}::date and s.from_day <= ${toDay}::date
    order by s.from_day, s.to_day, s.connection`)
  return rows.map(({ id }) => id)
}

/** Ids of the statements of an account that begin in these days. */
export function statementIdsSql(accountId: string, { after, until }: { after: string | null; until: string }): Sql {
  return sql`
    select s.id from statements s where s.collecting_account_id = ${accountId}
      and s.from_day > coalesce(${after}::date, '-infinity') and s.from_day <= ${until}::date`
}

/** Ids of the statements of all accounts that begin on this day. */
export function idsOfDaySql(day: string): Sql {
  return sql`select s.id from statements s where s.from_day = ${day}::date`
}

/** Statements of all accounts that got lines or balances after a time, found by it: id, from_day, newest_line_at. */
export function changedStatementsSql(at: Date): Sql {
  return sql`select s.id, s.from_day, s.newest_line_at from statements s where s.newest_line_at > ${at} offset 0`
}

/** When the newest line of each account was read. */
export function newestLines(db: Queryable, accountIds: string[]): Promise<{ collectingAccountId: string; at: Date }[]> {
  return db.query<{ collectingAccountId: string; at: Date }>(sql`
    select a.id as "collectingAccountId", s.newest_line_at as at from unnest(${accountIds}::text[]) as a (id) cross join lateral (
      select s.newest_line_at from statements s where s.collecting_account_id = a.id order by s.from_day desc limit 1
    ) as s where s.newest_line_at > '-infinity'`)
}

/** The first day of which a statement is known: before it there was no business. */
export async function firstStatementDay(db: Queryable): Promise<string | null> {
  const [row] = await db.query<{ day: string | null }>(sql`
    select to_char(min(s.from_day), 'YYYY-MM-DD') as day from statements s`)
  return row?.day ?? null
}

/** Of several sources, the statement that came last. */
const newestBalance = (balance: Sql) =>
  sql`(array_agg(${balance} order by s.created_at desc, s.id desc) filter (where ${balance} is not null))[1]`
const balances = sql`${newestBalance(sql`s.opening_balance`)} as opening, ${newestBalance(sql`s.closing_balance`)} as closing`

/** Balances that the bank gives for the start and the end of a day. */
export function balancesOfDay(db: Queryable, day: string): Promise<(Balances & { collectingAccountId: string })[]> {
  return db.query<Balances & { collectingAccountId: string }>(sql`
    select s.collecting_account_id as "collectingAccountId", ${balances}
    from statements s where s.from_day = ${day}::date
    group by s.collecting_account_id`)
}

export type DayBalances = Balances & { day: string }

/** Of one account, each of these days that has a statement, both included. */
export function balancesBetween(
  db: Queryable,
  accountId: string,
  { from, to }: { from: string; to: string },
): Promise<DayBalances[]> {
  return db.query<DayBalances>(sql`
    select to_char(s.from_day, 'YYYY-MM-DD') as day, ${balances}
    from statements s
    where s.collecting_account_id = ${accountId} and s.from_day >= ${from}::date and s.from_day <= ${to}::date
    group by s.from_day`)
}

export type BalancesAround = {
  collectingAccountId: string
  lastDay: string
  lastClosing: bigint
  nextDay: string | null
  nextOpening: bigint | null
}

/** For accounts that had a balance before a day: the last closing before it, and the first opening after it. */
export function balancesAround(db: Queryable, accountIds: string[], day: string): Promise<BalancesAround[]> {
  // Of several sources of that day, the statement that came last.
  const newest = (balance: Sql, found: Sql) => sql`(
      select ${balance} from statements s
      where s.collecting_account_id = a.id and s.from_day = ${found} and ${balance} is not null
      order by s.created_at desc, s.id desc limit 1)`
  return db.query<BalancesAround>(sql`
    select a.id as "collectingAccountId", to_char(b.from_day, 'YYYY-MM-DD') as "lastDay",
      ${newest(sql`s.closing_balance`, sql`b.from_day`)} as "lastClosing", to_char(n.from_day, 'YYYY-MM-DD') as "nextDay",
      ${newest(sql`s.opening_balance`, sql`n.from_day`)} as "nextOpening"
    from unnest(${accountIds}::text[]) as a (id)
    cross join lateral (
      select s.from_day from statements s
      where s.collecting_account_id = a.id and s.from_day < ${day}::date and s.closing_balance is not null
      order by s.from_day desc, s.to_day desc, s.connection desc limit 1
    ) as b
    left join lateral (
      select s.from_day from statements s
      where s.collecting_account_id = a.id and s.from_day > ${day}::date and s.opening_balance is not null
      order by s.from_day, s.to_day, s.connection limit 1
    ) as n on true`)
}
