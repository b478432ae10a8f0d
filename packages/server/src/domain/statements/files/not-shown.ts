import type { Queryable } from '../../../platform/postgres/db.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import type { KeyedLine } from '../store.ts'
import { selectNotShown } from './lines/store.ts'
import type { Kinds } from './proof.ts'
import { comesInFiles } from './proof.ts'
import { listFiles } from './store.ts'

/** By then every connection has given the lines of the day. */
const SHOWN_WITHIN_MS = 86_400_000
/** The newest: older ones have been a finding before. */
const FILES = 500
const LINES = 100

/** Lines of imported files that the connection of their account should have given too, and has not. */
export async function notShownLines(app: { db: Queryable; clock: Clock; connections: Kinds }): Promise<KeyedLine[]> {
  const before = app.clock.now().getTime() - SHOWN_WITHIN_MS
  const files = (await listFiles(app.db, FILES)).filter(
    ({ connection, state, createdAt }) =>
      state === 'imported' && createdAt.getTime() < before && !comesInFiles(app.connections, connection),
  )
  if (files.length === 0) return []
  return selectNotShown(
    app.db,
    files.map(({ id }) => id),
    LINES,
  )
}
