import type { Queryable } from '../../../platform/postgres/db.ts'
import type { Sql } from '../../../platform/postgres/sql.ts'
import { sql } from '../../../platform/postgres/sql.ts'
import type { LineState, StoredLine } from '../bank-line.ts'
import { isOfEntry, payoutDebitsSql } from '../parts/store.ts'
import { changedStatementsSql, idsOfDaySql, statementIdsSql } from '../day-statements/store.ts'
import { linesOf, sameMoneySql } from '../store.ts'

// Bank lines by booking day, read through the view `day_lines`. Its amounts are signed: a debit is negative.
// Statements are given as an array: their lines are then found by index, however many rows the planner expects.

type DayWindow = { after: string | null; until: string }

/** Lines of an account that the bank counts, booked in these days: id, amount. */
export function lineWindowSql(accountId: string, window: DayWindow): Sql {
  const counted = sql`l.collecting_account_id = ${accountId} and l.state <> 'dismissed'`
  return sql`
    select l.id, l.amount from day_lines l where l.statement_id = any(array(${statementIdsSql(accountId, window)})) and ${counted}`
}

/** Lines of an account that the bank booked again later, as a person said, with the last such day: it counts them there. */
export function redatedLinesSql(accountId: string): Sql {
  return sql`
    select l.id, l.day, l.amount, max(later.day) as bank_day from (${sameMoneySql}) as c
    left join (${payoutDebitsSql}) as p on p.subject = c.payout_id
    join day_lines later on later.id = c.id join day_lines l on l.id = coalesce(c.corrects_line_id, p.line_id)
    where l.collecting_account_id = ${accountId} and l.state <> 'dismissed' and later.day > l.day
    group by l.id, l.day, l.amount`
}

/** What the bank has moved in these days. */
export async function sumOfLines(db: Queryable, accountId: string, window: DayWindow): Promise<bigint> {
  const within = (day: Sql) =>
    sql`(${day} > coalesce(${window.after}::date, '-infinity') and ${day} <= ${window.until}::date)::int`
  const [row] = await db.query<{ total: bigint }>(sql`
    select coalesce(sum(w.amount), 0)::bigint as total from (
      ${lineWindowSql(accountId, window)}
      union all
      select r.id, r.amount * (${within(sql`r.bank_day`)} - ${within(sql`r.day`)})
      from (${redatedLinesSql(accountId)}) as r
    ) as w`)
  return row?.total ?? 0n
}

/** Lines of an account that wait for the matcher or for a person: id. Two parts, one for each index of what waits. */
export function unbookedLinesSql(accountId: string): Sql {
  return sql`
    select l.id from day_lines l where l.state = 'new' and l.collecting_account_id = ${accountId}
    union all
    select l.id from day_lines l where l.state = 'needs_review' and l.collecting_account_id = ${accountId}`
}

export type DayLine = { id: string; day: string; amount: bigint; direction: 'credit' | 'debit'; state: LineState }

/** Those of these ids that are lines of the account, each with the day on which the bank counts it. */
export function linesOfMatters(db: Queryable, accountId: string, ids: string[]): Promise<DayLine[]> {
  return db.query<DayLine>(sql`
    select l.id, to_char(coalesce(r.bank_day, l.day), 'YYYY-MM-DD') as day, l.amount, l.direction, l.state
    from day_lines l left join (${redatedLinesSql(accountId)}) as r on r.id = l.id where l.id = any(${ids}::text[]) and l.collecting_account_id = ${accountId}`)
}

/** Lines in this currency that the bank counts and booked on this day, on all accounts. */
export function linesOfDaySql(day: string, currency: string): Sql {
  return linesOf(
    sql`l.id, l.amount, l.direction, l.state, l.booked_at, l.whole_day, l.decided_at, l.reason, ${isOfEntry} as of_entry`,
    sql`where l.statement_id = any(array(${idsOfDaySql(day)})) and l.currency = ${currency} and l.state <> 'dismissed'`,
  )
}

