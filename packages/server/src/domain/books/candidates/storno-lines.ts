import type { Queryable } from '../../../platform/postgres/db.ts'
import type { StoredLine } from '../../statements/index.ts'
import { linesNamedIn, oppositeLines, unexplainedOpposites } from '../../statements/index.ts'
import { haveOtherIbans, senderOf } from '../../../kernel/party.ts'
import { BACK_MS } from '../journal/windows.ts'

const MAX_FOUND = 20

/** Lines whose number the text of this one has: of its account and amount, in the other direction, and not explained as nothing of a transaction. */
export async function namedOpposites(db: Queryable, line: StoredLine): Promise<StoredLine[]> {
  return (await linesNamedIn(db, [line])).filter(
    (other) =>
      other.direction !== line.direction &&
      other.amount === line.amount &&
      other.currency === line.currency &&
      (other.state !== 'matched' || other.depositId !== null || other.withdrawalId !== null),
  )
}

/** Lines of its account and amount in the other direction that no one has explained either, of the same party as far as IBANs tell: one may give the other back. */
export async function givenBackLines(db: Queryable, line: StoredLine): Promise<StoredLine[]> {
  const time = line.bookedAt.getTime()
  const back = { from: new Date(time - BACK_MS), to: new Date(time + BACK_MS) }
  const found = await unexplainedOpposites(db, { ...line, ...back }, MAX_FOUND)
  return found.filter((other) => !haveOtherIbans(senderOf(line), senderOf(other)))
}

/** What a storno may be about: the lines that it names, and those of its account and amount in the other direction. */
export async function stornoLines(db: Queryable, line: StoredLine): Promise<StoredLine[]> {
  const time = line.bookedAt.getTime()
  const near = { from: new Date(time - BACK_MS), to: new Date(time + BACK_MS) }
  const equal = await oppositeLines(db, { ...line, ...near }, MAX_FOUND)
  const here = equal.filter((one) => one.collectingAccountId === line.collectingAccountId && one.state !== 'new')
  return [...new Map([...(await namedOpposites(db, line)), ...here].map((one) => [one.id, one])).values()]
}
