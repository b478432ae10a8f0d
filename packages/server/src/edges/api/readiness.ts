import { setTimeout as wait } from 'node:timers/promises'
import { tryLargeWrite } from '../../domain/merchants/index.ts'
import { clockOffset, describeOffset } from '../../platform/time/clock-check.ts'
import { describeFault, SilentStandby } from '../../platform/postgres/database-faults.ts'
import { describeHosts, describeSplit } from '../../platform/postgres/db-primaries.ts'
import { schemaState, tryWrite } from '../../platform/postgres/migrate.ts'
import type { ReplicationMode } from '../../platform/postgres/replication.ts'
import { replicationMode } from '../../platform/postgres/replication.ts'
import { describeRights, missingRights } from '../../platform/postgres/role-rights.ts'
import { Refusal } from '../../platform/refusal.ts'
import { cached } from '../../platform/concurrency/cached.ts'
import type { Api } from './route.ts'

/** By name: null if the check passed, otherwise the reason it failed. */
type Checks = Record<'process' | 'database' | 'schema' | 'writing' | 'primary' | 'clock', string | null>

/** Of each check `ok` or what is wrong, and which replication is in force. */
type Details = Record<keyof Checks | 'replication', string>

/** Timeout for the database. A load balancer probes about every second and gives up after a few seconds. */
const TIMEOUT_MS = 1500
const WRITTEN_FOR_MS = 3000
const RIGHTS_FOR_MS = 10_000
/** Each check connects to every host. */
const HOSTS_FOR_MS = 5000
const RETRY_AFTER_SECONDS = 5

/** Tables that a creation writes. A missing right on another one must not stop every payment. */
const WRITTEN_TABLES = new Set([
  'accounts',
  'deposits',
  'events',
  'holds',
  'spent_requests',
  'transfers',
  'withdrawals',
])

type OfDatabase = Pick<Checks, 'database' | 'schema' | 'writing' | 'primary'>
type Found = { found: OfDatabase; replication: ReplicationMode | 'not known'; cause: unknown }

/** After a full disk only a write that needs space shows that there is some again. */
async function checkWriting({ db, realClock }: Api): Promise<void> {
  await tryWrite(db)
  if (db.storageFault() === null) return
  await tryLargeWrite({ db, realClock })
  db.storageRecovered()
}

/** Asks the database, within the timeout. */
function openDatabaseChecks(api: Api): () => Promise<Found> {
  const { db } = api
  const schema = cached((_: 'once a second') => schemaState(db))
  const hosts = cached((_: 'once a while') => db.hosts(), { maxAgeMs: HOSTS_FOR_MS })
  const written = cached((_: 'once a while') => checkWriting(api), { maxAgeMs: WRITTEN_FOR_MS })
  const denied = cached((_: 'once a while') => missingRights(db), { maxAgeMs: RIGHTS_FOR_MS })
  const replicated = cached((_: 'once a while') => replicationMode(db), { maxAgeMs: HOSTS_FOR_MS })
  return async () => {
    const [state, write, rights, found, standby, mode] = await Promise.all([
      inTime(schema('once a second')),
      inTime(written('once a while')),
      inTime(denied('once a while')),
      inTime(hosts('once a while')),
      inTime(db.waitsForStandby()),
      inTime(replicated('once a while')),
    ])
    const replication = mode.value ?? 'not known'
    const cause = causeOf(state.error ?? write.error)
    const states = found.value ?? []
    const primary = describeSplit(states)
    if (state.why !== undefined) {
      const noneWrites = states.length > 0 && states.every(({ failure }) => failure !== null)
      const database = noneWrites ? `The database at ${describeHosts(states)}.` : state.why
      return { found: { database, schema: 'not known', writing: 'not known', primary }, replication, cause }
    }
    const lacking = state.value === 'older' ? 'it lacks migrations of this version; run: vezne migrate' : null
    const missing = (rights.value ?? []).filter(({ table }) => WRITTEN_TABLES.has(table))
    const why = standby.value && write.why !== undefined ? describeFault(new SilentStandby()) : write.why
    const lacksRight = missing.length > 0 ? `the database role lacks ${describeRights(missing)}` : null
    const writing = lacking ? 'not known' : (why ?? lacksRight ?? db.storageFault())
    return { found: { database: null, schema: lacking, writing, primary }, replication, cause }
  }
}

/** Checks whether requests can be served; throws with the failed checks if not. Returns within two seconds, whatever the database does. */
export function openReadiness(api: Api): () => Promise<Details> {
  const { clock, isStopping } = api
  const askDatabase = openDatabaseChecks(api)
  return async () => {
    const offset = clockOffset(clock)
    const { found, replication, cause } = await askDatabase()
    const checks: Checks = {
      process: isStopping() ? 'it is stopping' : null,
      ...found,
      clock: offset.tolerated ? null : describeOffset(offset.seconds),
    }
    const failed = Object.entries(checks).filter(([, why]) => why !== null)
    const results = Object.entries(checks).map(([name, why]) => [name, why ?? 'ok'])
    // For information: a standby is not needed to serve requests.
    const details = { ...Object.fromEntries(results), replication } as Details
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

type Outcome<Value> =
  | { value: Value; why?: undefined; error?: undefined }
  | { why: string; error?: unknown; value?: undefined }

async function inTime<Value>(work: Promise<Value>): Promise<Outcome<Value>> {
  const outcome = work.then(
    (value): Outcome<Value> => ({ value }),
    (error: unknown): Outcome<Value> => ({ why: describeFault(error), error }),
  )
  const late = { why: `no answer within ${TIMEOUT_MS / 1000} s` }
  return Promise.race([outcome, wait<Outcome<Value>>(TIMEOUT_MS, late, { ref: false })])
}
