import type { Queryable, Tx } from '../../platform/postgres/db.ts'
import { rowsOf } from '../../platform/postgres/rows.ts'
import { sql } from '../../platform/postgres/sql.ts'
import type { AccountKind, AccountRef } from './accounts.ts'
import { NO_MERCHANT } from './accounts.ts'

export type Balance = { id: string; merchantId: string; balance: bigint; mark: string | null }

/** `place`: 1-based position among the requested accounts. */
type AccountRow = { place: number; id: string; balance: bigint; mark: string | null }
export type TransferRow = {
  id: string
  merchantId: string
  subjectId: string
  entryId: string
  kind: string
  effectiveOn: string
  actor: string
  fromAccount: string
  toAccount: string
  currency: string
  amount: bigint
}
export type HoldRow = { merchantId: string; subjectId: string; currency: string; amount: bigint }
export type HoldState = 'pending' | 'posted' | 'voided'
export type HoldKey = { merchantId: string; subjectId: string }

export async function insertMissingAccounts(tx: Tx, accounts: (AccountRef & { id: string })[]): Promise<void> {
  await tx.query(sql`
    insert into accounts (id, merchant_id, kind, currency, subject)
    select * from unnest(
      ${accounts.map(({ id }) => id)}::text[],
      ${accounts.map(({ merchantId }) => merchantId)}::text[],
      ${accounts.map(({ kind }) => kind)}::text[],
      ${accounts.map(({ currency }) => currency)}::text[],
      ${accounts.map(({ subject = '' }) => subject)}::text[]
    ) on conflict do nothing`)
}

/** Always in id order: processes that lock the same accounts wait for each other without deadlock. */
export function lockAccountRows(tx: Tx, refs: AccountRef[]): Promise<AccountRow[]> {
  return tx.query<AccountRow>(sql`
    select wanted.place::int, a.id, a.balance, a.mark
    from unnest(
      ${refs.map(({ merchantId }) => merchantId)}::text[],
      ${refs.map(({ kind }) => kind)}::text[],
      ${refs.map(({ currency }) => currency)}::text[],
      ${refs.map(({ subject = '' }) => subject)}::text[]
    ) with ordinality as wanted (merchant_id, kind, currency, subject, place)
    join accounts a using (merchant_id, kind, currency, subject)
    order by a.id
    for update of a`)
}

/** `lowest` follows a balance below zero upwards; only `mayOverdraw` moves it down. `marks`: of those that have one. */
export async function addToBalances(
  tx: Tx,
  changes: Map<string, bigint>,
  marks: Map<string, string>,
  mayOverdraw: boolean,
): Promise<void> {
  await tx.query(sql`
    update accounts set balance = accounts.balance + change.amount,
      lowest = case when ${mayOverdraw} and kind in ('merchant_available', 'fees') then least(0, accounts.balance + change.amount)
        else greatest(lowest, least(0, accounts.balance + change.amount)) end,
      mark = change.mark
    from unnest(${[...changes.keys()]}::text[], ${[...changes.values()]}::bigint[],
      ${[...changes.keys()].map((id) => marks.get(id) ?? null)}::text[]) as change (id, amount, mark)
    where accounts.id = change.id`)
}

/** What each merchant may send. */
export function selectSpendable(db: Queryable): Promise<Balance[]> {
  return db.query<Balance>(sql`
    select id, merchant_id as "merchantId", balance, mark from accounts where kind = 'merchant_available' order by id`)
}

export async function updateMarks(tx: Tx, marked: { id: string; mark: string }[]): Promise<void> {
  await tx.query(sql`
    update accounts a set mark = m.mark from ${rowsOf('m', marked, { id: 'text', mark: 'text' })} where a.id = m.id`)
}

/** A closed day takes no entries: one about it is dated to the next open day. Dated here, so that it costs no round trip. */
export async function insertTransfers(tx: Tx, transfers: TransferRow[], at: Date): Promise<void> {
  await tx.query(sql`
    insert into transfers
      (merchant_id, subject_id, id, entry_id, kind, effective_on, about_day, actor, from_account, to_account, currency, amount, created_at)
    select t.merchant_id, t.subject_id, t.id, t.entry_id, t.kind, greatest(t.day, c.closed_until + 1),
      case when t.day <= c.closed_until then t.day end, t.actor, t.from_account, t.to_account, t.currency, t.amount, ${at}::timestamptz
    from unnest(
      ${transfers.map(({ merchantId }) => merchantId)}::text[],
      ${transfers.map(({ subjectId }) => subjectId)}::text[],
      ${transfers.map(({ id }) => id)}::text[],
      ${transfers.map(({ entryId }) => entryId)}::text[],
      ${transfers.map(({ kind }) => kind)}::text[],
      ${transfers.map(({ effectiveOn }) => effectiveOn)}::date[],
      ${transfers.map(({ actor }) => actor)}::text[],
      ${transfers.map(({ fromAccount }) => fromAccount)}::text[],
      ${transfers.map(({ toAccount }) => toAccount)}::text[],
      ${transfers.map(({ currency }) => currency)}::text[],
      ${transfers.map(({ amount }) => amount)}::bigint[]
    ) as t (merchant_id, subject_id, id, entry_id, kind, day, actor, from_account, to_account, currency, amount)
    left join ledger_state c on true`)
}

