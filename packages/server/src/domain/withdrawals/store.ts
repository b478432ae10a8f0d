import type { MerchantActor } from '../../kernel/actor.ts'
import type { Queryable, Tx } from '../../platform/postgres/db.ts'
import { idsBetween } from '../../platform/crypto/ids.ts'
import { ERASED, ERASED_IBAN, ERASED_METADATA } from '../../kernel/erased.ts'
import type { PageFilter } from '../../kernel/page.ts'
import { hasStatus } from '../../platform/postgres/has-status.ts'
import { rowsOf } from '../../platform/postgres/rows.ts'
import type { Sql } from '../../platform/postgres/sql.ts'
import { sql, stateLiteral } from '../../platform/postgres/sql.ts'
import { everyMerchant, frozenMerchants, isSpentSql } from '../merchants/index.ts'
import { noDriftSql } from '../ledger/index.ts'
import { notAsideSql } from '../set-aside/index.ts'
import { noRestoreOpenSql } from './restores/store.ts'
import type { Withdrawal, WithdrawalState } from './withdrawal.ts'

const columns = sql`
  w.id, w.merchant_id as "merchantId", w.process_id as "processId", w.amount, w.fee, w.currency, w.status, w.sequence,
  w.bank_id as "bankId", w.iban, w.account_name as "accountName", w.user_id as "userId", w.user_name as "userName",
  w.name, w.metadata, w.failure_reason as "failureReason", w.state, w.state_reason as "stateReason",
  w.first_time_iban as "firstTimeIban", w.rail, w.source_account_id as "sourceAccountId",
  w.scheduled_for as "scheduledFor", w.bank_reference as "bankReference", w.created_at as "createdAt", w.updated_at as "updatedAt",
  w.refund_of as "refundOf", w.refund_reason as "refundReason", w.settlement, w.approval_required as "approvalRequired",
  w.approved_by as "approvedBy", w.mark`

type Asked = { actor: MerchantActor; processId: string; signature?: string }
/** `place`: 1-based position of the request. `id`: null if the processId is free and only the signature was refused before. */
export type Known = { place: number; id: string | null; refusedBefore: boolean }

/** Requests whose processId is used or whose signature was refused before. Call with the merchants' accounts locked. */
export function selectKnownRequests(tx: Queryable, requests: Asked[]): Promise<Known[]> {
  const refusedBefore = isSpentSql(sql`wanted.merchant_id`, sql`wanted.signature`)
  // `offset 0` forces an index lookup per row: a plan cached while the table was empty would scan all of it.
  return tx.query<Known>(sql`
    select wanted.place::int, used.id, ${refusedBefore} as "refusedBefore"
    from unnest(
      ${requests.map(({ actor }) => actor.merchantId)}::text[],
      ${requests.map(({ processId }) => processId)}::text[],
      ${requests.map(({ signature }) => signature ?? null)}::text[]
    ) with ordinality as wanted (merchant_id, process_id, signature, place)
    left join lateral (
      select w.id from withdrawals w
      where w.merchant_id = wanted.merchant_id and w.process_id = wanted.process_id offset 0
    ) as used on true
    where used.id is not null or ${refusedBefore}`)
}

export function selectWithdrawalsById(tx: Tx, wanted: { merchantId: string; id: string }[]): Promise<Withdrawal[]> {
  return tx.query<Withdrawal>(sql`
    select ${columns}
    from ${rowsOf('wanted', wanted, { merchantId: 'text', id: 'text' })}
    join withdrawals w using (merchant_id, id)`)
}

const NEW_COLUMNS = {
  merchantId: 'text',
  id: 'text',
  processId: 'text',
  amount: 'bigint',
  fee: 'bigint',
  currency: 'text',
  bankId: 'text',
  iban: 'text',
  accountName: 'text',
  userId: 'text',
  userName: 'text',
  name: 'text',
  metadata: 'json',
  mark: 'text',
} as const

