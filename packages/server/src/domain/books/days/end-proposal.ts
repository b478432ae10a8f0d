import type { Actor } from '../../../kernel/actor.ts'
import { actorName } from '../../../kernel/actor.ts'
import { isDay } from '../../../kernel/istanbul.ts'
import { mustGiveReason } from '../../../kernel/reason.ts'
import { refuse, refuseField } from '../../../kernel/refusals/refuse.ts'
import type { Ids } from '../../../platform/crypto/ids.ts'
import type { Db } from '../../../platform/postgres/db.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import { closedUntil, lockPastDays } from '../../ledger/index.ts'
import type { Authority } from '../../people/index.ts'
import { authorizedByName } from '../../people/index.ts'
import { insertDecision, proposalsOf } from './store.ts'

type Deps = Authority & { db: Db; clock: Clock; ids: Ids }

/** Who proposed to close or reopen a day takes it back; any other person rejects it. */
export function withdrawDay(app: Deps, actor: Actor, day: string, why: string): Promise<void> {
  return endProposal(app, actor, day, 'withdraw', why)
}

/** Anyone may reject a proposal to close or reopen a day, also who made it. */
export function rejectDay(app: Deps, actor: Actor, day: string, why: string): Promise<void> {
  return endProposal(app, actor, day, 'reject', why)
}

async function endProposal(app: Deps, actor: Actor, day: string, action: 'withdraw' | 'reject', why: string) {
  if (!isDay(day)) throw refuseField('day', 'day_malformed')
  mustGiveReason('why', why)
  await authorizedByName(app, actor, 'day.reject', async (tx, audit) => {
    await lockPastDays(tx)
    const until = await closedUntil(tx)
    const [proposal] = await proposalsOf(tx, day, until !== null && day <= until ? 'reopen' : 'close')
    if (!proposal) throw refuse('day_without_proposal', { day })
    if (action === 'withdraw' && proposal.operator !== actorName(actor))
      throw refuse('books_proposal_of_another', { proposedBy: proposal.operator })
    await insertDecision(tx, {
      ...{ ...proposal, id: app.ids.next(), action, operator: actorName(actor), completes: proposal.id },
      ...{ reason: why.trim(), decidedAt: app.clock.now() },
    })
    await audit(`day:${day}`, {
      before: { state: `${proposal.action} proposed`, by: proposal.operator },
      after: { state: action === 'withdraw' ? 'withdrawn' : 'rejected' },
      reason: why,
    })
  })
}
