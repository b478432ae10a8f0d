import type { Clock } from '../../platform/clock.ts'
import type { Tx } from '../../platform/db.ts'
import { normaliseIban } from '../../platform/iban.ts'
import type { Ids } from '../../platform/ids.ts'
import { accountsByIban } from '../banks/index.ts'
import type { BankLine, LineState } from './bank-line.ts'
import { naturalKey, payoutReferences, sameSender } from './bank-line.ts'
import type { NewLine } from './store.ts'
import { insertNewLines, lockImport, selectByNumber } from './store.ts'

/** `suspected` are corrections that wait for a person; `foreign` are lines of accounts that are not ours, for the caller to keep. */
export type ImportResult = { imported: number; known: number; suspected: number; foreign: BankLine[] }

type Draft = Omit<NewLine, 'correctsLineId'>

/** Takes in one reading of a statement. Reading the same lines again, or an overlapping part, changes nothing. */
export async function importLines(
  app: { clock: Clock; ids: Ids },
  tx: Tx,
  source: string,
  lines: BankLine[],
): Promise<ImportResult> {
  // One import at a time: two readings of one payment must see each other to be told apart.
  await lockImport(tx)
  const { drafts, foreign } = await draftLines(app, tx, source, lines)
  const fresh = await withoutRepeats(tx, drafts)
  const imported = fresh.length > 0 ? await insertNewLines(tx, fresh, app.clock.now()) : 0
  const suspected = fresh.filter(({ correctsLineId }) => correctsLineId !== null).length
  return { imported, known: drafts.length - imported, suspected, foreign }
}

async function draftLines(app: { ids: Ids }, tx: Tx, source: string, lines: BankLine[]) {
  // Asked for here and now: an account that was opened a moment ago must not lose its first line.
  const accounts = await accountsByIban(tx)
  const occurrences = new Map<string, number>()
  const drafts: Draft[] = []
  const foreign: BankLine[] = []
  // Lines are judged in the order of their ids, which is random within a second: sorted, it is the bank's order.
  const ids = lines.map(() => app.ids.next()).toSorted()
  for (const [index, line] of lines.entries()) {
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
    const occurrence = line.bankReference ? 1 : (occurrences.get(counter) ?? 0) + 1
    occurrences.set(counter, occurrence)
    drafts.push({
      ...facts,
      id: ids[index] as string,
      collectingAccountId: account.id,
      currency: account.currency,
      source,
      naturalKey: key,
      occurrence,
      forPayouts: line.direction === 'debit' || payoutReferences(line.narrative).length > 0,
    })
  }
  return { drafts, foreign }
}

type Known = BankFacts & { id: string; state: LineState }
type BankFacts = Omit<BankLine, 'accountIban'>

/**
 * Compares each line with those of the same account, number and direction. All equal: known, left out. Another sender:
 * another payment. The same sender with any other fact: a suspected correction of the first.
 */
async function withoutRepeats(tx: Tx, drafts: Draft[]): Promise<NewLine[]> {
  const numbered = drafts.filter(({ bankReference }) => bankReference)
  const known = new Map<string, Known[]>()
  for (const line of numbered.length > 0 ? await selectByNumber(tx, numbered) : []) {
    const list = known.get(numberKey(line)) ?? []
    known.set(numberKey(line), [...list, line])
  }
  const fresh: NewLine[] = []
  for (const draft of drafts) {
    const alike = (draft.bankReference && known.get(numberKey(draft))) || []
    if (alike.some((other) => naturalKey(other) === draft.naturalKey)) continue
    const repeats = alike.filter((other) => sameSender(other, draft))
    const first = repeats.find(({ state }) => state !== 'dismissed') ?? repeats[0]
    fresh.push({ ...draft, correctsLineId: first?.id ?? null })
    if (draft.bankReference) known.set(numberKey(draft), [...alike, { ...draft, state: 'new' }])
  }
  return fresh
}

function numberKey(line: Pick<NewLine, 'collectingAccountId' | 'bankReference' | 'direction'>): string {
  return `${line.collectingAccountId}|${line.direction}|${line.bankReference}`
}