const SPECIAL_COLUMNS = {
  ...NEW_COLUMNS,
  refundOf: 'text',
  refundReason: 'text',
  settlement: 'boolean',
  approvalRequired: 'boolean',
  state: 'text',
  stateReason: 'text',
} as const

/** A refund or a settlement. Apart from the others, so that creating those costs nothing more. */
export async function insertSpecial(tx: Tx, withdrawals: Withdrawal[], at: Date): Promise<void> {
  await tx.query(sql`
    insert into withdrawals (
      merchant_id, id, process_id, amount, fee, currency, bank_id, iban, account_name, user_id, user_name, name,
      metadata, mark, refund_of, refund_reason, settlement, approval_required, state, state_reason, status, created_at, updated_at
    )
    select added.*, 'pending', ${at}::timestamptz, ${at}::timestamptz from ${rowsOf('added', withdrawals, SPECIAL_COLUMNS)}`)
}

/** All created at the same time, all pending. */
export async function insertWithdrawals(tx: Tx, withdrawals: Withdrawal[], at: Date): Promise<void> {
  await tx.query(sql`
    insert into withdrawals (
      merchant_id, id, process_id, amount, fee, currency, bank_id, iban, account_name, user_id, user_name, name,
      metadata, mark, status, created_at, updated_at
    )
    select added.*, 'pending', ${at}::timestamptz, ${at}::timestamptz from ${rowsOf('added', withdrawals, NEW_COLUMNS)}`)
}

/** `rest` is what follows `from withdrawals w`. */
/** Rows as they are stored, for the search. */
export const storedWithdrawals = (rest: Sql) => sql`select w.* from withdrawals w ${rest}`

export const withdrawalsSql = (rest: Sql) => sql`select ${columns} from withdrawals w ${rest}`

export async function findWithdrawal(db: Queryable, merchantId: string, id: string): Promise<Withdrawal | undefined> {
  const [row] = await db.query<Withdrawal>(sql`
    select ${columns} from withdrawals w where w.merchant_id = ${merchantId} and w.id = ${id}`)
  return row
}

export function listWithdrawals(db: Queryable, merchantId: string, filter: PageFilter): Promise<Withdrawal[]> {
  return db.query<Withdrawal>(sql`
    select ${columns} from ${listed(merchantId, filter)} w
    where w.merchant_id = ${merchantId} and w.id < ${filter.before} and w.id >= ${filter.notBefore}
      and w.created_at >= ${filter.from} and w.created_at < ${filter.to} ${hasStatus(sql`w`, merchantId, filter.status)}
    order by w.id desc limit ${filter.limit}`)
}

/** `offset 0` makes the planner use the index by processId or of pending rows instead of reading all rows of the merchant. */
function listed(merchantId: string, { processId, status }: PageFilter): Sql {
  if (processId !== undefined)
    return sql`(select one.* from withdrawals one where one.merchant_id = ${merchantId} and one.process_id = ${processId} offset 0)`
  return status === 'pending' ? sql`(${pendingOfAll})` : sql`withdrawals`
}

export async function lockWithdrawal(tx: Tx, merchantId: string, id: string): Promise<Withdrawal | undefined> {
  const [row] = await tx.query<Withdrawal>(sql`
    select ${columns} from withdrawals w where w.merchant_id = ${merchantId} and w.id = ${id} for update`)
  return row
}

export async function lockWithdrawalById(tx: Tx, id: string): Promise<Withdrawal | undefined> {
  const known = await findWithdrawalById(tx, id)
  return known && lockWithdrawal(tx, known.merchantId, id)
}

/** In id order. */
export function lockWithdrawals(tx: Tx, wanted: { merchantId: string; id: string }[]): Promise<Withdrawal[]> {
  return tx.query<Withdrawal>(sql`
    select ${columns} from ${rowsOf('wanted', wanted, { merchantId: 'text', id: 'text' })}
    join withdrawals w using (merchant_id, id) order by w.id for update of w`)
}

