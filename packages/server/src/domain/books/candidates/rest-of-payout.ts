import { foldText } from '../../../kernel/fold.ts'
import { recipientOf, sameParty, senderOf } from '../../../kernel/party.ts'
import type { Queryable } from '../../../platform/postgres/db.ts'
import { DAY_MS } from '../../../platform/time/clock.ts'
import type { Payout } from '../../withdrawals/index.ts'
import type { StoredLine } from '../../statements/index.ts'
import { debitsInReview } from '../../statements/index.ts'
import { isUnexplained } from './next-step.ts'

const MAX_READ = 200
/** All sets of these are tried. */
const MAX_PARTS = 12

/**
 * The fewest other debits that make the payout's amount together with this one. Those that name it come first. Of a credit: other
 * credits of `its`, the lines that name it.
 */
export async function restOf(
  db: Queryable,
  line: StoredLine,
  payout: Payout,
  its: StoredLine[],
): Promise<StoredLine[] | undefined> {
  if (line.amount >= payout.amount) return undefined
  if (line.direction === 'credit') return fewestMaking(payout.amount - line.amount, otherCredits(line, its))
  const since = new Date(payout.createdAt.getTime() - DAY_MS)
  const debits = await debitsInReview(db, { collectingAccountId: payout.sourceAccountId, since }, MAX_READ)
  const parts = debits.filter(({ id, correctsLineId }) => id !== line.id && correctsLineId === null)
  const named = parts.filter(({ candidateWithdrawalId }) => candidateWithdrawalId === payout.withdrawalId)
  const unnamed = parts.filter((one) => one.candidateWithdrawalId === null && mayBeFor(one, payout))
  return fewestMaking(payout.amount - line.amount, [...named, ...unnamed].slice(0, MAX_PARTS))
}

export function otherCredits(line: StoredLine, its: StoredLine[]): StoredLine[] {
  const free = its.filter((one) => isUnexplained(one) && one.correctsLineId === null && one.depositId === null)
  return free.filter(({ id, direction }) => id !== line.id && direction === 'credit').slice(0, MAX_PARTS)
}

/** Its recipient is the payout's, or not told. */
function mayBeFor(line: StoredLine, payout: Payout): boolean {
  const isUntold = (line.senderIban ?? '') === '' && foldText(line.senderName) === ''
  return isUntold || sameParty(senderOf(line), recipientOf(payout))
}

/** None if the amount is nothing. */
export function fewestMaking<One extends { amount: bigint }>(amount: bigint, lines: One[]): One[] | undefined {
  const sets: { sum: bigint; lines: One[] }[] = [{ sum: 0n, lines: [] }]
  for (const line of lines) {
    const larger = sets.map((set) => ({ sum: set.sum + line.amount, lines: [...set.lines, line] }))
    sets.push(...larger.filter(({ sum }) => sum <= amount))
  }
  const making = sets.filter(({ sum }) => sum === amount)
  return making.toSorted((a, b) => a.lines.length - b.lines.length)[0]?.lines
}
