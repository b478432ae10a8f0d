import { oldestUndelivered } from '../webhooks/index.ts'
import type { DoctorApp, DoctorConfig } from './doctor-deps.ts'
import type { Check } from './check.ts'
import { ageText, judge, minutesSince, warn } from './check.ts'
import { examineConnections } from './examine-connections.ts'
import { KEEP_SENDING, listRuns } from './record-runs.ts'

/** A process with workers records their runs every ten seconds. */
const RECORDED_WITHIN_MS = 50_000
/** A healthy endpoint gets an event within a second. */
const DELIVERED_WITHIN_MINUTES = 60
const API_WITHIN_MS = 5000

/** What is running: the API, workers, and the connections to banks and merchants. */
export async function examineService(app: DoctorApp, config: DoctorConfig): Promise<Check[]> {
  return [
    ...(await api(config)),
    await workers(app),
    await sendingRecord(app, config),
    ...(await examineConnections(app, config)),
    await callbacks(app),
  ]
}

/** Called at its public URL, as a customer would. The URL of a sandbox that was not started here is unknown. */
async function api(config: DoctorConfig): Promise<Check[]> {
  const { baseUrl } = config
  if (baseUrl === null) return []
  const found = await fetch(`${baseUrl}/healthz`, { signal: AbortSignal.timeout(API_WITHIN_MS) }).then(
    ({ status }) => `${baseUrl} returns ${status}`,
    (error: Error) => `${baseUrl}: ${(error.cause as Error | undefined)?.message ?? error.message}`,
  )
  const todo =
    config.mode === 'live'
      ? 'See that vezne serve runs and that the proxy in front passes requests to it (VEZNE_PUBLIC_URL).'
      : 'Start it with: npm start'
  return [judge('API', found.endsWith('returns 200'), found, todo)]
}

/** By the machine's time, as runs are recorded. */
async function workers(app: DoctorApp): Promise<Check> {
  const now = app.realClock.now()
  const runs = await listRuns(app, app.db, now)
  const newest = Math.max(...runs.map(({ succeededAt }) => succeededAt.getTime()))
  const todo = 'Run a worker: vezne work, or vezne up. Without one nothing expires, is matched, sent or delivered.'
  if (runs.length === 0) return warn('workers', false, 'none has run yet', todo)
  if (now.getTime() - newest > RECORDED_WITHIN_MS)
    return judge('workers', false, `none has run for ${ageText(minutesSince(new Date(newest), now))}`, todo)
  const still = runs.filter(({ standsStill }) => standsStill).map(({ worker }) => worker)
  const found = still.length > 0 ? `these stand still: ${still.join(', ')}` : `${runs.length} run`
  return judge('workers', still.length === 0, found, 'See docs/operations.md, "A worker stands still".')
}

/** A warning: an older copy of the database is still noticed, but not by processes that are all new. */
async function sendingRecord(app: DoctorApp, { mode }: DoctorConfig): Promise<Check> {
  const kept = (await listRuns(app, app.db, app.realClock.now())).find(({ worker }) => worker === KEEP_SENDING)
  const found = kept
    ? `kept outside of the database, last on ${kept.host}`
    : 'no worker keeps it outside of the database'
  const todo = 'Give vezne work a folder that outlasts it: VEZNE_DATA. See docs/operations.md, "The database is older".'
  return warn('sending record', mode !== 'live' || kept?.standsStill === false, found, todo)
}

async function callbacks({ db, clock }: DoctorApp): Promise<Check> {
  const oldest = await oldestUndelivered({ db })
  const minutes = oldest ? minutesSince(oldest, clock.now()) : 0
  const found = oldest ? `the oldest undelivered event is ${ageText(minutes)} old` : 'every event has arrived'
  const todo = 'See docs/operations.md, "Callbacks do not arrive".'
  return warn('callbacks', minutes < DELIVERED_WITHIN_MINUTES, found, todo)
}
