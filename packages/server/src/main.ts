import { compose } from './compose.ts'
import { readClientConfig, readConfig, readSettings, restoreTarget } from './config.ts'
import { endWithReader } from './edges/cli/output.ts'
import { runCli } from './edges/cli/program.ts'

// Most commands talk to a service that runs already: only those that run one load it, which takes as long as all the rest.
const service = () => import('./process.ts')
const backups = () => import('./backups.ts')

endWithReader()
// The command line is a door like any other: it receives what it may open.
process.exitCode = await runCli(process.argv.slice(2), {
  readConfig: readSettings,
  runProcess: async (role) => (await service()).runProcess(readConfig(), role),
  runMigrations: async () => (await service()).runMigrations(readConfig()),
  runBackup: async (file, options) => (await backups()).runBackup(readClientConfig(), file, options),
  runRestore: async (file, options) => (await backups()).runRestore(restoreTarget(), file, options),
  openApp: (databaseUrl) => compose(readClientConfig(), databaseUrl),
})
