import type { Actor } from '../../../kernel/actor.ts'
import { actorName, MATCHER } from '../../../kernel/actor.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import type { Tx } from '../../../platform/postgres/db.ts'
import type { Said } from '../../../platform/refusal.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { Deposit } from '../../deposits/index.ts'
import type { LineReason, LineVerdict } from '../../statements/index.ts'
import type { DecisionRow } from './store.ts'
import { insertDecisions } from './store.ts'

type Decided = {
  verdict: LineVerdict
  why: DecisionRow['why']
  by: Actor
  deposit?: Deposit
  /** `said`: of a refusal, whose `verdict` is for logs. */
  reasons?: { field: string; verdict: string; said?: Said }[]
}

/** Records what was decided about a line, why and by whom, in the same transaction as the change. */
export async function recordDecision(
  { clock }: { clock: Clock },
  tx: Tx,
  lineId: string,
  decision: Decided,
): Promise<void> {
  const { verdict, why, by, deposit, reasons = [] } = decision
  const { merchantId = null, id: depositId = null } = deposit ?? {}
  const row = {
    lineId,
    verdict,
    why,
    merchantId,
    depositId,
    reasons,
    decidedBy: actorName(by),
  }
  await insertDecisions(tx, [row], clock.now())
}

/** The line is set aside: its own data cannot be booked. */
export function recordFailure(app: { clock: Clock }, tx: Tx, lineId: string, error: Error): Promise<void> {
  const said = error instanceof Refusal ? error.said : null
  const reasons = [{ field: 'error', verdict: error.message, ...(said && { said }) }]
  return recordDecision(app, tx, lineId, { verdict: 'needs_review', why: 'cannot_be_booked', by: MATCHER, reasons })
}

/** The lines belong to the payout of this withdrawal. */
export async function recordAssigned(
  app: { clock: Clock },
  tx: Tx,
  lines: { id: string }[],
  { why, by, withdrawalId }: { why: LineReason; by: Actor; withdrawalId: string },
): Promise<void> {
  const reasons = [{ field: 'withdrawal', verdict: withdrawalId }]
  for (const { id } of lines) await recordDecision(app, tx, id, { verdict: 'matched', why, by, reasons })
}