/** The last closed day (yyyy-mm-dd); null if none is. */
export async function closedUntil(db: Queryable): Promise<string | null> {
  const [row] = await db.query<{ day: string | null }>(sql`
    select to_char(closed_until, 'YYYY-MM-DD') as day from ledger_state`)
  return row?.day ?? null
}

/** Until the transaction ends, no entry is dated before the current day. The trigger `refuse_closed_day` has the same number. */
export async function lockPastDays(tx: Tx): Promise<void> {
  const BOOKS = 0x626f6f6b
  await tx.query(sql`select pg_advisory_xact_lock(${BOOKS})`)
}

/** The caller holds the lock above. */
export async function updateClosedUntil(tx: Tx, day: string | null): Promise<void> {
  const rows = await tx.query(sql`update ledger_state set closed_until = ${day} returning 1`)
  if (rows.length !== 1) throw new Error('The table ledger_state must have one row.')
}

/** For the statements of days. */
export const transfersSql = sql`transfers`

/** The chart of accounts as a subquery. */
export const accountsSql = sql`(select id, merchant_id, kind, currency, subject, balance from accounts)`

export async function insertHolds(tx: Tx, holds: HoldRow[], at: Date): Promise<void> {
  await tx.query(sql`
    insert into holds (merchant_id, subject_id, currency, amount, state, created_at)
    select *, 'pending', ${at}::timestamptz from unnest(
      ${holds.map(({ merchantId }) => merchantId)}::text[],
      ${holds.map(({ subjectId }) => subjectId)}::text[],
      ${holds.map(({ currency }) => currency)}::text[],
      ${holds.map(({ amount }) => amount)}::bigint[]
    )`)
}

/** Returns only holds that were still pending, so each hold is returned once, ever. */
export function resolveHolds(tx: Tx, keys: HoldKey[], state: HoldState, at: Date): Promise<HoldRow[]> {
  return tx.query<HoldRow>(sql`
    update holds set state = ${state}, resolved_at = ${at}
    from unnest(
      ${keys.map(({ merchantId }) => merchantId)}::text[],
      ${keys.map(({ subjectId }) => subjectId)}::text[]
    ) as key (merchant_id, subject_id)
    where holds.merchant_id = key.merchant_id and holds.subject_id = key.subject_id and holds.state = 'pending'
    returning holds.merchant_id as "merchantId", holds.subject_id as "subjectId", holds.currency, holds.amount`)
}

export function selectMerchantBalances(db: Queryable, merchantId: string, currency: string) {
  return db.query<{ kind: AccountKind; balance: bigint }>(sql`
    select kind, balance from accounts where merchant_id = ${merchantId} and currency = ${currency}`)
}

/** What a merchant has on accounts of these kinds, by currency. */
export async function merchantMoney(db: Queryable, merchantId: string, kinds: string[]): Promise<Map<string, bigint>> {
  const rows = await db.query<{ currency: string; amount: bigint }>(sql`
    select currency, sum(balance)::bigint as amount from accounts
    where merchant_id = ${merchantId} and kind = any(${kinds}::text[]) group by currency`)
  return new Map(rows.map(({ currency, amount }) => [currency, amount]))
}

export type Booked = {
  kind: string
  amount: bigint
  currency: string
  from: string
  fromMerchant: string
  to: string
  toMerchant: string
  actor: string | null
  at: Date
}

/** What was booked about one transaction or line, in order; `from` and `to` are kinds of accounts. */
export function bookedAbout(db: Queryable, merchantId: string, subjectId: string): Promise<Booked[]> {
  return db.query<Booked>(sql`
    select t.kind, t.amount, t.currency, f.kind as "from", f.merchant_id as "fromMerchant",
      o.kind as "to", o.merchant_id as "toMerchant", t.actor, t.created_at as at
    from transfers t join accounts f on f.id = t.from_account join accounts o on o.id = t.to_account
    where t.merchant_id = ${merchantId} and t.subject_id = ${subjectId} order by t.id`)
}

export type Drift = { what: string; id: string; stored: bigint; derived: bigint }

