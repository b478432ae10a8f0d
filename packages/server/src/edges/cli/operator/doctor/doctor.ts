import type { Command } from 'commander'
import { schemaState } from '../../../../platform/postgres/migrate.ts'
import type { CliApp, CliConfig, CliContext } from '../../core/context.ts'
import { withApp } from '../../core/context.ts'
import { print } from '../../core/output.ts'
import type { Check } from './check.ts'
import { examineAudit } from './examine-audit.ts'
import { examineBooks } from './examine-books.ts'
import { examineClock, examineDatabase } from './examine-database.ts'
import { examineLive } from './examine-live.ts'
import { examineMoney } from './examine-money.ts'
import { examineRows } from './examine-rows.ts'
import { examineService } from './examine-service.ts'

export function addDoctorCommand(program: Command, context: CliContext): void {
  program
    .command('doctor')
    .description(
      'Check this deployment: database, disk, clock, API, workers, banks, callbacks, master key, ledger, statements.',
    )
    .option('--live', 'also what a deployment needs before it takes real money')
    .addHelpText('after', '\nExample:\n  $ npx vezne doctor --live')
    .action(async (options: { live?: boolean }, command: Command) => {
      const config = context.readConfig()
      const work = (app: CliApp) => examine(app, config, options.live === true)
      const checks = [nodeVersion(), ...(await withApp(context, work, { clock: false, migrated: false }))]
      const lines = checks.flatMap(({ check, ok, found, todo }) => [
        `${mark(ok, todo)}  ${check}: ${found}`,
        ...(todo ? [`      → ${todo}`] : []),
      ])
      const healthy = checks.every(({ ok }) => ok)
      print(command, { healthy, checks }, lines)
      process.exitCode = healthy ? 0 : 1
    })
}

async function examine(app: CliApp, config: CliConfig, live: boolean): Promise<Check[]> {
  const database = await examineDatabase(app, config)
  if ((await schemaState(app.db)) !== 'current') return database
  const unfollow = await app.clock.follow(app.db, () => undefined)
  try {
    await app.loadConnections()
    const running = [
      examineClock(app),
      ...(await examineService(app, config)),
      ...(await examineMoney(app)),
      ...(await examineBooks(app)),
      await examineAudit(app, config),
      ...(await examineRows(app)),
    ]
    return [...database, ...running, ...(live ? await examineLive(app, config) : [])]
  } finally {
    await unfollow()
  }
}

/** A `todo` without a failure is a warning. */
function mark(ok: boolean, todo: string | undefined): string {
  if (!ok) return 'FAIL'
  return todo ? 'warn' : 'ok  '
}

function nodeVersion(): Check {
  const ok = Number(process.versions.node.split('.')[0]) >= 24
  return { check: 'node', ok, found: process.version, ...(!ok && { todo: 'Run Vezne on Node 24 or newer.' }) }
}
