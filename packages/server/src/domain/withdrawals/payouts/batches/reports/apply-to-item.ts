import type { Said } from '../../../../../platform/refusal.ts'
import { note } from '../../../../../kernel/refusals/note.ts'
import type { OrderReport } from '@vezne/bank-formats'
import type { Tx } from '../../../../../platform/postgres/db.ts'
import { debitsThatMayBe, linesNaming } from '../../../../statements/index.ts'
import type { CallOutcome } from '../../../bank-calls/store.ts'
import type { StateReason } from '../../../withdrawal.ts'
import { insertCall } from '../../../bank-calls/store.ts'
import { markInDoubt } from '../../doubt-payout.ts'
import { failPayout, settlePayout } from '../../finish-payout.ts'
import type { Payout } from '../../payout.ts'
import { isOpen, NAMED, REPORTED, SIMILAR } from '../../payout.ts'
import { lockPayout, updatePayout } from '../../store.ts'
import type { Batch, BatchItem } from '../batch.ts'
import { UNFETCHED } from '../batch.ts'
import type { BatchDeps } from '../cut-batches.ts'
import { stopFileOf } from '../release-batches.ts'
import { countItemsOf, findLiveBatch, lockBatch } from '../store.ts'
import type { Status } from './judge-report.ts'
import {
  failureOfReport,
  isDuplicate,
  isInProcess,
  isRejected,
  isSettled,
  isUnexpected,
  saidAbout,
  saidOf,
  SETTLED,
} from './judge-report.ts'
import type { ReportOutcome, StoredReport } from './store.ts'
import { insertReportItem, selectReportItems, wasSaidElsewhere } from './store.ts'

/** What follows, and why if it is not simply what the bank says. */
type Result = { outcome: ReportOutcome; why: Said | null }

/** The outcome of the recorded call, in the words of other connections. */
const CALL: Record<ReportOutcome, CallOutcome> = {
  settled: 'accepted',
  failed: 'rejected',
  pending: 'pending',
  known: 'pending',
  doubt: 'unknown',
  contradicts: 'unknown',
  unknown: 'unknown',
}

/** Payout, call and result are one transaction; then an order file with a payout in doubt is stopped. `doubt`: why no refusal of the whole file is believed. */
export async function applyToItem(
  app: BatchDeps,
  report: StoredReport,
  said: OrderReport,
  { merchantId, withdrawalId }: BatchItem,
  doubt: Said | null,
): Promise<void> {
  const followed = await app.db.transaction(async (tx) => {
    // Cancelling locks the batch before it looks for reports, so one of the two sees the other.
    const batch = await lockBatch(tx, report.batchId as string)
    const payout = await lockPayout(tx, merchantId, withdrawalId)
    if (!payout || !batch) throw new Error(`Payout ${withdrawalId} or its batch is gone.`)
    const judged = await selectReportItems(tx, report.id, withdrawalId)
    if (judged.length > 0) return null
    const about = saidAbout(said, batch, payout)
    const result = await act(app, tx, batch, payout, {
      ...about,
      problem: about.problem ?? (about.own ? null : doubt),
    })
    const { status } = about
    await insertReportItem(tx, report.id, { endToEndId: withdrawalId, status, ...result }, app.clock.now())
    const detail = note('call_report', { report: report.name, said: saidOf(about), follows: result.why })
    const outcome = result.outcome === 'known' && status !== null ? knownOutcome(payout) : CALL[result.outcome]
    await insertCall(tx, payout, { kind: 'find', outcome, detail }, app.clock.now())
    if (result.outcome === 'contradicts')
      app.log.error(
        { withdrawalId, batch: batch.id, status },
        'a report contradicts how a payout ended, or what is known of one in doubt; a person must look',
      )
    return result.outcome
  })
  if (followed === 'doubt') await stopFileOf(app, withdrawalId)
}

const knownOutcome = ({ state }: Payout) => (state === 'failed' ? 'rejected' : 'accepted')

async function act(app: BatchDeps, tx: Tx, batch: Batch, payout: Payout, said: Status): Promise<Result> {
  const { problem } = said
  if (!isOpen(payout)) return { outcome: contradicts(payout, said) ? 'contradicts' : 'known', why: problem }
  if (problem !== null && isUnexpected(batch)) return doubtUnexpected(app, tx, payout, said, problem)
  if (problem !== null && said.status !== null) return inDoubt(app, tx, payout, REPORTED, problem)
  if (isSettled(said)) {
    await settlePayout(app, tx, payout, said.bankReference ?? payout.withdrawalId)
    return { outcome: 'settled', why: null }
  }
  return isRejected(said) ? reject(app, tx, payout, said) : { outcome: 'pending', why: null }
}

/** Also without a status. A newer file with it is not sent: a person cancels it, so that its other payouts leave. */
async function doubtUnexpected(
  app: BatchDeps,
  tx: Tx,
  payout: Payout,
  { status }: Status,
  problem: Said,
): Promise<Result> {
  const newer = await findLiveBatch(tx, payout.withdrawalId)
  const why =
    newer && UNFETCHED.includes(newer.state) ? note('report_in_another_file', { problem, batch: newer.id }) : problem
  const isDoubted = status === null && payout.reason !== null
  return isDoubted ? { outcome: 'doubt', why } : inDoubt(app, tx, payout, REPORTED, why)
}

function contradicts({ state }: Payout, said: Status): boolean {
  return state === 'failed' ? isSettled(said) || isInProcess(said) : isRejected(said)
}

/** The money goes back only if nothing suggests that it left: the payout is plainly pending. */
async function reject(app: BatchDeps, tx: Tx, payout: Payout, said: Status): Promise<Result> {
  if (payout.reason !== null)
    return { outcome: 'contradicts', why: note('report_refused_in_doubt', { reason: payout.reason }) }
  if (await wasSaidElsewhere(tx, payout, SETTLED)) {
    const { why } = await inDoubt(app, tx, payout, REPORTED, note('report_refused_but_paid'))
    return { outcome: 'contradicts', why }
  }
  if (isDuplicate(said)) return inDoubt(app, tx, payout, REPORTED, note('report_refused_as_duplicate'))
  const [naming] = await linesNaming(tx, payout.withdrawalId)
  if (naming !== undefined) return inDoubt(app, tx, payout, NAMED, note('doubt_on_statement', { lines: [naming] }))
  const [similar] = await debitsThatMayBe(tx, payout)
  if (similar !== undefined) return inDoubt(app, tx, payout, SIMILAR, note('doubt_on_statement', { lines: [similar] }))
  // Every sending was a batch, and all but this one were cancelled before they were fetched.
  if (payout.submits !== (await countItemsOf(tx, payout.withdrawalId)))
    return inDoubt(app, tx, payout, REPORTED, note('report_sent_before'))
  await failPayout(app, tx, payout, failureOfReport(said))
  return { outcome: 'failed', why: null }
}

async function inDoubt(app: BatchDeps, tx: Tx, payout: Payout, reason: StateReason, why: Said): Promise<Result> {
  const { nextAt } = payout
  await updatePayout(tx, payout, { state: 'asking', nextAt, bankReference: null, reason }, app.clock.now())
  await markInDoubt(app, tx, payout, reason)
  return { outcome: 'doubt', why }
}
