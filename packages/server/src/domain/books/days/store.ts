import type { Db, Queryable, Tx } from '../../../platform/postgres/db.ts'
import { isTransaction } from '../../../platform/postgres/db.ts'
import { rowsOf } from '../../../platform/postgres/rows.ts'
import type { Sql } from '../../../platform/postgres/sql.ts'
import { sql } from '../../../platform/postgres/sql.ts'
import type { DayWindow } from '../../ledger/index.ts'
import {
  accountsSql,
  cashWindowSql,
  lockPastDays,
  merchantEntriesSql,
  movedSql,
  NO_MERCHANT,
} from '../../ledger/index.ts'
import { lineWindowSql, matterOfLineSql, redatedLinesSql, unbookedLinesSql } from '../../statements/index.ts'

/** A close that stands. */
export type Closing = { id: string; day: string }

const stands = sql`
  c.action = 'close' and not exists (select 1 from book_decisions r where r.takes_back = c.id)`

/** The last close that stands, of a day before this one; of any day if it is null. */
export async function lastClosing(db: Queryable, before: string | null): Promise<Closing | null> {
  const [row] = await db.query<Closing>(sql`
    select c.id, to_char(c.day, 'YYYY-MM-DD') as day from book_decisions c
    where ${stands} and c.day < coalesce(${before}::date, 'infinity') order by c.day desc limit 1`)
  return row ?? null
}

/** The close of this day that stands, with the figures that people agreed to. */
export async function closingOf(db: Queryable, day: string): Promise<Decision | null> {
  const [row] = await db.query<Decision>(sql`
    select ${columns} from book_decisions d
    where d.id = (select c.id from book_decisions c where ${stands} and c.day = ${day} order by c.decided_at desc limit 1)`)
  return row ?? null
}

/** The closes of these days that stand, both included. */
export function closingsBetween(db: Queryable, { from, to }: { from: string; to: string }): Promise<Decision[]> {
  return db.query<Decision>(sql`
    select ${columns} from book_decisions d
    where d.id in (select c.id from book_decisions c where ${stands} and c.day between ${from}::date and ${to}::date)`)
}

export type Key = { merchantId: string; subjectId: string }

/**
 * What may differ between bank and ledger: what moved unequally since the close or after the day, what differed at the
 * close, lines not booked yet, and lines that the bank counts on a later day. A line may be dismissed or restored long after its day: only later entries show it.
 */
export function selectCandidates(
  db: Queryable,
  accountId: string,
  window: DayWindow,
  closing: Closing | null,
): Promise<Key[]> {
  return db.query<Key>(sql`
    ${movedUnequallySql(accountId, window)}
    union all
    ${movedUnequallySql(accountId, { after: window.until, until: 'infinity' })}
    union all
    select u.id, ${NO_MERCHANT} from (${unbookedLinesSql(accountId)}) as u
    union all
    select r.id, ${NO_MERCHANT} from (${redatedLinesSql(accountId)}) as r where r.bank_day > ${window.until}::date
    union all
    select d.subject, d.merchant_id from book_differences d
    where d.decision_id = ${closing?.id ?? null} and d.collecting_account_id = ${accountId} and d.subject <> ''`)
}

function movedUnequallySql(accountId: string, window: DayWindow): Sql {
  return sql`
    select moved.matter as "subjectId", coalesce(max(moved.merchant_id), ${NO_MERCHANT}) as "merchantId" from (
      select ${matterOfLineSql(sql`l.id`)} as matter, null as merchant_id, l.amount
      from (${lineWindowSql(accountId, window)}) as l
      union all
      select ${matterOfLineSql(sql`c.subject_id`)}, c.merchant_id, -c.amount
      from (${cashWindowSql(accountId, window)}) as c
    ) as moved group by moved.matter having sum(moved.amount) <> 0`
}

export type StoredDifference = {
  collectingAccountId: string
  subject: string
  merchantId: string
  kind: string
  amount: bigint
}

