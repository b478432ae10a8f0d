import { setTimeout as wait } from 'node:timers/promises'
import { clockOffset, describeOffset } from '../../platform/time/clock-check.ts'
import { describeFault } from '../../platform/postgres/database-faults.ts'
import { describeSplit } from '../../platform/postgres/db-primaries.ts'
import { schemaState, tryWrite } from '../../platform/postgres/migrate.ts'
import { Refusal } from '../../platform/refusal.ts'
import { cached } from '../../platform/concurrency/cached.ts'
import type { Api } from './route.ts'

/** By name: null if the check passed, otherwise the reason it failed. */
type Checks = Record<'process' | 'database' | 'schema' | 'writing' | 'primary' | 'clock', string | null>

/** Timeout for the database. A load balancer probes about every second and gives up after a few seconds. */
const TIMEOUT_MS = 1500
const WRITTEN_FOR_MS = 3000
/** Each check connects to every host. */
const PRIMARIES_FOR_MS = 5000
const RETRY_AFTER_SECONDS = 5

/** Checks whether requests can be served; throws with the failed checks if not. Returns within two seconds, whatever the database does. */
export function openReadiness(api: Api): () => Promise<Record<keyof Checks, string>> {
  const { db, clock, isStopping } = api
  const schema = cached((_: 'once a second') => schemaState(db))
  const primaries = cached((_: 'once a while') => db.primaries(), { maxAgeMs: PRIMARIES_FOR_MS })
  const written = cached((_: 'once a while') => tryWrite(db), { maxAgeMs: WRITTEN_FOR_MS })
  type OfDatabase = Pick<Checks, 'database' | 'schema' | 'writing' | 'primary'>
  const askDatabase = async (): Promise<{ found: OfDatabase; cause: unknown }> => {
    const [state, write, hosts] = await Promise.all([
      inTime(schema('once a second')),
      inTime(written('once a while')),
      inTime(primaries('once a while')),
    ])
    const cause = causeOf(state.error ?? write.error)
    const primary = hosts.why === undefined ? describeSplit(hosts.value) : null
    if (state.why !== undefined)
      return { found: { database: state.why, schema: 'not known', writing: 'not known', primary }, cause }
    const lacking = state.value === 'older' ? 'it lacks migrations of this version; run: vezne migrate' : null
    const writing = lacking ? 'not known' : (write.why ?? db.storageFault())
    return { found: { database: null, schema: lacking, writing, primary }, cause }
  }
  return async () => {
    const offset = clockOffset(clock)
    const { found, cause } = await askDatabase()
    const checks: Checks = {
      process: isStopping() ? 'it is stopping' : null,
      ...found,
      clock: offset.tolerated ? null : describeOffset(offset.seconds),
    }
    const failed = Object.entries(checks).filter(([, why]) => why !== null)
    const details = Object.fromEntries(Object.entries(checks).map(([name, why]) => [name, why ?? 'ok'])) as Record<
      keyof Checks,
      string
    >
    if (failed.length === 0) return details
    const list = failed.map(([name, why]) => `${name}: ${why}`).join('; ')
    // The cause is only logged.
    const extra = { retryAfterSeconds: RETRY_AFTER_SECONDS, details, cause }
    throw new Refusal('SERVICE_UNAVAILABLE', `Not ready. ${list}`, extra)
  }
}

/** The driver's error, if the database refused something. */
function causeOf(error: unknown): unknown {
  return (error as Error | undefined)?.cause ?? error
}

type Outcome<Value> = { value: Value; why?: undefined; error?: undefined } | { why: string; error?: unknown }

async function inTime<Value>(work: Promise<Value>): Promise<Outcome<Value>> {
  const outcome = work.then(
    (value): Outcome<Value> => ({ value }),
    (error: unknown): Outcome<Value> => ({ why: describeFault(error), error }),
  )
  const late = { why: `no answer within ${TIMEOUT_MS / 1000} s` }
  return Promise.race([outcome, wait<Outcome<Value>>(TIMEOUT_MS, late, { ref: false })])
}
