import type { App } from '../../packages/server/src/compose.ts'
import { istanbul } from '../../packages/server/src/kernel/istanbul.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'

/** When the bank booked the lines of these tests: another day than the one on which they are read, also around midnight. */
export function longBefore(app: Pick<App, 'clock'>): Date {
  return new Date(app.clock.now().getTime() - 3 * 86_400_000)
}

type Booked = { kind: string; actor: string; day: string }

/** The entries of a subject, by kind: kind, author, and whether its date is the bank's or the clock's. */
export async function entriesOf(
  { db }: Pick<App, 'db'>,
  subjectId: string,
  bookedAt: Date,
): Promise<[kind: string, actor: string, date: 'bank' | 'clock'][]> {
  const rows = await db.query<Booked>(sql`
    select kind, actor, to_char(effective_on, 'YYYY-MM-DD') as day from transfers
    where subject_id = ${subjectId}
    group by entry_id, kind, actor, effective_on order by kind collate "C"`)
  const booked = istanbul(bookedAt).day
  return rows.map(({ kind, actor, day }) => [kind, actor, day === booked ? 'bank' : 'clock'])
}