/** Every stored balance that differs from the sum of its transfers, and `owner`: transfers of another merchant. Any row is a serious error. */
export function findDrift(db: Queryable): Promise<Drift[]> {
  return db.query<Drift>(sql`
    with moved as (
      select account, merchant_id, sum(amount)::bigint as total from (
        select to_account as account, merchant_id, amount from transfers
        union all
        select from_account, merchant_id, -amount from transfers
      ) as both_sides group by account, merchant_id
    ),
    sums as (select account, sum(total)::bigint as total from moved group by account),
    waiting as (
      select merchant_id, currency, sum(amount)::bigint as total from holds where state = 'pending'
      group by merchant_id, currency
    )
    select 'balance' as what, a.id, a.balance as stored, coalesce(m.total, 0) as derived
    from accounts a left join sums m on m.account = a.id
    where a.balance <> coalesce(m.total, 0)
    union all
    select 'owner', a.id, a.balance, m.total
    from accounts a join moved m on m.account = a.id
    where a.merchant_id not in (m.merchant_id, ${NO_MERCHANT})
    union all
    select 'held', a.id, a.balance, coalesce(w.total, 0)
    from accounts a left join waiting w using (merchant_id, currency)
    where a.kind = 'merchant_held' and a.balance <> coalesce(w.total, 0)`)
}

/** Ids of entries whose transfers differ in what they must share. Any is a serious error. */
export async function findMixedEntries(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql`
    select entry_id as id from transfers group by entry_id
    having count(distinct (merchant_id, subject_id, kind, effective_on, actor)) > 1`)
  return rows.map(({ id }) => id)
}

export function bankCash(db: Queryable): Promise<{ collectingAccountId: string; amount: bigint }[]> {
  return db.query<{ collectingAccountId: string; amount: bigint }>(sql`
    select subject as "collectingAccountId", -balance as amount from accounts where kind = 'bank_cash'`)
}

/** Balances of these accounts, in their order; zero for one that is not open. */
export async function balancesOf(db: Queryable, refs: AccountRef[]): Promise<bigint[]> {
  const rows = await db.query<{ balance: bigint }>(sql`
    select coalesce(a.balance, 0) as balance
    from unnest(
      ${refs.map(({ merchantId }) => merchantId)}::text[],
      ${refs.map(({ kind }) => kind)}::text[],
      ${refs.map(({ currency }) => currency)}::text[],
      ${refs.map(({ subject = '' }) => subject)}::text[]
    ) with ordinality as wanted (merchant_id, kind, currency, subject, place)
    left join accounts a using (merchant_id, kind, currency, subject)
    order by wanted.place`)
  return rows.map(({ balance }) => balance)
}

/** Fees that the operator has earned and not taken out, by merchant. */
export function feesEarned(db: Queryable, currency: string): Promise<{ merchantId: string; amount: bigint }[]> {
  return db.query<{ merchantId: string; amount: bigint }>(sql`
    select merchant_id as "merchantId", balance as amount from accounts
    where kind = 'fees' and currency = ${currency} and balance > 0 order by merchant_id`)
}

/** Currencies whose balances do not sum to zero, as they do after any number of transfers. Reads no transfer, so it is cheap. */
export async function selectUnbalanced(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ currency: string }>(sql`
    select currency from accounts group by currency having sum(balance) <> 0`)
  return rows.map(({ currency }) => currency)
}

/** A condition for use inside another statement: the last check found every balance equal to its transfers. */
export const noDriftSql = sql`not exists (select from ledger_state where drifted > 0)`

type Pace = { atLeastMs: number; timesDuration: number; unfinishedMs: number }

/** False if the next check is not due yet. A start in the future is ignored: the sandbox clock was moved back. */
export async function claimCheck(
  tx: Tx,
  now: Date,
  { atLeastMs, timesDuration, unfinishedMs }: Pace,
): Promise<boolean> {
  const ms = (count: number) => sql`${count} * interval '1 millisecond'`
  const rows = await tx.query(sql`
    update ledger_state s set check_started_at = ${now}
    where s.check_started_at is null or s.check_started_at > ${now}
      or s.check_started_at <= ${now}::timestamptz - case when s.check_finished_at >= s.check_started_at
        then greatest(${ms(atLeastMs)}, (s.check_finished_at - s.check_started_at) * ${timesDuration}) else ${ms(unfinishedMs)} end
    returning 1`)
  return rows.length > 0
}

/** Between two checks. The next one decides. */
export async function recordDrift(tx: Tx, drifted: number, now: Date): Promise<void> {
  await tx.query(sql`
    update ledger_state set check_started_at = coalesce(check_started_at, ${now}),
      check_finished_at = coalesce(check_finished_at, check_started_at, ${now}), drifted = greatest(drifted, ${drifted}::int)`)
}

export async function finishCheck(tx: Tx, drifted: number, now: Date): Promise<void> {
  await tx.query(sql`update ledger_state set check_finished_at = ${now}, drifted = ${drifted}`)
}

export type LedgerCheck = { finishedAt: Date; drifted: number }

export async function lastCheck(db: Queryable): Promise<LedgerCheck | undefined> {
  const [row] = await db.query<LedgerCheck>(sql`
    select check_finished_at as "finishedAt", drifted from ledger_state where check_finished_at is not null`)
  return row
}
