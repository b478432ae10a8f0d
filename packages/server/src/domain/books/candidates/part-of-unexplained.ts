import type { Queryable } from '../../../platform/postgres/db.ts'
import { DAY_MS } from '../../../platform/time/clock.ts'
import type { StoredLine } from '../../statements/index.ts'
import { creditsInSuspense, debitsInReview } from '../../statements/index.ts'
import { takenBackStep, takesBack } from '../journal/taken-back.ts'
import type { LineCandidate } from './line-candidate.ts'
import { ofOther } from './line-candidate.ts'
import type { Fact } from './reason.ts'

const DAYS_MS = 30 * DAY_MS
const MAX_READ = 200
const MAX_FOUND = 5

/** Credits in suspense of which a debit takes a part back, and such debits of a credit. The whole of one is a storno, and found by its amount. */
export async function partsOfUnexplained(db: Queryable, line: StoredLine): Promise<LineCandidate[]> {
  const { collectingAccountId, direction, bookedAt } = line
  const since = new Date(bookedAt.getTime() - DAYS_MS)
  const others = await (direction === 'debit' ? creditsInSuspense : debitsInReview)(
    db,
    { collectingAccountId, since },
    MAX_READ,
  )
  const found = others.filter(({ amount, correctsLineId }) => amount !== line.amount && correctsLineId === null)
  const pairs = found.map((other) =>
    direction === 'debit' ? { debit: line, credit: other } : { debit: other, credit: line },
  )
  return pairs
    .filter(({ debit, credit }) => takesBack(debit, credit) && credit.depositId === null)
    .slice(0, MAX_FOUND)
    .map(({ debit, credit }) => candidate(line, direction === 'debit' ? credit : debit, takenBackStep(debit, credit)))
}

function candidate(line: StoredLine, other: StoredLine, next: LineCandidate['next']): LineCandidate {
  const points: Fact[] = [
    [true, 30, 'account_same', null],
    [true, 60, 'shows_credit', null],
    [true, 0, 'not_explained', null],
  ]
  return ofOther(line, other, { what: 'storno', points, next })
}
