import type { Actor } from '../../kernel/actor.ts'
import { actorName } from '../../kernel/actor.ts'
import { mustGiveReason } from '../../kernel/reason.ts'
import type { Tx } from '../../platform/postgres/db.ts'
import { within } from '../../platform/postgres/within.ts'
import { refuse } from '../../kernel/refusals/refuse.ts'
import { lockEntitledUser } from '../identity/index.ts'
import type { Approval, Proposal } from '../people/index.ts'
import {
  authorize,
  authorized,
  findProposal,
  lockEntitled,
  lockProposal,
  mustBeOfPerson,
  releaseSubjects,
  updateDecided,
} from '../people/index.ts'
import type { ProposalDeps } from './proposal-kind.ts'
import { isExpired, wordOf } from './proposal-kind.ts'
import {
  approvalRight,
  auditedReason,
  describeStored,
  isAsProposed,
  kindOf,
  knownKind,
  usersOf,
  withoutForgotten,
} from './kinds.ts'

/** The second person approves what was on the screen, by its hash. If anything of it has changed since, nothing is done. */
export async function approveProposal(
  app: ProposalDeps,
  actor: Actor,
  id: string,
  seen: string,
  note: string | null = null,
): Promise<{ proposal: Proposal; result: unknown }> {
  const known = await findProposal(app.db, id)
  const done = await app.db.transaction(async (outer) => {
    if (known) await knownKind(known.kind)?.lockFirst?.(outer, known.target)
    return approveOpen({ ...app, db: within(app.db, outer) }, actor, id, { seen, note })
  })
  await kindOf(done.proposal).kind.finish?.(app, done.result)
  return done
}

type Approving = { seen: string; note: string | null }

async function approveOpen(app: ProposalDeps, actor: Actor, id: string, { seen, note }: Approving) {
  const allowed = await allowedFor(app, id)
  return authorized(
    app,
    actor,
    'proposal.approve',
    async (tx, audit) => {
      const proposal = await lockOpen(app, tx, id)
      const { kind, terms } = kindOf(proposal)
      await authorize(app, tx, actor, approvalRight(kind), allowed)
      await mustBeAnother(app, tx, proposal, actor)
      await mustBeOfPerson(app, tx, wordOf(proposal))
      const { proposedBy, proposedAt } = proposal
      const inside = { ...app, approval: { id, proposedBy, proposedAt } as Approval }
      await kind.lock?.(tx, terms)
      const { rows } = await describeStored(inside, tx, proposal)
      if (!isAsProposed(proposal, rows) || !isSeen(kind.seenOf?.(terms) ?? proposal.seenSha256, seen))
        throw changedSince(proposal)
      const result = await kind.apply(inside, actor, terms, proposal.reason)
      const decided = { state: 'applied' as const, decidedBy: actorName(actor), note }
      await end(app, tx, proposal, decided)
      const after = { state: 'applied', kind: proposal.kind, proposedBy: proposal.proposedBy, seen }
      await audit(`proposal:${id}`, { before: { state: 'open' }, after })
      return { proposal: { ...proposal, ...decided, decidedAt: app.clock.now() }, result }
    },
    allowed,
  )
}

/** Anyone who may approve it; who proposed it withdraws it. */
export async function rejectProposal(app: ProposalDeps, actor: Actor, id: string, why: string): Promise<Proposal> {
  mustGiveReason('why', why)
  const allowed = await allowedFor(app, id)
  return authorized(
    app,
    actor,
    'proposal.reject',
    async (tx, audit) => {
      const proposal = await lockOpen(app, tx, id)
      const state = proposal.proposedBy === actorName(actor) ? ('withdrawn' as const) : ('rejected' as const)
      const kind = knownKind(proposal.kind)
      if (state === 'rejected' && kind) await authorize(app, tx, actor, approvalRight(kind), allowed)
      const decided = { state, decidedBy: actorName(actor), note: why.trim() }
      await end(app, tx, proposal, decided)
      const reason = auditedReason(kind, why)
      await audit(`proposal:${id}`, { before: { state: 'open' }, after: { state, kind: proposal.kind }, reason })
      return { ...proposal, ...decided, decidedAt: app.clock.now() }
    },
    allowed,
  )
}

type Decided = Pick<Proposal, 'decidedBy' | 'note'> & { state: 'applied' | 'rejected' | 'withdrawn' }

/** What it is about is free for another proposal. */
async function end(app: ProposalDeps, tx: Tx, proposal: Proposal, decided: Decided): Promise<void> {
  const { id, kind } = proposal
  const kept = knownKind(kind)?.isForgotten ? withoutForgotten(proposal) : null
  await updateDecided(tx, id, { ...decided, kept }, app.clock.now())
  await releaseSubjects(tx, id)
}

async function allowedFor(app: ProposalDeps, id: string) {
  const known = await findProposal(app.db, id)
  const kind = known && knownKind(known.kind)
  return { named: true as const, ...(kind && usersOf(kind, known.merchantId)) }
}

/** People type the first characters on a command line: 48 bits of the hash. */
const isSeen = (hash: string, seen: string) => seen.length >= 12 && hash.startsWith(seen)

async function lockOpen({ clock }: ProposalDeps, tx: Tx, id: string): Promise<Proposal> {
  const proposal = await lockProposal(tx, id)
  if (!proposal) throw refuse('proposal_unknown', { proposal: id })
  if (proposal.state !== 'open') throw refuse('proposal_decided', { state: proposal.state, by: proposal.decidedBy })
  if (isExpired(proposal, clock.now())) throw refuse('proposal_expired')
  return proposal
}

async function mustBeAnother(app: ProposalDeps, tx: Tx, proposal: Proposal, actor: Actor): Promise<void> {
  const { id, proposedBy } = proposal
  if (actorName(actor) === proposedBy) throw refuse('proposal_own', { proposedBy })
  if (await mayStillDecide(app, tx, proposal)) return
  throw refuse('proposer_without_right', { proposal: id, proposedBy })
}

/** The proposer has the right to propose it now, too. */
async function mayStillDecide(app: ProposalDeps, tx: Tx, proposal: Proposal): Promise<boolean> {
  const { proposedBy } = proposal
  const { action } = kindOf(proposal).kind
  if (proposedBy.startsWith('merchant:')) return lockEntitledUser(app, tx, proposedBy, action)
  return (await lockEntitled(app, tx, [proposedBy], action)).has(proposedBy)
}

const changedSince = ({ id }: Proposal) => refuse('proposal_outdated', { proposal: id })
