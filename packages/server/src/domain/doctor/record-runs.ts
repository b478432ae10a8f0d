import type { Db, Queryable } from '../../platform/postgres/db.ts'
import type { Clock } from '../../platform/time/clock.ts'
import type { Connection } from '../connections/index.ts'
import type { WorkerRun } from './store.ts'
import { selectRuns, upsertRuns } from './store.ts'

/** Often enough to see that a task stands still. */
export const RECORD_EVERY_MS = 10_000
/** The worker of a process that keeps how much was sent outside of the database. */
export const KEEP_SENDING = 'keep-sending'
/** As the alert VezneWorkerStandsStill has it; a task that runs less often has three of its intervals. */
const LEAST_MS = 5 * 60_000

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

/** `lagMs`: how late its next success is, by the clock of this machine. */
export type JudgedRun = WorkerRun & { lagMs: number; standsStill: boolean }

/** Runs of connections that are no longer there are left out. */
export async function listRuns(
  { connections }: { connections: Connection[] },
  db: Queryable,
  now: Date,
): Promise<JudgedRun[]> {
  const names = new Set(connections.map(({ name }) => `read-${name}`))
  return (await selectRuns(db))
    .filter(({ worker }) => !worker.startsWith('read-') || names.has(worker))
    .map((run) => {
      const lagMs = Math.max(0, now.getTime() - run.succeededAt.getTime() - run.everyMs - RECORD_EVERY_MS)
      return { ...run, lagMs, standsStill: lagMs > Math.max(LEAST_MS, 3 * run.everyMs) }
    })
}
