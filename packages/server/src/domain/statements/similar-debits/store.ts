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

type EqualTerms = Pick<PayoutTerms, 'withdrawalId' | 'sourceAccountId' | 'amount'>

const isDebitOf = ({ withdrawalId, sourceAccountId }: EqualTerms) => sql`
  l.direction = 'debit' and l.collecting_account_id = ${sourceAccountId}
  and coalesce(l.candidate_withdrawal_id, ${withdrawalId}) = ${withdrawalId}`

/** A condition over `bank_lines l`: an unexplained debit of the payout's account and amount that names no other withdrawal. */
export function isEqualDebit(payout: EqualTerms): Sql {
  // `or` instead of `in`, so that each part uses its partial index. Plus zero: some amounts are on most lines.
  return sql`
    (l.state = 'new' or l.state in ('queue', 'needs_review')) and l.amount + 0 = ${payout.amount} and ${isDebitOf(payout)}`
}

/**
 * Such a debit, booked since the day before the payout was stored. Only a complete IBAN of someone else excludes it: some
 * banks mask the recipient, or write our own account.
 */
export function isSimilarDebit(payout: PayoutTerms): Sql {
  return sql`${isEqualDebit(payout)} and ${fitsTimeAndRecipient(payout)}`
}

/** Such a debit that people have explained by a journal entry, or dismissed. */
export function isSimilarExplained(payout: PayoutTerms): Sql {
  return sql`
    (l.journal_id is not null or (l.state = 'dismissed' and l.reason = 'dismissed')) and l.amount = ${payout.amount}
    and ${isDebitOf(payout)} and ${fitsTimeAndRecipient(payout)}`
}

function fitsTimeAndRecipient(payout: PayoutTerms): Sql {
  const recipient = sql`upper(regexp_replace(coalesce(l.sender_iban, ''), '[[:space:]]', '', 'g'))`
  return sql`l.booked_at >= ${payout.createdAt}::timestamptz - interval '1 day'
    and (${recipient} !~ '^TR[0-9]{2}[0-9A-Z]{22}$' or ${recipient} in (${payout.iban}, ${ibanOfAccount(payout.sourceAccountId)}))`
}
