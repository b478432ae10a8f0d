import { note } from '../../../kernel/refusals/note.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { actorName } from '../../../kernel/actor.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import type { Db } from '../../../platform/postgres/db.ts'
import type { Ids } from '../../../platform/crypto/ids.ts'
import { refuse } from '../../../kernel/refusals/refuse.ts'
import type { Refusal } from '../../../platform/refusal.ts'
import type { Authority } from '../../people/index.ts'
import { authorized } from '../../people/index.ts'
import type { StoredLine } from '../../statements/index.ts'
import { findLine, isMirrored, lockLine, lockLinesAbout } from '../../statements/index.ts'
import type { Payout, WithdrawalViews } from '../../withdrawals/index.ts'
import { recordAssigned } from '../decisions/record-decision.ts'
import { mustNameIt } from './named-payouts.ts'
import {
  assignLine,
  returnPayout,
  isWaiting,
  lockPayout,
  findPayout,
  furtherDebits,
  wasNotSent,
  insertCall,
} from '../../withdrawals/index.ts'
import { NO_MERCHANT } from '../../ledger/index.ts'

type Deps = Authority & { db: Db; clock: Clock; ids: Ids; views: WithdrawalViews }

/**
 * A person assigns a debit in review to a completed payout, because the bank truncated its text. Books nothing, unless
 * the payout's return was waiting for it. Does not settle a payout whose outcome is unknown; that takes two people.
 */
export async function debitByHand(app: Deps, actor: Actor, lineId: string, withdrawalId: string): Promise<void> {
  await authorized(app, actor, 'line.sent', async (tx, audit) => {
    const known = await findPayout(tx, withdrawalId)
    if (!known) throw refuse('payout_unknown', { withdrawal: withdrawalId })
    // A new line belongs to the matcher, which locks lines before payouts.
    mustNeedReview(await findLine(tx, lineId), lineId)
    const payout = (await lockPayout(tx, known.merchantId, withdrawalId)) as Payout
    const others = await lockLinesAbout(tx, withdrawalId)
    const line = mustNeedReview(await lockLine(tx, lineId), lineId)
    mustFit(line, payout, others)
    await mustNameIt(tx, line, withdrawalId)
    const cause = { actor }
    const detail = note('call_person_line', { person: actorName(actor), line: line.id })
    await insertCall(tx, payout, { kind: 'person', outcome: 'debit', detail }, app.clock.now())
    await assignLine(app, tx, payout, line, 'payout_sent', cause)
    await recordAssigned(app, tx, [line], { why: 'payout_sent', by: actor, withdrawalId })
    await audit(`line:${lineId}`, { before: { state: line.state }, after: { state: 'matched', withdrawalId } })
    const waiting = others.find(isWaiting)
    const isSecond = furtherDebits(payout, [...others, { ...line, withdrawalId }]).length > 0
    if (!waiting || payout.state !== 'sent' || isSecond || isMirrored(waiting, line)) return
    await returnPayout(app, tx, payout, waiting, cause)
    await recordAssigned(app, tx, [waiting], { why: 'payout_returned', by: actor, withdrawalId })
  })
}

function mustNeedReview(line: StoredLine | undefined, id: string): StoredLine {
  if (!line) throw refuse('line_unknown', { line: id })
  const { state, reason } = line
  if (line.direction !== 'debit') throw refuse('line_not_debit', { line: id })
  if (state !== 'needs_review') throw refuse('line_not_in_state', { line: id, state, reason, needed: ['needs_review'] })
  return line
}

function mustFit(line: StoredLine, payout: Payout, others: StoredLine[]): void {
  const about = { line: line.id, withdrawal: payout.withdrawalId }
  if (wasNotSent(payout)) {
    const isRefund = payout.merchantId === NO_MERCHANT
    throw refuse(isRefund ? 'debit_refund_not_paid' : 'debit_payout_not_paid', about)
  }
  if (payout.state !== 'sent' && payout.state !== 'returned') throw notKnownToHaveLeft(payout)
  if (line.amount !== payout.amount || line.collectingAccountId !== payout.sourceAccountId)
    throw refuse('debit_unlike_payout', about)
  if (others.some((other) => other.direction === 'debit' && other.withdrawalId === payout.withdrawalId))
    throw refuse('debit_of_payout_twice', about)
}

/** Neither its debit nor its return can have come, as far as is known. */
export function notKnownToHaveLeft({ withdrawalId, state }: Payout): Refusal {
  return refuse('payout_not_known_to_have_left', { withdrawal: withdrawalId, state })
}
