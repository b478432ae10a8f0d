import type { Actor } from '../../../kernel/actor.ts'
import { actorName } from '../../../kernel/actor.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import type { Tx } from '../../../platform/postgres/db.ts'
import { refuse } from '../../../kernel/refusals/refuse.ts'
import type { DayStatement } from '../day-statements/store.ts'
import { clearBalances, selectDayIds, updateBalances } from '../day-statements/store.ts'
import { lockImport } from '../store.ts'
import { forgetConfirmed, selectRefundedBy, unmarkLacked } from '../confirmed/store.ts'
import { saveCoverage } from './coverage.ts'
import { forgetNumbers, restoreNumbers } from './lines/store.ts'
import type { StatementFile } from './statement-file.ts'
import { isFinal } from './statement-file.ts'
import type { Overlapping } from './store.ts'
import { lockFile, markUndone, selectOverlapping, selectStatementsOf } from './store.ts'

/**
 * Locks a file whose import can be undone; no other import runs until the transaction ends. A newer file of the same days must be
 * undone first: lines that both have are booked from the older one.
 */
export async function lockFileToUndo(tx: Tx, id: string): Promise<StatementFile> {
  const file = await lockFile(tx, id)
  if (!file) throw refuse('statement_file_unknown', { file: id })
  if (file.state === 'undone') throw refuse('import_undone', { file: id })
  await lockImport(tx)
  for (const statement of await selectStatementsOf(tx, id)) {
    const others = await selectOverlapping(tx, statement)
    const newer = others.find(
      (one) => one.fileId !== id && file.importedAt !== null && one.importedAt >= file.importedAt,
    )
    if (newer) throw refuse('import_overlapped', { newer: newer.fileId })
  }
  return file
}

/** After its lines were taken out of the books. */
export async function finishUndo(
  app: { clock: Clock },
  tx: Tx,
  file: StatementFile,
  { by, why }: { by: Actor; why: string },
): Promise<void> {
  const [dayIds, otherFiles]: [string[], string[]] = [[], []]
  for (const statement of await selectStatementsOf(tx, file.id)) {
    const { collectingAccountId, fromDay, toDay } = statement
    dayIds.push(...(await selectDayIds(tx, collectingAccountId, fromDay, toDay)))
    const overlapping = await selectOverlapping(tx, statement)
    otherFiles.push(...overlapping.map(({ fileId }) => fileId).filter((id) => id !== file.id))
  }
  const refunded = await selectRefundedBy(tx, dayIds, file.id)
  if (refunded !== undefined) throw refuse('import_confirms_refunded', { line: refunded })
  await forgetConfirmed(tx, dayIds, file.id)
  await unmarkLacked(tx, file.checks, otherFiles)
  await forgetNumbers(tx, dayIds)
  await restoreNumbers(
    tx,
    file.checks.flatMap(({ found = [] }) => found),
  )
  await markUndone(tx, file.id, { who: actorName(by), why, at: app.clock.now() })
  for (const day of await clearBalances(tx, dayIds, file.id)) await fillFromOthers(tx, day)
  await saveCoverage(app, tx, file.connection)
}

/** The balances that the remaining files of the connection give for the day, in the order of their import. */
async function fillFromOthers(tx: Tx, { id, collectingAccountId, connection, day }: DayStatement): Promise<void> {
  const others = await selectOverlapping(tx, { collectingAccountId, fromDay: day, toDay: day })
  const final = others.filter((one) => isFinal(one.format) && one.connection === connection)
  for (const one of final.toSorted(inOrderOfImport)) {
    const opening = one.fromDay === day ? one.opening : null
    const closing = one.toDay === day ? one.closing : null
    if (opening !== null || closing !== null)
      await updateBalances(tx, { statementId: id, opening, closing }, one.fileId)
  }
}

function inOrderOfImport(a: Overlapping, b: Overlapping): number {
  const byTime = a.importedAt.getTime() - b.importedAt.getTime()
  return byTime || (a.fileId < b.fileId ? -1 : a.fileId > b.fileId ? 1 : a.number - b.number)
}
