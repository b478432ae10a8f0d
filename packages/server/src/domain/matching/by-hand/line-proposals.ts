import type { Actor } from '../../../kernel/actor.ts'
import { mustGiveReason } from '../../../kernel/reason.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import type { Db, Queryable } from '../../../platform/postgres/db.ts'
import { refuse } from '../../../kernel/refusals/refuse.ts'
import type { Authority } from '../../people/index.ts'
import { authorizedByName } from '../../people/index.ts'
import type { StoredLine } from '../../statements/index.ts'
import { lockLine } from '../../statements/index.ts'
import { recordDecision } from '../decisions/record-decision.ts'
import { decisionsOf } from '../decisions/store.ts'

type Deps = Authority & { db: Db; clock: Clock }
type Decided = Awaited<ReturnType<typeof decisionsOf>>[number]

/** The word of one person that the bank does not count a line, or counts it again: a second person has to say so, too. */
export const isProposal = ({ why }: Pick<Decided, 'why'>) =>
  why === 'dismissal_proposed' || why === 'restoring_proposed'

/** The newest of all decisions about one line, if it waits for a second person. */
export function waitingProposal(decisions: Decided[]): Decided | undefined {
  const last = decisions.at(-1)
  return last && isProposal(last) ? last : undefined
}

/** Why the person said so. */
export function whyProposed({ reasons }: Decided): string {
  const said = (reasons as { field: string; verdict: string }[]).find(({ field }) => field === 'why')
  return said?.verdict ?? ''
}

/** Who said it takes it back; any other person rejects it. The line stays as it is. */
export async function endLineProposal(app: Deps, actor: Actor, lineId: string, why: string): Promise<StoredLine> {
  mustGiveReason('why', why)
  return authorizedByName(app, actor, 'line.end', async (tx, audit) => {
    const line = await lockLine(tx, lineId)
    if (!line) throw refuse('line_unknown', { line: lineId })
    const proposal = waitingProposal(await decisionsOf(tx, [lineId]))
    if (!proposal) throw refuse('line_without_proposal', { line: lineId })
    const reasons = [{ field: 'why', verdict: why }]
    await recordDecision(app, tx, lineId, { verdict: line.state, why: 'proposal_ended', by: actor, reasons })
    await audit(`line:${lineId}`, {
      before: { proposal: proposal.why, proposedBy: proposal.decidedBy },
      after: { proposal: null },
      reason: 'see match_decisions',
    })
    return line
  })
}

/** Refuses while one person has said that the bank does not count one of these lines: only one thing is said about a line. */
export async function mustNotAwaitDismissal(db: Queryable, lineIds: string[]): Promise<void> {
  const byLine = Map.groupBy(await decisionsOf(db, lineIds), ({ lineId }) => lineId)
  for (const [lineId, decisions] of byLine) {
    const proposal = waitingProposal(decisions)
    if (proposal) throw refuse('line_dismissal_proposed', { line: lineId, name: proposal.decidedBy })
  }
}
