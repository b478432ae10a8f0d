import * as bank from './bank-kinds.ts'
import type { Kind } from './deposit-kinds.ts'
import * as deposits from './deposit-kinds.ts'
import * as payouts from './payout-kinds.ts'

// How often each kind of event happens, out of all weights of its month.

type Mix = [weight: number, kind: Kind][]

/** All that goes wrong at banks, far more often than it does. */
const HARD: Mix = [
  [400, deposits.right],
  [20, deposits.neverPaid],
  [12, deposits.wrongCode],
  [10, deposits.twice],
  [20, deposits.late],
  [8, deposits.short],
  [8, deposits.shortWithRest],
  [6, deposits.over],
  [6, deposits.thirdParty],
  [5, deposits.otherAccount],
  [6, deposits.split],
  [14, deposits.stranger],
  [4, deposits.funding],
  [8, deposits.stornoOfDeposit],
  [90, payouts.paid],
  [80, payouts.paidAndCharged],
  [10, payouts.pending],
  [6, payouts.refused],
  [8, payouts.unnamed],
  [6, payouts.withCharge],
  [6, payouts.together],
  [4, payouts.inParts],
  [6, payouts.debitedTwice],
  [10, payouts.returned],
  [6, payouts.returnedUnnamed],
  [5, payouts.returnedLessCosts],
  [4, payouts.returnedTogether],
  [6, bank.accountFee],
  [8, bank.interest],
  [3, bank.chargeGivenBack],
  [6, bank.ownTransferWhole],
  [3, bank.ownTransferLess],
  [5, bank.wrongCredit],
  [5, bank.wrongDebit],
  [3, bank.owedDebit],
  [5, bank.correctedAtOnce],
  [2, bank.ownFunds],
  [2, bank.feesTaken],
]

/** 95 % of the lines as expected; most of the others are the bank's own items. */
const ORDINARY: Mix = [
  [660, deposits.right],
  [20, deposits.neverPaid],
  [270, payouts.paid],
  [10, payouts.pending],
  [14, payouts.paidAndCharged],
  [3, bank.accountFee],
  [3, bank.interest],
  [2, deposits.wrongCode],
  [2, deposits.late],
  [1, deposits.short],
  [1, deposits.twice],
  [1, deposits.stranger],
  [1, payouts.returned],
  [1, bank.ownTransferWhole],
]

export const MIXES = { hard: HARD, ordinary: ORDINARY }
export type MonthKind = keyof typeof MIXES

export function pickKind(mix: Mix, below: (limit: number) => number): Kind {
  let left = below(mix.reduce((sum, [weight]) => sum + weight, 0))
  for (const [weight, kind] of mix) {
    if (left < weight) return kind
    left -= weight
  }
  throw new Error('A mix has no kinds.')
}
