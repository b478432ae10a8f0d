import type { Command } from 'commander'
import { noticeForTerminal, say } from '../../../acts/refusals/say.ts'
import type { Check } from '../../../domain/doctor/index.ts'
import { examine, examineLive } from '../../../domain/doctor/index.ts'
import { NoHost } from '../../../platform/postgres/database-faults.ts'
import { schemaState } from '../../../platform/postgres/migrate.ts'
import type { CliApp, CliConfig, CliContext } from '../core/context.ts'
import { EXIT, NotRunning, readSandbox, withApp } from '../core/context.ts'
import { print } from '../core/output.ts'

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
      const work = (app: CliApp) => examineAll(app, config, options.live === true)
      const needs = { clock: false, migrated: false, onePrimary: false }
      let failed: number = EXIT.failed
      const found = await withApp(context, work, needs).catch((error: unknown) => {
        failed = EXIT.notRunning
        return [unreached(error, config)]
      })
      const healthy = show(command, [nodeVersion(), ...found])
      process.exitCode = healthy ? 0 : failed
    })
}

/** In words; `todo` has a line for what to do, and one for each command or runbook. */
type ShownCheck = { check: string; ok: boolean; found: string; todo?: string }

function inWords({ check, ok, found, todo }: Check): ShownCheck {
  return { check, ok, found: say('en', found), ...(todo && { todo: noticeForTerminal(todo).join('\n') }) }
}

/** Returns whether all is well. */
function show(command: Command, checks: ShownCheck[]): boolean {
  const lines = checks.flatMap(({ check, ok, found, todo }) => [
    `${mark(ok, todo)}  ${check}: ${found}`,
    ...(todo ? todo.split('\n').map((line, index) => `      ${index === 0 ? '→ ' : ''}${line}`) : []),
  ])
  const healthy = checks.every(({ ok }) => ok)
  print(command, { healthy, checks }, lines)
  return healthy
}

/** The other checks need the database. */
function unreached(error: unknown, { databaseUrl }: CliConfig): ShownCheck {
  if (!(error instanceof NotRunning) || !(error.cause instanceof NoHost)) throw error
  const todo =
    databaseUrl === null
      ? 'Start the sandbox with: npm start'
      : 'See that PostgreSQL runs there, that the role may log in, and that DATABASE_URL is right. See docs/operations.md, "The database is down".'
  return { check: 'database', ok: false, found: error.cause.message, todo }
}

async function examineAll(app: CliApp, config: CliConfig, live: boolean): Promise<ShownCheck[]> {
  const baseUrl = config.publicUrl ?? readSandbox(config)?.baseUrl ?? null
  const given = { ...config, baseUrl, isWorker: true }
  let unfollow = async () => {}
  try {
    const checks = await examine(app, given, async () => {
      unfollow = await app.clock.follow(app.db, () => undefined)
      await app.loadConnections()
    })
    const isCurrent = live && (await schemaState(app.db)) === 'current'
    return [...checks, ...(isCurrent ? await examineLive(app, given) : [])].map(inWords)
  } finally {
    await unfollow()
  }
}

/** A `todo` without a failure is a warning. */
function mark(ok: boolean, todo: string | undefined): string {
  if (!ok) return 'FAIL'
  return todo ? 'warn' : 'ok  '
}

function nodeVersion(): ShownCheck {
  const ok = Number(process.versions.node.split('.')[0]) >= 24
  return { check: 'node', ok, found: process.version, ...(!ok && { todo: 'Run Vezne on Node 24 or newer.' }) }
}
