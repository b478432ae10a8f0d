import type { Command } from 'commander'
import { listAccounts } from '../../../domain/banks/index.ts'
import type { ConnectionRow } from '../../../domain/connections/index.ts'
import { changesOfConnection, findConnection, selectConnections } from '../../../domain/connections/index.ts'
import type { CliContext } from '../core/context.ts'
import { withApp } from '../core/context.ts'
import { print, table } from '../core/output.ts'

export function addConnectionViews(connection: Command, context: CliContext): void {
  connection
    .command('list')
    .description('All connections with their accounts.')
    .addHelpText('after', '\nExample:\n  $ npx vezne connection list')
    .action(async (_options: object, command: Command) => {
      const connections = await withApp(context, async ({ db }) => {
        const [rows, accounts] = await Promise.all([selectConnections(db), listAccounts(db)])
        return rows.map((row) => ({
          ...shown(row),
          accounts: accounts.filter((account) => account.connection === row.name).length,
        }))
      })
      const rows = connections.map((one) => [
        one.name,
        one.kind.replace('_', '-'),
        one.disabledAt ? 'disabled' : 'enabled',
        String(one.accounts),
        placeOf(one),
      ])
      print(command, { connections }, table(['name', 'kind', 'state', 'accounts', 'where'], rows))
    })
  addShow(connection, context)
}

function addShow(connection: Command, context: CliContext): void {
  connection
    .command('show <name>')
    .description('Settings, accounts and the history of changes. The key is never shown.')
    .addHelpText('after', '\nExample:\n  $ npx vezne connection show garanti')
    .action(async (name: string, _options: object, command: Command) => {
      const result = await withApp(context, async (app) => {
        const row = await findConnection(app, name)
        const accounts = (await listAccounts(app.db)).filter((account) => account.connection === name)
        return {
          ...shown(row),
          accounts: accounts.map(({ iban }) => iban),
          changes: await changesOfConnection(app.db, name),
        }
      })
      const changes = result.changes.map(({ changedAt, changedBy, what, details }) => [
        changedAt.toISOString(),
        changedBy,
        what,
        JSON.stringify(details),
      ])
      print(command, result, [
        `${name}: ${result.kind.replace('_', '-')}, ${result.disabledAt ? `disabled since ${result.disabledAt.toISOString()}` : 'enabled'}`,
        `where     ${placeOf(result)}`,
        `key       ${result.hasKey ? 'set' : 'none here'}`,
        `accounts  ${result.accounts.join(', ') || 'none'}`,
        ...(changes.length > 0 ? ['', ...table(['when', 'who', 'what', 'details'], changes)] : []),
      ])
    })
}

function shown({ sealed, ...row }: ConnectionRow) {
  return { ...row, hasKey: sealed !== null }
}

function placeOf({ settings }: Pick<ConnectionRow, 'settings'>): string {
  if (settings === null) return 'from the environment'
  const { url, folder } = settings as { url?: string; folder?: string }
  return url ?? folder ?? ''
}
