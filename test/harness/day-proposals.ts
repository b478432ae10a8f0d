import type { ProposalOutcome, ResultOf } from '../../packages/server/src/domain/proposals/index.ts'
import { makeProposal } from '../../packages/server/src/domain/proposals/index.ts'
import type { Actor } from '../../packages/server/src/kernel/actor.ts'
import type { startService } from './service.ts'

type App = Awaited<ReturnType<typeof startService>>['app']

/** One of two people says that a day is to be closed; the second closes it. */
export function closeDay(
  app: App,
  actor: Actor,
  day: string,
  reason?: string,
): Promise<ProposalOutcome<ResultOf<'day.close'>>> {
  return makeProposal(app, actor, 'day.close', { day }, { reason })
}

/** One of two people says that a closed day is to be opened again. */
export function reopenDay(app: App, actor: Actor, day: string, reason: string): Promise<ProposalOutcome<void>> {
  return makeProposal(app, actor, 'day.reopen', { day }, { reason })
}
