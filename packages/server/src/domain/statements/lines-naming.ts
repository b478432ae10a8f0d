import { money } from '../../kernel/refusals/facts.ts'
import type { Said } from '../../platform/refusal.ts'
import { note } from '../../kernel/refusals/note.ts'
import type { Queryable } from '../../platform/postgres/db.ts'
import { selectDebits, selectLinesNaming } from './store.ts'
import type { PayoutTerms } from './similar-debits/store.ts'
import { isEqualDebit, isExplainedToRecipient, isSimilarDebit, isSimilarExplained } from './similar-debits/store.ts'
import { listUnread, needsAttention, selectUnreadNaming, unreadId } from './unread/store.ts'

/** One is enough to make an outcome unknown; more than these add no information. */
const ENOUGH = 5

/**
 * Unexplained bank lines that name the withdrawal, described for the person who decides on it. Of a withdrawal that was
 * paid, the recipient's own line is expected; of any other it shows that the money may have left.
 */
export async function linesNaming(db: Queryable, withdrawalId: string, { paid = false } = {}): Promise<Said[]> {
  const lines = await selectLinesNaming(db, withdrawalId, ENOUGH)
  const unread = (await selectUnreadNaming(db, withdrawalId, ENOUGH)).filter((line) => !paid || needsAttention(line))
  return [
    ...lines.map(({ id, direction, state, reason }) =>
      note('statement_line_names', { line: id, direction, state, reason }),
    ),
    ...unread.map(({ hash, why }) => note('statement_unread_names', { line: unreadId(hash), problem: why })),
  ]
}

/** More than anyone writes about one payout. */
const MOST_NAMING = 100

/** Ids of the same lines, for a decision that must not overlook one. */
export async function idsNaming(db: Queryable, withdrawalId: string): Promise<string[]> {
  const lines = await selectLinesNaming(db, withdrawalId, MOST_NAMING)
  const unread = await selectUnreadNaming(db, withdrawalId, MOST_NAMING)
  return [...lines.map(({ id }) => id), ...unread.map(({ hash }) => unreadId(hash))]
}

/** Unexplained debits that may be the payout's although their text does not name it, described in the same way. */
export async function similarDebits(db: Queryable, payout: PayoutTerms): Promise<Said[]> {
  const lines = await selectDebits(db, isSimilarDebit(payout), ENOUGH)
  return lines.map(({ id, amount, currency, bookedAt }) => {
    const fits = amount === payout.amount ? 'no_other_recipient' : 'recipient'
    const facts = { line: id, amount: money(amount, currency), at: bookedAt.toISOString(), fits } as const
    return note('statement_line_may_be_debit', facts)
  })
}

/** Debits that may be the payout's and that people have explained as something else, or dismissed. */
async function explainedSimilarDebits(db: Queryable, payout: PayoutTerms): Promise<Said[]> {
  const equal = await selectDebits(db, isSimilarExplained(payout), ENOUGH)
  const others = await selectDebits(db, isExplainedToRecipient(payout), ENOUGH)
  return [...equal, ...others].map(({ id, state, reason }) =>
    note('statement_line_denied', { line: id, state, reason }),
  )
}

/** Both: whatever the statement shows that may be the payout's debit. */
export async function debitsThatMayBe(db: Queryable, payout: PayoutTerms): Promise<Said[]> {
  return [...(await similarDebits(db, payout)), ...(await explainedSimilarDebits(db, payout))]
}

type PayoutFacts = { withdrawalId: string; sourceAccountId: string; amount: bigint }

/**
 * Unexplained lines that may show this payout: debits of its account and amount that name no other, and what names it,
 * unless someone has closed it.
 */
export async function linesThatMayBe(db: Queryable, payout: PayoutFacts): Promise<{ id: string; isUnread: boolean }[]> {
  const { withdrawalId } = payout
  const equal = await selectDebits(db, isEqualDebit(payout), ENOUGH)
  const open = new Set((await listUnread(db)).map(({ hash }) => hash))
  const unread = (await selectUnreadNaming(db, withdrawalId, ENOUGH)).filter(({ hash }) => open.has(hash))
  return [
    ...[...equal, ...(await selectLinesNaming(db, withdrawalId, ENOUGH))].map(({ id }) => ({ id, isUnread: false })),
    ...unread.map(({ hash }) => ({ id: unreadId(hash), isUnread: true })),
  ]
}
