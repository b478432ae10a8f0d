import type { CreatedIn, PageFilter } from '../../../kernel/page.ts'
import type { Queryable } from '../../../platform/postgres/db.ts'
import { ofMerchant } from '../../../platform/postgres/has-status.ts'
import type { Sql } from '../../../platform/postgres/sql.ts'
import { sql } from '../../../platform/postgres/sql.ts'
import { merchantsSql } from '../../merchants/index.ts'
import type { StatusTotal } from '../../deposits/index.ts'
import type { Withdrawal } from '../withdrawal.ts'
import { withdrawalsSql } from '../store.ts'

export type StageTotal = { currency: string; count: number; amount: bigint; oldest: Date }

export function totalsToApprove(db: Queryable): Promise<StageTotal[]> {
  return totalsOf(db, sql`where w.stage = 'awaiting_approval'`)
}

/** Those that nothing delays but funds, limits, a freeze, a restore or a missing worker. */
export function totalsQueued(db: Queryable): Promise<StageTotal[]> {
  return totalsOf(db, sql`where w.stage in ('queued', 'scheduled') and w.stage = 'queued'`)
}

function totalsOf(db: Queryable, which: Sql): Promise<StageTotal[]> {
  return db.query<StageTotal>(sql`
    select w.currency, count(*)::int as count, sum(w.amount)::bigint as amount, min(w."createdAt") as oldest
    from (${withdrawalsSql(which)}) as w group by w.currency order by w.currency`)
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

/** Of one merchant or of all, newest first. Each merchant's newest by its own index, then the newest of those. */
export function withdrawalsOfAll(db: Queryable, merchantId: string | null, filter: PageFilter): Promise<Withdrawal[]> {
  const one = withdrawalsSql(sql`
    where ${ofMerchant(sql`w`, filter.status)} and w.id < ${filter.before} and w.id >= ${filter.notBefore}
    order by w.id desc limit ${filter.limit}`)
  return db.query<Withdrawal>(sql`
    select w.* from (${merchantsSql(merchantId)}) as m cross join lateral (${one}) as w
    order by w.id desc limit ${filter.limit}`)
}
