import type { Actor } from '../../../kernel/actor.ts'
import { actorName } from '../../../kernel/actor.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import type { Db } from '../../../platform/postgres/db.ts'
import type { Ids } from '../../../platform/crypto/ids.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { Authority } from '../../people/index.ts'
import { authorized } from '../../people/index.ts'
import type { StoredLine } from '../../statements/index.ts'
import { findLine, isMirrored, lockLine, lockLinesAbout } from '../../statements/index.ts'
import type { Payout } from '../../payouts/index.ts'
import { recordAssigned } from '../decisions/record-decision.ts'
import { mustNameIt } from './named-payouts.ts'
import {
  assignLine,
  returnPayout,
  isWaiting,
  lockPayout,
  findPayout,
  furtherDebits,
  ifPaidAfterAll,
  wasNotSent,
} from '../../payouts/index.ts'
import type { WithdrawalViews } from '../../withdrawals/index.ts'
import { insertCall } from '../../withdrawals/index.ts'

type Deps = Authority & { db: Db; clock: Clock; ids: Ids; views: WithdrawalViews }

/**
 * A person assigns a debit in review to a completed payout, because the bank truncated its text. Books nothing, unless
 * the payout's return was waiting for it. Does not settle a payout whose outcome is unknown; that takes two people.
 */
export async function debitByHand(app: Deps, actor: Actor, lineId: string, withdrawalId: string): Promise<void> {
  await authorized(app, actor, 'line.sent', async (tx, audit) => {
    const known = await findPayout(tx, withdrawalId)
    if (!known) throw new Refusal('NOT_FOUND', `There is no payout for withdrawal ${withdrawalId}.`)
    // A new line belongs to the matcher, which locks lines before payouts.
    mustNeedReview(await findLine(tx, lineId), lineId)
    const payout = (await lockPayout(tx, known.merchantId, withdrawalId)) as Payout
    const others = await lockLinesAbout(tx, withdrawalId)
    const line = mustNeedReview(await lockLine(tx, lineId), lineId)
    mustFit(line, payout, others)
    await mustNameIt(tx, line, withdrawalId)
    const cause = { actor }
    const detail = `${actorName(actor)}: line ${line.id}`
    await insertCall(tx, payout, { kind: 'person', outcome: 'debit', detail }, app.clock.now())
    await assignLine(app, tx, payout, line, 'payout_sent', cause)
    await recordAssigned(app, tx, [line], { why: 'payout_sent', by: actor, withdrawalId })
    await audit(`line:${lineId}`, { before: { state: line.state }, after: { state: 'matched', withdrawalId } })
    const waiting = others.find(isWaiting)
    const isSecond = furtherDebits(payout, [...others, { ...line, withdrawalId }]).length > 0
    if (!waiting || payout.state !== 'accepted' || isSecond || isMirrored(waiting, line)) return
    await returnPayout(app, tx, payout, waiting, cause)
    await recordAssigned(app, tx, [waiting], { why: 'payout_returned', by: actor, withdrawalId })
  })
}

function mustNeedReview(line: StoredLine | undefined, id: string): StoredLine {
  if (!line) throw new Refusal('NOT_FOUND', `There is no bank line ${id}.`)
  if (line.state === 'needs_review' && line.direction === 'debit') return line
  throw new Refusal(
    'INVALID_STATE',
    `The line is a ${line.direction} and ${line.state}; only a debit in needs_review will do.`,
  )
}

function mustFit(line: StoredLine, payout: Payout, others: StoredLine[]): void {
  if (wasNotSent(payout))
    throw new Refusal(
      'INVALID_STATE',
      `The payout is ${payout.state}: it was never paid, as far as is known. ${ifPaidAfterAll(payout)}`,
    )
  if (payout.state !== 'accepted' && payout.state !== 'returned') {
    throw new Refusal(
      'INVALID_STATE',
      `The payout is ${payout.state}, not completed. If it is in doubt, two people settle it: vezne withdrawal resolve`,
    )
  }
  if (line.amount !== payout.amount || line.collectingAccountId !== payout.sourceAccountId)
    throw new Refusal('INVALID_STATE', 'The line has another amount or account than the payout.')
  if (others.some((other) => other.direction === 'debit' && other.withdrawalId === payout.withdrawalId))
    throw new Refusal('INVALID_STATE', 'The payout has its debit already. A second one would have left twice.')
}
