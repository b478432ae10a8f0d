import { compose } from './compose.ts'
import { readConfig } from './config.ts'
import { runCli } from './edges/cli/program.ts'
import { runMigrations, runProcess } from './process.ts'

// The command line is a door like any other: it receives what it may open.
process.exitCode = await runCli(process.argv.slice(2), {
  readConfig,
  runProcess: (role) => runProcess(readConfig(), role),
  runMigrations: () => runMigrations(readConfig()),
  openApp: (databaseUrl) => compose(readConfig(), databaseUrl),
})
