import type { Queryable } from '../../platform/postgres/db.ts'
import type { Clock } from '../../platform/time/clock.ts'
import type { Instruction } from '../withdrawals/index.ts'
import type { Proposal } from '../people/index.ts'
import { countOpen, findProposal, selectOfKind } from '../people/index.ts'
import type { ProposalDeps } from './proposal-kind.ts'
import { EXPIRES_MS } from './proposal-kind.ts'
import { kindOf } from './kinds.ts'
import type { ShownProposal } from './show.ts'
import { asOf, withState } from './show.ts'

const KIND = 'instruction'

/** Newest first: decided ones too, without their lines. */
export async function listInstructions(
  { db, clock }: { db: Queryable; clock: Clock },
  merchantId: string,
  page: { before: string | undefined; limit: number },
): Promise<Proposal[]> {
  return (await selectOfKind(db, KIND, merchantId, page)).map((one) => asOf(one, clock.now()))
}

export async function findInstruction(
  app: ProposalDeps,
  db: Queryable,
  merchantId: string,
  id: string,
): Promise<ShownProposal | null> {
  const proposal = await findProposal(db, id)
  if (proposal?.kind !== KIND || proposal.merchantId !== merchantId) return null
  const [shown] = await withState(app, db, [proposal])
  return shown ?? null
}

/** What is proposed; null once that has ended, because then it is forgotten. */
export function instructionIn(proposal: Proposal): Instruction | null {
  return proposal.state === 'open' ? (kindOf(proposal).terms as Instruction) : null
}

/** That wait for another user of the merchant. */
export function waitingInstructions(
  { db, clock }: { db: Queryable; clock: Clock },
  merchantId: string,
): Promise<number> {
  return countOpen(db, { kind: KIND, merchantId, since: new Date(clock.now().getTime() - EXPIRES_MS) })
}
