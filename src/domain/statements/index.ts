export type { BankLine, StoredLine } from './bank-line.ts'
export { LINE_STATES, payoutReferences } from './bank-line.ts'
export { importLines } from './import-lines.ts'
export type { Cursor, LineDecision, LineTotal } from './store.ts'
export type { UnreadLine } from './unread/store.ts'
export { keepUnread, listUnread, retakeUnread } from './unread/unread-lines.ts'
export {
  claimNewLines,
  claimPayoutLines,
  decidePayoutLine,
  leaveToDeposits,
  lockLinesAbout,
  moveCorrections,
  selectLine as findLine,
  selectLines as listLines,
  selectLinesOfDeposit as linesOfDeposit,
  lockHeldLines,
  lockLine,
  selectCursor as readCursor,
  selectQueued as queuedLines,
  selectQueuedIds as listQueued,
  selectUnexplainedDebits as unexplainedDebits,
  selectCursors as listCursors,
  selectDecidedUntil as decidedUntil,
  selectReceivedOn as receivedOn,
  selectShowingDebits as accountsShowingDebits,
  updateLines as decideLines,
  updateReadAt as saveReadAt,
  upsertCursor as saveCursor,
} from './store.ts'
