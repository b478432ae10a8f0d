export { checkPayouts, findUnlikeWithdrawal } from './check-payouts.ts'
export { decideDoubt, recordSentByHand } from './decide-doubt.ts'
export { dispatchWithdrawals, payoutFor } from './dispatch.ts'
export { doubtPayout } from './doubt-payout.ts'
export { eraseWithdrawal, lockEndedWithdrawal } from './erase-withdrawal.ts'
export { assignLine, failureOf, lockAccountsOf, returnPayout, settlePayout } from './finish-payout.ts'
export { PAYOUT_STATES, bankHasOrder, isOpen } from './payout.ts'
export type { Payout } from './payout.ts'
export {
  bringForward,
  doubtIntents,
  insertIntents,
  lockPayout,
  oldestUnknown,
  findPayout,
  listPayouts,
  selectDoubtDecisions,
  selectPayoutsById,
  selectWithoutDebit,
  sumWithoutDebit,
} from './store.ts'
export type { DoubtDecision, Overdue } from './store.ts'
export { queryPayoutStatus, submitPayouts } from './submit-payouts.ts'
export type { PayoutDeps } from './submit-payouts.ts'
export { isWaiting } from './waiting-line.ts'
