import type { Queryable, Tx } from '../../platform/postgres/db.ts'
import { ERASED, ERASED_METADATA } from '../../kernel/erased.ts'
import type { PageFilter } from '../../kernel/page.ts'
import { hasStatus } from '../../platform/postgres/has-status.ts'
import { rowsOf } from '../../platform/postgres/rows.ts'
import type { Sql } from '../../platform/postgres/sql.ts'
import { notAsideSql } from '../set-aside/index.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { everyMerchant, isSpentSql } from '../merchants/index.ts'
import type { Deposit, FirstDeposit } from './deposit.ts'

const columns = sql`
  d.id, d.merchant_id as "merchantId", d.process_id as "processId", d.amount, d.currency, d.status, d.sequence,
  d.bank_id as "bankId", d.collecting_account_id as "collectingAccountId",
  json_build_object('id', d.customer_id, 'name', d.customer_name, 'username', d.customer_username) as customer,
  d.metadata, d.return_url as "returnUrl", d.language, d.received_amount as "receivedAmount", d.refunded_amount as "refundedAmount",
  d.taken_back_amount as "takenBackAmount", d.duplicate_amount as "duplicateAmount", d.fee, d.flags, d.reason, d.reference_code as "referenceCode", d.version, d.claimed_at as "claimedAt",
  d.account_changed_at as "accountChangedAt", d.previous_account_ids as "previousAccountIds",
  d.expires_at as "expiresAt", d.created_at as "createdAt", d.updated_at as "updatedAt"`

/** Returns the new ids; skips used processIds and signatures refused before. A used code fails the batch (`isUsedCode`). */
export async function insertNewDeposits(
  tx: Tx,
  deposits: Deposit[],
  signatures: (string | null)[],
  createdAt: Date,
): Promise<Set<string>> {
  const rows = await tx.query<{ id: string }>(sql`
    insert into deposits (
      merchant_id, id, process_id, amount, currency, bank_id, collecting_account_id,
      customer_id, customer_name, customer_username, metadata, return_url, language, reference_code,
      status, expires_at, created_at, updated_at
    )
    select merchant_id, id, process_id, amount, currency, bank_id, collecting_account_id,
      customer_id, customer_name, customer_username, metadata, return_url, language, reference_code,
      'pending', expires_at, ${createdAt}::timestamptz, ${createdAt}::timestamptz
    from unnest(
      ${deposits.map(({ merchantId }) => merchantId)}::text[],
      ${deposits.map(({ id }) => id)}::text[],
      ${deposits.map(({ processId }) => processId)}::text[],
      ${deposits.map(({ amount }) => amount)}::bigint[],
      ${deposits.map(({ currency }) => currency)}::text[],
      ${deposits.map(({ bankId }) => bankId)}::text[],
      ${deposits.map(({ collectingAccountId }) => collectingAccountId)}::text[],
      ${deposits.map(({ customer }) => customer.id)}::text[],
      ${deposits.map(({ customer }) => customer.name)}::text[],
      ${deposits.map(({ customer }) => customer.username)}::text[],
      ${deposits.map(({ metadata }) => metadata && JSON.stringify(metadata))}::json[],
      ${deposits.map(({ returnUrl }) => returnUrl)}::text[],
      ${deposits.map(({ language }) => language)}::text[],
      ${deposits.map(({ referenceCode }) => referenceCode)}::text[],
      ${deposits.map(({ expiresAt }) => expiresAt.toISOString())}::timestamptz[],
      ${signatures}::text[]
    ) as n (
      merchant_id, id, process_id, amount, currency, bank_id, collecting_account_id,
      customer_id, customer_name, customer_username, metadata, return_url, language, reference_code, expires_at, signature
    )
    where not ${isSpentSql(sql`n.merchant_id`, sql`n.signature`)}
    on conflict (merchant_id, process_id) do nothing
    returning id`)
  return new Set(rows.map(({ id }) => id))
}

export function isUsedCode(error: unknown): boolean {
  return (error as { constraint?: string }).constraint === 'deposits_reference_code'
}

