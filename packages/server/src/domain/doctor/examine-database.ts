import { statfsSync } from 'node:fs'
import { clockOffset, describeOffset } from '../../platform/time/clock-check.ts'
import { describeFault, SilentStandby } from '../../platform/postgres/database-faults.ts'
import { describeHosts, describeSplit } from '../../platform/postgres/db-primaries.ts'
import type { SchemaState } from '../../platform/postgres/migrate.ts'
import { schemaState, tryWrite } from '../../platform/postgres/migrate.ts'
import { replicationMode } from '../../platform/postgres/replication.ts'
import { describeRights, excessRights, missingRights, readerMayMore } from '../../platform/postgres/role-rights.ts'
import { serverFacts } from '../../platform/postgres/server-facts.ts'
import { tryLargeWrite } from '../merchants/index.ts'
import type { DoctorApp, DoctorConfig } from './doctor-deps.ts'
import type { Check } from './check.ts'
import { judge, warn } from './check.ts'

/** The server, its durability settings, and whether this version can work with it. */
export async function examineDatabase(app: DoctorApp, config: DoctorConfig): Promise<Check[]> {
  const { versionNumber, version, fsync, synchronousCommit, statementTimeoutMs, size, archiveMode, archivingFailed } =
    await serverFacts(app.db)
  const schema = await schemaState(app.db)
  const checks: Check[] = [
    judge('database', versionNumber >= 150_000, `PostgreSQL ${version}`, 'Use PostgreSQL 15 or newer.'),
    judge(
      'durability',
      fsync === 'on' && synchronousCommit !== 'off',
      `fsync ${fsync}, synchronous_commit ${synchronousCommit}`,
      'Set fsync = on and synchronous_commit = on: an answered payment must survive a crash.',
    ),
    ...(config.mode === 'live' ? [await databaseRole(app), await readingRole(app)] : []),
    ...(schema === 'current' ? [await rights(app)] : []),
    await writing(app),
    await primary(app),
    await replication(app, config),
    warn(
      'statement timeout',
      statementTimeoutMs === '0',
      statementTimeoutMs === '0' ? 'none' : `${statementTimeoutMs} ms`,
      'Remove it from the role and the database: our sessions set it to 0, but a new one may be cut off before that.',
    ),
    ...(archiveMode === 'off' ? [] : [archiving(archivingFailed)]),
    disk(size, config),
    judge('migrations', schema === 'current', ...MIGRATIONS[schema]),
  ]
  return checks
}

/** A small write as in /readyz, and one that needs space: with a full disk, reads and changes in place still succeed. */
async function writing({ db, realClock }: DoctorApp): Promise<Check> {
  const limited = db.withStatementLimit(WRITE_WITHIN_MS)
  const why = await tryWrite(limited)
    .then(() => tryLargeWrite({ db: limited, realClock }))
    .then(
      () => null,
      (error: unknown) => describeFault(error),
    )
  if (why !== null && (await limited.waitsForStandby()))
    return judge('writing', false, describeFault(new SilentStandby()), 'See docs/operations.md, "The standby is gone".')
  return judge('writing', why === null, why ?? 'works', 'See docs/operations.md, "The database is down".')
}

const WRITE_WITHIN_MS = 4000

/** While archiving fails, the log fills the disk and no moment after it can be restored. */
function archiving(failed: string | null): Check {
  const todo = 'See the log of PostgreSQL and docs/backup.md, "Your own PostgreSQL".'
  return judge('archiving', failed === null, failed === null ? 'works' : `fails, last with ${failed}`, todo)
}

/** The rights of deploy/grants.sql: without one, some requests fail and others do not. */
async function rights({ db }: DoctorApp): Promise<Check> {
  const missing = await missingRights(db)
  const more = missing.length > NAMED_RIGHTS ? `, and ${missing.length - NAMED_RIGHTS} more` : ''
  const found = missing.length > 0 ? `lacks ${describeRights(missing.slice(0, NAMED_RIGHTS))}${more}` : 'has all'
  const todo = 'Run: npx vezne migrate, with the owner\'s DATABASE_URL. See docs/operations.md, "A right is missing".'
  return judge('rights', missing.length === 0, found, todo)
}

const NAMED_RIGHTS = 10

async function primary({ db }: DoctorApp): Promise<Check> {
  const states = await db.hosts()
  const split = describeSplit(states)
  const used = states.find((state) => state.used)?.host
  const found = split && `${split}. All other checks read ${used}, which may be the wrong one`
  const todo = 'Decide nothing until one is stopped. See docs/operations.md, "Two primaries".'
  return judge('primary', split === null, found ?? (describeHosts(states) || 'one host'), todo)
}

/** A warning: without a synchronous standby a failover loses acknowledged payments, and stops sending. */
async function replication({ db }: DoctorApp, { mode }: DoctorConfig): Promise<Check> {
  const found = await replicationMode(db)
  const todo = 'Set synchronous_standby_names. See docs/operations.md, "The database is older".'
  return warn('replication', mode !== 'live' || found === 'synchronous', found, todo)
}

const MIGRATIONS: Record<SchemaState, [found: string, todo: string]> = {
  current: ['up to date', ''],
  older: ['missing', 'Run: npx vezne migrate'],
  newer: ['newer than this version', 'Run the version of Vezne that migrated this database, or a newer one.'],
}

export function examineClock(app: Pick<DoctorApp, 'clock'>): Check {
  const { seconds, tolerated } = clockOffset(app.clock)
  const todo = 'Set it by NTP, on this machine and on that of the database. Workers do nothing until it is right.'
  return judge('clock', tolerated, describeOffset(seconds), todo)
}

/** A warning: everything works with such a role, but an intruder could also tamper with the ledger. */
async function databaseRole({ db }: DoctorApp): Promise<Check> {
  const { role, excess } = await excessRights(db)
  const check = 'database role' as const
  if (excess.length === 0) return { check, ok: true, found: `${role} changes rows only` }
  const todo =
    'Run serve and work as a role that owns nothing: deploy/roles.sql makes vezne_app. See docs/deploy.md, "Database roles".'
  return { check, ok: true, found: `${role} ${excess.join(', ')}`, todo }
}

/** A warning: on a managed server there may be no one who can revoke what every role may call. */
async function readingRole({ db }: DoctorApp): Promise<Check> {
  const check = 'reading role' as const
  const more = await readerMayMore(db)
  if (!more) return { check, ok: true, found: more === null ? 'there is none' : 'vezne_read only reads' }
  const found = 'vezne_read may hold locks that stop the workers, and write large objects'
  const todo = 'Run deploy/roles.sql again as a superuser. If there is none, give vezne_read only to whom you trust.'
  return { check, ok: true, found, todo }
}

/** Below this, a day of traffic may fill the disk; a full disk refuses every write. */
const LEAST_FREE = 0.1

/** The embedded database is on this machine. The disk of another server is not visible from here. */
function disk(databaseSize: string, { databaseUrl, dataFolder }: DoctorConfig): Check {
  const size = `the database has ${databaseSize}`
  if (databaseUrl !== null) return { check: 'disk', ok: true, found: `${size}; watch the disk of its server` }
  const { bavail, blocks } = statfsSync(dataFolder)
  const free = bavail / blocks
  const found = `${size}; ${Math.round(free * 100)} % of the disk is free`
  return judge('disk', free >= LEAST_FREE, found, `Make room on the disk of ${dataFolder}.`)
}
