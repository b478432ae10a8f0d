export type { BankLine, LineDecision, LineTotal, StoredLine } from './bank-line.ts'
export { LINE_STATES, payoutReferences } from './bank-line.ts'
export { eraseLinesOf } from './erase-lines.ts'
export { importLines } from './import-lines.ts'
export { rereadSource } from './cursors/reread-source.ts'
export type { Cursor } from './cursors/store.ts'
export {
  markAllUnread,
  selectCursor as readCursor,
  selectLastReads as lastReads,
  updateReadAt as saveReadAt,
  upsertCursor as saveCursor,
} from './cursors/store.ts'
export { countUnread } from './unread/store.ts'
export type { UnreadLine } from './unread/store.ts'
export { keepUnread, listUnread, retakeUnread } from './unread/unread-lines.ts'
export {
  claimNewLines,
  claimPayoutLines,
  decidePayoutLine,
  isNamedByDebit,
  leaveToDeposits,
  lockLinesAbout,
  moveCorrections,
  selectLine as findLine,
  selectLines as listLines,
  selectLinesOfDeposit as linesOfDeposit,
  lockHeldLines,
  lockLine,
  searchLines,
  selectQueued as queuedLines,
  selectQueuedIds as listQueued,
  selectSuspense as suspenseLines,
  selectUnexplainedDebits as unexplainedDebits,
  selectDecidedUntil as decidedUntil,
  selectReceivedOn as receivedOn,
  selectShowingDebits as accountsShowingDebits,
  updateLines as decideLines,
} from './store.ts'
