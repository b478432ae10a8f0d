import type { CreatedIn, PageFilter } from '../../../kernel/page.ts'
import type { Queryable } from '../../../platform/postgres/db.ts'
import { ofMerchant } from '../../../platform/postgres/has-status.ts'
import { sql } from '../../../platform/postgres/sql.ts'
import { merchantsSql } from '../../merchants/index.ts'
import type { StatusTotal } from '../../deposits/index.ts'
import type { Withdrawal } from '../withdrawal.ts'
import { withdrawalsSql, storedWithdrawals } from '../store.ts'

export type StageTotal = { currency: string; count: number; amount: bigint; oldest: Date }

export function totalsToApprove(db: Queryable): Promise<StageTotal[]> {
  const rows = withdrawalsSql(sql`where w.stage = 'awaiting_approval'`)
  return db.query<StageTotal>(sql`
    select w.currency, count(*)::int as count, sum(w.amount)::bigint as amount, min(w."createdAt") as oldest
    from (${rows}) as w group by w.currency order by w.currency`)
}

/** Of one merchant's withdrawals that were created in this period, to half a minute, by status. */
export function withdrawalTotals(
  db: Queryable,
  merchantId: string,
  { notBefore, before }: CreatedIn,
): Promise<StatusTotal[]> {
  const rows = withdrawalsSql(sql`
    where w.merchant_id = ${merchantId} and w.id >= ${notBefore} and w.id < ${before}`)
  return db.query<StatusTotal>(sql`
    select w.status, w.currency, count(*)::int as count, sum(w.amount)::bigint as amount
    from (${rows}) as w group by w.status, w.currency order by w.currency, w.status`)
}

/** Of one merchant or of all, newest first. The ids of each merchant's newest by its own index, the newest of those, then their rows. */
export function withdrawalsOfAll(db: Queryable, merchantId: string | null, filter: PageFilter): Promise<Withdrawal[]> {
  const one = storedWithdrawals(sql`
    where ${ofMerchant(sql`w`, filter.status)} and w.id < ${filter.before} and w.id >= ${filter.notBefore}
    order by w.id desc limit ${filter.limit}`)
  const row = withdrawalsSql(sql`where w.merchant_id = page.merchant_id and w.id = page.id offset 0`)
  return db.query<Withdrawal>(sql`
    select w.* from (
      select m.id as merchant_id, one.id from (${merchantsSql(merchantId)}) as m cross join lateral (${one}) as one
      order by one.id desc limit ${filter.limit}
    ) as page cross join lateral (${row}) as w order by w.id desc`)
}
