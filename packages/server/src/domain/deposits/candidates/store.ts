import type { Queryable } from '../../../platform/postgres/db.ts'
import { idsBetween } from '../../../platform/crypto/ids.ts'
import { sql } from '../../../platform/postgres/sql.ts'
import type { Deposit } from '../deposit.ts'
import { selectDeposits } from '../store.ts'

type Wanted = { amount: bigint; currency: string; from: Date; to: Date; accountIds: string[] }

/** Deposits of this amount and time on any of these accounts: open ones, and cancelled and failed ones wherever. */
export async function depositsOfAmount(
  db: Queryable,
  { amount, currency, from, to, accountIds }: Wanted,
  limit: number,
): Promise<Deposit[]> {
  const { notBefore, before } = idsBetween(from, to)
  const open = await selectDeposits(
    db,
    sql`where d.collecting_account_id = any(${accountIds}::text[]) and d.amount = ${amount} and d.currency = ${currency}
      and d.created_at between ${from} and ${to} and d.status in ('pending', 'processing', 'expired')
      order by d.created_at desc limit ${limit}`,
  )
  // An expression, so that the index by amount is used: the one by status has every such deposit of the time.
  const ended = await selectDeposits(
    db,
    sql`where d.amount = ${amount} and d.currency = ${currency} and d.status <> 'pending' and d.status || '' in ('cancelled', 'failed')
      and d.id >= ${notBefore} and d.id < ${before} order by d.id desc limit ${limit}`,
  )
  return [...open, ...ended]
}
