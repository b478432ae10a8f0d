import type { CreatedIn, PageFilter } from '../../../kernel/page.ts'
import type { Queryable } from '../../../platform/postgres/db.ts'
import { ofMerchant } from '../../../platform/postgres/has-status.ts'
import { anyOfAll, newestOfAll } from '../../../platform/postgres/newest-of-all.ts'
import type { Sql } from '../../../platform/postgres/sql.ts'
import { sql } from '../../../platform/postgres/sql.ts'
import { merchantsSql } from '../../merchants/index.ts'
import type { CurrencySum, StatusTotal } from '../../deposits/index.ts'
import type { Withdrawal } from '../withdrawal.ts'
import { WITHDRAWAL_STATES, STATUS_OF } from '../withdrawal.ts'
import { pendingOfAll, storedWithdrawals, withdrawalsSql } from '../store.ts'

export type QueueTotal = { currency: string; count: number; amount: bigint; oldest: Date }

export function totalsToApprove(db: Queryable): Promise<QueueTotal[]> {
  return totalsOf(db, sql`where w.state = 'awaiting_approval'`)
}

/** Those that nothing delays but funds, limits, a freeze, a restore or a missing worker. */
export function totalsQueued(db: Queryable): Promise<QueueTotal[]> {
  return totalsOf(db, sql`where w.state = 'queued' and w.scheduled_for is null`)
}

function totalsOf(db: Queryable, which: Sql): Promise<QueueTotal[]> {
  return db.query<QueueTotal>(sql`
    select w.currency, count(*)::int as count, sum(w.amount)::bigint as amount, min(w."createdAt") as oldest
    from (${withdrawalsSql(which)}) as w group by w.currency order by w.currency`)
}

/** Names under which withdrawals to these IBANs are pending, or sent and not ended, one for each withdrawal, of all merchants. */
export function pendingTo(db: Queryable, ibans: string[]): Promise<{ iban: string; accountName: string }[]> {
  return db.query(sql`
    select w.iban, w.account_name as "accountName" from (${pendingOfAll}
      union all (${storedWithdrawals(sql`where w.state in ('sending', 'unknown') and w.state <> 'queued' offset 0`)})
    ) as w where w.iban = any(${ibans}::text[])`)
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

export function withdrawalsWithIds(db: Queryable, merchantId: string, ids: string[]): Promise<Withdrawal[]> {
  const row = withdrawalsSql(sql`where w.merchant_id = ${merchantId} and w.id = one.id offset 0`)
  return db.query<Withdrawal>(sql`select w.* from unnest(${ids}::text[]) as one (id) cross join lateral (${row}) as w`)
}

/** Of one merchant or of all, newest first: the ids of the page, then their rows. */
export function withdrawalsOfAll(db: Queryable, merchantId: string | null, filter: PageFilter): Promise<Withdrawal[]> {
  const row = withdrawalsSql(sql`where w.merchant_id = page.merchant_id and w.id = page.id offset 0`)
  return db.query<Withdrawal>(sql`
    select w.* from (${idsOfPage(merchantId, filter)}) as page cross join lateral (${row}) as w order by w.id desc`)
}

/** How many the filter has, by currency, and their sum. Null from `limit` of them on, before their rows are read. */
export async function withdrawalSums(
  db: Queryable,
  merchantId: string | null,
  filter: PageFilter,
): Promise<CurrencySum[] | null> {
  const ids = idsOfPage(merchantId, filter, anyOfAll)
  const [all] = await db.query<{ count: number }>(sql`select count(*)::int as count from (${ids}) as page`)
  if (all && all.count >= filter.limit) return null
  const row = storedWithdrawals(sql`where w.merchant_id = page.merchant_id and w.id = page.id offset 0`)
  return db.query<CurrencySum>(sql`
    select w.currency, count(*)::int as count, sum(w.amount)::bigint as amount,
      coalesce(sum(w.amount) filter (where w.state = 'sent'), 0)::bigint as completed,
      (count(*) filter (where w.state = 'sent'))::int as "completedCount"
    from (${ids}) as page cross join lateral (${row}) as w group by w.currency order by w.currency`)
}

/** Pending ones by the indexes of what is open, others of all merchants by state, of one by its own index. */
function idsOfPage(
  merchantId: string | null,
  { status, before, notBefore, limit }: PageFilter,
  ofAll = newestOfAll,
): Sql {
  const page = (most: number) => sql`w.id < ${before} and w.id >= ${notBefore} order by w.id desc limit ${most}`
  if (status === 'pending')
    return sql`select w.merchant_id, w.id from (${pendingOfAll}) as w
      where w.merchant_id = coalesce(${merchantId}, w.merchant_id) and ${page(limit)}`
  if (status !== undefined && merchantId === null) {
    const states = WITHDRAWAL_STATES.filter((state) => STATUS_OF[state] === status)
    const ofStage = storedWithdrawals(sql`where w.state <> 'queued' and w.state = s.state and ${page(limit)}`)
    return sql`select w.merchant_id, w.id from unnest(${states}::text[]) as s (state) cross join lateral (${ofStage}) as w
      order by w.id desc limit ${limit}`
  }
  const ofOne = (most: number) => storedWithdrawals(sql`where ${ofMerchant(sql`w`, status)} and ${page(most)}`)
  return ofAll(merchantsSql(merchantId), ofOne, limit)
}
