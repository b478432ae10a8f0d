import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import { sql } from '../../../platform/postgres/sql.ts'
import type { Schedule, SetSchedule } from '../store.ts'
import { everyMerchant, schedulesSql } from '../store.ts'

/** The merchant's own account. */
export type SettlementAccount = { iban: string; title: string }

export type Registered = SettlementAccount & {
  merchantId: string
  number: number
  proposedBy: string
  confirmedBy: string
  confirmedAt: Date
}

/** The newest row of each of these merchants; null: of all. */
export function newestAccounts(db: Queryable, ids: string[] | null): Promise<(Registered & { mark: string })[]> {
  const merchants = ids === null ? everyMerchant : sql`select unnest(${ids}::text[])`
  return db.query(sql`
    select newest.* from (${merchants}) as m (id) cross join lateral (
      select a.merchant_id as "merchantId", a.number, a.iban, a.title, a.proposed_by as "proposedBy",
        a.confirmed_by as "confirmedBy", a.confirmed_at as "confirmedAt", a.mark
      from settlement_accounts a where a.merchant_id = m.id order by a.number desc limit 1
    ) as newest`)
}

/** The caller has locked the merchant and numbered the row. */
export async function insertSettlementAccount(tx: Tx, row: Registered & { mark: string }): Promise<void> {
  const { merchantId, number, iban, title, proposedBy, confirmedBy, confirmedAt, mark } = row
  await tx.query(sql`
    insert into settlement_accounts (
      merchant_id, number, iban, title, proposed_by, confirmed_by, confirmed_at, mark
    ) values (${merchantId}, ${number}, ${iban}, ${title}, ${proposedBy}, ${confirmedBy}, ${confirmedAt}, ${mark})`)
}

/** With the time since which it is in force. */
export async function findSetSchedule(db: Queryable, merchantId: string): Promise<SetSchedule | null> {
  const [row] = await db.query<SetSchedule>(sql`
    select s.every, s.weekday, s.minute, s.minimum, s."setAt" from (${schedulesSql}) s
    where s."merchantId" = ${merchantId} and s."setAt" is not null`)
  return row ?? null
}

export async function findSchedule(db: Queryable, merchantId: string): Promise<Schedule | null> {
  const found = await findSetSchedule(db, merchantId)
  if (!found) return null
  const { setAt: _, ...schedule } = found
  return schedule
}

/** Without frozen merchants, which wait, and those that have no account. */
export function activeSchedules(db: Queryable): Promise<(SetSchedule & { merchantId: string })[]> {
  return db.query(sql`
    select s."merchantId", s.every, s.weekday, s.minute, s.minimum, s."setAt" from (${schedulesSql}) s
    where s.every <> 'off' and not s.frozen
      and exists (select from settlement_accounts a where a.merchant_id = s."merchantId")
    order by s."merchantId"`)
}
