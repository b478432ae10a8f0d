import type { Clock } from './clock.ts'
import { realClock } from './clock.ts'
import type { Db, Queryable, Tx } from './db.ts'
import { sql } from './sql.ts'

/**
 * Business time: the real time plus an offset that a sandbox may move, kept in the database so that every process of
 * the deployment travels together. Signatures are never judged by it.
 */
export type BusinessClock = Clock & { follow: (db: Db, onMove: () => void) => Promise<() => Promise<void>> }

const CHANNEL = 'business_clock'

export function businessClock(): BusinessClock {
  let offsetMs = 0
  const read = async (db: Queryable) => void (offsetMs = (await readOffsetSeconds(db)) * 1000)
  return {
    now: () => new Date(realClock.now().getTime() + offsetMs),
    async follow(db, onMove) {
      const stop = await db.listen(CHANNEL, () => void read(db).then(onMove, () => undefined))
      await read(db).catch(async (error: unknown) => {
        await stop()
        throw error
      })
      return stop
    },
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
