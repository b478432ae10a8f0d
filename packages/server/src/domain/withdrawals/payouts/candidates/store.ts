import type { Queryable } from '../../../../platform/postgres/db.ts'
import { sql } from '../../../../platform/postgres/sql.ts'
import type { StoredLine } from '../../../statements/index.ts'
import { isSimilarDebitSql } from '../../../statements/index.ts'
import type { Payout } from '../payout.ts'
import { NEVER_PAID } from '../payout.ts'
import { selectPayouts } from '../store.ts'

/** Newest first. */
export function payoutsOfAmount(db: Queryable, amount: bigint, from: Date, to: Date, limit: number): Promise<Payout[]> {
  const which = sql`p.amount = ${amount} and p.created_at between ${from} and ${to}`
  return selectPayouts(db, sql`${which} order by p.created_at desc`, limit)
}

/** Those of these withdrawals whose payout may have left, and whose debit was not seen. */
export function awaitingDebit(db: Queryable, withdrawalIds: string[]): Promise<Payout[]> {
  const which = sql`
    p.withdrawal_id = any(${withdrawalIds}::text[]) and p.debit_line_id is null and p.state <> 'failed'
    and p.reason is distinct from ${NEVER_PAID} and (p.submits > 0 or p.state <> 'ready')`
  return selectPayouts(db, sql`${which} order by p.withdrawal_id`, withdrawalIds.length)
}

/** Those of these withdrawals whose payout was given to the bank, from this account, and did not come back, newest first. */
export function awaitingReturn(
  db: Queryable,
  { withdrawalIds, accountId }: { withdrawalIds: string[]; accountId: string },
): Promise<Payout[]> {
  const which = sql`
    p.withdrawal_id = any(${withdrawalIds}::text[]) and p.source_account_id = ${accountId} and p.credit_line_id is null
    and (p.submits > 0 or p.state <> 'ready')`
  return selectPayouts(db, sql`${which} order by p.created_at desc`, withdrawalIds.length)
}

type Recipient = { iban: string; accountId: string; above: bigint; from: Date; to: Date }

/** Payouts to this IBAN from this account that are larger and whose debit was not seen, newest first. */
export function largerPayoutsTo(db: Queryable, recipient: Recipient, limit: number): Promise<Payout[]> {
  const { iban, accountId, above, from, to } = recipient
  const which = sql`
    p.created_at between ${from} and ${to} and p.iban = ${iban} and p.source_account_id = ${accountId}
    and p.amount > ${above} and p.debit_line_id is null`
  return selectPayouts(db, sql`${which} order by p.created_at desc`, limit)
}

/** Payouts to this IBAN from this account that are larger, were debited and did not come back, newest first. */
export function notReturnedTo(db: Queryable, recipient: Recipient, limit: number): Promise<Payout[]> {
  const { iban, accountId, above, from, to } = recipient
  const which = sql`
    p.created_at between ${from} and ${to} and p.iban = ${iban} and p.source_account_id = ${accountId}
    and p.amount > ${above} and p.debit_line_id is not null and p.credit_line_id is null`
  return selectPayouts(db, sql`${which} order by p.created_at desc`, limit)
}

type Charged = { accountId: string; above: bigint; below: bigint; from: Date; to: Date }

/** Payouts from this account with an amount between these and whose debit was not seen, newest first. */
export function payoutsBelow(db: Queryable, charged: Charged, limit: number): Promise<Payout[]> {
  const { accountId, above, below, from, to } = charged
  // Plus zero: the times select fewer rows than the amounts.
  const which = sql`
    p.created_at between ${from} and ${to} and p.source_account_id = ${accountId}
    and p.amount + 0 > ${above} and p.amount + 0 < ${below} and p.debit_line_id is null`
  return selectPayouts(db, sql`${which} order by p.created_at desc`, limit)
}

/**
 * Payouts whose missing debit this unexplained line may be: open ones that may have been sent, with its amount or recipient, and
 * completed ones with its amount. Two queries, because each has an index of its own.
 */
export async function payoutsLike(
  db: Queryable,
  { id, amount, collectingAccountId }: Pick<StoredLine, 'id' | 'amount' | 'collectingAccountId'>,
  limit: number,
): Promise<Payout[]> {
  const terms = {
    ...{ withdrawalId: sql`p.withdrawal_id`, sourceAccountId: sql`p.source_account_id`, amount: sql`p.amount` },
    ...{ iban: sql`p.iban`, createdAt: sql`p.created_at` },
  }
  const which = sql`p.source_account_id = ${collectingAccountId} and ${isSimilarDebitSql(id, terms)} order by p.created_at`
  const isOpen = sql`p.state in ('ready', 'calling', 'asking') and (p.submits > 0 or p.state <> 'ready')`
  const lacksDebit = sql`
    p.state in ('sent', 'returned') and p.debit_line_id is null and p.reason is distinct from ${NEVER_PAID} and p.amount = ${amount}`
  return [
    ...(await selectPayouts(db, sql`${isOpen} and ${which}`, limit)),
    ...(await selectPayouts(db, sql`${lacksDebit} and ${which}`, limit)),
  ]
}