const CHANGED = {
  ...({ merchantId: 'text', id: 'text', oldStatus: 'text', oldState: 'text', status: 'text', state: 'text' } as const),
  ...({ stateReason: 'text', sequence: 'int', failureReason: 'text', firstTimeIban: 'boolean', rail: 'text' } as const),
  ...({
    sourceAccountId: 'text',
    scheduledFor: 'timestamptz',
    bankReference: 'text',
    updatedAt: 'timestamptz',
  } as const),
}

export type Change = { before: Withdrawal; after: Withdrawal }

/** The `where` repeats the old state: a concurrent change makes this update affect no row. */
export async function updateWithdrawals(tx: Tx, changes: Change[]): Promise<number> {
  const added = changes.map(({ before, after }) => ({ ...after, oldStatus: before.status, oldState: before.state }))
  const rows = await tx.query(sql`
    update withdrawals w set
      status = c.status, state = c.state, state_reason = c.state_reason, sequence = c.sequence, failure_reason = c.failure_reason,
      first_time_iban = c.first_time_iban, rail = c.rail, source_account_id = c.source_account_id,
      scheduled_for = c.scheduled_for, bank_reference = c.bank_reference, updated_at = c.updated_at
    from ${rowsOf('c', added, CHANGED)}
    where w.merchant_id = c.merchant_id and w.id = c.id and w.status = c.old_status and w.state = c.old_state
    returning w.id`)
  return rows.length
}

/** The caller has locked the row. Its state changes as of any other. */
export async function updateApproved(tx: Tx, { merchantId, id, approvedBy, mark }: Withdrawal): Promise<void> {
  await tx.query(sql`
    update withdrawals set approved_by = ${approvedBy}::text[], mark = ${mark} where merchant_id = ${merchantId} and id = ${id}`)
}

/** Who ended a withdrawal before it was sent, and why. */
export type Stop = { operator: string; reason: string; stoppedAt: Date }

/** The caller has locked the row, and ends it. */
export async function updateStopped(tx: Tx, { merchantId, id }: Withdrawal, stop: Stop): Promise<void> {
  await tx.query(sql`
    update withdrawals set stopped_by = ${stop.operator}, stop_reason = ${stop.reason}, stopped_at = ${stop.stoppedAt}
    where merchant_id = ${merchantId} and id = ${id}`)
}

export async function stopOf(
  db: Queryable,
  { merchantId, id }: { merchantId: string; id: string },
): Promise<Stop | undefined> {
  const [row] = await db.query<Stop>(sql`
    select stopped_by as operator, stop_reason as reason, stopped_at as "stoppedAt" from withdrawals
    where merchant_id = ${merchantId} and id = ${id} and stopped_at is not null`)
  return row
}

/**
 * Whether the withdrawal of this payout was approved as the payout says it, and is in a state that fits the payout's
 * state: someone may have written a payout into the database.
 */
export function fitsWithdrawalSql(payout: Sql): Sql {
  return sql`exists (
    select 1 from withdrawals w
    where w.merchant_id = ${payout}.merchant_id and w.id = ${payout}.withdrawal_id and w.iban = ${payout}.iban
      and w.amount = ${payout}.amount and w.currency = ${payout}.currency and w.account_name = ${payout}.account_name
      and (w.state = ${payout}.state or (w.state in ('sending', 'unknown') and ${payout}.state in ('ready', 'calling', 'asking')))
  )`
}

/**
 * Withdrawals that may be sent now, or those of `only`; none while a restore is open or the ledger has drifted. Skips frozen merchants, rows set aside and
 * rows locked by another process.
 */
