export type {
  BankLine,
  LineDecision,
  LineReason,
  LineState,
  LineTotal,
  LineVerdict,
  PayoutLineDecision,
  StoredLine,
} from './bank-line.ts'
export { ENTERED_BY_HAND, LINE_STATES, MAX_NARRATIVE, payoutReferences } from './bank-line.ts'
export { overdueStatements } from './files/coverage.ts'
export { partsAbout, matterOfLineSql } from './parts/store.ts'
export { balancesAround, balancesOfDay, firstStatementDay } from './day-statements/store.ts'
export {
  dismissedOfDay,
  lineWindowSql,
  linesOfDaySql,
  linesOfMatters,
  daysReadAfter,
  daysTouchedAfter,
  linesReadAfter,
  movedOfDay,
  redatedLinesSql,
  sumOfLines,
  totalsOfDay,
  unbookedLinesSql,
} from './days/store.ts'
export { balancesHaveRoom } from './days/room.ts'
export type { DayLine, LateLine, StateTotal } from './days/store.ts'
export { checkEntered, enterLine, mustExplainEntry, normaliseEntered, previewEntered } from './entered/enter-line.ts'
export type { LineToEnter } from './entered/enter-line.ts'
export { enteredLike, fitsBooking, replacedBy, replacementOf, senderOfLine } from './entered/replace-entered.ts'
export type { EnteredFacts } from './entered/similar-lines.ts'
export type { EnteredLine } from './entered/store.ts'
export { findEnteredOf, isEnteredLine, listEntered, waitingCorrections } from './entered/store.ts'
export { unconfirmedMoney } from './confirmed/store.ts'
export type { UnconfirmedLine } from './confirmed/unconfirmed.ts'
export {
  CONFIRMED_WITHIN_DAYS,
  mustBeConfirmed,
  overdueUnconfirmed,
  selectUnconfirmed,
  unconfirmedEntered,
  unconfirmedOfDay,
} from './confirmed/unconfirmed.ts'
export { eraseLinesOf } from './erase-lines.ts'
export { forgedLines, markLines, mustBeGenuine } from './genuine-lines.ts'
export { listStatements } from './day-statements/list-statements.ts'
export type { ListedStatement } from './day-statements/list-statements.ts'
export { importLines } from './import-lines.ts'
export type { ImportResult } from './import-lines.ts'
export { debitsThatMayBe, idsNaming, linesNaming, linesThatMayBe, similarDebits } from './lines-naming.ts'
export { countOpenLines, listOpenLines, OPEN_KINDS } from './open/open-lines.ts'
export type { OpenFilter } from './open/open-lines.ts'
export { countToMatch } from './open/store.ts'
export { reviewTotals, suspenseTotals } from './open/store.ts'
export { rereadSource } from './cursors/reread-source.ts'
export type { Cursor } from './cursors/store.ts'
export { newestLines } from './day-statements/store.ts'
export { clearReadTimes, readCursor, lastReads, saveReadAt, saveCursor } from './cursors/store.ts'
export { countUnread, listUnread, needsAttention, searchUnread, unreadId } from './unread/store.ts'
export type { UnreadLine } from './unread/store.ts'
export type { KeyedUnread } from './unread/unread-lines.ts'
export {
  canRetry,
  closeUnread,
  keepKeyed,
  keepUnread,
  keyUnread,
  listUnreadAndClosed,
  reimportUnread,
  reopenUnread,
} from './unread/unread-lines.ts'
export type { LinePart } from './parts/store.ts'
export { linesNamedIn, namesNumberOf } from './named-numbers.ts'
export type { BookedLine, LineMove } from './explained/store.ts'
export {
  asLinesOf,
  claimDebitsToBook,
  creditsInSuspense,
  debitsInReview,
  debitsInReviewOf,
  duplicatesInSuspense,
  linesNumbered,
  linesOfNumber,
  explainedDebitsNaming,
  largerPaymentsFrom,
  linesOfJournal,
  linesOfPayout,
  lockLinesAbout,
  lockLinesById,
  moveCorrections,
  linesBookedSince,
  moveLines,
  waitingLines,
  matchedCredits,
  oppositeLines,
  otherSides,
  referTo,
  selectLinesById,
  selectUnexplained,
  setBooked,
  unexplainedOpposites,
  unexplainedDebitsSince,
} from './explained/store.ts'
export {
  claimNewLines,
  decidePayoutLine,
  hasCreditOfSql,
  hasSimilarDebitSql,
  isSimilarDebitSql,
  isNamedOnStatementSql,
  leaveToDeposits,
  findLine,
  listLines,
  linesOfDeposit,
  lockHeldLines,
  lockImport,
  lockLine,
  selectLinesNaming,
  unexplainedDebits,
  decidedUntil,
  receivedOn,
  accountsShowingDebits,
  decideLines,
  stateOfOpen,
} from './store.ts'
export { importInbox } from './files/inbox/import-inbox.ts'
export { beginImport, importFile, mustBeAcceptable } from './files/import-file.ts'
export type { FileResult, ImportOptions } from './files/import-file.ts'
export { forgedAmong, forgedFiles, markFiles } from './files/file-marks.ts'
export { importKept, resumeImports, stoppedAt } from './files/import-kept.ts'
export type { FileContent } from './files/open-file.ts'
export { isTable } from './files/open-file.ts'
export { tellUnread } from './files/file-line.ts'
export { hasNothingNew } from './files/nothing-new.ts'
export { previewFile } from './files/preview-file.ts'
export { notShownLines, takesTwo } from './files/proof.ts'
export { previewTogether } from './files/preview-together.ts'
export type { Previewed } from './files/preview-together.ts'
export type { FilePreview } from './files/file-preview.ts'
export { freeKeys, lockLinesOfFile, totalsOfFile } from './files/lines/store.ts'
export { showFile } from './files/show-file.ts'
export type { ShownFile } from './files/show-file.ts'
export type { Finding, StatementFile } from './files/statement-file.ts'
export { coveredUntil, filesChangedAt, findBySha, importedAmong, listFiles, selectUnfinished } from './files/store.ts'
export { finishUndo, lockFileToUndo } from './files/undo.ts'
export type { LineOrigin } from './origins.ts'
export { originsOf } from './origins.ts'
export { isMirrored } from './mirrored.ts'
export { searchLines } from './search/store.ts'
