import type { Clock } from '../../platform/clock.ts'
import type { Tx } from '../../platform/db.ts'
import type { Ids } from '../../platform/ids.ts'
import type { BankDirectory } from '../banks/index.ts'
import type { BankLine } from './bank-line.ts'
import { naturalKey } from './bank-line.ts'
import type { NewLine } from './store.ts'
import { insertNewLines } from './store.ts'

export type ImportResult = { imported: number; known: number; foreign: number }

/**
 * Takes in one reading of a statement. Reading the same lines again, or an overlapping part, changes nothing; lines of
 * accounts that are not ours are counted and left out.
 */
export async function importLines(
  app: { clock: Clock; ids: Ids; banks: BankDirectory },
  tx: Tx,
  source: string,
  lines: BankLine[],
): Promise<ImportResult> {
  const occurrences = new Map<string, number>()
  const ours: NewLine[] = []
  for (const { accountIban, ...line } of lines) {
    const account = await app.banks.accountByIban(accountIban)
    if (!account) continue
    const key = naturalKey({ accountIban, ...line })
    const counter = `${account.id}|${key}`
    // The bank's own number is never given twice: seen twice in one reading, it is the same line.
    const occurrence = line.bankReference ? 1 : (occurrences.get(counter) ?? 0) + 1
    occurrences.set(counter, occurrence)
    const { id: collectingAccountId, currency } = account
    ours.push({ ...line, id: app.ids.next(), collectingAccountId, currency, source, naturalKey: key, occurrence })
  }
  const imported = ours.length > 0 ? await insertNewLines(tx, ours, app.clock.now()) : 0
  return { imported, known: ours.length - imported, foreign: lines.length - ours.length }
}
