export { approveWithdrawal, rejectWithdrawal } from './approve.ts'
export { cancelWithdrawal } from './cancel-withdrawal.ts'
export { createWithdrawals } from './create-withdrawals.ts'
export type { NewWithdrawal } from './create-withdrawals.ts'
export { dispatchWithdrawals } from './dispatch.ts'
export { eraseWithdrawal, lockEndedWithdrawal } from './erase-withdrawal.ts'
export { debitByHand } from './payouts/debit-by-hand.ts'
export { decideDoubt, recordSentByHand } from './payouts/decide-doubt.ts'
export { matchPayoutLines } from './payouts/match-payout-lines.ts'
export { listWithoutDebit, missingLines } from './payouts/missing-lines.ts'
export { returnByHand } from './payouts/return-by-hand.ts'
export type { ReturnOutcome } from './payouts/return-by-hand.ts'
export { bankHasOrder, PAYOUT_STATES } from './payouts/payout.ts'
export type { Payout, PayoutCall } from './payouts/payout.ts'
export {
  selectCalls as callsOf,
  selectOldestUnknown as oldestUnknown,
  selectPayoutById as findPayout,
  selectPayouts as listPayouts,
} from './payouts/store.ts'
export { askPayouts, submitPayouts } from './payouts/submit-payouts.ts'
export { checkRestored, releaseRestored } from './restores/check-restored.ts'
export type { RestoreCheck } from './restores/check-restored.ts'
export { recordUnsent } from './restores/found-unsent.ts'
export { doubtLost } from './restores/lost-payouts.ts'
export { markRestored } from './restores/mark-restored.ts'
export { selectOpenRestore as findOpenRestore } from './restores/store.ts'
export { stopWithdrawal } from './stop-withdrawal.ts'
export { selectApprovals as approvalsOf, selectStop as stopOf } from './decisions/store.ts'
export {
  searchWithdrawals,
  selectByStage as listByStage,
  selectIdsOfCustomer as withdrawalsOfCustomer,
  selectOldestQueued as oldestQueued,
  selectOldestToApprove as oldestToApprove,
  selectWithdrawal as findWithdrawal,
  selectWithdrawalById as findWithdrawalById,
  selectWithdrawals as listWithdrawals,
} from './store.ts'
export { waitsFor, WITHDRAWAL_STATUSES, withdrawalView } from './withdrawal.ts'
export type { HeldBy, Withdrawal } from './withdrawal.ts'
