import type { Marks } from '../../../platform/crypto/marks.ts'
import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import { foldText } from '../../../kernel/fold.ts'
import { normaliseIban } from '../../../kernel/iban.ts'
import { addDays, istanbul } from '../../../kernel/istanbul.ts'
import { findReferenceCodes } from '../../../kernel/reference-code.ts'
import type { Draft, NewLine, StoredLine } from '../bank-line.ts'
import { ENTERED_BY_HAND, payoutReferences, sameSender } from '../bank-line.ts'
import { mustBeGenuine } from '../genuine-lines.ts'
import type { BookedEntry } from './store.ts'
import { isEnteredLine, keyOf, selectBookedEntries, selectReferring, selectStoredKeys } from './store.ts'

export type Suspected = Draft & Pick<NewLine, 'correctsLineId'>
/** `isEntered`: the same booking as the line it refers to, which people entered. */
export type Judged = Suspected & { isEntered: boolean }

/** People and banks may date a booking of an evening differently. */
export const SAME_BOOKING_DAYS = 1
/** Beyond it, an equal amount says nothing: the entered line has been a finding of `vezne doctor` for days. */
export const SUSPECTED_DAYS = 10

/** Whether a line says that the bank has given the entered line to which it refers. */
const replaces = ({ state, reason }: StoredLine) =>
  state === 'dismissed' && (reason === ENTERED_BY_HAND || reason === 'same_money')

/** Those of these entered lines that no line of the bank has replaced, and which of them have a suspected correction. */
async function notReplaced(db: Queryable, entries: BookedEntry[]) {
  const ids = entries.map(({ id }) => id)
  const referring = ids.length > 0 ? await selectReferring(db, ids) : []
  const replaced = new Set(referring.filter(replaces).map(({ correctsLineId }) => correctsLineId))
  const suspected = referring.filter(({ state }) => state === 'needs_review')
  return {
    open: entries.filter(({ id }) => !replaced.has(id)),
    pointedAt: new Set(suspected.map(({ correctsLineId }) => correctsLineId)),
  }
}

/** Lines of the bank for which one of these entered lines stands in the books. */
export async function selectReplacing(db: Queryable, ids: string[]): Promise<StoredLine[]> {
  return ids.length > 0 ? (await selectReferring(db, ids)).filter(replaces) : []
}

/** Ids of the lines of the bank that stand for these entered lines, by the line that was booked. */
export async function replacedBy(db: Queryable, lineIds: string[]): Promise<Map<string, string>> {
  const replacing = await selectReplacing(db, lineIds)
  return new Map(replacing.map(({ id, correctsLineId }) => [correctsLineId ?? '', id]))
}

/** The line of the bank for which this entered line stands in the books. */
export async function replacementOf(db: Queryable, lineId: string): Promise<StoredLine | undefined> {
  if (!(await isEnteredLine(db, lineId))) return undefined
  return (await selectReplacing(db, [lineId]))[0]
}

/**
 * Who sent the money of a line. `isNamed`: the bank says so. Of an entered line it does if its own line was recognised as the same
 * booking, or has the same IBAN: that two lines are the same money is the word of one person.
 */
export async function senderOfLine(app: { marks: Marks }, db: Queryable, line: StoredLine) {
  await mustBeGenuine(app, db, [line])
  const { senderName, senderIban } = line
  if (!(await isEnteredLine(db, line.id))) return { senderName, senderIban, isNamed: true }
  const real = await replacementOf(db, line.id)
  if (real) await mustBeGenuine(app, db, [real])
  if (!real?.senderIban) return { senderName, senderIban, isNamed: false }
  const isNamed = real.reason === ENTERED_BY_HAND || normaliseIban(real.senderIban) === normaliseIban(senderIban ?? '')
  return { senderName: real.senderName.trim() || senderName, senderIban: real.senderIban, isNamed }
}

/**
 * Compares new lines with lines that people entered. The same booking refers to its entered line and is not booked; one that may be
 * the same is a suspected correction. Certain ones first, whatever their order: equal text, then the same code or payout.
 */
