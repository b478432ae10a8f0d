import type { Queryable, Tx } from '../../../../platform/postgres/db.ts'
import { rowsOf } from '../../../../platform/postgres/rows.ts'
import { sql } from '../../../../platform/postgres/sql.ts'

/** `no_balance`: its bank never gave one. `not_proven`: it usually does. `unused`: nothing is known of it. */
export type CheckProof = 'balance' | 'no_balance' | 'not_proven' | 'unused'
export type BookCheck = {
  collectingAccountId: string
  day: string
  unexplained: bigint
  proof: CheckProof | null
  /** The last day of which the bank gave a balance: this one or one before. */
  balanceDay: string | null
  /** At the end of `day`: what the bank had, that balance with the lines since, and what it had more than the ledger. Null if it never gave one. */
  bankBalance: bigint | null
  difference: bigint | null
  /** What two people accepted as a difference, without a line or an entry. */
  accepted: bigint
  /** The first day of what is unexplained; null if nothing is. */
  since: string | null
  checkedAt: Date
}

/** The last proof of each account. */
export function selectChecks(db: Queryable): Promise<BookCheck[]> {
  return db.query<BookCheck>(sql`
    select collecting_account_id as "collectingAccountId", to_char(day, 'YYYY-MM-DD') as day, unexplained, proof,
      to_char(balance_day, 'YYYY-MM-DD') as "balanceDay", bank_balance as "bankBalance", difference, accepted, to_char(since, 'YYYY-MM-DD') as since, checked_at as "checkedAt"
    from book_checks order by collecting_account_id`)
}

/** Returns false if another process is checking. */
export async function lockChecks(tx: Tx): Promise<boolean> {
  const CHECKS = 0x63686563
  const [row] = await tx.query<{ mine: boolean }>(sql`select pg_try_advisory_xact_lock(${CHECKS}) as mine`)
  return row?.mine ?? false
}

export async function upsertChecks(tx: Tx, checks: BookCheck[]): Promise<void> {
  const types = {
    collectingAccountId: 'text',
    day: 'date',
    unexplained: 'bigint',
    proof: 'text',
    balanceDay: 'date',
    bankBalance: 'bigint',
    difference: 'bigint',
    accepted: 'bigint',
    since: 'date',
    checkedAt: 'timestamptz',
  } as const
  await tx.query(sql`
    insert into book_checks as c (collecting_account_id, day, unexplained, proof, balance_day, bank_balance, difference, accepted, since, checked_at)
    select n.* from ${rowsOf('n', checks, types)}
    on conflict on constraint book_checks_pkey
    do update set day = excluded.day, unexplained = excluded.unexplained, proof = excluded.proof,
      balance_day = excluded.balance_day, bank_balance = excluded.bank_balance, difference = excluded.difference, accepted = excluded.accepted,
      since = case when c.unexplained = 0 then excluded.since when excluded.since is not null then least(c.since, excluded.since) end,
      checked_at = excluded.checked_at`)
}
