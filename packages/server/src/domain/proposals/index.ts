export { findProposal, plainValue } from '../people/index.ts'
export type { Proposal, Difference } from '../people/index.ts'
export { approvalsOf, openApprovals } from './approvals.ts'
export type { ApprovalWord } from './approvals.ts'
export type { ProposalDeps } from './proposal-kind.ts'
export { approveProposal, rejectProposal } from './decide.ts'
export { findInstruction, instructionIn, listInstructions, waitingInstructions } from './instructions.ts'
export { approvalRight, KINDS } from './kinds.ts'
export type { KindName, ResultOf, TermsOf } from './kinds.ts'
export { proposedAlike } from './proposed-alike.ts'
export { proposedImport } from './proposed-import.ts'
export type { ProposedImport } from './proposed-import.ts'
export { expireProposals, makeProposal } from './propose.ts'
export type { ProposalOutcome } from './propose.ts'
export { openImport, proposeImport } from './propose-import.ts'
export {
  proposalsOfMerchant,
  countWaiting,
  entryIn,
  forgedProposals,
  listProposals,
  openProposals,
  openProposalAbout,
  openAsProposed,
  showProposal,
} from './show.ts'
export type { ShownProposal } from './show.ts'
