import type { KindName, TermsOf } from '../../../domain/proposals/index.ts'
import { approveProposal, findProposal, rejectProposal, makeProposal } from '../../../domain/proposals/index.ts'
import type { DecidedBefore } from '../decided-before.ts'
import { orTellWho } from '../decided-before.ts'
import type { Asked, OperatorDeps, Section } from '../kind.ts'
import { patient } from '../statements/uploads.ts'
import { WORDS } from './words.ts'

const OUTCOMES = ['proposalApplied', 'proposalRejected', 'proposalMade', 'changeMade', 'proposalUnchanged'] as const
const texts = (language: 'tr' | 'en') => Object.fromEntries(OUTCOMES.map((key) => [key, WORDS[language][key]]))

/** Proposals are shown on the page of approvals. */
export const PROPOSALS: Section = {
  views: [],
  forms: [
    { path: '/proposals/:id/approve', action: 'proposal.approve', back: '/approvals', decide: approve },
    { path: '/proposals/:id/reject', action: 'proposal.reject', back: '/approvals', decide: reject },
  ],
  said: { tr: texts('tr'), en: texts('en') },
}

async function decidedProposal({ db }: OperatorDeps, id: string): Promise<DecidedBefore | null> {
  const proposal = await findProposal(db, id)
  if (!proposal?.decidedBy || !proposal.decidedAt) return null
  const { state, decidedBy: who, decidedAt: at } = proposal
  if (state === 'applied') return { who, what: 'approved', at }
  return state === 'rejected' || state === 'withdrawn' ? { who, what: state, at } : null
}

async function approve(app: OperatorDeps, { viewer, actor, id, fields }: Asked): Promise<string> {
  const decide = () => approveProposal(patient(app), actor, id, fields.get('seen') ?? '')
  await orTellWho(viewer, () => decidedProposal(app, id), decide)
  return 'proposalApplied'
}

async function reject(app: OperatorDeps, { viewer, actor, id, fields }: Asked): Promise<string> {
  const decide = () => rejectProposal(app, actor, id, fields.get('why') ?? '')
  await orTellWho(viewer, () => decidedProposal(app, id), decide)
  return 'proposalRejected'
}

const SAID = { applied: 'changeMade', open: 'proposalMade', unchanged: 'proposalUnchanged' } as const

/** Asks for a proposal with the reason of the form, and says what became of it. */
export async function ask<Name extends KindName>(
  app: OperatorDeps,
  { actor, fields }: Asked,
  kind: Name,
  terms: TermsOf<Name>,
): Promise<string> {
  const { state } = await makeProposal(app, actor, kind, terms, { reason: fields.get('why') })
  return SAID[state]
}
