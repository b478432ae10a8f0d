import type { Command } from 'commander'
import type { CliContext } from './context.ts'
import { print } from './output.ts'

export function addRunCommands(program: Command, context: CliContext): void {
  program
    .command('up')
    .description('Run everything in one process: database (unless DATABASE_URL is set), migrations, API and workers.')
    .addHelpText('after', '\nExample:\n  $ PORT=0 VEZNE_DATA=/tmp/shop npx vezne up')
    .action(() => context.runProcess('up'))
  program
    .command('serve')
    .description('Answer API requests. Any number of these may share one database.')
    .addHelpText('after', '\nExample:\n  $ DATABASE_URL=postgres://… PORT=8081 npx vezne serve')
    .action(() => context.runProcess('serve'))
  program
    .command('work')
    .description('Run the background work only. Any number of these may share one database.')
    .addHelpText('after', '\nExample:\n  $ DATABASE_URL=postgres://… npx vezne work')
    .action(() => context.runProcess('work'))
  program
    .command('migrate')
    .description('Bring the database to this version, seed the bank list, and stop.')
    .addHelpText('after', '\nExample:\n  $ DATABASE_URL=postgres://… npx vezne migrate')
    .action(async (_options: object, command: Command) => {
      const { applied, granted } = await context.runMigrations()
      const migrations =
        applied.length > 0 ? ['Applied:', ...applied.map((name) => `  ${name}`)] : ['Nothing to migrate.']
      const rights = granted.length > 0 ? [`Granted the rights of deploy/grants.sql to ${granted.join(' and ')}.`] : []
      print(command, { applied, granted }, [...migrations, ...rights])
    })
}
