import { note } from '../../kernel/refusals/note.ts'
import { oldestUndelivered } from '../webhooks/index.ts'
import type { DoctorApp, DoctorConfig } from './doctor-deps.ts'
import type { Check } from './check.ts'
import { judge, minutesSince, warn } from './check.ts'
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
  const todo = config.mode === 'live' ? note('todo_api') : note('todo_api_sandbox')
  const check = await fetch(`${baseUrl}/healthz`, { signal: AbortSignal.timeout(API_WITHIN_MS) }).then(
    ({ status }) => judge('API', status === 200, note('check_api_answers', { url: baseUrl, status }), todo),
    (error: Error) => {
      const said = (error.cause as Error | undefined)?.message ?? error.message
      return judge('API', false, note('check_api_unreachable', { url: baseUrl, error: said }), todo)
    },
  )
  return [check]
}

/** By the machine's time, as runs are recorded. */
async function workers(app: DoctorApp): Promise<Check> {
  const now = app.realClock.now()
  const runs = await listRuns(app, app.db, now)
  const newest = Math.max(...runs.map(({ succeededAt }) => succeededAt.getTime()))
  const todo = note('todo_workers')
  if (runs.length === 0) return warn('workers', false, note('check_workers_never'), todo)
  if (now.getTime() - newest > RECORDED_WITHIN_MS)
    return judge(
      'workers',
      false,
      note('check_workers_stopped', { minutes: minutesSince(new Date(newest), now) }),
      todo,
    )
  const still = runs.filter(({ standsStill }) => standsStill).map(({ worker }) => worker)
  const found =
    still.length > 0
      ? note('check_workers_stand_still', { workers: still })
      : note('check_workers_run', { count: runs.length })
  return judge('workers', still.length === 0, found, note('todo_workers_stand_still'))
}

/** A warning: an older copy of the database is still noticed, but not by processes that are all new. */
async function sendingRecord(app: DoctorApp, { mode }: DoctorConfig): Promise<Check> {
  const kept = (await listRuns(app, app.db, app.realClock.now())).find(({ worker }) => worker === KEEP_SENDING)
  const found = kept ? note('check_sending_kept', { host: kept.host }) : note('check_sending_not_kept')
  return warn('sending record', mode !== 'live' || kept?.standsStill === false, found, note('todo_sending'))
}

async function callbacks({ db, clock }: DoctorApp): Promise<Check> {
  const oldest = await oldestUndelivered({ db })
  const minutes = oldest ? minutesSince(oldest, clock.now()) : 0
  const found = oldest ? note('check_callbacks_oldest', { minutes }) : note('check_callbacks_arrived')
  return warn('callbacks', minutes < DELIVERED_WITHIN_MINUTES, found, note('todo_callbacks'))
}
