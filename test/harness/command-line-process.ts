import { compose } from '../../packages/server/src/compose.ts'
import { openCommandSettings } from '../../packages/server/src/command-settings.ts'
import { runCli } from '../../packages/server/src/edges/cli/core/program.ts'
import type { Asked } from './command-line.ts'
import { DATABASE_PATIENCE } from './database.ts'

// The CLI of packages/server/src/main.ts, running several commands in one process. Commands that start processes are
// not available.

const unavailable = () => Promise.reject(new Error('this test command line cannot start processes'))
const NO_PROCESSES = {
  runProcess: unavailable,
  runMigrations: unavailable,
  runBackup: unavailable,
  runRestore: unavailable,
}

async function runCommand({ args, env }: Asked): Promise<{ code: number; output: string; errors: string }> {
  const captured = { output: '', errors: '' }
  process.stdout.write = (part: string | Uint8Array) => Boolean((captured.output += String(part)))
  process.stderr.write = (part: string | Uint8Array) => Boolean((captured.errors += String(part)))
  process.exitCode = 0
  process.env = { ...env }
  const settings = openCommandSettings()
  const openApp = (databaseUrl: string) =>
    compose({ ...settings.readConfig(), databasePatience: DATABASE_PATIENCE }, databaseUrl)
  const code = await runCli(args, { ...NO_PROCESSES, readConfig: settings.readSettings, openApp })
  return { code, ...captured }
}

let last: Promise<unknown> = Promise.resolve()
process.on('message', (asked: Asked) => {
  last = last.then(async () => process.send?.(await runCommand(asked)))
})
