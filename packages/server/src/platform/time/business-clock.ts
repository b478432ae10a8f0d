import type { Clock } from './clock.ts'
import { realClock } from './clock.ts'
import type { Db, Queryable, Tx } from '../postgres/db.ts'
import { sql } from '../postgres/sql.ts'

type Stop = () => Promise<void>

/**
 * The database's time plus an offset that a sandbox may move: the same in every process. Not used for signatures. Between two
 * measurements the process's monotonic clock counts, so that a machine whose clock jumps does not change business time.
 */
export type BusinessClock = Clock & {
  follow: (db: Db, onMove: () => void) => Promise<Stop>
  /** How far the machine's clock is ahead of the database's; 0 before the first measurement. */
  machineAheadMs: () => number
}

type Options = {
  /** Whether the offset may move: in a sandbox only. */
  movable?: boolean
  /** The machine's own clock. */
  host?: Clock
  measureEveryMs?: number
}

const CHANNEL = 'business_clock'

export function businessClock({
  movable = true,
  host = realClock,
  measureEveryMs = 5000,
}: Options = {}): BusinessClock {
  let offsetMs = 0
  let skewMs = host.now().getTime() - performance.now()
  let measured = false
  let reads = 0
  let newestRead = 0
  const readOffset = async (db: Queryable) => {
    const read = ++reads
    const seconds = await readOffsetSeconds(db)
    // Of two reads at once the older may return last.
    if (read < newestRead) return
    newestRead = read
    offsetMs = seconds * 1000
  }
  const measure = async (db: Queryable) => {
    skewMs = await nearestSkew(db, skewMs)
    measured = true
  }
  return {
    now: () => new Date(performance.now() + skewMs + offsetMs),
    machineAheadMs: () => (measured ? host.now().getTime() - performance.now() - skewMs : 0),
    async follow(db, onMove) {
      const heard = () => void readOffset(db).then(onMove, () => undefined)
      const stopListening = movable ? await db.listen(CHANNEL, heard) : async () => {}
      try {
        if (movable) await readOffset(db)
        await measure(db)
      } catch (error) {
        await stopListening()
        throw error
      }
      const stopMeasuring = repeat(() => measure(db), measureEveryMs)
      return async () => {
        await stopMeasuring()
        await stopListening()
      }
    },
  }
}

/**
 * The database's clock minus the process's own count. It was read at some moment of the round trip, so the true value lies between two
 * bounds. A known one between them stands, else the nearer bound is taken: a slow round trip has wide bounds and moves nothing.
 */
async function nearestSkew(db: Queryable, knownMs: number): Promise<number> {
  const sentAt = performance.now()
  const [row] = await db.query<{ ms: number }>(
    sql`select (extract(epoch from clock_timestamp()) * 1000)::float8 as "ms"`,
  )
  if (!row) return knownMs
  return Math.min(Math.max(knownMs, row.ms - performance.now()), row.ms - sentAt)
}

/** Repeats work until it is stopped. A run that fails changes nothing; the next one comes. */
function repeat(work: () => Promise<void>, everyMs: number): Stop {
  let running: Promise<void> | null = null
  const timer = setInterval(() => {
    running ??= work()
      .catch(() => undefined)
      .finally(() => (running = null))
  }, everyMs)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await running
  }
}

export async function readOffsetSeconds(db: Queryable): Promise<number> {
  const [row] = await db.query<{ seconds: number }>(sql`select offset_seconds as "seconds" from business_clock`)
  return row?.seconds ?? 0
}

export async function moveClock(tx: Tx, offsetSeconds: number): Promise<void> {
  await tx.query(sql`
    insert into business_clock (only_row, offset_seconds) values (true, ${offsetSeconds})
    on conflict (only_row) do update set offset_seconds = excluded.offset_seconds`)
  await tx.query(sql`select pg_notify(${CHANNEL}, '')`)
}
