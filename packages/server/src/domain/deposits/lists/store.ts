import type { CreatedIn, PageFilter } from '../../../kernel/page.ts'
import type { Queryable } from '../../../platform/postgres/db.ts'
import { ofMerchant } from '../../../platform/postgres/has-status.ts'
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

/** Of one merchant or of all, newest first: the ids of each merchant's newest, the newest of those, then their rows. */
export function depositsOfAll(db: Queryable, merchantId: string | null, filter: PageFilter): Promise<Deposit[]> {
  const row = depositsSql(sql`where d.merchant_id = page.merchant_id and d.id = page.id offset 0`)
  return db.query<Deposit>(sql`
    select d.* from (
      select m.id as merchant_id, one.id from (${merchantsSql(merchantId)}) as m
      cross join lateral (${newestOfMerchant(filter)}) as one order by one.id desc limit ${filter.limit}
    ) as page cross join lateral (${row}) as d order by d.id desc`)
}

/** Of merchant `m`. `offset 0`: pending ones by their own index, however many there were. */
function newestOfMerchant({ status, before, notBefore, limit }: PageFilter): Sql {
  const page = sql`d.id < ${before} and d.id >= ${notBefore} order by d.id desc limit ${limit}`
  if (status !== 'pending') return storedDeposits(sql`where ${ofMerchant(sql`d`, status)} and ${page}`)
  const pending = storedDeposits(sql`where ${ofMerchant(sql`d`, status)} order by d.expires_at offset 0`)
  return sql`select d.id from (${pending}) as d where ${page}`
}
