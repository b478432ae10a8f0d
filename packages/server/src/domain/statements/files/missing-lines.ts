import type { Queryable } from '../../../platform/postgres/db.ts'
import { addDays, istanbul } from '../../../kernel/istanbul.ts'
import { money } from '../../../kernel/refusals/facts.ts'
import { note } from '../../../kernel/refusals/note.ts'
import type { Said } from '../../../platform/refusal.ts'
import type { CollectingAccount, Holiday } from '../../banks/index.ts'
import type { StoredLine } from '../bank-line.ts'
import { selectDayIds } from '../day-statements/store.ts'
import { selectReferring } from '../entered/store.ts'
import type { KeyedLine } from '../store.ts'
import type { FoundAgain } from './found-again.ts'
import { movedFrom } from './found-again.ts'
import type { Previous } from './check-statement.ts'
import { selectKeyed, selectOthers, START } from './lines/store.ts'
import type { ReadStatement } from './read-in-parts.ts'
import type { FileScope } from './same-booking.ts'
import type { Finding } from './statement-file.ts'
import { COMPLETE_FORMATS, isFinal } from './statement-file.ts'
import type { Period } from './store.ts'
import { selectBefore, selectChecks, selectOverlapping } from './store.ts'

/** The days of which the statement must have every line. Null for a report during the day, a table, or a part of a day. Of pages: all together. */
export async function completeDays(
  db: Queryable,
  { id: collectingAccountId }: CollectingAccount,
  { head, fromDay, toDay }: ReadStatement,
  previous: Previous | undefined,
): Promise<Period | null> {
  if (!COMPLETE_FORMATS.includes(head.format) || fromDay === null || toDay === null) return null
  const before = previous && previous.toDay < toDay ? previous : await selectBefore(db, collectingAccountId, toDay)
  const first = head.from ?? fromDay
  // A late line of a day that has its own statement does not make this one a statement of that day.
  const start = before && before.toDay >= first ? addDays(before.toDay, 1) : first
  const period = { collectingAccountId, fromDay: start < toDay ? start : toDay, toDay }
  const opening = head.opening?.amount ?? null
  const continues = (await selectOverlapping(db, period)).some(
    (one) => isFinal(one.format) && one.closing !== null && one.closing === opening && one.opening !== opening,
  )
  return continues ? null : period
}

/** Ids that are compared at once. */
const PAGE = 20_000
/** Missing lines that are named and compared again. More is another kind of mistake. */
const MAX_NAMED = 10_000
/** Lines that are shown of one finding. */
const MAX_SHOWN = 1000

/** Whether these days have lines that other files, the bank's API or older imports gave. */
export async function hasOthers(db: Queryable, days: Period[], fileIds: string[]): Promise<boolean> {
  for (const dayIds of await idsOf(db, days))
    if ((await selectOthers(db, dayIds, { fileIds, after: START, limit: 1 })).length > 0) return true
  return false
}

export type Missing = { lines: KeyedLine[]; count: number }

type Search = {
  scope: FileScope
  /** Files with other pages of the statement. */
  pageFiles: string[]
  /** Null: all. */
  isWanted: ((line: KeyedLine) => boolean) | null
}

/** Stored lines of these days that the file neither has nor may correct. */
export async function findMissing(db: Queryable, days: Period[], search: Search): Promise<Missing> {
  const { scope, pageFiles, isWanted } = search
  const fileIds = [scope.id, ...pageFiles]
  const listed: string[] = []
  let count = 0
  for (const dayIds of await idsOf(db, days)) {
    for (let after: typeof START | undefined = START; after !== undefined;) {
      const page: (typeof START)[] = await selectOthers(db, dayIds, { fileIds, after, limit: PAGE })
      const unclaimed = page.map(({ id }) => id).filter((id) => !scope.claimed.has(id) && !scope.suspected.has(id))
      const open = pageFiles.length > 0 ? await notCorrected(db, unclaimed) : unclaimed
      const missing = isWanted ? (await selectKeyed(db, open)).filter(isWanted).map(({ id }) => id) : open
      count += missing.length
      listed.push(...missing.slice(0, MAX_NAMED - listed.length))
      after = page.at(-1)
    }
  }
  return { lines: await selectKeyed(db, listed), count }
}

/** Those of these lines that no other line may correct: not one that waits for a decision, or was dismissed as a repeat. */
async function notCorrected(db: Queryable, ids: string[]): Promise<string[]> {
  const referring = (await selectReferring(db, ids)).filter(({ state }) =>
    ['needs_review', 'dismissed'].includes(state),
  )
  const corrected = new Set(referring.map(({ correctsLineId }) => correctsLineId))
  return ids.filter((id) => !corrected.has(id))
}

