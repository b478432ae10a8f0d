import type { Found, Search } from '../../../kernel/search.ts'
import { MAX_PENDING_READ, MAX_ROWS_READ } from '../../../kernel/search.ts'
import type { Queryable } from '../../../platform/postgres/db.ts'
import type { Wanted } from '../../../platform/postgres/newest-words.ts'
import { entries, newestWithWords, ownEntries } from '../../../platform/postgres/newest-words.ts'
import type { Sql } from '../../../platform/postgres/sql.ts'
import { sql } from '../../../platform/postgres/sql.ts'
import { merchantsSql } from '../../merchants/index.ts'
import { pendingOfAll, storedWithdrawals } from '../store.ts'
import { WITHDRAWAL_STATES } from '../withdrawal.ts'

const customerText = sql`w.user_id || ' ' || w.user_name || ' ' || w.name || ' ' || w.account_name`
const isCustomer = (text: string | null) => sql`search_words(${customerText}) @@ (select search_query(${text}))`

/** Each state by its own part of the index, which has no queued ones. */
const SENT = WITHDRAWAL_STATES.filter((state) => state !== 'queued')
const firstOfAll = (order: Sql) => sql`(
  select first.id from unnest(${SENT}::text[]) as s (state) cross join lateral (
    ${storedWithdrawals(sql`where w.state <> 'queued' and w.state = s.state order by w.id ${order} limit 1`)}
  ) as first order by first.id ${order} limit 1)`

/** Not pending. Spelled like the index. */
const withEntries = (wanted: Wanted, limit: number | null) =>
  newestWithWords(wanted, {
    ...{ row: sql`w`, oldest: firstOfAll(sql`asc`), newest: firstOfAll(sql`desc`), limit },
    found: (query) =>
      storedWithdrawals(sql`where w.status <> 'pending'
        and (${entries(sql`w`, customerText)} || ${ownEntries(sql`w`, customerText)}) @@ ${query}`),
  })

const some = (rest: Sql) => sql`(${storedWithdrawals(sql`where ${rest}`)}) as w`

/**
 * Of one merchant, or of all. Pending ones are in none of the indexes by amount, IBAN and customer, which would slow down creation;
 * they are few.
 */
export function searchWithdrawals(
  db: Queryable,
  merchantId: string | null,
  search: Search,
  limit: number,
): Promise<Found[]> {
  const { words, id, processIds, amounts, iban, named } = search
  const isOwn = merchantId === null ? sql`true` : sql`w.merchant_id = ${merchantId}`
  const byProcessId = sql`
    (${merchantsSql(merchantId)}) as m cross join unnest(${processIds}::text[]) as p (wanted)
    cross join lateral (${storedWithdrawals(sql`where w.merchant_id = m.id and w.process_id = p.wanted offset 0`)}) as w`
  const hasIban = sql`(reverse(w.iban) collate "C") between ${iban?.from} and ${iban?.to}`
  // Not by the merchant: without statistics an index of all its rows would be preferred.
  const byIban = some(
    sql`w.status <> 'pending' and ${hasIban} order by reverse(w.iban) collate "C" desc, w.id desc offset 0`,
  )
  const customer = sql`'customer ' || w.account_name`
  const pending = (condition: Sql, matched: Sql, rows = pendingOfAll) => sql`
    union all (select w.*, ${matched} from (${rows}) as w where ${isOwn} and ${condition} limit ${MAX_ROWS_READ})`
  const newestPending = sql`
    select w.* from (${pendingOfAll}) as w where ${isOwn} order by w.id desc limit ${MAX_PENDING_READ}`
  const hasAmount = sql`w.amount = any(${named?.amounts ?? []}::bigint[])`
  const byNameAndAmount = named
    ? sql`
      union all (select w.*, ${customer} || ', amount'
        from ${withEntries({ merchantId, text: named.words, amounts: named.amounts }, limit)} limit ${limit})
      ${pending(sql`${hasAmount} and ${isCustomer(named.words)}`, sql`${customer} || ', amount'`)}`
    : sql``
  return db.query<Found>(sql`
    select 'withdrawal' as kind, w.id, w.merchant_id as "merchantId", w.amount, w.currency, w.status,
      w.created_at as "createdAt", w.matched
    from (
      (select w.*, 'transaction id' as matched from ${some(sql`w.state <> 'queued' and w.state = any(${SENT}::text[]) and w.id = ${id}`)})
      union all (select w.*, 'transaction id' from ${some(sql`w.state = 'queued' and w.id = ${id}`)})
      union all (select w.*, 'processId' from ${byProcessId})
      union all (select w.*, 'amount' from ${byAmount(merchantId, amounts, limit)})
      union all (select w.*, 'IBAN ' || w.iban from ${byIban} where ${isOwn} limit ${limit})
      union all (select w.*, ${customer} from ${withEntries({ merchantId, text: words }, limit)} limit ${limit})
      ${pending(sql`w.amount = any(${amounts}::bigint[])`, sql`'amount'`)}
      ${pending(hasIban, sql`'IBAN ' || w.iban`)}
      ${pending(isCustomer(words), customer, newestPending)}${byNameAndAmount}
    ) as w where ${isOwn} order by w.id desc limit ${limit}`)
}

/** Of all in the order of an index of amounts, of one merchant by its entries. */
function byAmount(merchantId: string | null, amounts: bigint[], limit: number): Sql {
  if (merchantId !== null) return sql`${withEntries({ merchantId, amounts }, limit)} limit ${limit}`
  const ofAll = some(sql`w.amount = a.wanted and w.status <> 'pending' order by w.id desc limit ${limit}`)
  return sql`unnest(${amounts}::bigint[]) as a (wanted) cross join lateral ${ofAll}`
}

/** All withdrawals of a customer, by the merchant's id for it. Found by the words of the id, not among all of the merchant's. */
export async function withdrawalsOfCustomer(db: Queryable, merchantId: string, userId: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql`
    select w.id from (
      (select w.* from ${withEntries({ merchantId, text: userId }, null)})
      union all ${pendingOfAll}
    ) as w where w.merchant_id = ${merchantId} and w.user_id = ${userId} order by w.id`)
  return rows.map(({ id }) => id)
}
