import type { Found, Search } from '../../../kernel/search.ts'
import { MAX_PENDING_READ, MAX_ROWS_READ } from '../../../kernel/search.ts'
import type { Queryable } from '../../../platform/postgres/db.ts'
import type { Wanted } from '../../../platform/postgres/newest-words.ts'
import { entries, newestWithWords, ownEntries } from '../../../platform/postgres/newest-words.ts'
import type { Sql } from '../../../platform/postgres/sql.ts'
import { sql } from '../../../platform/postgres/sql.ts'
import { merchantsSql } from '../../merchants/index.ts'
import { DEPOSIT_STATUSES } from '../deposit.ts'
import { storedDeposits } from '../store.ts'

const customerText = sql`d.customer_id || ' ' || d.customer_name || ' ' || d.customer_username`
const isCustomer = (text: string | null) => sql`search_words(${customerText}) @@ (select search_query(${text}))`

/** All that are not pending, each status by its own part of the index. */
const DECIDED = DEPOSIT_STATUSES.filter((status) => status !== 'pending')
const firstOfAll = (order: Sql) => sql`(
  select first.id from unnest(${DECIDED}::text[]) as s (status) cross join lateral (
    ${storedDeposits(sql`where d.status <> 'pending' and d.status = s.status order by d.id ${order} limit 1`)}
  ) as first order by first.id ${order} limit 1)`

/** Not pending. Spelled like the index. */
const withEntries = (wanted: Wanted, limit: number | null) =>
  newestWithWords(wanted, {
    ...{ row: sql`d`, oldest: firstOfAll(sql`asc`), newest: firstOfAll(sql`desc`), limit },
    found: (query) =>
      storedDeposits(sql`where d.status <> 'pending'
        and (${entries(sql`d`, customerText)} || ${ownEntries(sql`d`, customerText)}) @@ ${query}`),
  })

/**
 * Of one merchant, or of all. Pending ones are in none of the indexes by amount and customer, which would slow down creation; they
 * are few.
 */
export function searchDeposits(
  db: Queryable,
  merchantId: string | null,
  search: Search,
  limit: number,
): Promise<Found[]> {
  const { words, id, processIds, code, amounts, named } = search
  const isOwn = merchantId === null ? sql`true` : sql`d.merchant_id = ${merchantId}`
  const byProcessId = sql`
    (${merchantsSql(merchantId)}) as m cross join unnest(${processIds}::text[]) as p (wanted)
    cross join lateral (${storedDeposits(sql`where d.merchant_id = m.id and d.process_id = p.wanted offset 0`)}) as d`
  const byId = storedDeposits(sql`where d.status <> 'pending' and d.status = any(${DECIDED}::text[]) and d.id = ${id}`)
  const pending = (condition: Sql) =>
    sql`(${storedDeposits(sql`where d.status = 'pending' and ${isOwn} and ${condition} limit ${MAX_ROWS_READ}`)}) as d`
  const newestPending = sql`(
    select d.* from (${storedDeposits(sql`where d.status = 'pending' and ${isOwn} offset 0`)}) as d
    order by d.id desc limit ${MAX_PENDING_READ}) as d`
  const customer = sql`'customer ' || d.customer_name`
  const hasAmount = sql`d.amount = any(${named?.amounts ?? []}::bigint[])`
  const byNameAndAmount = named
    ? sql`
      union all (select d.*, ${customer} || ', amount'
        from ${withEntries({ merchantId, text: named.words, amounts: named.amounts }, limit)} limit ${limit})
      union all (select d.*, ${customer} || ', amount' from ${pending(sql`${hasAmount} and ${isCustomer(named.words)}`)})`
    : sql``
  return db.query<Found>(sql`
    select 'deposit' as kind, d.id, d.merchant_id as "merchantId", d.amount, d.currency, d.status,
      d.created_at as "createdAt", d.matched
    from (
      (select d.*, 'transaction id' as matched from (${byId}) as d)
      union all (select d.*, 'transaction id' from ${pending(sql`d.id = ${id}`)})
      union all (select d.*, 'processId' from ${byProcessId})
      union all (select d.*, 'code ' || d.reference_code from (${storedDeposits(sql`where d.reference_code = ${code}`)}) as d)
      union all (select d.*, 'amount' from ${byAmount(merchantId, amounts, limit)})
      union all (select d.*, ${customer} from ${withEntries({ merchantId, text: words }, limit)} limit ${limit})
      union all (select d.*, 'amount' from ${pending(sql`d.amount = any(${amounts}::bigint[])`)})
      union all (select d.*, ${customer} from ${newestPending} where ${isCustomer(words)} limit ${MAX_ROWS_READ})${byNameAndAmount}
    ) as d where ${isOwn} order by d.id desc limit ${limit}`)
}

/** Of all in the order of an index of amounts, of one merchant by its entries. */
function byAmount(merchantId: string | null, amounts: bigint[], limit: number): Sql {
  if (merchantId !== null) return sql`${withEntries({ merchantId, amounts }, limit)} limit ${limit}`
  const ofAll = storedDeposits(
    sql`where d.amount = a.wanted and d.status <> 'pending' order by d.id desc limit ${limit}`,
  )
  return sql`unnest(${amounts}::bigint[]) as a (wanted) cross join lateral (${ofAll}) as d`
}

/** All deposits of a customer, by the merchant's id for it. Found by the words of the id, not among all of the merchant's. */
export async function depositsOfCustomer(db: Queryable, merchantId: string, customerId: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql`
    select d.id from (
      (select d.* from ${withEntries({ merchantId, text: customerId }, null)})
      union all (${storedDeposits(sql`where d.status = 'pending' offset 0`)})
    ) as d where d.merchant_id = ${merchantId} and d.customer_id = ${customerId} order by d.id`)
  return rows.map(({ id }) => id)
}
