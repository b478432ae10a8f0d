import type { Log } from '../../../platform/log.ts'
import type { Tx } from '../../../platform/postgres/db.ts'
import { MATCHER } from '../../../kernel/actor.ts'
import { balancesOf, merchantAccount, NO_MERCHANT, openAndPost, suspenseOf } from '../../ledger/index.ts'
import { isAside, runBatch } from '../../set-aside/index.ts'
import { recordDecision } from '../../matching/index.ts'
import { linesOfJournal, lockLinesById, moveLines } from '../../statements/index.ts'
import { lockWithdrawal } from '../../withdrawals/index.ts'
import type { JournalEntry } from './journal-entry.ts'
import type { JournalDeps } from './plan.ts'
import { refundOf } from './refund-of.ts'
import { useOfRest } from './rests.ts'
import { listRefunds, lockEntry, updateReversed } from './store.ts'

/** More than can be on their way. */
const MAX_REFUNDS = 10_000

/**
 * The payout of a refund failed, was stopped or came back: its money is the house merchant's again. It goes back to
 * suspense, and the line with it. Without such money, two small reads.
 */
export async function returnRefunds(app: JournalDeps & { currencies: string[]; log: Log }): Promise<number> {
  const accounts = app.currencies.map((currency) => merchantAccount('merchant_available', NO_MERCHANT, currency))
  if ((await balancesOf(app.db, accounts)).every((balance) => balance === 0n)) return 0
  let returned = 0
  for (const entry of await listRefunds(app.db, MAX_REFUNDS)) {
    const { moved } = await runBatch<JournalEntry, JournalEntry>(app, {
      what: 'refund',
      idOf: ({ id }) => id,
      // Alone, because each locks a withdrawal first and accounts last.
      claim: async (tx, only) => only ?? ((await isAside(tx, 'refund', entry.id)) ? [] : [entry]),
      work: async (tx) => ((await returnRefund(app, tx, entry)) ? [entry] : []),
    })
    returned += moved
  }
  return returned
}

async function returnRefund(app: JournalDeps, tx: Tx, entry: JournalEntry): Promise<boolean> {
  const { id } = entry
  if (entry.details.terms.restOf !== undefined) return returnRest(app, tx, entry)
  const [found] = await linesOfJournal(tx, id)
  if (!found) return false
  const its = await refundOf(tx, id)
  const withdrawal = its && (await lockWithdrawal(tx, NO_MERCHANT, its.id))
  if (withdrawal?.state !== 'failed' && withdrawal?.state !== 'returned') return false
  const [line] = await lockLinesById(tx, [found.id])
  if (line?.journalId !== id) return false
  const from = merchantAccount('merchant_available', NO_MERCHANT, line.currency)
  const transfers = [{ from, to: suspenseOf(line), amount: line.amount }]
  await openAndPost(app, tx, [{ kind: 'journal_refund_failure', merchantId: NO_MERCHANT, subjectId: id, transfers }])
  const open = { line, state: 'suspense' as const, reason: 'refund_failed', parts: [], isBooked: false }
  await moveLines(tx, [open], app.clock.now())
  const reasons = [
    { field: 'journal entry', verdict: `refund_unexplained ${id}` },
    { field: 'withdrawal', verdict: `${withdrawal.id} ${withdrawal.failureReason ?? withdrawal.state}` },
  ]
  await recordDecision(app, tx, line.id, { verdict: 'suspense', why: 'refund_failed', by: MATCHER, reasons })
  return true
}

/** The rest of a split is in suspense again, and may be refunded once more. */
async function returnRest(app: JournalDeps, tx: Tx, refund: JournalEntry): Promise<boolean> {
  const { id, details } = refund
  const its = await refundOf(tx, id)
  const withdrawal = its && (await lockWithdrawal(tx, NO_MERCHANT, its.id))
  if (withdrawal?.state !== 'failed' && withdrawal?.state !== 'returned') return false
  const use = await useOfRest(tx, refund, withdrawal.id)
  if (!use || (await lockEntry(tx, use.id))?.reversedAt !== null) return false
  const moved = details.seen.entries.flatMap(({ transfers }) => transfers)
  const transfers = moved.map(({ from, to, amount }) => ({ from: to, to: from, amount }))
  await openAndPost(app, tx, [{ kind: 'journal_refund_failure', merchantId: NO_MERCHANT, subjectId: id, transfers }])
  await updateReversed(tx, use.id, app.clock.now())
  return true
}
