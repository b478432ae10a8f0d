import type { Clock } from '../../platform/time/clock.ts'
import type { Tx } from '../../platform/postgres/db.ts'
import { ERASED } from '../../kernel/erased.ts'
import { normaliseIban } from '../../kernel/iban.ts'
import { currencyCode } from '../../kernel/money.ts'
import type { Ids } from '../../platform/crypto/ids.ts'
import type { CollectingAccount } from '../banks/index.ts'
import { accountsByIban } from '../banks/index.ts'
import type { BankLine, LineState, NewLine } from './bank-line.ts'
import { CUT_LENGTH, cutKey, naturalKey, payoutReferences, sameBooking, sameSender } from './bank-line.ts'
import { dateProblem } from './date-problem.ts'
import { withStatements } from './day-statements/with-statements.ts'
import { insertNewLines, lockImport, selectByNumber } from './store.ts'
import { OTHER_SIDE } from './unread/store.ts'

type NotBooked = { line: BankLine; why: string }

/** `suspected`: corrections that wait for a person. `notBooked`: lines that must not be booked from this source; the caller stores them. */
export type ImportResult = { imported: number; known: number; suspected: number; notBooked: NotBooked[] }

type Draft = Omit<NewLine, 'correctsLineId' | 'statementId'>
type Judged = Draft & Pick<NewLine, 'correctsLineId'>

/** Imports one reading of a statement. Reading the same lines again, or an overlapping part, changes nothing. */
export async function importLines(
  app: { clock: Clock; ids: Ids },
  tx: Tx,
  source: string,
  lines: BankLine[],
): Promise<ImportResult> {
  // One import at a time: two readings of one payment must see each other to be recognised as repeats.
  await lockImport(tx)
  const { drafts, notBooked } = await draftLines(app, tx, source, lines)
  const fresh = await withoutRepeats(tx, drafts)
  const inserted =
    fresh.length > 0
      ? await insertNewLines(tx, await withStatements(app, tx, fresh), app.clock.now())
      : new Set<string>()
  const suspected = fresh.filter(({ id, correctsLineId }) => correctsLineId !== null && inserted.has(id)).length
  return { imported: inserted.size, known: drafts.length - inserted.size, suspected, notBooked }
}

async function draftLines(app: { clock: Clock; ids: Ids }, tx: Tx, source: string, lines: BankLine[]) {
  // Read inside the transaction: an account opened a moment ago must not lose its first line.
  const accounts = await accountsByIban(tx)
  const occurrences = new Map<string, number>()
  const drafts: Draft[] = []
  const notBooked: NotBooked[] = []
  // Lines are judged in id order, which is random within a second: sorting the ids keeps the bank's order.
  const ids = lines.map(() => app.ids.next()).toSorted()
  for (const [index, line] of lines.entries()) {
    const account = accounts.get(normaliseIban(line.accountIban))
    const why = whyNotBooked(line, account, { accounts, source, now: app.clock.now() })
    if (!account || why !== null) {
      notBooked.push({ line, why: why ?? 'not one of our accounts' })
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
  return { drafts, notBooked }
}

/** More lines than this with one number: the bank uses it as a placeholder, and there are too many to compare. */
const MAX_OF_ONE_NUMBER = 50

/** `cut`: keys of stored lines whose text may have been cut. */
type Seen = {
  keys: Set<string>
  cut: Set<string>
  lines: (Omit<BankLine, 'accountIban'> & { id: string; state: LineState })[]
}

/**
 * Compares lines of the same account and number: equal is known, same sender or booking is a suspected correction, else another
 * payment. If too many to compare, every new one is suspected. Debits never are: banks book fees under the transfer's number.
 */
async function withoutRepeats(tx: Tx, drafts: Draft[]): Promise<Judged[]> {
  const seen = await seenBefore(tx, drafts)
  return drafts.flatMap((draft) => {
    const group = seen.get(numberKey(draft))
    if (!group) return [{ ...draft, correctsLineId: null }]
    if (group.keys.has(draft.naturalKey) || group.cut.has(cutKey(draft))) return []
    group.keys.add(draft.naturalKey)
    if (draft.direction === 'debit') return [{ ...draft, correctsLineId: null }]
    // Comparing names takes time, and the result would be the same: a person decides.
    if (group.lines.length > MAX_OF_ONE_NUMBER) return [{ ...draft, correctsLineId: group.lines.at(-1)?.id ?? null }]
    const repeats = group.lines.filter((other) => sameSender(other, draft) || sameBooking(other, draft))
    const first = repeats.find(({ state }) => state !== 'dismissed') ?? repeats[0]
    group.lines.push({ ...draft, state: 'new' })
    return [{ ...draft, correctsLineId: first?.id ?? null }]
  })
}

/** Stored lines with the numbers of these lines, by account, direction and number. Lines without a number have no entry. */
async function seenBefore(tx: Tx, drafts: Draft[]): Promise<Map<string, Seen>> {
  const numbered = drafts.filter(({ bankReference }) => bankReference)
  const seen = new Map<string, Seen>(
    numbered.map((draft) => [numberKey(draft), { keys: new Set(), cut: new Set(), lines: [] }]),
  )
  const stored = numbered.length > 0 ? await selectByNumber(tx, numbered, MAX_OF_ONE_NUMBER + 1) : []
  for (const line of stored) {
    const group = seen.get(numberKey(line))
    // For an erased line, only the stored key still identifies its original content.
    group?.keys.add(line.naturalKey)
    group?.keys.add(naturalKey(line))
    if (line.narrative.length === CUT_LENGTH || line.narrative === ERASED) group?.cut.add(line.naturalKey)
    group?.lines.push(line)
  }
  return seen
}

function numberKey(line: Pick<NewLine, 'collectingAccountId' | 'bankReference' | 'direction'>): string {
  return `${line.collectingAccountId}|${line.direction}|${line.bankReference}`
}

type Importing = { accounts: Map<string, CollectingAccount>; source: string; now: Date }

/** Null if the line can be booked. */
function whyNotBooked(line: BankLine, account: CollectingAccount | undefined, importing: Importing): string | null {
  const { accounts, source, now } = importing
  if (!account) {
    // Some banks also show the recipient's side of our payouts. It is kept, and no one needs to review it.
    const fromUs = accounts.has(normaliseIban(line.senderIban ?? ''))
    return fromUs && payoutReferences(line.narrative).length > 0 ? OTHER_SIDE : 'not one of our accounts'
  }
  if (account.awaitsConnection) return 'this account has no connection yet: vezne account connect'
  if (account.connection !== null && account.connection !== source)
    return `the source of record of this account is ${account.connection}`
  const wrongDate = dateProblem(line, now)
  if (wrongDate) return wrongDate
  // The bank may write none.
  const currency = currencyCode(line.currency ?? '') || account.currency
  return currency === account.currency ? null : `the line is in ${currency}, the account in ${account.currency}`
}
