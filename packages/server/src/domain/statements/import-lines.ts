import { FIRST_DAY, startOfDay } from '../../kernel/istanbul.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { DAY_MS } from '../../platform/time/clock.ts'
import type { Tx } from '../../platform/postgres/db.ts'
import { normaliseIban } from '../../kernel/iban.ts'
import type { Marks } from '../../platform/crypto/marks.ts'
import { currencyCode } from '../../kernel/money.ts'
import type { Ids } from '../../platform/crypto/ids.ts'
import { note } from '../../kernel/refusals/note.ts'
import type { Said } from '../../platform/refusal.ts'
import type { CollectingAccount } from '../banks/index.ts'
import { accountsByIban } from '../banks/index.ts'
import type { BankLine, Draft, NewLine } from './bank-line.ts'
import { ENTERED_BY_HAND, ITS_SOURCE, naturalKey, payoutReferences } from './bank-line.ts'
import { withStatements } from './day-statements/with-statements.ts'
import type { Judged } from './entered/replace-entered.ts'
import { withEntered } from './entered/replace-entered.ts'
import { takeDates } from './entered/store.ts'
import { NotApprovedError } from './files/approved-lines.ts'
import type { Counts } from './files/hash-counts.ts'
import { hashCounts } from './files/hash-counts.ts'
import { confirmLines } from './confirmed/store.ts'
import { markShown, saveNumbers, selectKnown } from './files/lines/store.ts'
import type { FileScope } from './files/same-booking.ts'
import { withoutRepeats } from './repeats.ts'
import { markOfLine } from './genuine-lines.ts'
import { insertNewLines, lockImport } from './store.ts'

export type NotBooked = { line: BankLine; why: Said }

/** `suspected`: corrections that wait for a person. `notBooked`: lines that must not be booked from this source; the caller stores them. */
export type ImportResult = { imported: number; known: number; suspected: number; notBooked: NotBooked[] }

/**
 * Imports one reading of a statement, or a part of a file. Reading the same lines again, or an overlapping part, changes nothing.
 * `file` spans all parts of a file.
 */
export async function importLines(
  app: { clock: Clock; ids: Ids; marks: Marks },
  tx: Tx,
  source: string,
  lines: BankLine[],
  whole: FileScope | null = null,
): Promise<ImportResult> {
  const { file, claimed } = noting(whole)
  // One import at a time: two readings of one payment must see each other to be recognised as repeats.
  await lockImport(tx)
  const { drafts, fresh, notBooked } = await judgeLines(app, tx, source, lines, file)
  const inserted = await insertJudged(app, tx, fresh)
  if (!file && inserted.size < drafts.length) await markShown(tx, drafts)
  if (file && file.learnt.size > 0) await saveNumbers(tx, file.learnt)
  const stored = fresh.filter(({ id }) => inserted.has(id))
  const other = file?.isApproved ? stored.find((line) => !file.isApproved?.(line)) : undefined
  if (other) throw new NotApprovedError(other)
  if (file && stored.length < fresh.length)
    for (const id of await selectKnown(
      tx,
      fresh.filter((one) => !inserted.has(one.id)),
    ))
      file.claimed.add(id)
  if (file?.confirms) await confirmLines(tx, [...claimed], file.id)
  await takeDates(
    tx,
    stored.flatMap(({ id, correctsLineId, isEntered }) =>
      isEntered && correctsLineId !== null ? [{ id: correctsLineId, by: id }] : [],
    ),
  )
  const suspected = stored.filter(isSuspected).length
  return { imported: inserted.size, known: drafts.length - inserted.size, suspected, notBooked }
}

/** The scope, and which known lines this part of the file contains. */
function noting(whole: FileScope | null): { file: FileScope | null; claimed: Set<string> } {
  const claimed = new Set<string>()
  const add = (id: string) => {
    claimed.add(id)
    whole?.claimed.add(id)
  }
  return { file: whole && { ...whole, claimed: { has: whole.claimed.has, add } }, claimed }
}

export const isSuspected = ({ correctsLineId, isEntered }: Judged) => correctsLineId !== null && !isEntered

/** The caller holds the import lock. Returns the ids of the new lines. */
export async function insertJudged(
  app: { clock: Clock; ids: Ids; marks: Marks },
  tx: Tx,
  lines: Judged[],
): Promise<Set<string>> {
  if (lines.length === 0) return new Set()
  const at = app.clock.now()
  const marked = (await withStatements(app, tx, lines)).map(async (line) => {
    return { ...line, mark: await markOfLine(app.marks, line) }
  })
  const decided = (await Promise.all(marked)).map((line): NewLine => {
    if (line.isEntered) return { ...line, state: 'dismissed', reason: ENTERED_BY_HAND, decidedAt: at }
    if (line.correctsLineId === null) return { ...line, state: 'new', reason: null, decidedAt: null }
    return { ...line, state: 'needs_review', reason: 'suspected_correction', decidedAt: at }
  })
  return insertNewLines(tx, decided, at)
}

