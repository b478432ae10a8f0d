import type { Queryable } from '../../../platform/postgres/db.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import { DAY_MS } from '../../../platform/time/clock.ts'
import type { StoredLine } from '../../statements/index.ts'
import { selectUnexplained } from '../../statements/index.ts'

/** Enough for a person to begin with. */
const MAX_LINES = 100

export type UnexplainedLine = StoredLine & { days: number }

/** Lines that have been neither deposit, payout, return nor journal entry for this many days or more, oldest first. */
export async function findUnexplained(
  { db, clock }: { db: Queryable; clock: Clock },
  days: number,
): Promise<UnexplainedLine[]> {
  const now = clock.now().getTime()
  const lines = await selectUnexplained(db, new Date(now - days * DAY_MS), MAX_LINES)
  return lines.map((line) => ({ ...line, days: Math.floor((now - line.bookedAt.getTime()) / DAY_MS) }))
}
