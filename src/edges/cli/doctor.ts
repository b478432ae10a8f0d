import type { Command } from 'commander'
import { findDrift } from '../../domain/ledger/index.ts'
import type { LineTotal } from '../../domain/statements/index.ts'
import { lastReads, listUnread } from '../../domain/statements/index.ts'
import { findOpenRestore, missingLines } from '../../domain/withdrawals/index.ts'
import { clockOffset, describeOffset } from '../../platform/clock-check.ts'
import type { SchemaState } from '../../platform/migrate.ts'
import { schemaState } from '../../platform/migrate.ts'
import { formatMoney } from '../../platform/money.ts'
import { excessRights } from '../../platform/role-rights.ts'
import { examineRows } from '../../platform/sealed-rows.ts'
import { sql } from '../../platform/sql.ts'
import type { CliApp, Doors } from './doors.ts'
import { withApp } from './doors.ts'
import { SEALED_TABLES } from './master-key.ts'
import { print } from './output.ts'

const DAY_MS = 86_400_000

type Check = { check: string; ok: boolean; found: string; todo?: string }

export function addDoctorCommand(program: Command, doors: Doors): void {
  program
    .command('doctor')
    .description(
      'Check this deployment: Node, database, durability, migrations, clock, master key, ledger, bank statements.',
    )
    .addHelpText('after', '\nExample:\n  $ npx vezne doctor --json')
    .action(async (_options: object, command: Command) => {
      const live = doors.readConfig().mode === 'live'
      const checks = [nodeVersion(), ...(await withApp(doors, (app) => examine(app, live), { clock: false }))]
      const lines = checks.flatMap(({ check, ok, found, todo }) => [
        `${mark(ok, todo)}  ${check}: ${found}`,
        ...(todo ? [`      → ${todo}`] : []),
      ])
      const healthy = checks.every(({ ok }) => ok)
      print(command, { healthy, checks }, lines)
      process.exitCode = healthy ? 0 : 1
    })
}

/** Something to do that is no failure is a warning. */
function mark(ok: boolean, todo: string | undefined): string {
  if (!ok) return 'FAIL'
  return todo ? 'warn' : 'ok  '
}

function nodeVersion(): Check {
  const ok = Number(process.versions.node.split('.')[0]) >= 24
  return { check: 'node', ok, found: process.version, ...(!ok && { todo: 'Run Vezne on Node 24 or newer.' }) }
}

async function examine(app: CliApp, live: boolean): Promise<Check[]> {
  const [version] = await app.db.query<{ number: number; text: string }>(sql`
    select current_setting('server_version_num')::int as number, current_setting('server_version') as text`)
  const [durable] = await app.db.query<{ fsync: string; commit: string }>(sql`
    select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit`)
  const schema = await schemaState(app.db)
  const checks: Check[] = [
    judge('database', (version?.number ?? 0) >= 150_000, `PostgreSQL ${version?.text}`, 'Use PostgreSQL 15 or newer.'),
    judge(
      'durability',
      durable?.fsync === 'on' && durable.commit !== 'off',
      `fsync ${durable?.fsync}, synchronous_commit ${durable?.commit}`,
      'Set fsync = on and synchronous_commit = on: an answered payment must survive a crash.',
    ),
    ...(live ? [await databaseRole(app)] : []),
    judge('migrations', schema === 'current', ...MIGRATIONS[schema]),
  ]
  if (schema !== 'current') return checks
  const unfollow = await app.clock.follow(app.db, () => undefined)
  try {
    return [...checks, clock(app), ...(await examineMoney(app))]
  } finally {
    await unfollow()
  }
}

const MIGRATIONS: Record<SchemaState, [found: string, todo: string]> = {
  current: ['up to date', ''],
  older: ['missing', 'Run: npx vezne migrate'],
  newer: ['newer than this version', 'Run the version of Vezne that migrated this database, or a newer one.'],
}

function clock(app: CliApp): Check {
  const { seconds, tolerated } = clockOffset(app.clock)
  const todo = 'Set it by NTP, on this machine and on that of the database. Workers do nothing until it is right.'
  return judge('clock', tolerated, describeOffset(seconds), todo)
}

