import type { Sql } from './sql.ts'
import { sql } from './sql.ts'

/**
 * `merchant_id` and `id` of the newest rows of these merchants. `ofOne`: the newest ids of merchant `m`. Reads one id of each, and
 * a page of those merchants only that have the newest ones: no other can have a row of the page.
 */
export function newestOfAll(merchants: Sql, ofOne: (limit: number) => Sql, limit: number): Sql {
  return sql`
    select m.id as merchant_id, one.id from (
      select m.id from (${merchants}) as m cross join lateral (${ofOne(1)}) as newest order by newest.id desc limit ${limit}
    ) as m cross join lateral (${ofOne(limit)}) as one order by one.id desc limit ${limit}`
}

/** The same of any rows, as many as are wanted: it stops as soon as it has them, however many merchants there are. */
export function anyOfAll(merchants: Sql, ofOne: (limit: number) => Sql, limit: number): Sql {
  return sql`
    select m.id as merchant_id, one.id from (${merchants}) as m cross join lateral (${ofOne(limit)}) as one limit ${limit}`
}
