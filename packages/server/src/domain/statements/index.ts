export type { BankLine, LineDecision, LineTotal, StoredLine } from './bank-line.ts'
export { LINE_STATES, MAX_NARRATIVE, payoutReferences } from './bank-line.ts'
export { allocationsAbout, matterOfLineSql } from './allocations/store.ts'
export { balancesOfDay } from './day-statements/store.ts'
export { lineWindowSql, linesOfMatters, totalsOfDay, unbookedLinesSql } from './days/store.ts'
export type { DayLine, StateTotal } from './days/store.ts'
export { eraseLinesOf } from './erase-lines.ts'
export { fillStatements } from './day-statements/fill-statements.ts'
export { listStatements } from './day-statements/list-statements.ts'
export type { ListedStatement } from './day-statements/list-statements.ts'
export { importLines } from './import-lines.ts'
export { linesNaming, linesThatMayBe, similarDebits } from './lines-naming.ts'
export { rereadSource } from './cursors/reread-source.ts'
export type { Cursor } from './cursors/store.ts'
export { clearReadTimes, readCursor, lastReads, saveReadAt, saveCursor } from './cursors/store.ts'
export { countUnread, listUnread, MOVES_NOTHING, needsAttention, searchUnread, unreadId } from './unread/store.ts'
export type { UnreadLine } from './unread/store.ts'
export type { KeyedUnread } from './unread/unread-lines.ts'
export {
  closeUnread,
  keepKeyed,
  keepUnread,
  keyUnread,
  listUnreadAndClosed,
  reimportUnread,
  reopenUnread,
} from './unread/unread-lines.ts'
export {
  claimNewLines,
  decidePayoutLine,
  hasCreditOfSql,
  hasSimilarDebitSql,
  isNamedOnStatementSql,
  leaveToDeposits,
  lockLinesAbout,
  moveCorrections,
  findLine,
  listLines,
  linesOfDeposit,
  lockHeldLines,
  lockLine,
  searchLines,
  selectLinesNaming,
  reviewTotals,
  suspenseTotals,
  unexplainedDebits,
  decidedUntil,
  receivedOn,
  accountsShowingDebits,
  decideLines,
} from './store.ts'
