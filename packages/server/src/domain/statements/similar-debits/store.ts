import type { Sql } from '../../../platform/postgres/sql.ts'
import { sql } from '../../../platform/postgres/sql.ts'
import { ibanOfAccount } from '../../banks/index.ts'

/** Values of one payout, or columns. */
export type PayoutTerms = {
  withdrawalId: string | Sql
  sourceAccountId: string | Sql
  amount: bigint | Sql
  iban: string | Sql
  createdAt: Date | Sql
}

/**
 * A condition over `bank_lines l`: an unexplained debit of the payout's account and amount, since the day before it was stored. It may be the
 * payout's if its text names no other withdrawal. Only a complete IBAN of someone else excludes it: some banks mask it, or write our own.
 */
export function isSimilarDebit({ withdrawalId, sourceAccountId, amount, iban, createdAt }: PayoutTerms): Sql {
  const recipient = sql`upper(regexp_replace(coalesce(l.sender_iban, ''), '[[:space:]]', '', 'g'))`
  // `or` instead of `in`, so that each part uses its partial index. Plus zero: some amounts are on most lines.
  return sql`
    (l.state = 'new' or l.state in ('queue', 'needs_review')) and l.direction = 'debit'
    and l.collecting_account_id = ${sourceAccountId} and l.amount + 0 = ${amount}
    and coalesce(l.candidate_withdrawal_id, ${withdrawalId}) = ${withdrawalId} and l.booked_at >= ${createdAt}::timestamptz - interval '1 day'
    and (${recipient} !~ '^TR[0-9]{2}[0-9A-Z]{22}$' or ${recipient} in (${iban}, ${ibanOfAccount(sourceAccountId)}))`
}