export function claimToRoute(tx: Tx, now: Date, limit: number, only?: Withdrawal[]): Promise<Withdrawal[]> {
  const chosen = only ? sql`w.id = any(${only.map(({ id }) => id)}::text[])` : notAsideSql('withdrawal', sql`w.id`)
  return tx.query<Withdrawal>(sql`
    select ${columns} from withdrawals w
    where w.state = 'queued' and (w.scheduled_for is null or w.scheduled_for <= ${now})
      and w.merchant_id not in (${frozenMerchants}) and ${noRestoreOpenSql} and ${noDriftSql} and ${chosen}
    order by w.id limit ${limit} for update skip locked`)
}

export function lockScheduled(tx: Tx): Promise<Withdrawal[]> {
  return tx.query<Withdrawal>(sql`
    select ${columns} from withdrawals w where w.state = 'queued' and w.scheduled_for is not null
    order by w.id for update`)
}

/** Those of these IBANs that the merchant has successfully paid before. One index look-up each, however often it was paid. */
export async function selectKnownIbans(db: Queryable, withdrawals: Withdrawal[]): Promise<Set<string>> {
  const rows = await db.query<{ key: string }>(sql`
    select wanted.merchant_id || wanted.iban as key
    from (select distinct n.merchant_id, n.iban from ${rowsOf('n', withdrawals, { merchantId: 'text', iban: 'text' })}) as wanted
    cross join lateral (
      select from withdrawals w where w.merchant_id = wanted.merchant_id and w.iban = wanted.iban and w.status = 'completed' limit 1
    ) as paid`)
  return new Set(rows.map(({ key }) => key))
}

/** What a merchant has paid to an IBAN. `key`: the merchant's id and the IBAN. */
export type PaidTo = { key: string; count: number; amount: bigint; last: Date }

export function paidTo(db: Queryable, withdrawals: Pick<Withdrawal, 'merchantId' | 'iban'>[]): Promise<PaidTo[]> {
  return db.query<PaidTo>(sql`
    select w.merchant_id || w.iban as key, count(*)::int as count, sum(w.amount)::bigint as amount, max(w.updated_at) as last
    from (select distinct n.merchant_id, n.iban from ${rowsOf('n', withdrawals, { merchantId: 'text', iban: 'text' })}) as wanted
    join withdrawals w using (merchant_id, iban) where w.status = 'completed' group by w.merchant_id, w.iban`)
}

/** What was refunded of a deposit: the sum of its refunds that neither failed nor came back. */
export async function sumRefunds(tx: Tx, merchantId: string, depositId: string): Promise<bigint> {
  const [row] = await tx.query<{ amount: bigint }>(sql`
    select coalesce(sum(amount), 0)::bigint as amount from withdrawals
    where merchant_id = ${merchantId} and refund_of = ${depositId} and state not in ('failed', 'returned')`)
  return row?.amount ?? 0n
}

/** Refunds of a deposit, also those that failed or came back. */
export function everyRefundOf(db: Queryable, merchantId: string, depositId: string): Promise<Withdrawal[]> {
  return db.query<Withdrawal>(sql`
    select ${columns} from withdrawals w
    where w.merchant_id = ${merchantId} and w.refund_of = ${depositId} order by w.id`)
}

/** Refunds of a deposit that neither failed nor came back. */
export function refundsOfDeposit(db: Queryable, merchantId: string, depositId: string): Promise<Withdrawal[]> {
  return db.query<Withdrawal>(sql`
    select ${columns} from withdrawals w
    where w.merchant_id = ${merchantId} and w.refund_of = ${depositId} and w.state not in ('failed', 'returned') order by w.id`)
}

/** Those of these ids that are withdrawals of any merchant. */
export async function selectExisting(db: Queryable, ids: string[]): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql`
    select w.id from unnest(${ids}::text[]) as wanted (id) cross join (${everyMerchant}) as m
    cross join lateral (
      select found.id from withdrawals found where found.merchant_id = m.id and found.id = wanted.id offset 0
    ) as w order by w.id`)
  return rows.map(({ id }) => id)
}

