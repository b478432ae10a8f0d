import type { Queryable } from '../../platform/postgres/db.ts'
import { selectLinesNaming } from './store.ts'
import { needsAttention, selectUnreadNaming, unreadId } from './unread/store.ts'

/** One is enough to make an outcome unknown; more than these add no information. */
const ENOUGH = 5

/**
 * Unexplained bank lines that name the withdrawal, described for the person who decides on it. Of a withdrawal that was
 * paid, the recipient's own line is expected; of any other it shows that the money may have left.
 */
export async function linesNaming(db: Queryable, withdrawalId: string, { paid = false } = {}): Promise<string[]> {
  const lines = await selectLinesNaming(db, withdrawalId, ENOUGH)
  const unread = (await selectUnreadNaming(db, withdrawalId, ENOUGH)).filter((line) => !paid || needsAttention(line))
  return [
    ...lines.map(({ id, direction, state, reason }) => {
      return `bank line ${id} names it (${[direction, state, reason].filter(Boolean).join(', ')}): vezne line show ${id}`
    }),
    ...unread.map(({ hash, why }) => `unread line ${unreadId(hash)} names it (${why}): vezne line unread --all`),
  ]
}
