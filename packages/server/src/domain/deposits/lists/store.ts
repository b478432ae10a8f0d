import type { PageFilter } from '../../../kernel/page.ts'
import type { Queryable } from '../../../platform/postgres/db.ts'
import { hasStatus } from '../../../platform/postgres/has-status.ts'
import { sql } from '../../../platform/postgres/sql.ts'
import { merchantsSql } from '../../merchants/index.ts'
import type { Deposit } from '../deposit.ts'
import { depositsSql } from '../store.ts'

/** Of one merchant or of all, newest first. Each merchant's newest by its own index, then the newest of those. */
export function depositsOfAll(db: Queryable, merchantId: string | null, filter: PageFilter): Promise<Deposit[]> {
  const one = depositsSql(sql`
    where d.merchant_id = m.id and d.id < ${filter.before} and d.id >= ${filter.notBefore}
      ${hasStatus(sql`d`, sql`m.id`, filter.status)}
    order by d.id desc limit ${filter.limit}`)
  return db.query<Deposit>(sql`
    select d.* from (${merchantsSql(merchantId)}) as m cross join lateral (${one}) as d
    order by d.id desc limit ${filter.limit}`)
}
