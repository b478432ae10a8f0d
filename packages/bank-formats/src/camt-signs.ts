import { BankFileError } from './bank-file-error.ts'
import type { CamtBalance } from './camt-head.ts'
import type { StatementProblem } from './statement.ts'
import { balanceProblems } from './tally.ts'
import type { Tally } from './tally.ts'

type Balances = { opening: CamtBalance | null; closing: CamtBalance | null }

/** The balances with their signs. One without CdtDbtInd has the sign with which it alone fits the sums of the lines; else it is an error. */
export function signedBalances(
  given: Balances,
  tally: Tally,
  isPage: boolean,
): Balances & { missing: StatementProblem[] } {
  const missing = [
    ...withoutMark(given.opening, { what: 'mark of the opening balance' }),
    ...withoutMark(given.closing, { what: 'mark of the closing balance' }),
  ]
  const [first] = missing
  if (!first) return { ...given, missing }
  const possible = signsOf(given.opening).flatMap((opening) =>
    signsOf(given.closing).map((closing) => ({ opening, closing })),
  )
  // Where sums cannot be compared, every sign fits: nothing is proven.
  const [proven, ...others] = possible.filter(
    ({ opening, closing }) => isPage || balanceProblems(opening, closing, tally, first.position).length === 0,
  )
  if (!proven || others.length > 0)
    throw new BankFileError(
      first.position,
      '<Bal> has no <CdtDbtInd>, expected CRDT or DBIT, and the lines do not prove which',
    )
  return { ...proven, missing }
}

function withoutMark(balance: CamtBalance | null, { what }: Pick<StatementProblem, 'what'>) {
  if (!balance || balance.marked) return []
  return [{ what, expected: 'CRDT or DBIT', found: 'none', position: balance.position }]
}

function signsOf(balance: CamtBalance | null): (CamtBalance | null)[] {
  return balance && !balance.marked ? [balance, { ...balance, amount: -balance.amount }] : [balance]
}
