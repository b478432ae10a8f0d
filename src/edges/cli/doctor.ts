import type { Command } from 'commander'
import { findDrift } from '../../domain/ledger/index.ts'
import { openAllSecrets } from '../../domain/merchants/index.ts'
import { isMigrated } from '../../platform/migrate.ts'
import { sql } from '../../platform/sql.ts'
import type { CliApp, Doors } from './doors.ts'
import { withApp } from './doors.ts'
import { print } from './output.ts'

type Check = { check: string; ok: boolean; found: string; todo?: string }

export function addDoctorCommand(program: Command, doors: Doors): void {
  program
    .command('doctor')
    .description('Check this deployment: Node, database, durability, migrations, master key, ledger.')
    .addHelpText('after', '\nExample:\n  $ npx vezne doctor --json')
    .action(async (_options: object, command: Command) => {
      const checks = [nodeVersion(), ...(await withApp(doors, examine, { clock: false }))]
      const lines = checks.map(
        ({ check, ok, found, todo }) => `${ok ? 'ok  ' : 'FAIL'}  ${check}: ${found}${todo ? `\n      → ${todo}` : ''}`,
      )
      const healthy = checks.every(({ ok }) => ok)
      print(command, { healthy, checks }, lines.join('\n'))
      process.exitCode = healthy ? 0 : 1
    })
}

function nodeVersion(): Check {
  const ok = Number(process.versions.node.split('.')[0]) >= 24
  return { check: 'node', ok, found: process.version, ...(!ok && { todo: 'Run Vezne on Node 24 or newer.' }) }
}

async function examine(app: CliApp): Promise<Check[]> {
  const [version] = await app.db.query<{ number: number; text: string }>(sql`
    select current_setting('server_version_num')::int as number, current_setting('server_version') as text`)
  const [durable] = await app.db.query<{ fsync: string; commit: string }>(sql`
    select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit`)
  const migrated = await isMigrated(app.db)
  const checks: Check[] = [
    judge('database', (version?.number ?? 0) >= 150_000, `PostgreSQL ${version?.text}`, 'Use PostgreSQL 15 or newer.'),
    judge(
      'durability',
      durable?.fsync === 'on' && durable.commit !== 'off',
      `fsync ${durable?.fsync}, synchronous_commit ${durable?.commit}`,
      'Set fsync = on and synchronous_commit = on: an answered payment must survive a crash.',
    ),
    judge('migrations', migrated, migrated ? 'up to date' : 'missing', 'Run: npx vezne migrate'),
  ]
  if (!migrated) return checks
  return [...checks, await masterKey(app), await ledger(app)]
}

async function masterKey(app: CliApp): Promise<Check> {
  try {
    return judge('master key', true, `opens the secrets of ${await openAllSecrets(app)} merchant(s)`, '')
  } catch (error) {
    return judge(
      'master key',
      false,
      (error as Error).message,
      'Set the VEZNE_MASTER_KEY or VEZNE_DATA that sealed them.',
    )
  }
}

async function ledger({ db }: CliApp): Promise<Check> {
  const drift = await findDrift(db)
  const found =
    drift.length === 0 ? 'every balance equals the sum of its transfers' : `${drift.length} balance(s) drifted`
  return judge('ledger', drift.length === 0, found, 'Stop payouts and see docs/operations.md, "The ledger drifted".')
}

function judge(check: string, ok: boolean, found: string, todo: string): Check {
  return { check, ok, found, ...(!ok && { todo }) }
}
