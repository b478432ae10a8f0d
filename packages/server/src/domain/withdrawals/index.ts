export { approveWithdrawal, seenToApprove, waitsAsSeen } from './approve.ts'
export { insertCall, callsOf } from './bank-calls/store.ts'
export type { CallDetail, CallOutcome, PayoutCall } from './bank-calls/store.ts'
export { cancelWithdrawal } from './cancel-withdrawal.ts'
export { changeWithdrawal } from './change-withdrawal.ts'
export type { WithdrawalViews } from './change-withdrawal.ts'
export { checkIban, checkReach } from './check-recipient.ts'
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
export { createWithdrawals } from './create-withdrawals.ts'
export type { NewWithdrawal } from './create-withdrawals.ts'
export { createRefund } from './refund-sender.ts'
export type { Refund } from './refund-sender.ts'
export { waitingDuplicates } from './refunds/refund-guards.ts'
export { isFoundUnsent, MAX_ROWS, namesWithdrawal, outgoingLines, recordCheckResult } from './restores/found-unsent.ts'
export { findOpenRestore, updateReleased } from './restores/store.ts'
export type { Restore } from './restores/store.ts'
export { previewSettlement } from './settlements/preview-settlement.ts'
export type { SettlementPreview, ShownSettlement } from './settlements/preview-settlement.ts'
export { requestSettlement, settleDue } from './settlements/settle.ts'
export { lastSettlements } from './settlements/store.ts'
export { rejectWithdrawal, stopWithdrawal } from './stop-withdrawal.ts'
export {
  lockWithdrawal,
  lockWithdrawalById,
  everyRefundOf,
  refundsOfDeposit,
  listByState,
  selectExisting,
  paidTo,
  stopOf,
  oldestQueued,
  oldestToApprove,
  findWithdrawal,
  findWithdrawalById,
  listWithdrawals,
  withdrawalsTo,
} from './store.ts'
export type { PaidTo } from './store.ts'
export { unschedule } from './unschedule.ts'
export { forgedWithdrawals } from './withdrawal-mark.ts'
export { FAILURE_REASONS, WITHDRAWAL_STATES, WITHDRAWAL_STATUSES, waitsFor } from './withdrawal.ts'
export type { FailureReason, HeldBy, WithdrawalState, StateReason, Withdrawal, WithdrawalStatus } from './withdrawal.ts'
export { searchWithdrawals, withdrawalsOfCustomer } from './search/store.ts'
export { BATCH_STATES } from './payouts/batches/batch.ts'
export type { Batch, BatchState, OrderConnection } from './payouts/batches/batch.ts'
export { cancelBatch } from './payouts/batches/cancel-batch.ts'
export { cutBatches } from './payouts/batches/cut-batches.ts'
export { importOrderReport, MAX_REPORT_BYTES } from './payouts/batches/reports/import-order-report.ts'
export type { ReportOutcome, Unfitting } from './payouts/batches/reports/store.ts'
export { listReports, listUnfitting, selectReportItems } from './payouts/batches/reports/store.ts'
export { releaseBatches, retryBatch } from './payouts/batches/release-batches.ts'
export { sendOrderFiles } from './payouts/batches/send-order-files.ts'
export type { OverdueBatches } from './payouts/batches/watch-batches.ts'
export { overdueBatches, recentUnfitting } from './payouts/batches/watch-batches.ts'
export { MAX_REPORTS, showBatch } from './payouts/batches/show-batch.ts'
export type { BatchPayout, ShownBatch } from './payouts/batches/show-batch.ts'
export { findBatch, findLiveBatch, listBatches, selectItems as selectBatchItems } from './payouts/batches/store.ts'
export { decideDoubt, recordSentByHand, withdrawOpinion } from './payouts/decide-doubt.ts'
export type { Takes } from './payouts/take-to-send.ts'
export { readPayoutBlocks, releaseTake, takesOf, takeToSend } from './payouts/take-to-send.ts'
export type { Undecided } from './payouts/decide-doubt.ts'
export { findingsAbout, forgedOpinions } from './payouts/doubt-words.ts'
export { hiddenFindings } from './payouts/hidden-findings.ts'
export type { Reader } from './payouts/hidden-findings.ts'
export { decideEnded, OVERDUE_BUSINESS_DAYS } from './payouts/decide-ended.ts'
export { dispatchWithdrawals, payoutFor } from './payouts/dispatch.ts'
export { forgedOf, forgedPayouts } from './payouts/payout-mark.ts'
export { checkPayouts, doubtPayout, findUnlikeWithdrawal } from './payouts/doubt-payout.ts'
export { eraseWithdrawal, lockEndedWithdrawal } from './payouts/erase-withdrawal.ts'
export { assignLine, failureOf, lockAccountsOf, recordReturn, recordSettlement } from './payouts/finish-payout.ts'
export { returnPayout, settlementOf, settlePayout, undoReturn } from './payouts/finish-payout.ts'
export {
  furtherDebits,
  givenBackBy,
  isWaiting,
  MAX_CHARGE,
  mayBeCharge,
  mayBeFee,
  mustBeDebitedOnce,
  showsReturnOf,
} from './payouts/payout-lines.ts'
export { notFoundRule } from './payouts/not-found-rule.ts'
export type { NotFoundRule } from './payouts/not-found-rule.ts'
export { OPEN_STATES, PAID_WITHOUT_DEBIT, PAYOUT_STATES, bankHasOrder } from './payouts/payout.ts'
export { isOpen, unknownSince, wasNotSent } from './payouts/payout.ts'
export type { Payout, PayoutState } from './payouts/payout.ts'
export type { PayoutOutcome } from './payouts/store.ts'
export {
  bringForward,
  clearSeenLine,
  doubtIntents,
  findPayout,
  insertIntents,
  listPayouts,
  lockPayout,
  payoutOutcomes,
  selectDebit,
  selectPayoutsById,
  updateSeenLine,
} from './payouts/store.ts'
export {
  awaitingDebit,
  awaitingReturn,
  largerPayoutsTo,
  notReturnedTo,
  payoutsBelow,
  payoutsLike,
  payoutsOfAmount,
} from './payouts/candidates/store.ts'
export {
  listInDoubt,
  listToSend,
  oldestUnknown,
  selectWithoutCredit,
  selectWithoutDebit,
  sumInDoubt,
  sumToSend,
  sumUnknown,
  sumUnsent,
  sumWithOpinions,
  sumWithoutCredit,
  sumWithoutDebit,
} from './payouts/unseen/store.ts'
export type { Overdue } from './payouts/unseen/store.ts'
export { isNewest, markIfLost, stopSending } from './payouts/sending/hand-over.ts'
export { selectSending } from './payouts/sending/store.ts'
export type { SendingDeps } from './payouts/sending/hand-over.ts'
export { queryPayoutStatus, submitPayouts } from './payouts/submit-payouts.ts'
export type { PayoutDeps } from './payouts/submit-payouts.ts'
export {
  awaitsThird,
  currentOpinions,
  isAboutEnded,
  isUndecided,
  opinionsDiffer,
} from './payouts/doubt-decisions/opinions.ts'
export { foundUnder, selectDoubtDecisions } from './payouts/doubt-decisions/store.ts'
export type { DoubtDecision } from './payouts/doubt-decisions/store.ts'