type ProcessKey = { merchantId: string; processId: string }

/** Deposits with these processIds. Customers may have changed their bank since. */
export function selectByProcessIds(db: Queryable, keys: ProcessKey[]): Promise<FirstDeposit[]> {
  return db.query<FirstDeposit>(sql`
    select ${columns}, nullif(coalesce(d.requested_bank_id, d.bank_id), '') as "requestedBankId"
    from ${rowsOf('wanted', keys, { merchantId: 'text', processId: 'text' })}
    join deposits d using (merchant_id, process_id)`)
}

/** `rest` is what follows `from deposits d`. */
export const depositsSql = (rest: Sql) => sql`select ${columns} from deposits d ${rest}`

/** Rows as they are stored, for the search. */
export const storedDeposits = (rest: Sql) => sql`select d.* from deposits d ${rest}`

export const selectDeposits = (db: Queryable, rest: Sql) => db.query<Deposit>(depositsSql(rest))

export async function findDeposit(db: Queryable, merchantId: string, id: string): Promise<Deposit | undefined> {
  return (await selectDeposits(db, sql`where d.merchant_id = ${merchantId} and d.id = ${id}`))[0]
}

export function listDeposits(db: Queryable, merchantId: string, filter: PageFilter): Promise<Deposit[]> {
  return db.query<Deposit>(sql`
    select ${columns} from ${listed(merchantId, filter)} d
    where d.merchant_id = ${merchantId} and d.id < ${filter.before} and d.id >= ${filter.notBefore}
      and d.created_at >= ${filter.from} and d.created_at < ${filter.to} ${hasStatus(sql`d`, merchantId, filter.status)}
    order by d.id desc limit ${filter.limit}`)
}

/** `offset 0` makes the planner use the index by processId or of pending rows instead of reading all rows of the merchant. */
function listed(merchantId: string, { processId, status }: PageFilter): Sql {
  if (processId !== undefined)
    return sql`(select one.* from deposits one where one.merchant_id = ${merchantId} and one.process_id = ${processId} offset 0)`
  if (status !== 'pending') return sql`deposits`
  return sql`(select one.* from deposits one
    where one.merchant_id = ${merchantId} and one.status = 'pending' order by one.expires_at offset 0)`
}

/** Locked, so that only one of several concurrent changes sees the old state. */
export async function lockDeposits(tx: Tx, merchantIds: string[], ids: string[]): Promise<Deposit[]> {
  return tx.query<Deposit>(sql`
    select ${columns} from unnest(${merchantIds}::text[], ${ids}::text[]) as wanted (merchant_id, id)
    join deposits d using (merchant_id, id)
    order by d.merchant_id, d.id for update of d`)
}

/** Pending deposits of every merchant that meet a condition on `one`, the first to expire first: an index probe for each merchant. */
export function pendingOfAll(condition: Sql, limit: number): Sql {
  return sql`
    select due.merchant_id, due.id, due.expires_at from (${everyMerchant}) as m cross join lateral (
      select one.merchant_id, one.id, one.expires_at from deposits one
      where one.merchant_id = m.id and one.status = 'pending' and ${condition}
      order by one.expires_at limit ${limit}
    ) as due order by due.expires_at limit ${limit}`
}

/** Which deposit, and when it expires. */
export type Planned = { merchantId: string; id: string; expiresAt: Date }

/** The same of these deposits only: a look-up by key for each. */
export function pendingOf(planned: Planned[], condition: Sql): Sql {
  return sql`
    select one.merchant_id, one.id, one.expires_at
    from unnest(${planned.map(({ merchantId }) => merchantId)}::text[], ${planned.map(({ id }) => id)}::text[]) as p (merchant_id, id)
    join deposits one using (merchant_id, id)
    where one.status = 'pending' and ${condition}`
}

