import type { Db } from '../../platform/postgres/db.ts'
import type { Clock } from '../../platform/time/clock.ts'
import type { WorkerRun } from './store.ts'
import { upsertRuns } from './store.ts'

/** Often enough to see that a task stands still. */
export const RECORD_EVERY_MS = 10_000

type Deps = { db: Db; realClock: Clock; host: string }

/** Keeps when each worker of this process last succeeded; `record` writes what is new, in one statement. */
export function openRunRecorder({ db, realClock, host }: Deps) {
  const ran = new Map<string, WorkerRun>()
  return {
    succeeded: (worker: string, everyMs: number) =>
      void ran.set(worker, { worker, everyMs, succeededAt: realClock.now(), host }),
    record: async () => {
      const runs = [...ran.values()]
      ran.clear()
      if (runs.length > 0) await db.oneStatement((tx) => upsertRuns(tx, runs))
    },
  }
}