export async function findWithdrawalById(db: Queryable, id: string): Promise<Withdrawal | undefined> {
  const [row] = await db.query<Withdrawal>(sql`
    select ${columns} from (${everyMerchant}) as m
    cross join lateral (select found.* from withdrawals found where found.merchant_id = m.id and found.id = ${id} offset 0) as w`)
  return row
}

export function listByState(db: Queryable, state: WithdrawalState, limit: number): Promise<Withdrawal[]> {
  return db.query<Withdrawal>(sql`
    select ${columns} from withdrawals w where w.state = ${stateLiteral(state)} order by w.id limit ${limit}`)
}

/** Of all merchants, by the indexes of what is to be sent and approved: as many rows as are pending now, however many there were. */
export const pendingOfAll = sql`
  (select w.* from withdrawals w where w.state = 'queued' offset 0)
  union all (select w.* from withdrawals w where w.state = 'awaiting_approval' offset 0)`

/** Those without an end. */
export function listOpen(db: Queryable, limit: number): Promise<Withdrawal[]> {
  const open = sql`${pendingOfAll} union all (select w.* from withdrawals w where w.state in ('sending', 'unknown') offset 0)`
  return db.query<Withdrawal>(sql`select ${columns} from (${open}) as w order by w.id limit ${limit}`)
}

/** Creation time of the oldest withdrawal that waits for approval. */
export async function oldestToApprove(db: Queryable): Promise<Date | null> {
  const [row] = await db.query<{ createdAt: Date }>(sql`
    select created_at as "createdAt" from withdrawals where state = 'awaiting_approval' order by id limit 1`)
  return row?.createdAt ?? null
}

/** Since when the oldest one that is to be sent is due, whatever it waits for. One that waits for EFT to open is due then, which may be later. */
export async function oldestQueued(db: Queryable): Promise<Date | null> {
  const [row] = await db.query<{ due: Date | null }>(sql`
    select min(case when state_reason = 'eft_closed' then scheduled_for else created_at end) as due
    from withdrawals where state = 'queued'`)
  return row?.due ?? null
}

type Key = Pick<Withdrawal, 'merchantId' | 'id'>

/** Returns the number of changed rows: 0 if it was erased before. */
export async function eraseRecipient(tx: Tx, { merchantId, id }: Key): Promise<number> {
  const rows = await tx.query(sql`
    update withdrawals set iban = ${ERASED_IBAN}, account_name = ${ERASED}, user_id = ${ERASED}, user_name = ${ERASED},
      name = ${ERASED}, refund_reason = case when refund_reason is not null then ${ERASED} end,
      stop_reason = case when stop_reason is not null then ${ERASED} end, metadata = case when metadata is not null then ${JSON.stringify(ERASED_METADATA)}::json end
    where merchant_id = ${merchantId} and id = ${id} and (iban <> ${ERASED_IBAN} or account_name <> ${ERASED} or stop_reason <> ${ERASED})
    returning 1`)
  return rows.length
}

type To = { iban: string; amount: bigint; currency: string; from: Date; to: Date }

/** Withdrawals of this amount to an IBAN that were created in this time and handed over, of all merchants, newest first. By the index of IBANs. */
export async function withdrawalsTo(db: Queryable, asked: To, limit: number): Promise<string[]> {
  const { notBefore, before } = idsBetween(asked.from, asked.to)
  // Plus zero: an IBAN selects fewer rows than an amount.
  const rows = await db.query<{ id: string }>(sql`
    select w.id from withdrawals w
    where reverse(w.iban) collate "C" = reverse(${asked.iban}::text) and w.id >= ${notBefore} and w.id < ${before}
      and w.status <> 'pending' and w.amount + 0 = ${asked.amount} and w.currency = ${asked.currency}
    order by reverse(w.iban) collate "C" desc, w.id desc limit ${limit}`)
  return rows.map(({ id }) => id)
}