export function selectPlanned(db: Queryable, until: Date, limit: number): Promise<Planned[]> {
  return db.query<Planned>(sql`
    select planned.merchant_id as "merchantId", planned.id, planned.expires_at as "expiresAt"
    from (${pendingOfAll(sql`one.expires_at < ${until}`, limit)}) as planned order by planned.expires_at`)
}

/** Skips rows locked by another process. `due` has key and `expires_at` of those to choose from. */
export function claimExpired(tx: Tx, due: Sql, limit: number): Promise<Deposit[]> {
  return tx.query<Deposit>(sql`
    select ${columns} from deposits d where (d.merchant_id, d.id) in (
      select due.merchant_id, due.id from (${due}) as due order by due.expires_at limit ${limit}
    ) and d.status = 'pending'
    order by d.expires_at for update of d skip locked`)
}

export type Changed = { before: Deposit; after: Deposit }

/** The `where` repeats the old status: a concurrent change makes this update affect no row. */
export async function updateDeposits(tx: Tx, changes: Changed[]): Promise<number> {
  const rows = await tx.query(sql`
    update deposits d set
      status = c.status, sequence = c.sequence, version = d.version + 1, received_amount = c.received_amount,
      refunded_amount = c.refunded_amount, taken_back_amount = c.taken_back_amount, duplicate_amount = c.duplicate_amount, fee = c.fee, flags = array(select json_array_elements_text(c.flags)), reason = c.reason, bank_id = c.bank_id,
      requested_bank_id =
        case when c.bank_id is distinct from d.bank_id then coalesce(d.requested_bank_id, d.bank_id, '') else d.requested_bank_id end,
      collecting_account_id = c.account_id, previous_account_ids = array(select json_array_elements_text(c.previous_account_ids)),
      claimed_at = c.claimed_at, account_changed_at = c.account_changed_at, updated_at = c.updated_at
    from unnest(
      ${changes.map(({ after }) => after.merchantId)}::text[],
      ${changes.map(({ after }) => after.id)}::text[],
      ${changes.map(({ before }) => before.status)}::text[],
      ${changes.map(({ after }) => after.status)}::text[],
      ${changes.map(({ after }) => after.sequence)}::int[],
      ${changes.map(({ after }) => after.receivedAmount)}::bigint[],
      ${changes.map(({ after }) => after.refundedAmount)}::bigint[],
      ${changes.map(({ after }) => after.takenBackAmount)}::bigint[],
      ${changes.map(({ after }) => after.duplicateAmount)}::bigint[],
      ${changes.map(({ after }) => after.fee)}::bigint[],
      ${changes.map(({ after }) => JSON.stringify(after.flags))}::json[],
      ${changes.map(({ after }) => after.reason)}::text[],
      ${changes.map(({ after }) => after.bankId)}::text[],
      ${changes.map(({ after }) => after.collectingAccountId)}::text[],
      ${changes.map(({ after }) => JSON.stringify(after.previousAccountIds))}::json[],
      ${changes.map(({ after }) => after.claimedAt?.toISOString() ?? null)}::timestamptz[],
      ${changes.map(({ after }) => after.accountChangedAt?.toISOString() ?? null)}::timestamptz[],
      ${changes.map(({ after }) => after.updatedAt.toISOString())}::timestamptz[]
    ) as c (
      merchant_id, id, old_status, status, sequence, received_amount, refunded_amount, taken_back_amount, duplicate_amount, fee, flags, reason, bank_id,
      account_id, previous_account_ids, claimed_at, account_changed_at, updated_at
    )
    where d.merchant_id = c.merchant_id and d.id = c.id and d.status = c.old_status
    returning d.id`)
  return rows.length
}

/** In key order, like every lock on several deposits. */
export function lockByReferenceCodes(tx: Tx, codes: string[]): Promise<Deposit[]> {
  return selectDeposits(tx, sql`where d.reference_code = any(${codes}::text[]) order by d.merchant_id, d.id for update`)
}

export function selectByReferenceCodes(db: Queryable, codes: string[]): Promise<Deposit[]> {
  return selectDeposits(db, sql`where d.reference_code = any(${codes}::text[]) order by d.id`)
}

