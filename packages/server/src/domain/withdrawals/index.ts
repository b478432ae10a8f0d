export { approveWithdrawal, seenToApprove, waitsAsSeen } from './approve.ts'
export { eraseCalls, insertCall, insertCalls, callsOf } from './bank-calls/store.ts'
export type { CallDetail, CallOutcome, PayoutCall } from './bank-calls/store.ts'
export { cancelWithdrawal } from './cancel-withdrawal.ts'
export { changeWithdrawal, changeWithdrawals } from './change-withdrawal.ts'
export type { WithdrawalViews } from './change-withdrawal.ts'
export { checkIban, checkReach } from './check-recipient.ts'
export { withdrawalHistory } from './history/store.ts'
export { createInstruction, MOST_LINES, readInstruction, totalOf } from './instructions/instructions.ts'
export type { Instruction } from './instructions/instructions.ts'
export { readLines } from './instructions/read-lines.ts'
export type { LineProblem, ReadLines } from './instructions/read-lines.ts'
export {
  withdrawalsWithIds,
  pendingTo,
  totalsQueued,
  totalsToApprove,
  withdrawalsOfAll,
  withdrawalSums,
  withdrawalTotals,
} from './lists/store.ts'
export { makeRefund, refundDeposit } from './refunds/refund-deposit.ts'
export { waitingDuplicates } from './refunds/paid-twice.ts'
export { lockRefundedDeposit } from './refunds/update-refunded.ts'
export { createWithdrawals } from './create-withdrawals.ts'
export type { NewWithdrawal } from './create-withdrawals.ts'
export { createRefund } from './refund-sender.ts'
export type { Refund } from './refund-sender.ts'
export { isFoundUnsent, recordCheckResult } from './restores/found-unsent.ts'
export {
  noRestoreOpenSql,
  noRestoreSinceSql,
  findOpenRestore,
  updateReleased,
  upsertRestore,
} from './restores/store.ts'
export type { Restore } from './restores/store.ts'
export { MAX_ROWS, namesWithdrawal, outgoingLines } from './restores/unexplained.ts'
export { previewSettlement } from './settlements/preview-settlement.ts'
export type { SettlementPreview, ShownSettlement } from './settlements/preview-settlement.ts'
export { requestSettlement, settleDue } from './settlements/settle.ts'
export { lastSettlements } from './settlements/store.ts'
export { rejectWithdrawal, stopWithdrawal } from './stop-withdrawal.ts'
export { eraseStop, stopOf } from './stops/store.ts'
export {
  claimToRoute,
  eraseRecipient,
  fitsWithdrawalSql,
  lockWithdrawal,
  lockWithdrawalById,
  lockWithdrawals,
  everyRefundOf,
  refundsOfDeposit,
  listByState,
  selectExisting,
  paidTo,
  selectKnownIbans,
  oldestQueued,
  oldestToApprove,
  findWithdrawal,
  findWithdrawalById,
  listWithdrawals,
  withdrawalsTo,
} from './store.ts'
export type { PaidTo } from './store.ts'
export { unschedule } from './unschedule.ts'
export { forgedWithdrawals, mustHaveMark } from './withdrawal-mark.ts'
export { FAILURE_REASONS, WITHDRAWAL_STATES, WITHDRAWAL_STATUSES, waitsFor } from './withdrawal.ts'
export type { FailureReason, HeldBy, WithdrawalState, StateReason, Withdrawal, WithdrawalStatus } from './withdrawal.ts'
export { searchWithdrawals, withdrawalsOfCustomer } from './search/store.ts'
