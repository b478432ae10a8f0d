import type { Check, JudgedRun, Queue } from '../../../domain/doctor/index.ts'
import { examineInTime, listQueues, listRuns } from '../../../domain/doctor/index.ts'
import { cached } from '../../../platform/concurrency/cached.ts'
import { listMigrations } from '../../../platform/postgres/migrate.ts'
import { version } from '../../../platform/version.ts'
import type { OperatorDeps } from '../kind.ts'

export type SystemFacts = {
  version: string
  mode: 'sandbox' | 'live'
  node: string
  upSince: Date
  checks: Check[]
  queues: Queue[]
  runs: JudgedRun[]
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
    runs: await listRuns(app, db.pages, now),
    migrations: await listMigrations(db.pages),
    checks: await checksOf(app),
    now,
  }
}
