import { fileProblem, moneyOf } from './file-problems.ts'
import type { FileProblem } from './file-problems.ts'
import type { Balance, Position, StatementLine } from './statement.ts'

type Counted = { count: number; sum: bigint }
type Sides = { credit: Counted; debit: Counted }

/** What was read, to compare it with what the file claims. Pending lines count in `all` only. */
export type Tally = { all: Sides; booked: Sides }

/** A total that the file gives. `net` is credits less debits. */
export type Claim = {
  /** Where it stands: `<TtlNtries>`, `:90C:`. */
  field: string
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
export function claimProblems(claims: readonly Claim[], tally: Tally, currency: string): FileProblem[] {
  const [all, booked] = [tally.all, tally.booked].map((sides) =>
    claims.flatMap((claim) => problemsIn(claim, sides, currency)),
  ) as [FileProblem[], FileProblem[]]
  return booked.length < all.length ? booked : all
}

function problemsIn(claim: Claim, sides: Sides, currency: string): FileProblem[] {
  const { field, of, position } = claim
  const { count, sum } = totalOf(claim, sides)
  const problems: FileProblem[] = []
  if (claim.count !== null && claim.count !== count)
    problems.push(fileProblem(position, 'count_differs', { field, of, found: claim.count, expected: count }))
  if (claim.sum !== null && claim.sum !== sum) {
    const [found, expected] = [moneyOf(claim.sum, currency), moneyOf(sum, currency)]
    problems.push(fileProblem(position, 'sum_differs', { field, of, found, expected }))
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
  position: Position | null,
): FileProblem[] {
  const isPending = all.credit.count + all.debit.count > booked.credit.count + booked.debit.count
  if (!opening || !closing || isPending) return []
  const expected = opening.amount + booked.credit.sum - booked.debit.sum
  if (expected === closing.amount) return []
  const of = (amount: bigint) => moneyOf(amount, opening.currency)
  return [fileProblem(position, 'closing_differs', { found: of(closing.amount), expected: of(expected) })]
}
