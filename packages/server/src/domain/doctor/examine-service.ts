import { oldestUndelivered } from '../webhooks/index.ts'
import { lastCheck } from '../ledger/index.ts'
import type { DoctorApp, DoctorConfig } from './doctor-deps.ts'
import type { Check } from './check.ts'
import { ageText, judge, minutesSince, warn } from './check.ts'
import { examineConnections } from './examine-connections.ts'

/** A worker checks the ledger once an hour. */
const WORKED_WITHIN_MINUTES = 130
/** A healthy endpoint gets an event within a second. */
const DELIVERED_WITHIN_MINUTES = 60
const API_WITHIN_MS = 5000

/** What is running: the API, workers, and the connections to banks and merchants. */
export async function examineService(app: DoctorApp, config: DoctorConfig): Promise<Check[]> {
  return [...(await api(config)), await workers(app), ...(await examineConnections(app, config)), await callbacks(app)]
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

async function workers({ db, clock }: DoctorApp): Promise<Check> {
  const check = await lastCheck(db)
  const todo = 'Run a worker: vezne work, or vezne up. Without one nothing expires, is matched, sent or delivered.'
  if (!check) return warn('workers', false, 'none has checked the ledger yet', todo)
  const minutes = minutesSince(check.finishedAt, clock.now())
  return judge('workers', minutes < WORKED_WITHIN_MINUTES, `the ledger was checked ${ageText(minutes)} ago`, todo)
}

async function callbacks({ db, clock }: DoctorApp): Promise<Check> {
  const oldest = await oldestUndelivered({ db })
  const minutes = oldest ? minutesSince(oldest, clock.now()) : 0
  const found = oldest ? `the oldest undelivered event is ${ageText(minutes)} old` : 'every event has arrived'
  const todo = 'See docs/operations.md, "Callbacks do not arrive".'
  return warn('callbacks', minutes < DELIVERED_WITHIN_MINUTES, found, todo)
}
