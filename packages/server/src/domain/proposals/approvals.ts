import type { Marks } from '../../platform/crypto/marks.ts'
import type { Queryable } from '../../platform/postgres/db.ts'
import type { Proposal } from '../people/index.ts'
import { forged, openOfKind, selectAbout, withdrawalSubject } from '../people/index.ts'
import type { Withdrawal } from '../withdrawals/index.ts'
import type { ProposalDeps } from './proposal-kind.ts'
import { wordOf } from './proposal-kind.ts'
import type { KindName } from './kinds.ts'
import type { ShownProposal } from './show.ts'
import { oldestOpen, withState } from './show.ts'

const KIND = 'withdrawal.approve' satisfies KindName

/** First approvals of these withdrawals that wait for a second. */
export async function openApprovals(
  app: ProposalDeps,
  db: Queryable,
  withdrawalIds: string[],
): Promise<ShownProposal[]> {
  const targets = withdrawalIds.map(withdrawalSubject)
  return withState(app, db, await openOfKind(db, KIND, targets, oldestOpen(app.clock)))
}

/** `withdrawn`: the person takes the own approval back; `rejected`: another person ends it. */
export type ApprovalWord = {
  proposal: string
  person: string
  decision: 'approve' | 'withdrawn' | 'rejected'
  note: string | null
  at: Date
}

/** What people said about a withdrawal, oldest first. `forged`: what was written in SQL. */
export async function approvalsOf(
  { marks }: { marks: Marks },
  db: Queryable,
  { id, approvedBy }: Pick<Withdrawal, 'id' | 'approvedBy'>,
): Promise<{ said: ApprovalWord[]; forged: ApprovalWord[] }> {
  const proposals = await selectAbout(db, KIND, withdrawalSubject(id))
  const unmarked = new Set(await forged({ marks }, db, proposals, wordOf))
  const words = proposals.flatMap((proposal) => {
    const [first, last] = wordsIn(proposal)
    const isSaid = !unmarked.has(proposal)
    // Only the withdrawal says who the second is, and the router checks its mark.
    const isSecond = last?.decision !== 'approve' || approvedBy?.[1] === last.person
    return [{ word: first, isSaid }, ...(last ? [{ word: last, isSaid: isSaid && isSecond }] : [])]
  })
  const those = (wanted: boolean) => words.filter(({ isSaid }) => isSaid === wanted).map(({ word }) => word)
  return { said: those(true), forged: those(false) }
}

function wordsIn(one: Proposal): [first: ApprovalWord, last?: ApprovalWord] {
  const { id: proposal, proposedBy, proposedAt, reason, state, decidedBy, decidedAt, note } = one
  const first = { proposal, person: proposedBy, decision: 'approve' as const, note: reason, at: proposedAt }
  if (state === 'open' || state === 'expired' || decidedBy === null || decidedAt === null) return [first]
  return [
    first,
    { proposal, person: decidedBy, decision: state === 'applied' ? 'approve' : state, note, at: decidedAt },
  ]
}
