import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import { sql } from '../../../platform/postgres/sql.ts'
import { frozenMerchants } from '../store.ts'

/** The merchant's own account. */
export type SettlementAccount = { iban: string; title: string }

/** `minute` of the day and `weekday` (1 is Monday) in Istanbul. Smaller balances than `minimum` stay. */
export type Schedule = { every: 'off' | 'day' | 'week'; weekday: number | null; minute: number; minimum: bigint }

export async function findSettlementAccount(db: Queryable, merchantId: string): Promise<SettlementAccount | null> {
  const [row] = await db.query<SettlementAccount>(sql`
    select iban, title from settlement_accounts where merchant_id = ${merchantId} order by number desc limit 1`)
  return row ?? null
}

/** Each in force, as merchant id and IBAN in one text. */
export async function settlementIbans(tx: Tx, merchantIds: string[]): Promise<Set<string>> {
  const rows = await tx.query<{ key: string }>(sql`
    select m.id || newest.iban as key from unnest(${merchantIds}::text[]) as m (id) cross join lateral (
      select a.iban from settlement_accounts a where a.merchant_id = m.id order by a.number desc limit 1
    ) as newest`)
  return new Set(rows.map(({ key }) => key))
}

type Registered = SettlementAccount & { proposedBy: string; confirmedBy: string }

/** The caller has locked the merchant, so numbers have no gaps. */
export async function insertSettlementAccount(tx: Tx, merchantId: string, row: Registered, at: Date): Promise<void> {
  await tx.query(sql`
    insert into settlement_accounts (merchant_id, number, iban, title, proposed_by, confirmed_by, confirmed_at)
    select ${merchantId}, count(*) + 1, ${row.iban}, ${row.title}, ${row.proposedBy}, ${row.confirmedBy}, ${at}
    from settlement_accounts where merchant_id = ${merchantId}`)
}

export type SetSchedule = Schedule & { setAt: Date }

/** With the time since which it is in force. */
export async function findSetSchedule(db: Queryable, merchantId: string): Promise<SetSchedule | null> {
  const [row] = await db.query<SetSchedule>(sql`
    select every, weekday, minute, minimum, set_at as "setAt" from settlement_schedules where merchant_id = ${merchantId}`)
  return row ?? null
}

export async function findSchedule(db: Queryable, merchantId: string): Promise<Schedule | null> {
  const found = await findSetSchedule(db, merchantId)
  if (!found) return null
  const { setAt: _, ...schedule } = found
  return schedule
}

export async function upsertSchedule(tx: Tx, merchantId: string, schedule: Schedule, at: Date): Promise<void> {
  const { every, weekday, minute, minimum } = schedule
  await tx.query(sql`
    insert into settlement_schedules (merchant_id, every, weekday, minute, minimum, set_at)
    values (${merchantId}, ${every}, ${weekday}, ${minute}, ${minimum}, ${at})
    on conflict (merchant_id) do update set every = ${every}, weekday = ${weekday}, minute = ${minute}, minimum = ${minimum},
      set_at = ${at}`)
}

/** Without frozen merchants, which wait, and those that have no account. */
export function activeSchedules(db: Queryable): Promise<(SetSchedule & { merchantId: string })[]> {
  return db.query(sql`
    select s.merchant_id as "merchantId", s.every, s.weekday, s.minute, s.minimum, s.set_at as "setAt"
    from settlement_schedules s
    where s.every <> 'off' and s.merchant_id not in (${frozenMerchants})
      and exists (select from settlement_accounts a where a.merchant_id = s.merchant_id)
    order by s.merchant_id`)
}
