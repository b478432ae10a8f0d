import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import { ERASED, ERASED_IBAN } from '../../../kernel/erased.ts'
import { rowsOf } from '../../../platform/postgres/rows.ts'
import type { Sql } from '../../../platform/postgres/sql.ts'
import { sql, stateLiteral, stateLiterals } from '../../../platform/postgres/sql.ts'
import { noDriftSql } from '../../ledger/index.ts'
import { frozenMerchants } from '../../merchants/index.ts'
import { notAsideSql } from '../../set-aside/index.ts'
import type { LineTotal } from '../../statements/index.ts'
import { hasSimilarDebitSql, isNamedOnStatementSql } from '../../statements/index.ts'
import { eraseEvidence } from './doubt-decisions/store.ts'
import type { Payout, PayoutState } from './payout.ts'
import { DIFFERS, mustBeNext, NAMED, SIMILAR } from './payout.ts'
import { noRestoreOpenSql } from '../restores/store.ts'
import { fitsWithdrawalSql } from '../store.ts'

const columns = sql`
  p.merchant_id as "merchantId", p.withdrawal_id as "withdrawalId", p.source_account_id as "sourceAccountId", p.connection,
  p.rail, p.amount, p.currency, p.iban, p.account_name as "accountName", p.description, p.purpose_code as "purposeCode",
  p.state, p.fence, p.submits, p.asks as queries, p.next_at as "nextAt", p.bank_reference as "bankReference", p.reason,
  p.created_at as "createdAt", p.unknown_since as "unknownSince", p.sent_at as "sentAt", p.mark`

const INTENT = {
  ...({ merchantId: 'text', withdrawalId: 'text', sourceAccountId: 'text', connection: 'text', rail: 'text' } as const),
  ...({ amount: 'bigint', currency: 'text', iban: 'text', accountName: 'text' } as const),
  ...({ description: 'text', purposeCode: 'text', mark: 'text' } as const),
}
const CHANGED = {
  ...({ merchantId: 'text', withdrawalId: 'text', oldState: 'text', state: 'text', nextAt: 'timestamptz' } as const),
  ...({ bankReference: 'text', reason: 'text' } as const),
}

export async function insertIntents(tx: Tx, payouts: Payout[], at: Date): Promise<void> {
  await tx.query(sql`
    insert into payouts (
      merchant_id, withdrawal_id, source_account_id, connection, rail, amount, currency, iban, account_name, description,
      purpose_code, mark, state, next_at, created_at, updated_at
    )
    select added.*, 'ready', ${at}::timestamptz, ${at}::timestamptz, ${at}::timestamptz
    from ${rowsOf('added', payouts, INTENT)}`)
}

/** The states that a SQL statement changes, checked against `NEXT` when this file is loaded. Partial indexes need literals. */
function statesBefore(from: PayoutState[], to: PayoutState[]): Sql {
  for (const before of from) for (const after of to) mustBeNext(before, after)
  return stateLiterals(from)
}

const toSubmit = statesBefore(['ready'], ['calling', 'asking'])
const toQuery = statesBefore(['calling', 'asking'], ['asking'])
const waiting = statesBefore(['ready'], ['asking'])

/** What a worker claims: only payouts whose connection it has, and for how long it owns them. `only`: those of these that are due. */
type Only = { only?: Payout[] | undefined }
export type LeaseRequest = Only & { connections: string[]; now: Date; leaseMs: number; limit: number }

/** Leases are shared by processes whose clocks may differ, so they use the database clock. Schedules (`next_at`) use business time. */
const leaseFor = (ms: number) => sql`clock_timestamp() + ${ms} * interval '1 millisecond'`
const chosen = ({ only }: Only) =>
  only
    ? sql`withdrawal_id = any(${only.map((one) => one.withdrawalId)}::text[])`
    : notAsideSql('payout', sql`withdrawal_id`)
const noLease = sql`(lease_until is null or lease_until <= clock_timestamp())`

/**
 * Claims payouts to send, each for one worker (`calling`) until its lease ends. Not sent but `unknown`: payouts unlike their withdrawal, named on a
 * statement, or sent before and perhaps shown by a debit. Skips payouts of frozen merchants, and all of them while a restore is open or the ledger has drifted.
 */
