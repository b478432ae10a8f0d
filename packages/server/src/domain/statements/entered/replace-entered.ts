import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import { addDays, istanbul } from '../../../kernel/istanbul.ts'
import type { Draft, NewLine, StoredLine } from '../bank-line.ts'
import { ENTERED_BY_HAND, payoutReferences, sameSender } from '../bank-line.ts'
import { findLine, lockImport } from '../store.ts'
import type { BookedEntry } from './store.ts'
import { isEnteredLine, keyOf, selectBookedEntries, selectReferring, selectStoredKeys } from './store.ts'

export type Suspected = Draft & Pick<NewLine, 'correctsLineId'>
/** `isEntered`: the same booking as the line it refers to, which people entered. */
export type Judged = Suspected & { isEntered: boolean }

/** People and banks may date a booking of an evening differently. */
const SAME_BOOKING_DAYS = 1
/** Beyond it, an equal amount says nothing: the entered line has been a finding of `vezne doctor` for days. */
const SUSPECTED_DAYS = 10

/** Whether a line says that the bank has given the entered line to which it refers. */
const replaces = ({ state, reason }: StoredLine) =>
  state === 'dismissed' && (reason === ENTERED_BY_HAND || reason === 'same_money')

/** Those of these entered lines that no line of the bank has replaced, and which of them have a suspected correction. */
export async function notReplaced(db: Queryable, entries: BookedEntry[]) {
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

/** No line of the bank comes while people decide about this line, if it, or the one that it refers to, was entered. */
export async function holdImports(tx: Tx, lineId: string): Promise<void> {
  const { correctsLineId = null } = (await findLine(tx, lineId)) ?? {}
  if ((await isEnteredLine(tx, lineId)) || (await isEnteredLine(tx, correctsLineId ?? ''))) await lockImport(tx)
}

/** The line of the bank for which this entered line stands in the books. */
export async function replacementOf(db: Queryable, lineId: string): Promise<StoredLine | undefined> {
  if (!(await isEnteredLine(db, lineId))) return undefined
  return (await selectReferring(db, [lineId])).find(replaces)
}

/**
 * Compares new lines with lines that people entered. The same booking refers to its entered line and is not booked; one that may be
 * the same is a suspected correction. Certain ones first, so that an entered line is free for no other.
 */
export async function withEntered(tx: Tx, lines: Suspected[]): Promise<Judged[]> {
  const entries = lines.length > 0 ? await selectBookedEntries(tx, lines) : []
  const { open, pointedAt } = await notReplaced(tx, entries)
  if (open.length === 0) return lines.map((line) => ({ ...line, isEntered: false }))
  // A line without a number that is read again finds no entered line: it is known.
  const stored = await selectStoredKeys(tx, lines)
  const found = new Map<Suspected, { id: string; isEntered: boolean }>()
  const fresh = lines.filter((line) => line.correctsLineId === null && !stored.has(keyOf(line)))
  for (const line of fresh) {
    const [only, another] = alike(open, line, SAME_BOOKING_DAYS).filter((one) => sameSender(one, line))
    if (!only || another || !namesSamePayouts(only, line)) continue
    open.splice(open.indexOf(only), 1)
    found.set(line, { id: only.id, isEntered: true })
  }
  for (const line of fresh.filter((one) => !found.has(one))) {
    const near = alike(open, line, SUSPECTED_DAYS)
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

function alike(open: BookedEntry[], line: Suspected, days: number): BookedEntry[] {
  const { day } = istanbul(line.bookedAt)
  return open.filter(
    (one) =>
      one.collectingAccountId === line.collectingAccountId &&
      one.direction === line.direction &&
      one.amount === line.amount &&
      one.bookedOn >= addDays(day, -days) &&
      one.bookedOn <= addDays(day, days),
  )
}

/** A line that names a payout is evidence that it was sent: it is set aside only if the entered line shows the same. */
function namesSamePayouts(entry: BookedEntry, line: Suspected): boolean {
  const known = new Set(payoutReferences(entry.narrative))
  return payoutReferences(line.narrative).every((id) => known.has(id))
}
