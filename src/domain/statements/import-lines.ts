import type { Clock } from '../../platform/clock.ts'
import type { Tx } from '../../platform/db.ts'
import { normaliseIban } from '../../platform/iban.ts'
import type { Ids } from '../../platform/ids.ts'
import { accountsByIban } from '../banks/index.ts'
import type { BankLine } from './bank-line.ts'
import { naturalKey, payoutReference } from './bank-line.ts'
import type { NewLine } from './store.ts'
import { insertNewLines } from './store.ts'

/** `foreign` are lines of accounts that are not ours; the caller keeps them. */
export type ImportResult = { imported: number; known: number; foreign: BankLine[] }

/** Takes in one reading of a statement. Reading the same lines again, or an overlapping part, changes nothing. */
export async function importLines(
  app: { clock: Clock; ids: Ids },
  tx: Tx,
  source: string,
  lines: BankLine[],
): Promise<ImportResult> {
  // Asked for here and now: an account that was opened a moment ago must not lose its first line.
  const accounts = await accountsByIban(tx)
  const occurrences = new Map<string, number>()
  const ours: NewLine[] = []
  const foreign: BankLine[] = []
  for (const line of lines) {
    const account = accounts.get(normaliseIban(line.accountIban))
    if (!account) {
      // The far end of our own payout, which some banks show too, is the recipient's business.
      const counterparty = accounts.has(normaliseIban(line.senderIban ?? ''))
      if (!counterparty) foreign.push(line)
      continue
    }
    const { accountIban: _, ...facts } = line
    const key = naturalKey(line)
    const counter = `${account.id}|${key}`
    // The bank's own number is never given twice: seen twice in one reading, it is the same line.
    const occurrence = line.bankReference ? 1 : (occurrences.get(counter) ?? 0) + 1
    occurrences.set(counter, occurrence)
    const { id: collectingAccountId, currency } = account
    const forPayouts = line.direction === 'debit' || payoutReference(line.narrative) !== null
    ours.push({
      ...facts,
      id: app.ids.next(),
      collectingAccountId,
      currency,
      source,
      naturalKey: key,
      occurrence,
      forPayouts,
    })
  }
  const imported = ours.length > 0 ? await insertNewLines(tx, ours, app.clock.now()) : 0
  return { imported, known: ours.length - imported, foreign }
}
