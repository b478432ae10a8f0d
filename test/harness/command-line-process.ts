import { compose } from '../../packages/server/src/compose.ts'
import { readClientConfig, readSettings } from '../../packages/server/src/config.ts'
import { runCli } from '../../packages/server/src/edges/cli/program.ts'

// The CLI of packages/server/src/main.ts, running several commands in one process. Commands that start processes are
// not available.

const never = () => Promise.reject(new Error('a warm command line starts no process'))
const doors = {
  readConfig: readSettings,
  openApp: (databaseUrl: string) => compose(readClientConfig(), databaseUrl),
  runProcess: never,
  runMigrations: never,
  runBackup: never,
  runRestore: never,
}

async function answer(args: string[]): Promise<{ code: number; output: string; errors: string }> {
  const said = { output: '', errors: '' }
  process.stdout.write = (part: string | Uint8Array) => Boolean((said.output += String(part)))
  process.stderr.write = (part: string | Uint8Array) => Boolean((said.errors += String(part)))
  process.exitCode = 0
  const code = await runCli(args, doors)
  return { code, ...said }
}

let last: Promise<unknown> = Promise.resolve()
process.on('message', (args: string[]) => {
  last = last.then(async () => process.send?.(await answer(args)))
})