export function differencesAt(db: Queryable, closing: Closing): Promise<StoredDifference[]> {
  return db.query<StoredDifference>(sql`
    select d.collecting_account_id as "collectingAccountId", d.subject, d.merchant_id as "merchantId", d.kind, d.amount
    from book_differences d where d.decision_id = ${closing.id}`)
}

export type LedgerBalance = {
  accountId: string
  merchantId: string
  kind: string
  currency: string
  subject: string
  balance: bigint
}

/** Balances at the end of a day: those of the close before it, and what moved since. */
export function balancesAt(db: Queryable, window: DayWindow, closing: Closing | null): Promise<LedgerBalance[]> {
  return db.query<LedgerBalance>(sql`
    select a.id as "accountId", a.merchant_id as "merchantId", a.kind, a.currency, a.subject,
      (coalesce(b.balance, 0) + coalesce(m.amount, 0))::bigint as balance
    from ${accountsSql} as a
    left join (${movedSql(window)}) as m on m.account = a.id
    left join book_balances b on b.decision_id = ${closing?.id ?? null} and b.account_id = a.id
    where coalesce(b.balance, 0) <> 0 or coalesce(m.amount, 0) <> 0`)
}

/** Accounts whose balance at a close is not the sum of all entries up to that day. */
export async function countWrongBalances(db: Queryable, { id, day }: Closing): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*)::int as count from (${movedSql({ after: null, until: day })}) as m
    full join (select account_id, balance from book_balances where decision_id = ${id}) as b on b.account_id = m.account
    where coalesce(m.amount, 0) <> coalesce(b.balance, 0)`)
  return row?.count ?? 0
}

/** Of two people: who proposed it, and who agreed. */
export type Decision = {
  id: string
  day: string
  action: 'close' | 'reopen'
  proposedBy: string
  operator: string
  /** Of a reopening, those of the close. */
  figuresHash: string
  figures: Record<string, string>
  /** Of who proposed it. */
  reason: string | null
  decidedAt: Date
  /** Of a reopening, the close. */
  takesBack: string | null
}

const eventColumns = sql`
  d.id, to_char(d.day, 'YYYY-MM-DD') as day, d.action, d.proposed_by as "proposedBy", d.operator, d.figures_hash as "figuresHash",
  d.reason, d.decided_at as "decidedAt", d.takes_back as "takesBack"`

const columns = sql`${eventColumns}, d.figures`

export async function insertDecision(tx: Tx, decision: Decision): Promise<void> {
  const { id, day, action, proposedBy, operator, figuresHash, figures, reason, decidedAt, takesBack } = decision
  await tx.query(sql`
    insert into book_decisions (id, day, action, proposed_by, operator, figures_hash, figures, reason, decided_at, takes_back)
    values (${id}, ${day}, ${action}, ${proposedBy}, ${operator}, ${figuresHash}, ${JSON.stringify(figures)}::json, ${reason},
      ${decidedAt}, ${takesBack})`)
}

export type DayMovement = { day: string; merchantId: string; currency: string; kind: string; net: bigint; fee: bigint }

/** Of entries that changed merchants' money: the operator may also take fees from its own account. */
export function selectMovements(db: Queryable, window: DayWindow, merchantId: string | null): Promise<DayMovement[]> {
  return db.query<DayMovement>(sql`
    select to_char(e.effective_on, 'YYYY-MM-DD') as day, e.merchant_id as "merchantId", e.currency, e.kind,
      sum(e.net)::bigint as net, sum(e.fee)::bigint as fee
    from (${merchantEntriesSql(window, merchantId)}) as e where e.net <> 0
    group by e.effective_on, e.merchant_id, e.currency, e.kind`)
}

export async function insertMovements(tx: Tx, decisionId: string, movements: DayMovement[]): Promise<void> {
  const types = { merchantId: 'text', currency: 'text', kind: 'text', net: 'bigint', fee: 'bigint' } as const
  await tx.query(sql`
    insert into book_movements (decision_id, merchant_id, currency, kind, net, fee)
    select ${decisionId}, n.* from ${rowsOf('n', movements, types)}`)
}

/** Closed days of this period: their movements are stored. */
export async function summedDays(db: Queryable, { from, to }: { from: string; to: string }): Promise<Set<string>> {
  const rows = await db.query<{ day: string }>(sql`
    select to_char(c.day, 'YYYY-MM-DD') as day from book_decisions c
    where ${stands} and c.day between ${from}::date and ${to}::date`)
  return new Set(rows.map(({ day }) => day))
}

export function storedMovements(
  db: Queryable,
  { from, to }: { from: string; to: string },
  merchantId: string,
): Promise<DayMovement[]> {
  return db.query<DayMovement>(sql`
    select to_char(c.day, 'YYYY-MM-DD') as day, m.merchant_id as "merchantId", m.currency, m.kind, m.net, m.fee
    from book_decisions c join book_movements m on m.decision_id = c.id and m.merchant_id = ${merchantId}
    where ${stands} and c.day between ${from}::date and ${to}::date`)
}

/** Newest first. */
export function selectDecisions(db: Queryable, limit: number): Promise<Decision[]> {
  return db.query<Decision>(sql`
    select ${columns} from book_decisions d order by d.decided_at desc, d.id desc limit ${limit}`)
}

export type DayEvent = Omit<Decision, 'figures'>

/** Of these days, both included, newest first. */
export function selectDayEvents(db: Queryable, { from, to }: { from: string; to: string }): Promise<DayEvent[]> {
  return db.query<DayEvent>(sql`
    select ${eventColumns} from book_decisions d
    where d.day between ${from}::date and ${to}::date order by d.decided_at desc, d.id desc`)
}

export async function insertBalances(tx: Tx, decisionId: string, balances: LedgerBalance[]): Promise<void> {
  const rows = balances
    .map(({ accountId, balance }) => ({ accountId, balance }))
    .filter(({ balance }) => balance !== 0n)
  await tx.query(sql`
    insert into book_balances (decision_id, account_id, balance)
    select ${decisionId}, n.account_id, n.balance from ${rowsOf('n', rows, { accountId: 'text', balance: 'bigint' })}`)
}

const DIFFERENCE = {
  collectingAccountId: 'text',
  subject: 'text',
  merchantId: 'text',
  kind: 'text',
  amount: 'bigint',
} as const

export async function insertDifferences(tx: Tx, decisionId: string, differences: StoredDifference[]): Promise<void> {
  await tx.query(sql`
    insert into book_differences (decision_id, collecting_account_id, subject, merchant_id, kind, amount)
    select ${decisionId}, n.* from ${rowsOf('n', differences, DIFFERENCE)}`)
}

/** Everything that `read` sees is of one moment, however many queries it makes and however long its file takes. */
export function atOneMoment<Result>(db: Db, read: (tx: Tx) => Promise<Result>): Promise<Result> {
  return db.transaction(async (tx) => {
    await tx.query(sql`set transaction isolation level repeatable read, read only`)
    await planAsReport(tx)
    // The disk that takes a file may be slow between two pages.
    await tx.query(sql`select set_config('idle_in_transaction_session_timeout', '60s', true)`)
    return read(tx)
  })
}

/** Of one moment; in a transaction, past days do not change until it ends. */
export async function readDay<Result>(
  db: Db,
  at: Queryable,
  read: (one: Queryable) => Promise<Result>,
): Promise<Result> {
  if (!isTransaction(at)) return atOneMoment(db, read)
  await lockPastDays(at)
  await planAsReport(at)
  return read(at)
}

/** Planner settings of reports, for this transaction: the others suit look-ups by key. */
async function planAsReport(tx: Tx): Promise<void> {
  await tx.query(sql`
    select set_config(one.name, one.value, true) from (values
      ('enable_seqscan', 'on'), ('enable_hashjoin', 'on'), ('enable_mergejoin', 'on'), ('plan_cache_mode', 'auto')
    ) as one (name, value)`)
}
