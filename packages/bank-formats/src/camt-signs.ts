import { fileError, fileProblem } from './file-problems.ts'
import type { CamtBalance } from './camt-head.ts'
import type { FileProblem } from './file-problems.ts'
import { balanceProblems } from './tally.ts'
import type { Tally } from './tally.ts'

type Balances = { opening: CamtBalance | null; closing: CamtBalance | null }

/** The balances with their signs. One without CdtDbtInd has the sign with which it alone fits the sums of the lines; else it is an error. */
export function signedBalances(given: Balances, tally: Tally, isPage: boolean): Balances & { missing: FileProblem[] } {
  const missing = [...withoutMark(given.opening, 'opening'), ...withoutMark(given.closing, 'closing')]
  const [first] = missing
  if (!first) return { ...given, missing }
  const possible = signsOf(given.opening).flatMap((opening) =>
    signsOf(given.closing).map((closing) => ({ opening, closing })),
  )
  // Where sums cannot be compared, every sign fits: nothing is proven.
  const [proven, ...others] = possible.filter(
    ({ opening, closing }) => isPage || balanceProblems(opening, closing, tally, first.position).length === 0,
  )
  if (!proven || others.length > 0) throw fileError(first.position, 'balance_sign_unknown')
  return { ...proven, missing }
}

function withoutMark(balance: CamtBalance | null, which: 'opening' | 'closing'): FileProblem[] {
  return !balance || balance.marked ? [] : [fileProblem(balance.position, 'balance_unmarked', { which })]
}

function signsOf(balance: CamtBalance | null): (CamtBalance | null)[] {
  return balance && !balance.marked ? [balance, { ...balance, amount: -balance.amount }] : [balance]
}
