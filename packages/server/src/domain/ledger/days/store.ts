import type { Queryable } from '../../../platform/postgres/db.ts'
import type { Sql } from '../../../platform/postgres/sql.ts'
import { sql } from '../../../platform/postgres/sql.ts'
import { accountsSql, transfersSql } from '../store.ts'

// Entries by accounting date.

/** Days (yyyy-mm-dd) after `after`, or all if it is null, up to and including `until`. */
export type DayWindow = { after: string | null; until: string }

const isWithin = ({ after, until }: DayWindow) => sql`
  t.effective_on > coalesce(${after}::date, '-infinity') and t.effective_on <= ${until}::date`

/** Net change of each ledger account: account, amount. */
export function movedSql(window: DayWindow): Sql {
  return sql`
    select both_sides.account, sum(both_sides.amount)::bigint as amount from (
      select t.to_account as account, t.amount from ${transfersSql} t where ${isWithin(window)}
      union all
      select t.from_account, -t.amount from ${transfersSql} t where ${isWithin(window)}
    ) as both_sides group by both_sides.account`
}

/** Positive: the bank holds more. */
const signed = sql`case when t.from_account = a.id then t.amount else -t.amount end`
const cashOf = (accountId: string) => sql`a.kind = 'bank_cash' and a.subject = ${accountId}`
const movesIt = sql`(t.from_account = a.id or t.to_account = a.id)`

/** What moved the cash of a collecting account: merchant_id, subject_id, amount. */
export function cashWindowSql(accountId: string, window: DayWindow): Sql {
  return sql`
    select t.merchant_id, t.subject_id, ${signed} as amount from ${accountsSql} as a join ${transfersSql} t on ${movesIt}
    where ${cashOf(accountId)} and ${isWithin(window)} and t.kind <> ${OPENING}`
}

/** The balance that an account had before its first line: no line shows it. */
const OPENING = 'journal_opening_balance'

export type CashMove = { subjectId: string; day: string; aboutDay: string | null; amount: bigint }

/** Every movement of this account's cash about these subjects, whenever it was. */
export function cashAbout(
  db: Queryable,
  accountId: string,
  keys: { merchantId: string; subjectId: string }[],
): Promise<CashMove[]> {
  return db.query<CashMove>(sql`
    select t.subject_id as "subjectId", to_char(t.effective_on, 'YYYY-MM-DD') as day,
      to_char(t.about_day, 'YYYY-MM-DD') as "aboutDay", ${signed} as amount
    from unnest(
      ${keys.map(({ merchantId }) => merchantId)}::text[], ${keys.map(({ subjectId }) => subjectId)}::text[]
    ) as wanted (merchant_id, subject_id)
    join ${transfersSql} t using (merchant_id, subject_id)
    join ${accountsSql} as a on ${movesIt}
    where ${cashOf(accountId)} and t.kind <> ${OPENING}`)
}

/** What belongs to a merchant. */
export const MERCHANT_MONEY = ['merchant_available', 'merchant_held', 'payouts_in_transit']

/**
 * Entries that changed what a merchant has, or the fees earned from it, by owner of the account and in order. `net` is
 * the change of the merchant's money, `fee` that of the fees.
 */
export function merchantEntriesSql(window: DayWindow, merchantId: string | null): Sql {
  const leg = (account: Sql, amount: Sql) => sql`
    select t.entry_id, t.effective_on, t.about_day, t.kind, t.subject_id, t.currency, ${account} as account, ${amount} as amount
    from ${transfersSql} t where ${isWithin(window)}`
  return sql`
    select leg.entry_id, leg.effective_on, max(leg.about_day) as about_day, leg.kind, leg.subject_id, leg.currency, a.merchant_id,
      coalesce(sum(leg.amount) filter (where a.kind = any(${MERCHANT_MONEY}::text[])), 0)::bigint as net,
      coalesce(sum(leg.amount) filter (where a.kind = 'fees'), 0)::bigint as fee
    from (
      ${leg(sql`t.to_account`, sql`t.amount`)} union all ${leg(sql`t.from_account`, sql`-t.amount`)}
    ) as leg
    join ${accountsSql} as a on a.id = leg.account
    where (a.kind = any(${MERCHANT_MONEY}::text[]) or a.kind = 'fees')
      and a.merchant_id = coalesce(${merchantId}, a.merchant_id)
    group by leg.entry_id, leg.effective_on, leg.kind, leg.subject_id, leg.currency, a.merchant_id
    having coalesce(sum(leg.amount) filter (where a.kind = 'fees'), 0) <> 0
      or coalesce(sum(leg.amount) filter (where a.kind <> 'fees'), 0) <> 0`
}

/** Every transfer with the accounts that it moved, in order. */
export function journalSql(window: DayWindow, merchantId: string | null): Sql {
  return sql`
    select to_char(t.effective_on, 'YYYY-MM-DD') as day, to_char(t.about_day, 'YYYY-MM-DD') as "aboutDay",
      t.entry_id as "entryId", t.kind, t.merchant_id as "merchantId", t.subject_id as "subjectId", t.actor,
      f.kind as "fromKind", coalesce(nullif(f.subject, ''), f.merchant_id) as "fromOwner",
      g.kind as "toKind", coalesce(nullif(g.subject, ''), g.merchant_id) as "toOwner", t.currency, t.amount
    from ${transfersSql} t join ${accountsSql} as f on f.id = t.from_account join ${accountsSql} as g on g.id = t.to_account
    where ${isWithin(window)} and t.merchant_id = coalesce(${merchantId}, t.merchant_id)
    order by t.effective_on, t.entry_id, t.id`
}
