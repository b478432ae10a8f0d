export { BATCH_STATES } from './batches/batch.ts'
export type { Batch, BatchState, OrderConnection } from './batches/batch.ts'
export { cancelBatch } from './batches/cancel-batch.ts'
export { cutBatches } from './batches/cut-batches.ts'
export { importOrderReport, MAX_REPORT_BYTES } from './batches/reports/import-order-report.ts'
export type { ReportOutcome, Unfitting } from './batches/reports/store.ts'
export { listReports, listUnfitting, selectReportItems } from './batches/reports/store.ts'
export { releaseBatches, retryBatch } from './batches/release-batches.ts'
export { sendOrderFiles } from './batches/send-order-files.ts'
export type { OverdueBatches } from './batches/watch-batches.ts'
export { overdueBatches, recentUnfitting } from './batches/watch-batches.ts'
export { MAX_REPORTS, showBatch } from './batches/show-batch.ts'
export type { BatchPayout, ShownBatch } from './batches/show-batch.ts'
export { findBatch, findLiveBatch, listBatches, selectItems as selectBatchItems } from './batches/store.ts'
export { checkPayouts, findUnlikeWithdrawal } from './check-payouts.ts'
export { decideDoubt, recordSentByHand, withdrawOpinion } from './decide-doubt.ts'
export type { Takes } from './take-to-send.ts'
export { releaseTake, takesOf, takeToSend } from './take-to-send.ts'
export type { Undecided } from './decide-doubt.ts'
export { findingsAbout, forgedOpinions } from './doubt-words.ts'
export { hiddenFindings } from './hidden-findings.ts'
export type { Reader } from './hidden-findings.ts'
export { decideEnded, OVERDUE_BUSINESS_DAYS } from './decide-ended.ts'
export { dispatchWithdrawals, payoutFor } from './dispatch.ts'
export { forgedOf, forgedPayouts } from './payout-mark.ts'
export { doubtPayout } from './doubt-payout.ts'
export { eraseWithdrawal, lockEndedWithdrawal } from './erase-withdrawal.ts'
export { assignLine, failureOf, lockAccountsOf, recordReturn, recordSettlement } from './finish-payout.ts'
export { returnPayout, settlementOf, settlePayout, undoReturn } from './finish-payout.ts'
export { furtherDebits, givenBackBy, MAX_CHARGE, mayBeCharge, mayBeFee, mustBeDebitedOnce } from './further-debits.ts'
export { notFoundRule } from './not-found-rule.ts'
export type { NotFoundRule } from './not-found-rule.ts'
export { readPayoutBlocks } from './payout-blocks.ts'
export { OPEN_STATES, PAID_WITHOUT_DEBIT, PAYOUT_STATES, bankHasOrder } from './payout.ts'
export { isOpen, unknownSince, wasNotSent } from './payout.ts'
export type { Payout, PayoutState } from './payout.ts'
export {
  bringForward,
  clearSeenLine,
  doubtIntents,
  insertIntents,
  lockPayout,
  findPayout,
  listPayouts,
  selectDebit,
  selectPayoutsById,
  updateSeenLine,
} from './store.ts'
export {
  awaitingDebit,
  awaitingReturn,
  largerPayoutsTo,
  notReturnedTo,
  payoutsBelow,
  payoutsLike,
  payoutsOfAmount,
} from './candidates/store.ts'
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
} from './unseen/store.ts'
export type { Overdue } from './unseen/store.ts'
export { payoutOutcomes } from './outcomes/store.ts'
export type { PayoutOutcome } from './outcomes/store.ts'
export { isNewest, markIfLost, stopSending } from './sending/hand-over.ts'
export { selectSending } from './sending/store.ts'
export type { SendingDeps } from './sending/hand-over.ts'
export { showsReturnOf } from './return-evidence.ts'
export { queryPayoutStatus, submitPayouts } from './submit-payouts.ts'
export type { PayoutDeps } from './submit-payouts.ts'
export { isWaiting } from './waiting-line.ts'
export { awaitsThird, currentOpinions, isAboutEnded, isUndecided, opinionsDiffer } from './doubt-decisions/opinions.ts'
export { foundUnder, selectDoubtDecisions } from './doubt-decisions/store.ts'
export type { DoubtDecision } from './doubt-decisions/store.ts'