export function claimToSubmit(tx: Tx, request: LeaseRequest): Promise<Payout[]> {
  const { connections, now, leaseMs, limit } = request
  const terms = {
    withdrawalId: sql`one.withdrawal_id`,
    sourceAccountId: sql`one.source_account_id`,
    amount: sql`one.amount`,
    iban: sql`one.iban`,
    createdAt: sql`one.created_at`,
  }
  // Materialized: otherwise the texts are searched once for every use of `doubt`.
  return tx.query<Payout>(sql`
    with due as materialized (
      select one.merchant_id, one.withdrawal_id, case
        when not ${fitsWithdrawalSql(sql`one`)} then ${DIFFERS}
        when ${isNamedOnStatementSql(sql`one.withdrawal_id`)} then ${NAMED}
        when one.submits > 0 and ${hasSimilarDebitSql(terms)} then ${SIMILAR}
      end as doubt from (
        select merchant_id, withdrawal_id, submits, source_account_id, amount, currency, iban, account_name, state, created_at from payouts
        where state in (${toSubmit}) and next_at <= ${now} and connection = any(${connections}::text[])
          and merchant_id not in (${frozenMerchants}) and ${noRestoreOpenSql} and ${noDriftSql} and ${chosen(request)}
        order by next_at limit ${limit} for update skip locked
      ) as one
    )
    update payouts p set state = case when due.doubt is null then 'calling' else 'asking' end, fence = p.fence + 1,
      submits = p.submits + (due.doubt is null)::int, reason = coalesce(due.doubt, p.reason),
      lease_until = case when due.doubt is null then ${leaseFor(leaseMs)} end, updated_at = ${now},
      unknown_since = case when due.doubt is null then p.unknown_since else coalesce(p.unknown_since, ${now}) end,
      sent_at = case when due.doubt is null then ${now} else p.sent_at end
    from due
    where p.merchant_id = due.merchant_id and p.withdrawal_id = due.withdrawal_id and p.state in (${toSubmit})
    returning ${columns}`)
}

/** Claims payouts to query: those with an unknown outcome, and those whose worker did not record a result before its lease ended. */
export function claimToQuery(tx: Tx, request: LeaseRequest): Promise<Payout[]> {
  const { connections, now, leaseMs, limit } = request
  return tx.query<Payout>(sql`
    update payouts p set state = 'asking', fence = p.fence + 1, asks = p.asks + 1,
      lease_until = ${leaseFor(leaseMs)}, updated_at = ${now}, unknown_since = coalesce(p.unknown_since, ${now})
    from (
      select merchant_id, withdrawal_id from payouts
      where state in (${toQuery}) and next_at <= ${now} and ${noLease} and connection = any(${connections}::text[])
        and ${chosen(request)}
      order by next_at limit ${limit} for update skip locked
    ) as due
    where p.merchant_id = due.merchant_id and p.withdrawal_id = due.withdrawal_id and p.state in (${toQuery})
    returning ${columns}`)
}

/**
 * They may have been sent without a record here. A waiting one counts as sent once, so that a refusal
 * of the next sending is not final. Skips payouts that a worker is querying now.
 */
export async function doubtIntents(tx: Tx, at: Date): Promise<void> {
  await tx.query(sql`
    update payouts set state = 'asking', submits = submits + (state = 'ready')::int, fence = fence + 1,
      lease_until = null, next_at = ${at}, updated_at = ${at}, unknown_since = coalesce(unknown_since, ${at})
    where state in (${waiting}) or (state in (${toQuery}) and ${noLease})`)
}

/** After a sandbox clock was set back: payouts due to be sent or queried later are due now. */
export async function bringForward(tx: Tx, now: Date): Promise<void> {
  await tx.query(sql`
    update payouts p set next_at = ${now}
    from (
      select merchant_id, withdrawal_id from payouts where state in ('ready', 'calling', 'asking') and next_at > ${now}
      order by merchant_id, withdrawal_id for update
    ) as later
    where p.merchant_id = later.merchant_id and p.withdrawal_id = later.withdrawal_id`)
}

export async function lockPayout(tx: Tx, merchantId: string, withdrawalId: string): Promise<Payout | undefined> {
  return (await lockPayouts(tx, [withdrawalId])).find((one) => one.merchantId === merchantId)
}

/** In id order, so that two processes that record the same payouts wait for each other without deadlock. */
export function lockPayouts(tx: Tx, withdrawalIds: string[]): Promise<Payout[]> {
  return tx.query<Payout>(sql`
    select ${columns} from payouts p where p.withdrawal_id = any(${withdrawalIds}::text[]) order by p.withdrawal_id for update`)
}

type Change = Pick<Payout, 'state' | 'nextAt' | 'bankReference' | 'reason'>

/** Whether a worker holds a lease on it now. */
export async function isLeased(tx: Tx, { merchantId, withdrawalId }: Payout): Promise<boolean> {
  const free = await tx.query(sql`
    select 1 from payouts where merchant_id = ${merchantId} and withdrawal_id = ${withdrawalId} and ${noLease}`)
  return free.length === 0
}

