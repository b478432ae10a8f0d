import type { Queryable } from '../../../platform/postgres/db.ts'
import type { StoredLine } from '../../statements/index.ts'
import { linesNamedIn, oppositeLines } from '../../statements/index.ts'

const MAX_FOUND = 20
/** Banks take money back within days; what is older is found by its number. */
const WINDOW_MS = 30 * 86_400_000

/** Lines whose number the text of this one has: of its account and amount, in the other direction, and in no journal entry but a split. */
export async function namedOpposites(db: Queryable, line: StoredLine): Promise<StoredLine[]> {
  return (await linesNamedIn(db, [line])).filter(
    (other) =>
      other.direction !== line.direction &&
      other.amount === line.amount &&
      other.currency === line.currency &&
      (other.journalId === null || other.reason === 'split'),
  )
}

/** What a storno may be about: the lines that it names, and those of its account and amount in the other direction. */
export async function stornoLines(db: Queryable, line: StoredLine): Promise<StoredLine[]> {
  const time = line.bookedAt.getTime()
  const near = { from: new Date(time - WINDOW_MS), to: new Date(time + WINDOW_MS) }
  const equal = await oppositeLines(db, { ...line, ...near }, MAX_FOUND)
  const here = equal.filter((one) => one.collectingAccountId === line.collectingAccountId && one.state !== 'new')
  return [...new Map([...(await namedOpposites(db, line)), ...here].map((one) => [one.id, one])).values()]
}
