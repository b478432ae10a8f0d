import { compose } from './compose.ts'
import { announced, openCommandSettings } from './command-settings.ts'
import { readConfig, readSettings, restoreTarget } from './config.ts'
import { endWithReader } from './edges/cli/core/output.ts'
import { runCli } from './edges/cli/core/program.ts'

// Loaded only by commands that run a service: it takes as long as everything else together.
const service = () => import('./process.ts')
const backups = () => import('./backups.ts')

endWithReader()
const settings = openCommandSettings()
// The CLI is an edge: it receives what it may use.
process.exitCode = await runCli(process.argv.slice(2), {
  readConfig: settings.readSettings,
  runProcess: async (role) => (await service()).runProcess(readSettings(), role),
  runMigrations: async () => (await service()).runMigrations(announced(readSettings())),
  runBackup: async (file, options) => (await backups()).runBackup(announced(readConfig()), file, options),
  runRestore: async (file, options) => (await backups()).runRestore(restoreTarget(), file, options),
  openApp: (databaseUrl) => compose(settings.readConfig(), databaseUrl),
})