/**
 * The caller has locked the row in this transaction. Also increments the fence, so that a late
 * response about the old state is not acted on.
 */
export async function updatePayout(tx: Tx, before: Payout, change: Change, at: Date): Promise<Payout> {
  const after = { ...before, ...change }
  await updatePayouts(tx, [{ before, after }], at)
  return after
}

export async function updatePayouts(tx: Tx, changes: { before: Payout; after: Payout }[], at: Date): Promise<void> {
  for (const { before, after } of changes) mustBeNext(before.state, after.state, `Payout ${before.withdrawalId}`)
  const rows = changes.map(({ before, after }) => ({ ...after, oldState: before.state }))
  const updated = await tx.query(sql`
    update payouts p set state = c.state, next_at = c.next_at, bank_reference = c.bank_reference, reason = c.reason,
      fence = p.fence + 1, lease_until = null, updated_at = ${at},
      unknown_since = case when c.state = 'asking' then coalesce(p.unknown_since, ${at}) else p.unknown_since end
    from ${rowsOf('c', rows, CHANGED)}
    where p.merchant_id = c.merchant_id and p.withdrawal_id = c.withdrawal_id and p.state = c.old_state returning p.state`)
  if (updated.length === changes.length) return
  const named = rows.map(({ withdrawalId, oldState }) => `${withdrawalId} was not ${oldState}`)
  throw new Error(`Payout ${named.join(', or ')} although its row was locked.`)
}

type Seen = { id: string; direction: 'credit' | 'debit' }

/** The line that shows the payout as sent, or as returned. */
export async function updateSeenLine(tx: Tx, { merchantId, withdrawalId }: Payout, line: Seen): Promise<void> {
  const column = line.direction === 'debit' ? sql`debit_line_id` : sql`credit_line_id`
  await tx.query(sql`
    update payouts set ${column} = ${line.id} where merchant_id = ${merchantId} and withdrawal_id = ${withdrawalId}`)
}

/** Its debit was taken for another payment, or its return was taken back: no line shows it any more. */
export async function clearSeenLine(tx: Tx, { merchantId, withdrawalId }: Payout, direction: Seen['direction']) {
  const column = direction === 'debit' ? sql`debit_line_id` : sql`credit_line_id`
  await tx.query(sql`
    update payouts set ${column} = null where merchant_id = ${merchantId} and withdrawal_id = ${withdrawalId}`)
}

/** `completedAt` is that of an accepted payout. */
export async function selectDebit(tx: Queryable, { merchantId, withdrawalId }: Payout) {
  const [row] = await tx.query<{ debitLineId: string | null; completedAt: Date }>(sql`
    select debit_line_id as "debitLineId", updated_at as "completedAt" from payouts
    where merchant_id = ${merchantId} and withdrawal_id = ${withdrawalId}`)
  return row
}

/** The caller has locked the row in this transaction. */
export async function updateReason(tx: Tx, { merchantId, withdrawalId, state }: Payout, reason: string): Promise<void> {
  await tx.query(sql`
    update payouts set reason = ${reason}
    where merchant_id = ${merchantId} and withdrawal_id = ${withdrawalId} and state = ${state}`)
}

export function listPayouts(db: Queryable, state: PayoutState | undefined, limit: number): Promise<Payout[]> {
  const wanted = state === undefined ? sql`` : sql`where p.state = ${stateLiteral(state)}`
  return db.query<Payout>(sql`select ${columns} from payouts p ${wanted} order by p.created_at desc limit ${limit}`)
}

export async function findPayout(db: Queryable, withdrawalId: string): Promise<Payout | undefined> {
  const [row] = await db.query<Payout>(sql`select ${columns} from payouts p where p.withdrawal_id = ${withdrawalId}`)
  return row
}

export const isEndedSql = (id: Sql) =>
  sql`exists (select from payouts e where e.withdrawal_id = ${id} and e.state in ('sent', 'failed', 'returned'))`

/** Ended or in doubt: an order file with it must not be sent. */
export const isNotSendableSql = (id: Sql) =>
  sql`exists (select from payouts e where e.withdrawal_id = ${id} and (e.state <> 'asking' or e.reason is not null))`

export function selectPayoutsById(db: Queryable, withdrawalIds: string[]): Promise<Payout[]> {
  return db.query<Payout>(sql`
    select ${columns} from payouts p where p.withdrawal_id = any(${withdrawalIds}::text[]) order by p.withdrawal_id`)
}