/** A line that was read after its day was closed. */
export type LateLine = Pick<
  StoredLine,
  'id' | 'collectingAccountId' | 'direction' | 'amount' | 'currency' | 'state' | 'createdAt'
>

/** Lines that the bank booked on this day, and that were read after a time, oldest first. */
export function linesReadAfter(db: Queryable, day: string, at: Date, limit: number): Promise<LateLine[]> {
  return db.query<LateLine>(
    linesOf(
      sql`l.id, l.collecting_account_id as "collectingAccountId", l.direction, l.amount, l.currency, l.state,
        l.created_at as "createdAt"`,
      sql`where l.statement_id = any(array(${idsOfDaySql(day)})) and l.created_at > ${at} order by l.created_at limit ${limit}`,
    ),
  )
}

/** More than an import takes between the time of its statements and that of its lines. */
const IMPORT_MS = 60_000

/** Days up to and including `until` of which lines were read after a time, and when first. */
export function daysReadAfter(db: Queryable, until: string, at: Date): Promise<{ day: string; readAt: Date }[]> {
  const changed = changedStatementsSql(new Date(at.getTime() - IMPORT_MS))
  return db.query<{ day: string; readAt: Date }>(sql`
    select to_char(s.from_day, 'YYYY-MM-DD') as day, min(l.created_at) as "readAt"
    from (${changed}) as s cross join lateral (
      ${linesOf(sql`l.created_at`, sql`where l.statement_id = s.id and l.created_at > ${at} order by l.created_at limit 1`)}
    ) as l where s.from_day <= ${until}::date group by s.from_day order by s.from_day`)
}

/** Days up to and including `until` whose lines or balances were read after a time, newest first, and when last. */
export function daysTouchedAfter(
  db: Queryable,
  until: string,
  at: Date,
  limit: number,
): Promise<{ day: string; readAt: Date }[]> {
  return db.query<{ day: string; readAt: Date }>(sql`
    select to_char(s.from_day, 'YYYY-MM-DD') as day, max(s.newest_line_at) as "readAt"
    from (${changedStatementsSql(new Date(at.getTime() - IMPORT_MS))}) as s
    where s.from_day <= ${until}::date group by s.from_day order by s.from_day desc limit ${limit}`)
}

/** What the bank counts on this day beside the lines booked on it: of an account, lines that it moved here, less those that it moved away. */
export async function movedOfDay(db: Queryable, accountId: string, day: string): Promise<bigint> {
  const [row] = await db.query<{ total: bigint }>(sql`
    select coalesce(sum(r.amount * ((r.bank_day = ${day}::date)::int - (r.day = ${day}::date)::int)), 0)::bigint as total
    from (${redatedLinesSql(accountId)}) as r`)
  return row?.total ?? 0n
}

export type StateTotal = {
  collectingAccountId: string
  state: LineState
  count: number
  credits: bigint
  debits: bigint
}

/** Lines booked on this day, by account and state. */
export function totalsOfDay(db: Queryable, day: string): Promise<StateTotal[]> {
  return db.query<StateTotal>(sql`
    select l.collecting_account_id as "collectingAccountId", l.state, count(*)::int as count,
      coalesce(sum(l.amount) filter (where l.amount > 0), 0)::bigint as credits,
      coalesce(-sum(l.amount) filter (where l.amount < 0), 0)::bigint as debits
    from day_lines l where l.statement_id in (${idsOfDaySql(day)})
    group by l.collecting_account_id, l.state order by l.collecting_account_id, l.state`)
}

/** Lines of an account, booked on this day, that two people said the bank does not count. */
export function dismissedOfDay(
  db: Queryable,
  accountId: string,
  day: string,
): Promise<{ id: string; amount: bigint }[]> {
  return db.query<{ id: string; amount: bigint }>(
    linesOf(
      sql`l.id, case l.direction when 'debit' then -l.amount else l.amount end as amount`,
      sql`where l.statement_id = any(array(${idsOfDaySql(day)})) and l.collecting_account_id = ${accountId}
        and l.state = 'dismissed' and l.reason = 'dismissed' order by l.id`,
    ),
  )
}
