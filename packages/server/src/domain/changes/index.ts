export { findRequest, plainValue } from '../people/index.ts'
export type { ChangeRequest, Difference } from '../people/index.ts'
export { approvalsOf, openApprovals } from './approvals.ts'
export type { ApprovalWord } from './approvals.ts'
export type { ChangeDeps } from './change.ts'
export { approveChange, rejectChange } from './decide.ts'
export { findInstruction, instructionIn, listInstructions, waitingInstructions } from './instructions.ts'
export { approvalRight, KINDS } from './kinds.ts'
export type { KindName, ResultOf, TermsOf } from './kinds.ts'
export { proposedAlike } from './proposed-alike.ts'
export { proposedImport } from './proposed-import.ts'
export type { ProposedImport } from './proposed-import.ts'
export { expireChanges, requestChange } from './propose.ts'
export type { Requested } from './propose.ts'
export { openImport, requestImport } from './request-import.ts'
export {
  changesOfMerchant,
  countOpen,
  entryIn,
  forgedChanges,
  listChanges,
  openChanges,
  openRequestAbout,
  openRequests,
  showChange,
} from './show.ts'
export type { ShownChange } from './show.ts'
