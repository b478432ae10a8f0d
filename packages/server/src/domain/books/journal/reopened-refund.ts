import type { Tx } from '../../../platform/postgres/db.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { NewEntry } from '../../ledger/index.ts'
import { merchantAccount, NO_MERCHANT, suspenseOf } from '../../ledger/index.ts'
import type { Payout } from '../../payouts/index.ts'
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
  return new Refusal(
    'INVALID_STATE',
    `The return has put line ${line.id} into suspense again, and it was used since (${line.state}, ${line.reason}). Take that back first: ${await wayBack(tx, line)}`,
  )
}

async function wayBack(tx: Tx, { id, state, depositId, withdrawalId, journalId, reason }: StoredLine): Promise<string> {
  if (state === 'suspense') return `vezne line suspend ${id}`
  if (state === 'dismissed') return `vezne line restore ${id}`
  if (journalId !== null && reason === 'refund_unexplained') {
    const again = await refundOf(tx, journalId)
    return `vezne withdrawal stop ${again?.id}. If that was sent, its sender has the money twice unless this return is right: claim it back`
  }
  if (journalId !== null) return `vezne journal reverse ${journalId}`
  if (depositId !== null) return `vezne journal propose unmatch --deposit ${depositId}`
  return withdrawalId === null ? `vezne line show ${id}` : `vezne journal propose unmatch --withdrawal ${withdrawalId}`
}