/** Compares lines with stored ones and stores nothing. `drafts`: those that could be booked. `fresh`: those that are not known. */
export async function judgeLines(
  app: { clock: Clock; ids: Ids },
  tx: Tx,
  source: string,
  lines: BankLine[],
  file: FileScope | null,
): Promise<{ drafts: Draft[]; fresh: Judged[]; notBooked: NotBooked[] }> {
  const { drafts, notBooked } = await draftLines(app, tx, { source, lines, file })
  return { drafts, fresh: await withEntered(tx, await withoutRepeats(tx, drafts, file)), notBooked }
}

type Drafting = { source: string; lines: BankLine[]; file: FileScope | null }

export async function draftLines(app: { clock: Clock; ids: Ids }, tx: Tx, { source, lines, file }: Drafting) {
  // Read inside the transaction: an account opened a moment ago must not lose its first line.
  const accounts = await accountsByIban(tx)
  const occurrences = file?.occurrences ?? hashCounts()
  const drafts: Draft[] = []
  const notBooked: NotBooked[] = []
  // Lines are judged in id order, which is random within a second: sorting the ids keeps the bank's order.
  const ids = lines.map(() => app.ids.next()).toSorted()
  for (const [index, line] of lines.entries()) {
    const account = accounts.get(normaliseIban(line.accountIban))
    const why = whyNotBooked(line, account, { accounts, source, now: app.clock.now() })
    if (!account || why !== null) {
      notBooked.push({ line, why: why ?? note('unread_not_ours') })
      continue
    }
    const { accountIban: _, ...facts } = line
    const key = naturalKey(line)
    const occurrence = line.bankReference
      ? (line.occurrence ?? 1)
      : countOccurrence(occurrences, `${account.id}|${key}`)
    drafts.push({
      ...facts,
      wholeDay: line.wholeDay ?? false,
      statementFileId: file?.id ?? null,
      batchReference: line.batch?.reference ?? null,
      id: ids[index] as string,
      collectingAccountId: account.id,
      currency: account.currency,
      source,
      naturalKey: key,
      occurrence,
      confirmedBy: file === null || file.confirms ? ITS_SOURCE : null,
      forPayouts: line.direction === 'debit' || payoutReferences(line.narrative).length > 0,
    })
  }
  return { drafts, notBooked }
}

function countOccurrence(occurrences: Counts, key: string): number {
  const occurrence = occurrences.get(key) + 1
  occurrences.set(key, occurrence)
  return occurrence
}

type Importing = { accounts: Map<string, CollectingAccount>; source: string; now: Date }

/** Null if the line can be booked. */
function whyNotBooked(line: BankLine, account: CollectingAccount | undefined, importing: Importing): Said | null {
  const { accounts, source, now } = importing
  if (!account) {
    // Some banks also show the recipient's side of our payouts. It is kept, and no one needs to review it.
    const fromUs = accounts.has(normaliseIban(line.senderIban ?? ''))
    return fromUs && payoutReferences(line.narrative).length > 0 ? note('unread_other_side') : note('unread_not_ours')
  }
  if (account.awaitsConnection) return note('unread_no_connection')
  if (account.connection !== null && account.connection !== source)
    return note('unread_other_source', { connection: account.connection })
  const wrongDate = dateProblem(line, now)
  if (wrongDate) return wrongDate
  // The bank may write none.
  const currency = currencyCode(line.currency ?? '') || account.currency
  if (currency === account.currency) return null
  return note('unread_currency_differs', { line: currency, account: account.currency })
}

/** The clocks of banks differ from ours, and some date the bookings of an evening to the next day. */
const MAX_BOOKED_AHEAD_DAYS = 2
/** Money of an evening has the value date of the next banking day, which may be after nine days of holidays and weekends. */
const MAX_VALUE_AHEAD_DAYS = 15
const EARLIEST = startOfDay(FIRST_DAY)
const FIRST_YEAR = FIRST_DAY.slice(0, 4)

/** Why the dates of a line cannot be right, or null: it would be booked on that day. */
function dateProblem({ bookedAt, valueDate }: Pick<BankLine, 'bookedAt' | 'valueDate'>, now: Date): Said | null {
  const valueAt = new Date(`${valueDate}T00:00:00Z`)
  const isAfter = (date: Date, days: number) => date.getTime() > now.getTime() + days * DAY_MS
  if (isAfter(bookedAt, MAX_BOOKED_AHEAD_DAYS)) return note('unread_booked_ahead', { days: MAX_BOOKED_AHEAD_DAYS })
  if (bookedAt < EARLIEST) return note('unread_booked_before', { year: FIRST_YEAR })
  if (isAfter(valueAt, MAX_VALUE_AHEAD_DAYS)) return note('unread_value_ahead', { days: MAX_VALUE_AHEAD_DAYS })
  return valueAt < EARLIEST ? note('unread_value_before', { year: FIRST_YEAR }) : null
}