export async function withEntered(tx: Tx, lines: Suspected[]): Promise<Judged[]> {
  const entries = lines.length > 0 ? await selectBookedEntries(tx, lines) : []
  const { open, pointedAt } = await notReplaced(tx, entries)
  if (open.length === 0) return lines.map((line) => ({ ...line, isEntered: false }))
  // A line without a number that is read again finds no entered line: it is known.
  const stored = await selectStoredKeys(tx, lines)
  const found = new Map<Suspected, { id: string; isEntered: boolean }>()
  const fresh = lines.filter((line) => line.correctsLineId === null && !stored.has(keyOf(line)))
  for (const isLikely of [hasSameText, namesSame, () => true])
    for (const line of fresh.filter((one) => !found.has(one))) {
      const same = alike(open, line, SAME_BOOKING_DAYS).filter((one) => isSameBooking(one, line))
      const [only, another] = same.filter((one) => isLikely(one, line))
      if (!only || another) continue
      open.splice(open.indexOf(only), 1)
      found.set(line, { id: only.id, isEntered: true })
    }
  for (const line of fresh.filter((one) => !found.has(one))) {
    const named = alike(open, line, null).filter((one) => namesSame(one, line))
    const near = [...named, ...alike(open, line, SUSPECTED_DAYS)]
    const beside = near.find(({ id }) => !pointedAt.has(id)) ?? near[0]
    if (!beside) continue
    pointedAt.add(beside.id)
    found.set(line, { id: beside.id, isEntered: false })
  }
  return lines.map((line) => {
    const { id = line.correctsLineId, isEntered = false } = found.get(line) ?? {}
    return { ...line, correctsLineId: id, isEntered }
  })
}

/** `days` apart at most; null: any day. */
function alike(
  open: BookedEntry[],
  line: Pick<StoredLine, 'collectingAccountId' | 'direction' | 'amount' | 'bookedAt'>,
  days: number | null,
): BookedEntry[] {
  const { day } = istanbul(line.bookedAt)
  return open.filter(
    (one) =>
      one.collectingAccountId === line.collectingAccountId &&
      one.direction === line.direction &&
      one.amount === line.amount &&
      (days === null || (one.bookedOn >= addDays(day, -days) && one.bookedOn <= addDays(day, days))),
  )
}

/** A line that names another payout or deposit is other money, or evidence: it is never set aside unseen. A name without letters is no one's. */
const isSameBooking = (entry: BookedEntry, line: Suspected) =>
  foldText(entry.senderName) !== '' && fitsBooking(entry, line)

type Named = Pick<BookedEntry, 'senderName' | 'senderIban' | 'narrative' | 'direction'>

/** The sender may be the same, and the later line has its text, or names no payout or deposit that the first does not name. */
export function fitsBooking(first: Named, later: Named): boolean {
  const known = new Set(namedIn(first))
  return sameSender(first, later) && (hasSameText(first, later) || namedIn(later).every((id) => known.has(id)))
}

/** A line that people entered, that the bank has not shown, and that this one may repeat. */
export async function enteredLike(tx: Tx, line: StoredLine): Promise<string | null> {
  const { open } = await notReplaced(tx, await selectBookedEntries(tx, [line]))
  return alike(open, line, SUSPECTED_DAYS)[0]?.id ?? null
}

const hasSameText = (entry: Named, line: Named) => foldText(entry.narrative) === foldText(line.narrative)

function namesSame(entry: BookedEntry, line: Suspected): boolean {
  const known = new Set(namedIn(entry))
  return namedIn(line).some((id) => known.has(id))
}

/** Payouts, and of money that came in codes of deposits, which its text may name. */
function namedIn({ narrative, direction }: Pick<BookedEntry, 'narrative' | 'direction'>): string[] {
  const codes = direction === 'credit' ? findReferenceCodes(narrative) : []
  return [...payoutReferences(narrative), ...codes.map(({ code }) => code)]
}
