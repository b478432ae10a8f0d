import type { Tx } from '../../../platform/postgres/db.ts'
import type { FactsFor } from '../../../kernel/refusals/refuse.ts'
import { refuse } from '../../../kernel/refusals/refuse.ts'
import type { Refusal } from '../../../platform/refusal.ts'
import type { NewEntry } from '../../ledger/index.ts'
import { merchantAccount, NO_MERCHANT, suspenseOf } from '../../ledger/index.ts'
import type { Payout } from '../../withdrawals/index.ts'
import type { StoredLine } from '../../statements/index.ts'
import { lockWithdrawal } from '../../withdrawals/index.ts'
import type { JournalEntry, Terms } from './journal-entry.ts'
import type { Plan } from './plan.ts'
import { refundOf } from './refund-of.ts'
import { lockRest, useOfRest } from './rests.ts'
import { findEntry } from './store.ts'

/** The refund that a withdrawal paid, and its line; none of the rest of a split. */
type Refunded = { refund: JournalEntry; withdrawalId: string; lineIds: string[] }
type Closed = Pick<Plan, 'lines'> & { transfers: NewEntry['transfers']; terms?: Terms }

/** The withdrawal is locked: the worker that opens the line again waits, or has done so. */
export async function refundedLine(tx: Tx, { withdrawalId }: Payout): Promise<Refunded> {
  const withdrawal = await lockWithdrawal(tx, NO_MERCHANT, withdrawalId)
  const refund = withdrawal && (await findEntry(tx, withdrawal.processId))
  if (!refund) throw new Error(`Withdrawal ${withdrawalId} refunds nothing.`)
  return { refund, withdrawalId, lineIds: refund.details.terms.lineIds }
}

/** What the return has put into suspense is the refund's again. Nothing, if that has not happened yet. */
export async function closeReopened(
  tx: Tx,
  terms: Terms,
  { refund, withdrawalId }: Refunded,
  locked: StoredLine[],
): Promise<Closed | null> {
  const { restOf, lineIds } = refund.details.terms
  if (restOf !== undefined) {
    if (await useOfRest(tx, refund, withdrawalId)) return null
    const { line, amount } = await lockRest(tx, { restOf, lineIds: [] })
    // This entry uses the rest from now on: what is marked as taken back stays so.
    return { lines: [], transfers: [toHouse(line, amount)], terms: { ...terms, restOf } }
  }
  const line = locked.find(({ id }) => id === lineIds[0])
  if (!line || line.journalId === refund.id) return null
  if (line.state !== 'suspense' || line.depositId !== null) throw await usedMeanwhile(tx, line)
  return { lines: [{ line, becomes: 'journal', entry: refund }], transfers: [toHouse(line, line.amount)] }
}

function toHouse(line: StoredLine, amount: bigint): NewEntry['transfers'][number] {
  return { from: suspenseOf(line), to: merchantAccount('merchant_available', NO_MERCHANT, line.currency), amount }
}

async function usedMeanwhile(tx: Tx, line: StoredLine): Promise<Refusal> {
  const { id, state, reason } = line
  return refuse('refunded_line_used', { line: id, state, reason, ...(await wayBack(tx, line)) })
}

type WayBack = Pick<FactsFor<'refunded_line_used'>, 'back' | 'id'>

async function wayBack(
  tx: Tx,
  { id, state, depositId, withdrawalId, journalId, reason }: StoredLine,
): Promise<WayBack> {
  if (state === 'suspense') return { back: 'suspend', id }
  if (state === 'dismissed') return { back: 'restore', id }
  if (journalId !== null && reason === 'refund_unexplained')
    return { back: 'stop', id: (await refundOf(tx, journalId))?.id ?? '' }
  if (journalId !== null) return { back: 'reverse', id: journalId }
  if (depositId !== null) return { back: 'unmatch_deposit', id: depositId }
  return withdrawalId === null ? { back: 'look', id } : { back: 'unmatch_withdrawal', id: withdrawalId }
}
