import type { Queryable, Tx } from '../../platform/postgres/db.ts'
import { rowsOf } from '../../platform/postgres/rows.ts'
import type { Sql } from '../../platform/postgres/sql.ts'
import { sql } from '../../platform/postgres/sql.ts'
import type { AccountState, Bank, CollectingAccount, Limits } from './bank.ts'

export function selectBanks(db: Queryable): Promise<Bank[]> {
  return db.query<Bank>(sql`
    select id, code, name, official_name as "officialName", kind, enabled from banks`)
}

export type LimitRow = Limits & { bankId: string; currency: string }

export function selectLimits(db: Queryable): Promise<LimitRow[]> {
  return db.query<LimitRow>(sql`
    select bank_id as "bankId", currency, min_amount as "minAmount", max_amount as "maxAmount" from bank_limits`)
}

const accountColumns = sql`
  a.id, a.bank_id as "bankId", b.name as "bankName", a.title, a.iban, a.currency, a.state, a.connection,
  a.connection is null and a.awaits_connection as "awaitsConnection",
  a.daily_amount_limit as "dailyAmountLimit", a.daily_count_limit as "dailyCountLimit", a.daily_send_limit as "dailySendLimit",
  a.karekod_producer as "karekodProducer", a.stopped_by as "stoppedBy"`

/** As their rows are: what of them is in force says `accountsInForce`. */
export function listAccounts(db: Queryable): Promise<CollectingAccount[]> {
  return db.query<CollectingAccount>(sql`
    select ${accountColumns} from collecting_accounts a join banks b on b.id = a.bank_id order by a.id`)
}

export function listMarkedAccounts(db: Queryable): Promise<(CollectingAccount & { mark: string })[]> {
  return db.query(sql`
    select ${accountColumns}, a.mark from collecting_accounts a join banks b on b.id = a.bank_id order by a.id`)
}

/** True if this call inserted the first banks: a deployment is seeded once, and later changes are the operator's. */
export async function insertFirstBanks(
  tx: Tx,
  banks: {
    id: string
    code: string
    name: string
    officialName: string
    kind: string
    bic: string | null
    enabled: boolean
  }[],
): Promise<boolean> {
  // Of two concurrent first starts, the second waits here and then finds the banks.
  await tx.query(sql`lock table banks in share row exclusive mode`)
  const text = 'text' as const
  const types = {
    id: text,
    code: text,
    name: text,
    officialName: text,
    kind: text,
    bic: text,
    enabled: 'boolean',
  } as const
  const rows = await tx.query(sql`
    insert into banks (id, code, name, official_name, kind, bic, enabled)
    select added.* from ${rowsOf('added', banks, types)}
    where not exists (select from banks)
    returning id`)
  return rows.length > 0
}

export async function upsertLimits(tx: Tx, limits: LimitRow[]): Promise<void> {
  const types = { bankId: 'text', currency: 'text', minAmount: 'bigint', maxAmount: 'bigint' } as const
  await tx.query(sql`
    insert into bank_limits (bank_id, currency, min_amount, max_amount)
    select changed.* from ${rowsOf('changed', limits, types)}
    on conflict (bank_id, currency)
    do update set min_amount = excluded.min_amount, max_amount = excluded.max_amount`)
}

/** Changes follow each other, so that each is compared with the one before. */
export async function lockLimits(tx: Tx): Promise<void> {
  await tx.query(sql`lock table bank_limits in share row exclusive mode`)
}

/** Of two concurrent first starts, the second waits here and then finds the accounts. */
export async function lockAccountPool(tx: Tx): Promise<void> {
  await tx.query(sql`lock table collecting_accounts in share row exclusive mode`)
}

export type NewAccount = Pick<
  CollectingAccount,
  'id' | 'bankId' | 'title' | 'iban' | 'currency' | 'state' | 'connection' | 'awaitsConnection'
>

export async function insertAccounts(
  tx: Tx,
  accounts: (NewAccount & { mark: string })[],
  createdAt: Date,
): Promise<void> {
  const text = 'text' as const
  const facts = { id: text, bankId: text, title: text, iban: text, currency: text, state: text, connection: text }
  const types = { ...facts, awaitsConnection: 'boolean' as const, mark: text }
  await tx.query(sql`
    insert into collecting_accounts (
      id, bank_id, title, iban, currency, state, connection, awaits_connection, mark, created_at
    )
    select added.*, ${createdAt}::timestamptz from ${rowsOf('added', accounts, types)}`)
}

export async function updateEnabled(tx: Tx, bankId: string, enabled: boolean): Promise<void> {
  await tx.query(sql`update banks set enabled = ${enabled} where id = ${bankId}`)
}

export async function updateAccountState(tx: Tx, id: string, state: AccountState): Promise<void> {
  await tx.query(sql`update collecting_accounts set state = ${state} where id = ${id}`)
}

export async function updateKarekod(tx: Tx, id: string, producer: string | null): Promise<void> {
  await tx.query(sql`update collecting_accounts set karekod_producer = ${producer} where id = ${id}`)
}

export async function updateAccountLimits(
  tx: Tx,
  id: string,
  limits: { amount: bigint | null; count: number | null },
): Promise<void> {
  await tx.query(sql`
    update collecting_accounts set daily_amount_limit = ${limits.amount}, daily_count_limit = ${limits.count}
    where id = ${id}`)
}

type Connected = Pick<NewAccount, 'id' | 'connection' | 'awaitsConnection'> & { mark: string }

export async function updateConnections(tx: Tx, accounts: Connected[]): Promise<void> {
  const types = { id: 'text', connection: 'text', awaitsConnection: 'boolean', mark: 'text' } as const
  await tx.query(sql`
    update collecting_accounts a set connection = n.connection, awaits_connection = n.awaits_connection, mark = n.mark
    from ${rowsOf('n', accounts, types)} where a.id = n.id`)
}

/** Payouts stop from these accounts and go on from all others. */
export async function updateStops(tx: Tx, ids: string[]): Promise<void> {
  await tx.query(sql`
    update collecting_accounts set stopped_by = case when id = any(${ids}::text[]) then 'books_differ' end
    where (stopped_by is not null) <> (id = any(${ids}::text[]))`)
}

/** As a subquery: indexes of bank lines begin with the account. */
export const everyAccount = sql`select id from collecting_accounts`

export function ibanOfAccount(id: string | Sql): Sql {
  return sql`(select a.iban from collecting_accounts a where a.id = ${id})`
}

export type Holiday = { day: string; name: string; halfDay: boolean }

export function selectHolidays(db: Queryable): Promise<Holiday[]> {
  return db.query<Holiday>(sql`
    select to_char(day, 'YYYY-MM-DD') as day, name, half_day as "halfDay" from bank_holidays order by day`)
}

export function selectFastCaps(db: Queryable): Promise<{ from: string; amount: bigint }[]> {
  return db.query<{ from: string; amount: bigint }>(sql`
    select to_char(effective_from, 'YYYY-MM-DD') as "from", amount from fast_caps order by effective_from`)
}
