export { debitByHand } from './by-hand/accept-debit.ts'
export { returnByHand } from './by-hand/accept-return.ts'
export type { ReturnOutcome } from './by-hand/accept-return.ts'
export { checkRestoring, decideCorrection, restoreLine, retryAll, retryLine } from './by-hand/decide-reviewed-line.ts'
export type { Correction } from './by-hand/decide-reviewed-line.ts'
export { checkDismissal, dismissLine, mustNameNoOpenPayout } from './by-hand/dismiss-line.ts'
export { mustNotShowRefunded } from './by-hand/shows-refunded.ts'
export type { Dismissal } from './by-hand/dismiss-line.ts'
export {
  amountOfMatch,
  creditTakesTwo,
  matchByHand,
  mustExplainSender,
  mustNameReceived,
  suspendByHand,
} from './by-hand/match-line.ts'
export { mayProposeRepeat, readRepeat, repeatTakesTwo } from './by-hand/repeated-money.ts'
export type { Repeat, SaidOfRepeat } from './by-hand/repeated-money.ts'
export { severalNamed } from './by-hand/named-payouts.ts'
export { subjectsNamedBy } from './by-hand/named-subjects.ts'
export { previewMatch, previewSuspend } from './by-hand/preview-match.ts'
export { recordDecision } from './decisions/record-decision.ts'
export { decisionsOf, figuresOfDay, insertDecisions, secondPaymentsOf } from './decisions/store.ts'
export type { LineFigures } from './decisions/store.ts'
export { completion, depositReversal, depositSettlement, fromSuspense } from './deposits/deposit-settlement.ts'
export { fundMerchant, fundRange } from './deposits/fund-merchant.ts'
export { matchLines, wouldComplete } from './deposits/match-lines.ts'
export { judgePayoutLine } from './payouts/judge-payout-line.ts'
export { matchPayoutLines } from './payouts/match-payout-lines.ts'
export { listWithoutCredit, listWithoutDebit, missingLines } from './payouts/missing-lines.ts'
export { bookedUntil } from './deposits/score-match.ts'
