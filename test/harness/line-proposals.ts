import { makeProposal } from '../../packages/server/src/domain/proposals/index.ts'
import type { StoredLine } from '../../packages/server/src/domain/statements/index.ts'
import { findLine } from '../../packages/server/src/domain/statements/index.ts'
import type { Actor } from '../../packages/server/src/kernel/actor.ts'
import type { startService } from './service.ts'

type App = Awaited<ReturnType<typeof startService>>['app']

/** One of two people says that the bank does not count a line. Returns the line as it is then. */
export async function dismissLine(
  app: App,
  actor: Actor,
  lineId: string,
  reason: string,
  notPayouts: string[] = [],
): Promise<StoredLine> {
  await makeProposal(app, actor, 'line.dismiss', { lineId, notPayouts }, { reason })
  return (await findLine(app.db, lineId)) as StoredLine
}

/** A person says that a line counts again; of a dismissed one, one of two. */
export async function restoreLine(app: App, actor: Actor, lineId: string, reason?: string): Promise<StoredLine> {
  await makeProposal(app, actor, 'line.restore', { lineId }, { reason })
  return (await findLine(app.db, lineId)) as StoredLine
}
