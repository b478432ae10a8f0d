import type { Queryable } from '../../../platform/postgres/db.ts'
import type { StoredLine } from '../../statements/index.ts'
import { linesNamedIn, linesOfDeposit, oppositeLines, unexplainedOpposites } from '../../statements/index.ts'
import { selectByReferenceCodes } from '../../deposits/index.ts'
import { findReferenceCodes } from '../../../kernel/reference-code.ts'
import { haveOtherIbans, senderOf } from '../../../kernel/party.ts'
import { BACK_MS } from '../journal/windows.ts'

const MAX_FOUND = 20

/** Credits of the deposits whose codes a debit has: it takes back one of them, however long ago that came. Null: it names none. */
export async function creditsOfNamed(
  db: Queryable,
  { direction, narrative }: StoredLine,
): Promise<StoredLine[] | null> {
  if (direction !== 'debit') return null
  const codes = findReferenceCodes(narrative).map(({ code }) => code)
  const deposits = await selectByReferenceCodes(db, codes)
  if (deposits.length === 0) return null
  return (await Promise.all(deposits.map(({ merchantId, id }) => linesOfDeposit(db, merchantId, id)))).flat()
}

/** Lines that the text of this one names by number or code: of its account and amount, in the other direction, and not explained as nothing of a transaction. */
export async function namedOpposites(db: Queryable, line: StoredLine): Promise<StoredLine[]> {
  const named = [...(await linesNamedIn(db, [line])), ...((await creditsOfNamed(db, line)) ?? [])]
  return named.filter(
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
