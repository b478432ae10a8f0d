import { BankFileError } from './bank-file-error.ts'
import { minorDigits } from './minor-units.ts'
import type { Balance, Position, StatementLine } from './statement.ts'

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

export function addTo(
  tally: Tally,
  { direction, amount, status }: Pick<StatementLine, 'direction' | 'amount' | 'status'>,
) {
  for (const sides of status === 'booked' ? [tally.all, tally.booked] : [tally.all]) {
    sides[direction].count += 1
    sides[direction].sum += amount
  }
}

/** Banks total either all lines or only the booked ones: the claims must hold together for one of the two. */
export function checkClaims(claims: readonly Claim[], tally: Tally, currency: string): void {
  if (wrongIn(claims, tally.booked) === undefined) return
  const claim = wrongIn(claims, tally.all)
  if (claim === undefined) return
  const found = totalOf(claim, tally.all)
  const numbers = [
    claim.count !== null && claim.count !== found.count ? `${claim.count} lines, but there are ${found.count}` : '',
    claim.sum !== null && claim.sum !== found.sum
      ? `${decimal(claim.sum, currency)}, but the lines give ${decimal(found.sum, currency)}`
      : '',
  ]
  throw new BankFileError(claim.position, `${claim.what} says ${numbers.filter(Boolean).join(' and ')}`)
}

function wrongIn(claims: readonly Claim[], sides: Sides): Claim | undefined {
  return claims.find((claim) => {
    const { count, sum } = totalOf(claim, sides)
    return (claim.count ?? count) !== count || (claim.sum ?? sum) !== sum
  })
}

function totalOf({ of }: Claim, { credit, debit }: Sides): Counted {
  if (of === 'credit') return credit
  if (of === 'debit') return debit
  return { count: credit.count + debit.count, sum: of === 'both' ? credit.sum + debit.sum : credit.sum - debit.sum }
}

/** Opening balance and lines give the closing balance. Not compared with pending lines: banks differ in whether these count. */
export function checkBalances(
  opening: Balance | null,
  closing: Balance | null,
  tally: Tally,
  position: Position,
): void {
  const { all, booked } = tally
  const isPending = all.credit.count + all.debit.count > booked.credit.count + booked.debit.count
  if (!opening || !closing || isPending) return
  const expected = opening.amount + booked.credit.sum - booked.debit.sum
  if (expected === closing.amount) return
  const [from, to, lead] = [opening.amount, closing.amount, expected].map((amount) => decimal(amount, opening.currency))
  throw new BankFileError(
    position,
    `the opening balance ${from} and the lines give ${lead}, but the closing balance is ${to} ${opening.currency}; lines are missing or wrong`,
  )
}

function decimal(amount: bigint, currency: string): string {
  const digits = minorDigits(currency)
  const text = String(amount < 0n ? -amount : amount).padStart(digits + 1, '0')
  const whole = text.slice(0, text.length - digits)
  return `${amount < 0n ? '-' : ''}${whole}${digits > 0 ? `.${text.slice(-digits)}` : ''}`
}
