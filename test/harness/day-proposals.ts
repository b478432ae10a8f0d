import type { Requested, ResultOf } from '../../packages/server/src/domain/changes/index.ts'
import { requestChange } from '../../packages/server/src/domain/changes/index.ts'
import type { Actor } from '../../packages/server/src/kernel/actor.ts'
import type { startService } from './service.ts'

type App = Awaited<ReturnType<typeof startService>>['app']

/** One of two people says that a day is to be closed; the second closes it. */
export function closeDay(
  app: App,
  actor: Actor,
  day: string,
  reason?: string,
): Promise<Requested<ResultOf<'day.close'>>> {
  return requestChange(app, actor, 'day.close', { day }, { reason })
}

/** One of two people says that a closed day is to be opened again. */
export function reopenDay(app: App, actor: Actor, day: string, reason: string): Promise<Requested<void>> {
  return requestChange(app, actor, 'day.reopen', { day }, { reason })
}
