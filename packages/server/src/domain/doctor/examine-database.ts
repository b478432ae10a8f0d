import { statfsSync } from 'node:fs'
import { note } from '../../kernel/refusals/note.ts'
import type { Said } from '../../platform/refusal.ts'
import { clockOffset } from '../../platform/time/clock-check.ts'
import { faultOf } from '../../platform/postgres/database-faults.ts'
import { primariesOf } from '../../platform/postgres/db-primaries.ts'
import type { SchemaState } from '../../platform/postgres/migrate.ts'
import { schemaState, tryWrite } from '../../platform/postgres/migrate.ts'
import { replicationMode } from '../../platform/postgres/replication.ts'
import type { ExcessRight } from '../../platform/postgres/role-rights.ts'
import { excessRights, missingRights, readerMayMore } from '../../platform/postgres/role-rights.ts'
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
    judge('database', versionNumber >= 150_000, note('check_postgres', { version }), note('todo_postgres')),
    judge(
      'durability',
      fsync === 'on' && synchronousCommit !== 'off',
      note('check_durability', { fsync, commit: synchronousCommit }),
      note('todo_durability'),
    ),
    ...(config.mode === 'live' ? [await databaseRole(app), await readingRole(app)] : []),
    ...(schema === 'current' ? [await rights(app)] : []),
    await writing(app),
    await primary(app),
    await replication(app, config),
    warn(
      'statement timeout',
      statementTimeoutMs === '0',
      statementTimeoutMs === '0'
        ? note('check_none')
        : note('check_statement_timeout', { milliseconds: statementTimeoutMs }),
      note('todo_statement_timeout'),
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
  const failure = await tryWrite(limited)
    .then(() => tryLargeWrite({ db: limited, realClock }))
    .then(
      () => null,
      (error: Error) => ({ fault: faultOf(error.cause ?? error)?.name ?? null }),
    )
  if (failure === null) return { check: 'writing', ok: true, found: note('check_works') }
  if (await limited.waitsForStandby())
    return judge('writing', false, note('check_write_refused', { fault: 'standby_silent' }), note('todo_standby'))
  return judge('writing', false, note('check_write_refused', failure), note('todo_writing'))
}

const WRITE_WITHIN_MS = 4000

/** While archiving fails, the log fills the disk and no moment after it can be restored. */
function archiving(failed: string | null): Check {
  const found = failed === null ? note('check_works') : note('check_archiving_fails', { segment: failed })
  return judge('archiving', failed === null, found, note('todo_archiving'))
}

/** The rights of deploy/grants.sql: without one, some requests fail and others do not. */
async function rights({ db }: DoctorApp): Promise<Check> {
  const missing = await missingRights(db)
  const lacking = missing.slice(0, NAMED_RIGHTS).map((one) => note('check_right', one))
  const found =
    missing.length === 0
      ? note('check_rights_complete')
      : note('check_rights_missing', { rights: lacking, more: missing.length - lacking.length })
  return judge('rights', missing.length === 0, found, note('todo_rights'))
}

const NAMED_RIGHTS = 10

async function primary({ db }: DoctorApp): Promise<Check> {
  const states = await db.hosts()
  const primaries = primariesOf(states)
  const used = states.find((state) => state.used)?.host ?? ''
  const hosts = states.map(({ host, failure }) =>
    failure === null
      ? note('check_host_takes_writes', { host })
      : note('check_host_fails', { host, fault: failure.fault, code: failure.code }),
  )
  const fine = hosts.length === 0 ? note('check_one_host') : note('check_hosts', { hosts })
  const isSplit = primaries.length > 1
  const found = isSplit ? note('check_hosts_split', { hosts: primaries, used }) : fine
  return judge('primary', !isSplit, found, note('todo_primary'))
}

/** A warning: without a synchronous standby a failover loses acknowledged payments, and stops sending. */
async function replication({ db }: DoctorApp, { mode }: DoctorConfig): Promise<Check> {
  const found = await replicationMode(db)
  const fine = mode !== 'live' || found === 'synchronous'
  return warn('replication', fine, note('check_replication', { mode: found }), note('todo_replication'))
}

const MIGRATIONS: Record<SchemaState, [found: Said, todo: Said]> = {
  current: [note('check_schema_current'), note('todo_schema_older')],
  older: [note('check_schema_older'), note('todo_schema_older')],
  newer: [note('check_schema_newer'), note('todo_schema_newer')],
}

export function examineClock(app: Pick<DoctorApp, 'clock'>): Check {
  const { seconds, tolerated } = clockOffset(app.clock)
  return judge('clock', tolerated, note('check_clock_offset', { seconds }), note('todo_clock'))
}

/** A warning: everything works with such a role, but an intruder could also tamper with the ledger. */
async function databaseRole({ db }: DoctorApp): Promise<Check> {
  const { role, excess } = await excessRights(db)
  const check = 'database role' as const
  return warn(check, excess.length === 0, roleFound(role, excess), note('todo_role'))
}

export function roleFound(role: string, rights: ExcessRight[]): Said {
  return rights.length === 0 ? note('check_role_rows_only', { role }) : note('check_role_excess', { role, rights })
}

/** A warning: on a managed server there may be no one who can revoke what every role may call. */
async function readingRole({ db }: DoctorApp): Promise<Check> {
  const check = 'reading role' as const
  const more = await readerMayMore(db)
  if (!more) return { check, ok: true, found: note(more === null ? 'check_none' : 'check_reader_only_reads') }
  return { check, ok: true, found: note('check_reader_may_more'), todo: note('todo_reader') }
}

/** Below this, a day of traffic may fill the disk; a full disk refuses every write. */
const LEAST_FREE = 0.1

/** The embedded database is on this machine. The disk of another server is not visible from here. */
function disk(size: string, { databaseUrl, dataFolder }: DoctorConfig): Check {
  if (databaseUrl !== null) return { check: 'disk', ok: true, found: note('check_disk_elsewhere', { size }) }
  const { bavail, blocks } = statfsSync(dataFolder)
  const free = bavail / blocks
  const found = note('check_disk_free', { size, percent: Math.round(free * 100) })
  return judge('disk', free >= LEAST_FREE, found, note('todo_disk', { folder: dataFolder }))
}
