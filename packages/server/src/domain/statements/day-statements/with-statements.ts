import type { Clock } from '../../../platform/time/clock.ts'
import type { Tx } from '../../../platform/postgres/db.ts'
import type { Ids } from '../../../platform/crypto/ids.ts'
import { istanbul } from '../../../kernel/istanbul.ts'
import type { StoredLine } from '../bank-line.ts'
import type { DayStatement } from './store.ts'
import { openDayStatements } from './store.ts'

type Booked = Pick<StoredLine, 'collectingAccountId' | 'source' | 'bookedAt'>

/**
 * Adds to each line the statement of its account, connection and booking day in Istanbul. Opens
 * missing statements; the caller holds the import lock, so that each is opened once.
 */
export async function withStatements<Line extends Booked>(
  app: { clock: Clock; ids: Ids },
  tx: Tx,
  lines: Line[],
): Promise<(Line & { statementId: string })[]> {
  const wanted = new Map<string, DayStatement>()
  const keys = lines.map(({ collectingAccountId, source: connection, bookedAt }) => {
    const one = { collectingAccountId, connection, day: dayOf(bookedAt) }
    const key = keyOf(one)
    if (!wanted.has(key)) wanted.set(key, { ...one, id: app.ids.next() })
    return key
  })
  const found = await openDayStatements(tx, [...wanted.values()], app.clock.now())
  const ids = new Map(found.map((one) => [keyOf(one), one.id]))
  return lines.map((line, index) => ({ ...line, statementId: ids.get(keys[index] as string) as string }))
}

/** A bank may write a time whose day in Istanbul is in the year 10000, which yyyy-mm-dd cannot represent. */
const LAST_DAY = new Date('9999-12-31T00:00:00Z')

function dayOf(bookedAt: Date): string {
  return istanbul(bookedAt < LAST_DAY ? bookedAt : LAST_DAY).day
}

function keyOf({ collectingAccountId, connection, day }: Omit<DayStatement, 'id'>): string {
  return `${collectingAccountId}|${day}|${connection}`
}
