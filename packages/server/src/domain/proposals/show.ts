import type { Marks } from '../../platform/crypto/marks.ts'
import type { Queryable } from '../../platform/postgres/db.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { refuse } from '../../kernel/refusals/refuse.ts'
import type { Said } from '../../platform/refusal.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Proposed } from '../books/index.ts'
import type { Proposal } from '../people/index.ts'
import {
  countSince,
  findProposal,
  forged,
  selectNewest,
  openSince,
  proposalAbout,
  selectOfMerchant,
} from '../people/index.ts'
import type { ProposalDeps } from './proposal-kind.ts'
import { EXPIRES_MS, isExpired, wordOf } from './proposal-kind.ts'
import type { KindName } from './kinds.ts'
import { describeStored, isAsProposed, kindOf, OF_MERCHANTS_ONLY } from './kinds.ts'

/**
 * What can only be rejected. `isStale`: what it is about has changed since it was proposed; `refused`: so that it would be refused now.
 * `isForged`: no one has proposed it, it was written in SQL.
 */
export type ShownProposal = Proposal & { isStale: boolean; refused: Said | null; isForged: boolean }

/** Approvals of withdrawals are shown with the withdrawals. */
const SHOWN_ELSEWHERE = [...OF_MERCHANTS_ONLY, 'withdrawal.approve' satisfies KindName]

/** Open ones, oldest first, without those that have expired, and without what only users of a merchant decide. */
export function openAsProposed(app: { db: Queryable; clock: Clock }, limit: number): Promise<Proposal[]> {
  return openBesides(app, SHOWN_ELSEWHERE, limit)
}

function openBesides({ db, clock }: { db: Queryable; clock: Clock }, besides: string[], limit: number) {
  return openSince(db, oldestOpen(clock), { besides, limit })
}

export const countWaiting = ({ db, clock }: { db: Queryable; clock: Clock }) =>
  countSince(db, oldestOpen(clock), SHOWN_ELSEWHERE)

export const oldestOpen = (clock: Clock) => new Date(clock.now().getTime() - EXPIRES_MS)

/** Ids of open ones that no one has proposed: they were written in SQL. */
export async function forgedProposals(
  app: { db: Queryable; clock: Clock; marks: Marks },
  limit: number,
): Promise<string[]> {
  return (await forged(app, app.db, await openBesides(app, [], limit), wordOf)).map(({ id }) => id)
}

/** The open one about this, if there is one. */
export async function openProposalAbout(
  { db, clock }: { db: Queryable; clock: Clock },
  subject: string,
): Promise<Proposal | null> {
  const id = await proposalAbout({ clock }, db, subject)
  return id === null ? null : ((await findProposal(db, id)) ?? null)
}

/** The same, with whether each still fits. */
export async function openProposals(app: ProposalDeps, db: Queryable, limit: number): Promise<ShownProposal[]> {
  const proposals = await openAsProposed({ ...app, db }, limit)
  return withState(app, db, proposals)
}

/** The journal entry that an open proposal proposes. */
export const entryIn = (proposal: Proposal): Proposed | null =>
  proposal.kind === 'journal.entry' && proposal.state === 'open' ? (kindOf(proposal).terms as Proposed) : null

/** Newest first: decided ones too. */
export async function listProposals({ db, clock }: ProposalDeps, limit: number): Promise<Proposal[]> {
  return (await selectNewest(db.pages, { besides: OF_MERCHANTS_ONLY, limit })).map((one) => asOf(one, clock.now()))
}

/** Newest first: decided ones too. */
export async function proposalsOfMerchant(
  app: ProposalDeps,
  db: Queryable,
  merchantId: string,
  limit: number,
): Promise<ShownProposal[]> {
  const proposals = await selectOfMerchant(db, merchantId, { besides: OF_MERCHANTS_ONLY, limit })
  return withState(app, db, proposals)
}

export async function showProposal(app: ProposalDeps, id: string): Promise<ShownProposal> {
  const proposal = await findProposal(app.db, id)
  if (!proposal || OF_MERCHANTS_ONLY.includes(proposal.kind)) throw refuse('proposal_unknown', { proposal: id })
  const [shown] = await withState(app, app.db, [proposal])
  return shown as ShownProposal
}

export const asOf = (proposal: Proposal, now: Date): Proposal =>
  isExpired(proposal, now) ? { ...proposal, state: 'expired' } : proposal

export async function withState(app: ProposalDeps, db: Queryable, proposals: Proposal[]): Promise<ShownProposal[]> {
  const all = proposals.map((proposal) => asOf(proposal, app.clock.now()))
  const open = all.filter(({ state }) => state === 'open')
  const unmarked = new Set((await forged(app, db, open, wordOf)).map(({ id }) => id))
  return Promise.all(
    all.map(async (one) => {
      const now = one.state === 'open' ? await compare(app, db, one) : UNCHANGED
      return { ...one, ...now, isForged: unmarked.has(one.id) }
    }),
  )
}

type Compared = Pick<ShownProposal, 'isStale' | 'refused'>
const UNCHANGED: Compared = { isStale: false, refused: null }

async function compare(app: ProposalDeps, db: Queryable, proposal: Proposal): Promise<Compared> {
  try {
    const { rows } = await describeStored(app, db, proposal)
    return { isStale: !isAsProposed(proposal, rows), refused: null }
  } catch (error) {
    // What it is about has become something for which it is not valid, or another version wrote it.
    if (error instanceof Refusal) return { isStale: true, refused: error.said ?? null }
    throw error
  }
}