/** A warning: everything works with such a role, but so does what an intruder would do to the books. */
async function databaseRole({ db }: CliApp): Promise<Check> {
  const { role, excess } = await excessRights(db)
  const check = 'database role'
  if (excess.length === 0) return { check, ok: true, found: `${role} changes rows only` }
  const todo =
    'Run serve and work as a role that owns nothing: deploy/roles.sql makes vezne_app. See docs/deploy.md, "Database roles".'
  return { check, ok: true, found: `${role} ${excess.join(', ')}`, todo }
}

async function examineMoney(app: CliApp): Promise<Check[]> {
  return [
    await masterKey(app),
    await ledger(app),
    await restored(app),
    ...(await missing(app)),
    await statements(app),
    await unread(app),
  ]
}

async function masterKey(app: CliApp): Promise<Check> {
  const { byKey, unopened } = await examineRows(app, SEALED_TABLES)
  const rows = [...byKey].map(([keyId, count]) => `${count} sealed by ${keyId}`).join(', ')
  const [first] = unopened
  const found = first ? `${unopened.length} secret(s) do not open; the first: ${first.message}` : `opens all (${rows})`
  return judge('master key', !first, found, 'See docs/operations.md, "A secret does not open".')
}

async function ledger({ db }: CliApp): Promise<Check> {
  const drift = await findDrift(db)
  const found =
    drift.length === 0 ? 'every balance equals the sum of its transfers' : `${drift.length} balance(s) drifted`
  return judge('ledger', drift.length === 0, found, 'Stop payouts and see docs/operations.md, "The ledger drifted".')
}

async function restored({ db }: CliApp): Promise<Check> {
  const open = await findOpenRestore(db)
  const found = open ? `to ${open.restoredTo.toISOString()}; no payout is sent` : 'no'
  return judge('restored', !open, found, 'Run: npx vezne restore-check. See docs/backup.md, "After a restore".')
}

async function missing(app: CliApp): Promise<Check[]> {
  const { payouts, debits, credits } = await missingLines(app)
  const said = (totals: LineTotal[], none: string) =>
    totals.map((total) => describe(total, app.clock.now())).join('; ') || none
  return [
    judge(
      'payouts without a debit',
      payouts.length === 0,
      said(payouts, 'none after two business days'),
      'Run: npx vezne payout list --without-debit. See docs/operations.md, "Lines that are missing".',
    ),
    {
      check: 'debits without a payout',
      // Bank charges and the operator's own transfers are among them, so that this alone is no failure.
      ok: true,
      found: said(debits, 'none'),
      ...(debits.length > 0 && { todo: 'Run: npx vezne line list --state queue. You should know each of them.' }),
    },
    judge(
      'incoming money in the queue',
      credits.length === 0,
      said(credits, 'none'),
      'Run: npx vezne line list --state queue. It is not in the books until a person has decided. See docs/operations.md, "Suspected corrections".',
    ),
  ]
}

function describe({ count, amount, currency, oldest }: LineTotal, now: Date): string {
  const days = Math.floor((now.getTime() - oldest.getTime()) / DAY_MS)
  return `${count} (${formatMoney(amount, currency)}), the oldest ${days} days old`
}

async function unread(app: CliApp): Promise<Check> {
  const { length } = await listUnread(app)
  const todo =
    'Run: npx vezne line unread. They are not in the books. Open the account or ask the bank, then: npx vezne line unread --retry'
  return judge('unread lines', length === 0, length === 0 ? 'none' : String(length), todo)
}

/** A bank is read every second: this long without is an outage that customers notice. */
const UNREAD_MINUTES = 5

/** Which banks have not been read to the end for too long. Of this deployment's rails; of all that were ever read where it has none. */
async function statements({ db, clock, rails }: CliApp): Promise<Check> {
  const reads = await lastReads(
    db,
    rails.map(({ name }) => name),
  )
  const now = clock.now().getTime()
  const minutes = reads.map(({ source, readAt }) => {
    return { source, age: readAt ? Math.floor((now - readAt.getTime()) / 60_000) : null }
  })
  const found = minutes.map(({ source, age }) => `${source} ${age === null ? 'never read' : `read ${age} min ago`}`)
  return judge(
    'statements',
    minutes.every(({ age }) => age !== null && age < UNREAD_MINUTES),
    found.join(', ') || 'no bank is read',
    'Its deposits do not expire until it is read. See that a worker runs (vezne work or up), and its log for why the bank does not answer.',
  )
}

function judge(check: string, ok: boolean, found: string, todo: string): Check {
  return { check, ok, found, ...(!ok && { todo }) }
}