export type PendingLoad = {
  /** For an account: set only if it has daily limits, which are shared between merchants. */
  merchantId: string | null
  collectingAccountId: string | null
  count: number
  amount: bigint
  /** Of these, the deposits that customers reported as sent. */
  claimedCount: number
  claimedAmount: bigint
}

/** Totals by merchant and by account, in one scan. Deposits past their deadline are not counted: no payment is expected. */
export function selectPendingLoads(db: Queryable, limitedAccountIds: string[], now: Date): Promise<PendingLoad[]> {
  return db.query<PendingLoad>(sql`
    select coalesce(merchant_id, sharing) as "merchantId", collecting_account_id as "collectingAccountId", count(*)::int as count,
      sum(amount)::bigint as amount, count(claimed_at)::int as "claimedCount",
      coalesce(sum(amount) filter (where claimed_at is not null), 0)::bigint as "claimedAmount"
    from deposits d cross join lateral (
      select case when d.collecting_account_id = any(${limitedAccountIds}::text[]) then d.merchant_id end as sharing
    ) as shared
    where status = 'pending' and expires_at > ${now}
    group by grouping sets ((merchant_id), (collecting_account_id, sharing))
    having grouping(merchant_id) = 0 or collecting_account_id is not null`)
}

export function claimPendingOnAccount(
  tx: Tx,
  collectingAccountId: string,
  limit: number,
  only?: Deposit[],
): Promise<Deposit[]> {
  const chosen = only ? sql`d.id = any(${only.map(({ id }) => id)}::text[])` : notAsideSql('deposit', sql`d.id`)
  const which = sql`where d.status = 'pending' and d.collecting_account_id = ${collectingAccountId} and ${chosen}`
  return selectDeposits(tx, sql`${which} order by d.merchant_id, d.id limit ${limit} for update`)
}

export function selectVersions(db: Queryable, merchantIds: string[], ids: string[]) {
  return db.query<{ id: string; version: number }>(sql`
    select d.id, d.version
    from unnest(${merchantIds}::text[], ${ids}::text[]) as wanted (merchant_id, id)
    join deposits d using (merchant_id, id)`)
}

/** For operators and the sandbox, which have an id but no merchant. */
export async function findDepositById(db: Queryable, id: string): Promise<Deposit | undefined> {
  const [row] = await db.query<Deposit>(sql`
    select ${columns} from (${everyMerchant}) as m
    cross join lateral (select found.* from deposits found where found.merchant_id = m.id and found.id = ${id} offset 0) as d`)
  return row
}

/** Returns the number of changed rows: 0 if it was erased before. */
export async function eraseCustomer(tx: Tx, { merchantId, id }: Pick<Deposit, 'merchantId' | 'id'>): Promise<number> {
  const rows = await tx.query(sql`
    update deposits set customer_id = ${ERASED}, customer_name = ${ERASED}, customer_username = ${ERASED}, return_url = null,
      metadata = case when metadata is not null then ${JSON.stringify(ERASED_METADATA)}::json end
    where merchant_id = ${merchantId} and id = ${id} and (customer_id <> ${ERASED} or customer_name <> ${ERASED}) returning 1`)
  return rows.length
}

type Key = Pick<Deposit, 'merchantId' | 'id'>

export async function setHandover(tx: Tx, { merchantId, id }: Key, hash: Buffer, until: Date): Promise<void> {
  await tx.query(sql`
    update deposits set handover_hash = ${hash}, handover_until = ${until} where merchant_id = ${merchantId} and id = ${id}`)
}

/** True for one of several who ask at once. */
export async function takeHandover(tx: Tx, { merchantId, id }: Key, hash: Buffer, now: Date): Promise<boolean> {
  const rows = await tx.query(sql`
    update deposits set handover_hash = null, handover_until = null
    where merchant_id = ${merchantId} and id = ${id} and handover_hash = ${hash} and handover_until > ${now} returning 1`)
  return rows.length > 0
}
