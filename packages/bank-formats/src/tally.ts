import { withCurrency } from './minor-units.ts'
import type { Balance, Position, StatementLine, StatementProblem } from './statement.ts'

type Counted = { count: number; sum: bigint }
type Sides = { credit: Counted; debit: Counted }

/** What was read, to compare it with what the file claims. Pending lines count in `all` only. */
export type Tally = { all: Sides; booked: Sides }

/** A total that the file gives. `net` is credits less debits. */
export type Claim = {
  what: string
  position: Position
  of: 'credit' | 'debit' | 'both' | 'net'
  count: number | null
  sum: bigint | null
}

export function newTally(): Tally {
  const sides = () => ({ credit: { count: 0, sum: 0n }, debit: { count: 0, sum: 0n } })
  return { all: sides(), booked: sides() }
}

type Counting = Pick<StatementLine, 'direction' | 'amount' | 'status' | 'currency'>

/** A line in another currency than the account's counts, but is not in the sums. */
export function addTo(tally: Tally, { direction, amount, status, currency }: Counting, own: string): void {
  for (const sides of status === 'booked' ? [tally.all, tally.booked] : [tally.all]) {
    sides[direction].count += 1
    if (currency === own) sides[direction].sum += amount
  }
}

/** Banks total either all lines or only the booked ones: the claims must hold together for one of the two. */
export function claimProblems(claims: readonly Claim[], tally: Tally, currency: string): StatementProblem[] {
  const [all, booked] = [tally.all, tally.booked].map((sides) =>
    claims.flatMap((claim) => problemsIn(claim, sides, currency)),
  ) as [StatementProblem[], StatementProblem[]]
  return booked.length < all.length ? booked : all
}

function problemsIn(claim: Claim, sides: Sides, currency: string): StatementProblem[] {
  const { what, position } = claim
  const { count, sum } = totalOf(claim, sides)
  const problems: StatementProblem[] = []
  if (claim.count !== null && claim.count !== count)
    problems.push({ what: `number of lines in ${what}`, expected: `${count}`, found: `${claim.count}`, position })
  if (claim.sum !== null && claim.sum !== sum) {
    const [expected, found] = [withCurrency(sum, currency), withCurrency(claim.sum, currency)]
    problems.push({ what: `sum in ${what}`, expected, found, position })
  }
  return problems
}

function totalOf({ of }: Claim, { credit, debit }: Sides): Counted {
  if (of === 'credit') return credit
  if (of === 'debit') return debit
  return { count: credit.count + debit.count, sum: of === 'both' ? credit.sum + debit.sum : credit.sum - debit.sum }
}

/** Opening balance and lines give the closing balance. Not compared with pending lines: banks differ in whether these count. */
export function balanceProblems(
  opening: Balance | null,
  closing: Balance | null,
  { all, booked }: Tally,
  position: Position,
): StatementProblem[] {
  const isPending = all.credit.count + all.debit.count > booked.credit.count + booked.debit.count
  if (!opening || !closing || isPending) return []
  const expected = opening.amount + booked.credit.sum - booked.debit.sum
  if (expected === closing.amount) return []
  const [from, lead, to] = [opening.amount, expected, closing.amount].map((amount) =>
    withCurrency(amount, opening.currency),
  ) as [string, string, string]
  return [{ what: 'closing balance', expected: `${lead}, from ${from} and the lines`, found: to, position }]
}