/** Payouts unlike their withdrawal, open or created since. Of a rejected one nothing was paid. */
export function selectUnlikeWithdrawal(db: Queryable, since: Date, limit: number): Promise<Payout[]> {
  return db.query<Payout>(sql`
    select ${columns} from (
      (select open.* from payouts open where open.state in ('ready', 'calling', 'asking') offset 0)
      union (select ended.* from payouts ended where ended.state <> 'failed' and ended.created_at >= ${since} offset 0)
    ) as p where not ${fitsWithdrawalSql(sql`p`)}
    order by p.created_at limit ${limit}`)
}

export async function isUnlikeWithdrawal(tx: Tx, { merchantId, withdrawalId }: Payout): Promise<boolean> {
  const rows = await tx.query(sql`
    select from payouts p where p.merchant_id = ${merchantId} and p.withdrawal_id = ${withdrawalId} and not ${fitsWithdrawalSql(sql`p`)}`)
  return rows.length > 0
}

export const isByHand = sql`(p.connection = 'manual' or p.connection like 'manual-%')`

/** Those that may still be given to a bank. */
export function selectOpen(db: Queryable, limit: number): Promise<Payout[]> {
  return selectPayouts(db, sql`p.state in ('ready', 'calling', 'asking')`, limit)
}

export function selectPayouts(db: Queryable, which: Sql, limit: number): Promise<Payout[]> {
  return db.query<Payout>(sql`select ${columns} from payouts p where ${which} limit ${limit}`)
}

/** For the stores of folders inside this one; `rest` is what follows the table. */
export function queryPayouts<Row>(db: Queryable, wanted: Sql, rest: Sql): Promise<Row[]> {
  return db.query<Row>(sql`select ${wanted} from payouts p ${rest}`)
}

export function payoutTotals(db: Queryable, which: Sql, since = sql`p.updated_at`): Promise<LineTotal[]> {
  return db.query<LineTotal>(sql`
    select p.currency, count(*)::int as count, sum(p.amount)::bigint as amount, min(${since}) as oldest
    from payouts p where ${which} group by p.currency order by p.currency`)
}

/** Payouts that have not left the bank account according to our books: they still count against its balance. */
export function selectInFlight(db: Queryable): Promise<{ sourceAccountId: string; amount: bigint }[]> {
  return db.query<{ sourceAccountId: string; amount: bigint }>(sql`
    select source_account_id as "sourceAccountId", sum(amount)::bigint as amount from payouts
    where state in ('ready', 'calling', 'asking') group by source_account_id`)
}

export function selectSentSince(db: Queryable, from: Date): Promise<{ sourceAccountId: string; amount: bigint }[]> {
  return db.query<{ sourceAccountId: string; amount: bigint }>(sql`
    select source_account_id as "sourceAccountId", sum(amount)::bigint as amount from payouts
    where created_at >= ${from} and state <> 'failed' group by source_account_id`)
}

export type Usage = { merchantId: string; iban: string; currency: string; amount: bigint; count: number }

export function selectUsageSince(db: Queryable, merchantIds: string[], from: Date): Promise<Usage[]> {
  return db.query<Usage>(sql`
    select merchant_id as "merchantId", iban, currency, sum(amount)::bigint as amount, count(*)::int as count
    from payouts
    where merchant_id = any(${merchantIds}::text[]) and created_at >= ${from} and state <> 'failed'
    group by merchant_id, iban, currency`)
}

/** One process routes at a time, because only it knows what it has just taken from an account's balance. */
export async function lockRouting(tx: Tx): Promise<void> {
  const ROUTING = 0x726f7574
  await tx.query(sql`select pg_advisory_xact_lock(${ROUTING})`)
}

/** Erases the recipient and people's notes about it. Returns the number of changed rows by table. */
export async function erasePayout(tx: Tx, merchantId: string, withdrawalId: string) {
  const payouts = await tx.query(sql`
    update payouts set iban = ${ERASED_IBAN}, account_name = ${ERASED}
    where merchant_id = ${merchantId} and withdrawal_id = ${withdrawalId} and (iban <> ${ERASED_IBAN} or account_name <> ${ERASED}) returning 1`)
  return { payouts: payouts.length, doubt_decisions: await eraseEvidence(tx, merchantId, withdrawalId) }
}

export type PayoutOutcome = { sourceAccountId: string; state: PayoutState; count: number }

/** What became of the payouts of this time, by the account that they leave. */
export function payoutOutcomes(db: Queryable, from: Date, to: Date): Promise<PayoutOutcome[]> {
  return queryPayouts<PayoutOutcome>(
    db,
    sql`p.source_account_id as "sourceAccountId", p.state, count(*)::int as count`,
    sql`where p.created_at >= ${from} and p.created_at < ${to} group by p.source_account_id, p.state`,
  )
}
