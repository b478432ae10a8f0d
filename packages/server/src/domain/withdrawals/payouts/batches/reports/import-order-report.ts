import type { Said } from '../../../../../platform/refusal.ts'
import { note } from '../../../../../kernel/refusals/note.ts'
import { createHash } from 'node:crypto'
import type { OrderReport } from '@vezne/bank-formats'
import { fileError, readOrderReport, reportedSum } from '@vezne/bank-formats'
import { selectPayoutsById } from '../../store.ts'
import { linesNaming } from '../../../../statements/index.ts'
import { isOpen } from '../../payout.ts'
import type { Batch, BatchItem } from '../batch.ts'
import type { BatchDeps } from '../cut-batches.ts'
import { findBatch, selectItems } from '../store.ts'
import { applyToItem } from './apply-to-item.ts'
import { isRejected, saidAbout, saidAboutOthers } from './judge-report.ts'
import type { ReportOutcome, StoredReport } from './store.ts'
import { insertReport, insertReportItem, selectReportItems, updateApplied } from './store.ts'

/** Ten times the report of a full file. */
export const MAX_REPORT_BYTES = 20 * 1024 * 1024

export type ImportedReport = {
  report: StoredReport
  /** The same bytes were applied before. */
  known: boolean
  outcomes: Partial<Record<ReportOutcome, number>>
}

/**
 * Applies what a bank reports about an order file (pain.002) to its payouts, each in a transaction of its own. The report is stored
 * first; after a crash the same file is applied from where it ended. Throws a BankFileError if it is no report.
 */
export async function importOrderReport(
  app: BatchDeps,
  { connection, name, bytes }: { connection: string; name: string; bytes: Uint8Array },
): Promise<ImportedReport> {
  if (bytes.length > MAX_REPORT_BYTES)
    throw fileError(null, 'too_large', { what: 'report', megabytes: MAX_REPORT_BYTES / 1024 / 1024 })
  const said = await readOrderReport(inOnePiece(bytes))
  const named = await findBatch(app.db, said.group.messageId ?? '')
  // A bank speaks about its own files only.
  const batch = named?.connection === connection ? named : undefined
  // A sum that is no amount is a wrong file, too.
  if (batch) for (const level of [said.group, ...said.payments]) reportedSum(level, batch.currency)
  const received = {
    ...{ id: app.ids.next(), connection, name, sha256: createHash('sha256').update(bytes).digest('hex') },
    ...{ batchId: batch?.id ?? null, messageId: said.group.messageId, receivedAt: app.clock.now(), appliedAt: null },
  }
  const report = await app.db.transaction((tx) => insertReport(tx, received, bytes))
  if (report.appliedAt === null) await apply(app, report, said, batch)
  const items = await selectReportItems(app.db, report.id)
  const counts = Map.groupBy(items, ({ outcome }) => outcome)
  const outcomes = Object.fromEntries([...counts].map(([outcome, those]) => [outcome, those.length]))
  return { report, known: report.appliedAt !== null, outcomes }
}

async function* inOnePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

async function apply(app: BatchDeps, report: StoredReport, said: OrderReport, batch: Batch | undefined): Promise<void> {
  if (!batch)
    app.log.error(
      { report: report.id, name: report.name, messageId: report.messageId },
      'a report names no order batch of its connection; nothing was changed',
    )
  const items = batch ? await selectItems(app.db, batch.id) : []
  const doubt = batch ? await doubtAboutAll(app, said, batch, items) : null
  for (const item of items) await applyToItem(app, report, said, item, doubt)
  const others = saidAboutOthers(said, new Set(items.map(({ withdrawalId }) => withdrawalId)))
  await app.db.transaction(async (tx) => {
    const why = note(batch ? 'report_order_unknown' : 'report_of_no_file')
    for (const [endToEndId, status] of others)
      await insertReportItem(tx, report.id, { endToEndId, status, outcome: 'unknown', why }, app.clock.now())
    await updateApplied(tx, report.id, app.clock.now())
  })
  if (batch && others.size > 0)
    app.log.error(
      { report: report.id, batch: batch.id, orders: others.size },
      'a report names orders that are not in its batch',
    )
}

/** A file that was refused as a whole, while a payment of it left: nothing that the refusal says can be relied on. */
async function doubtAboutAll(
  { db }: BatchDeps,
  said: OrderReport,
  batch: Batch,
  items: BatchItem[],
): Promise<Said | null> {
  const payouts = await selectPayoutsById(
    db,
    items.map(({ withdrawalId }) => withdrawalId),
  )
  const isRefusal = payouts.some((payout) => {
    const { own, ...rest } = saidAbout(said, batch, payout)
    return !own && isRejected(rest)
  })
  if (!isRefusal) return null
  for (const payout of payouts) {
    const left = payout.state === 'sent' || payout.state === 'returned'
    if (left || (isOpen(payout) && (await linesNaming(db, payout.withdrawalId)).length > 0))
      return note('report_refused_but_left', { withdrawal: payout.withdrawalId })
  }
  return null
}