/** Statements of the days, by account; an account may have several statements in a file. */
async function idsOf(db: Queryable, days: Period[]): Promise<string[][]> {
  const byAccount = Map.groupBy(days, ({ collectingAccountId }) => collectingAccountId)
  return Promise.all(
    [...byAccount].map(async ([accountId, periods]) => {
      const ids = await Promise.all(periods.map(({ fromDay, toDay }) => selectDayIds(db, accountId, fromDay, toDay)))
      return [...new Set(ids.flat())]
    }),
  )
}

/** Lines that the statements of the two business days before did not have, and that no line corrects. One may have been moved to these days. */
export async function missingBefore(db: Queryable, days: Period[], holidays: readonly Holiday[]): Promise<KeyedLine[]> {
  const ids: string[] = []
  for (const { collectingAccountId, fromDay } of days) {
    const period = { collectingAccountId, fromDay: movedFrom(fromDay, holidays), toDay: addDays(fromDay, -1) }
    const files = (await selectOverlapping(db, period)).map(({ fileId }) => fileId)
    for (const { missing } of await selectChecks(db, [...new Set(files)])) ids.push(...(missing ?? []))
  }
  const found = new Set((await selectReferring(db, ids)).map(({ correctsLineId }) => correctsLineId))
  return standing(
    db,
    ids.filter((id) => !found.has(id)),
  )
}

/** Those of these lines that still count. */
export async function standing(db: Queryable, ids: string[]): Promise<KeyedLine[]> {
  return (await selectKeyed(db, ids)).filter(({ state }) => state !== 'dismissed')
}

/** Lines that were missing and are in the file with another number or day. */
export function foundFindings(found: FoundAgain[]): Finding[] {
  const same = Map.groupBy(
    found.filter(({ isSame }) => isSame),
    ({ line }) => istanbul(line.bookedAt).day,
  )
  const renumbered = [...same].map(([day, some]): Finding => {
    const [{ line, draft }] = some as [FoundAgain]
    const number = draft.bankReference ?? ''
    const what = note('finding_lines_renumbered', { day, count: some.length, first: nameOf(line), number })
    return { severity: 'note', what, found: some.map((one) => one.line.id) }
  })
  const suspected = found.flatMap(({ line, draft, isSame }): Finding[] => {
    if (isSame) return []
    const here = { number: draft.bankReference, hereDay: istanbul(draft.bookedAt).day }
    const what = note('finding_line_suspected', { line: nameOf(line), day: istanbul(line.bookedAt).day, ...here })
    return [{ severity: 'note', what, found: [line.id] }]
  })
  return [...renumbered, ...suspected]
}

/** One for each day. A problem if an earlier final statement contained one of them: the bank contradicts itself. */
export function missingFindings({ lines, count }: Missing): Finding[] {
  const byDay = Map.groupBy(lines, ({ bookedAt }) => istanbul(bookedAt).day)
  const findings = [...byDay].map(([day, some]): Finding => {
    const what = note('finding_lines_missing', { day, count: some.length, first: nameOf(some[0] as StoredLine) })
    const severity = some.some(({ confirmedBy, fileId }) => confirmedBy !== null && fileId !== null)
      ? 'problem'
      : 'note'
    return { severity, what, missing: some.map(({ id }) => id) }
  })
  return [...findings, ...tooManyFindings({ lines, count })]
}

export function tooManyFindings({ lines, count }: Missing): Finding[] {
  const more = count - lines.length
  const what = note('finding_lines_missing_more', { count: more })
  return more > 0 ? [{ severity: 'problem', what }] : []
}

function nameOf({ id, bankReference, amount, currency, direction }: StoredLine): Said {
  const signed = money(direction === 'debit' ? -amount : amount, currency)
  return note('finding_line', { line: id, number: bankReference, amount: signed })
}

/** The findings, and after each what became of the lines that are missing. */
export async function withLines(db: Queryable, findings: Finding[]): Promise<Finding[]> {
  const shown: Finding[] = []
  for (const finding of findings) {
    shown.push(finding)
    for (const line of await selectKeyed(db, finding.missing?.slice(0, MAX_SHOWN) ?? []))
      shown.push({ severity: 'note', what: note('finding_line_state', { line: nameOf(line), state: line.state }) })
  }
  return shown
}
