import { isWholeIban, normaliseIban } from '../../../kernel/iban.ts'
import { refuse } from '../../../kernel/refusals/refuse.ts'
import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import { bookedUntil } from '../../matching/index.ts'
import type { Payout } from '../../withdrawals/index.ts'
import { awaitingReturn, wasNotSent, withdrawalsTo } from '../../withdrawals/index.ts'
import type { StoredLine } from '../../statements/index.ts'
import { selectLinesNaming } from '../../statements/index.ts'
import { BACK_MS } from './windows.ts'

const MAX_FOUND = 20

/** Payouts that a credit without a reference may be the return of: to its sender, from its account, of its amount; the newest first. */
export async function payoutsSentBack(db: Queryable, line: StoredLine): Promise<Payout[]> {
  const { direction, candidateWithdrawalId, bookedAt, amount, currency, collectingAccountId } = line
  const iban = normaliseIban(line.senderIban ?? '')
  if (direction === 'debit' || candidateWithdrawalId !== null || !isWholeIban(iban)) return []
  const asked = { iban, amount, currency, from: new Date(bookedAt.getTime() - BACK_MS), to: bookedUntil(line) }
  const made = await withdrawalsTo(db, asked, MAX_FOUND)
  const found = await awaitingReturn(db, { withdrawalIds: made, accountId: collectingAccountId })
  const left = await Promise.all(found.map((payout) => mayHaveLeft(db, payout)))
  return found.filter(({ createdAt }, place) => left[place] && createdAt <= asked.to)
}

/** A payout that was refused, or never paid, only if a debit that no one has explained names it. */
async function mayHaveLeft(db: Queryable, payout: Payout): Promise<boolean> {
  if (!wasNotSent(payout)) return true
  const waiting = await selectLinesNaming(db, payout.withdrawalId, MAX_FOUND)
  return waiting.some(({ direction }) => direction === 'debit')
}

/** Refunded, its recipient would be paid twice while its merchant sees it as completed. Two people say that the bank denies it. */
export async function mustNotBeSentBack(tx: Tx, line: StoredLine, notPayouts: readonly string[] = []): Promise<void> {
  const found = (await payoutsSentBack(tx, line)).map(({ withdrawalId }) => withdrawalId)
  const other = found.find((id) => !notPayouts.includes(id))
  if (other !== undefined) throw refuse('line_maybe_return', { line: line.id, payout: other })
  const needless = notPayouts.find((id) => !found.includes(id))
  if (needless !== undefined) throw refuse('line_no_return', { line: line.id, payout: needless })
}
