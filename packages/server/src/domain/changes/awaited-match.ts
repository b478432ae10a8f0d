import { refuse } from '../../kernel/refusals/refuse.ts'
import type { Clock } from '../../platform/time/clock.ts'
import type { Queryable } from '../../platform/postgres/db.ts'
import { openRequestAbout } from './show.ts'

/** Refuses while a match of one of these lines waits for another person: only one thing is said about a line. */
export async function mustNotAwaitMatch(app: { db: Queryable; clock: Clock }, lineIds: string[]): Promise<void> {
  for (const lineId of lineIds) {
    const open = await openRequestAbout(app, 'line.match', `line:${lineId}`)
    if (open) throw refuse('match_proposed', { line: lineId, change: open.id, proposedBy: open.proposedBy })
  }
}
