import type { Actor } from '../../../kernel/actor.ts'
import type { Db, Tx } from '../../../platform/postgres/db.ts'
import { refuse } from '../../../kernel/refusals/refuse.ts'
import type { Refusal } from '../../../platform/refusal.ts'
import type { Authority } from '../../people/index.ts'
import { authorized } from '../../people/index.ts'
import { resetCursor, lastReads } from './store.ts'

/**
 * The next read of this source starts from the beginning, for a bank that no longer knows its cursor. Lines
 * imported before are known and change nothing. Its deposits do not expire until it is read to the end again.
 */
export async function rereadSource(app: Authority & { db: Db }, actor: Actor, source: string): Promise<void> {
  await authorized(app, actor, 'statement.reread', async (tx, audit) => {
    if (!(await resetCursor(tx, source))) throw await notRead(tx, source)
    await audit(`source:${source}`, { after: { cursor: null } })
  })
}

async function notRead(tx: Tx, source: string): Promise<Refusal> {
  const known = (await lastReads(tx, [])).map((one) => one.source)
  return refuse('source_never_read', { source, known })
}
