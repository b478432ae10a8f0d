import type { CreatedIn, PageFilter } from '../../../kernel/page.ts'
import type { Queryable } from '../../../platform/postgres/db.ts'
import { ofMerchant } from '../../../platform/postgres/has-status.ts'
import { anyOfAll, newestOfAll } from '../../../platform/postgres/newest-of-all.ts'
import type { Sql } from '../../../platform/postgres/sql.ts'
import { sql } from '../../../platform/postgres/sql.ts'
import { merchantsSql } from '../../merchants/index.ts'
import type { Deposit } from '../deposit.ts'
import { depositsSql, storedDeposits } from '../store.ts'

/** How many customers have not paid yet into each of these accounts. */
export async function openByAccount(db: Queryable, accountIds: string[]): Promise<Map<string, number>> {
  const open = depositsSql(sql`where d.status = 'pending' and d.collecting_account_id = any(${accountIds}::text[])`)
  const rows = await db.query<{ id: string; count: number }>(sql`
    select d."collectingAccountId" as id, count(*)::int as count from (${open}) as d group by d."collectingAccountId"`)
  return new Map(rows.map(({ id, count }) => [id, count]))
}

export type StatusTotal = { status: string; currency: string; count: number; amount: bigint }

/** `completed`: what arrived, or was paid. */
export type CurrencySum = Omit<StatusTotal, 'status'> & { completed: bigint; completedCount: number }

/** Of one merchant's deposits that were created in this period, to half a minute, by status. */
export function depositTotals(
  db: Queryable,
  merchantId: string,
  { notBefore, before }: CreatedIn,
): Promise<StatusTotal[]> {
  const rows = depositsSql(sql`
    where d.merchant_id = ${merchantId} and d.id >= ${notBefore} and d.id < ${before}`)
  return db.query<StatusTotal>(sql`
    select d.status, d.currency, count(*)::int as count, sum(d.amount)::bigint as amount
    from (${rows}) as d group by d.status, d.currency order by d.currency, d.status`)
}

export function depositsWithIds(db: Queryable, merchantId: string, ids: string[]): Promise<Deposit[]> {
  const row = depositsSql(sql`where d.merchant_id = ${merchantId} and d.id = one.id offset 0`)
  return db.query<Deposit>(sql`select d.* from unnest(${ids}::text[]) as one (id) cross join lateral (${row}) as d`)
}

/** Of one merchant or of all, newest first: the ids of the page, then their rows. */
export function depositsOfAll(db: Queryable, merchantId: string | null, filter: PageFilter): Promise<Deposit[]> {
  const row = depositsSql(sql`where d.merchant_id = page.merchant_id and d.id = page.id offset 0`)
  return db.query<Deposit>(sql`
    select d.* from (${idsOfPage(merchantId, filter)}) as page cross join lateral (${row}) as d order by d.id desc`)
}

/** How many the filter has, by currency, and their sum. Null from `limit` of them on, before their rows are read. */
export async function depositSums(
  db: Queryable,
  merchantId: string | null,
  filter: PageFilter,
): Promise<CurrencySum[] | null> {
  const ids = idsOfPage(merchantId, filter, anyOfAll)
  const [all] = await db.query<{ count: number }>(sql`select count(*)::int as count from (${ids}) as page`)
  if (all && all.count >= filter.limit) return null
  const row = storedDeposits(sql`where d.merchant_id = page.merchant_id and d.id = page.id offset 0`)
  return db.query<CurrencySum>(sql`
    select d.currency, count(*)::int as count, sum(d.amount)::bigint as amount,
      coalesce(sum(coalesce(d.received_amount, d.amount)) filter (where d.status = 'completed'), 0)::bigint as completed,
      (count(*) filter (where d.status = 'completed'))::int as "completedCount"
    from (${ids}) as page cross join lateral (${row}) as d group by d.currency order by d.currency`)
}

/** Of all by the index of the status, of one by its own. */
function idsOfPage(
  merchantId: string | null,
  { status, before, notBefore, limit }: PageFilter,
  ofAll = newestOfAll,
): Sql {
  const page = (most: number) => sql`d.id < ${before} and d.id >= ${notBefore} order by d.id desc limit ${most}`
  if (status === 'pending')
    return sql`select d.merchant_id, d.id from (${pendingOf(merchantId)}) as d where ${page(limit)}`
  if (status !== undefined && merchantId === null)
    return storedDeposits(sql`where d.status <> 'pending' and d.status = ${status} and ${page(limit)}`)
  const ofOne = (most: number) => storedDeposits(sql`where ${ofMerchant(sql`d`, status)} and ${page(most)}`)
  return ofAll(merchantsSql(merchantId), ofOne, limit)
}

/** By their own index, however many there were before. */
function pendingOf(merchantId: string | null): Sql {
  const ofOne = storedDeposits(sql`where d.merchant_id = m.id and d.status = 'pending' order by d.expires_at offset 0`)
  return sql`select d.* from (${merchantsSql(merchantId)}) as m cross join lateral (${ofOne}) as d`
}
