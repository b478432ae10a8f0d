import type { Check, Queue, WorkerRun } from '../../../domain/doctor/index.ts'
import { examineInTime, listQueues, RECORD_EVERY_MS, selectRuns } from '../../../domain/doctor/index.ts'
import { cached } from '../../../platform/concurrency/cached.ts'
import { listMigrations } from '../../../platform/postgres/migrate.ts'
import { version } from '../../../platform/version.ts'
import type { OperatorDeps } from '../deps.ts'

export type SystemFacts = {
  version: string
  mode: 'sandbox' | 'live'
  node: string
  upSince: Date
  checks: Check[]
  queues: Queue[]
  runs: (WorkerRun & { lagMs: number; standsStill: boolean })[]
  migrations: Awaited<ReturnType<typeof listMigrations>>
  /** By the clock of the machine, as the times of runs are. */
  now: Date
}

/** A person waits for the page. */
const DEADLINE_MS = 8000
/** The checks read much and call every bank: once in a while for all who look. */
const CHECKED_FOR_MS = 60_000

type Examine = (key: 'all') => Promise<Check[]>
const examinations = new WeakMap<OperatorDeps, Examine>()

function checksOf(app: OperatorDeps): Promise<Check[]> {
  const { config } = app
  const load = () => examineInTime(app, { ...config, baseUrl: app.publicUrl(), isWorker: false }, DEADLINE_MS)
  const known = examinations.get(app) ?? cached(load, { maxAgeMs: CHECKED_FOR_MS })
  examinations.set(app, known)
  return known('all')
}

export async function systemFacts(app: OperatorDeps): Promise<SystemFacts> {
  const { db, realClock, config } = app
  const now = realClock.now()
  return {
    version: version(),
    mode: config.mode,
    node: process.version,
    upSince: new Date(now.getTime() - process.uptime() * 1000),
    queues: await listQueues({ db: db.withStatementLimit(DEADLINE_MS) }),
    runs: runsAt(app, await selectRuns(db.pages), now),
    migrations: await listMigrations(db.pages),
    checks: await checksOf(app),
    now,
  }
}

/** As the alert VezneWorkerStandsStill has it; a task that runs less often has three of its intervals. */
const LEAST_MS = 5 * 60_000

/** Those of connections that are no longer there are left out. */
function runsAt({ connections }: OperatorDeps, runs: WorkerRun[], now: Date): SystemFacts['runs'] {
  const names = new Set(connections.map(({ name }) => `read-${name}`))
  return runs
    .filter(({ worker }) => !worker.startsWith('read-') || names.has(worker))
    .map((run) => {
      const lagMs = Math.max(0, now.getTime() - run.succeededAt.getTime() - run.everyMs - RECORD_EVERY_MS)
      return { ...run, lagMs, standsStill: lagMs > Math.max(LEAST_MS, 3 * run.everyMs) }
    })
}
