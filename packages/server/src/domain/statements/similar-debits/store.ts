import type { Sql } from '../../../platform/postgres/sql.ts'
import { sql } from '../../../platform/postgres/sql.ts'
import { ibanOfAccount } from '../../banks/index.ts'
import { isOfEntry } from '../parts/store.ts'

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
    (l.state = 'new' or l.state = 'needs_review') and l.amount + 0 = ${payout.amount} and ${isDebitOf(payout)}`
}

/**
 * An unexplained debit that may be the payout's: booked since the day before the payout was stored, with its amount and no other
 * recipient, or with its recipient and any amount, because banks debit in parts and add charges.
 */
export function isSimilarDebit(payout: PayoutTerms): Sql {
  return sql`
    (l.state = 'new' or l.state = 'needs_review') and ${isDebitOf(payout)} and ${isInTime(payout)}
    and ((l.amount + 0 = ${payout.amount} and ${hasNoOtherRecipient(payout)}) or ${recipient} = ${payout.iban})`
}

/** Such a debit of its amount that people have explained by a journal entry, or dismissed. */
export function isSimilarExplained(payout: PayoutTerms): Sql {
  return sql`l.amount = ${payout.amount} and ${isExplained(payout)} and ${hasNoOtherRecipient(payout)}`
}

/** The same, to its recipient, of another amount. The IBAN as banks write it, with or without spaces: the index has it as written. */
export function isExplainedToRecipient(payout: PayoutTerms): Sql {
  const spaced = sql`rtrim(regexp_replace(${payout.iban}::text, '(.{4})', '\\1 ', 'g'))`
  return sql`
    l.sender_iban is not null and (reverse(l.sender_iban) collate "C") in (reverse(${payout.iban}::text), reverse(${spaced}))
    and l.amount <> ${payout.amount} and ${isExplained(payout)}`
}

const isExplained = (payout: PayoutTerms) => sql`
  (${isOfEntry} or (l.state = 'dismissed' and l.reason = 'dismissed')) and ${isDebitOf(payout)} and ${isInTime(payout)}`

const isInTime = ({ createdAt }: PayoutTerms) => sql`l.booked_at >= ${createdAt}::timestamptz - interval '1 day'`

const recipient = sql`upper(regexp_replace(coalesce(l.sender_iban, ''), '[[:space:]]', '', 'g'))`

/** Only a complete IBAN of someone else excludes a debit: some banks mask the recipient, or write our own account. */
const hasNoOtherRecipient = ({ iban, sourceAccountId }: PayoutTerms) =>
  sql`(${recipient} !~ '^TR[0-9]{2}[0-9A-Z]{22}$' or ${recipient} in (${iban}, ${ibanOfAccount(sourceAccountId)}))`
