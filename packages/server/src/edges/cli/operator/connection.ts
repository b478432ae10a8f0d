import { readFileSync } from 'node:fs'
import { OrdersProfileError, readOrdersProfile } from '@vezne/bank-formats'
import type { Command } from 'commander'
import { Option } from 'commander'
import type { NewConnection } from '../../../domain/connections/index.ts'
import { disableConnection, enableConnection } from '../../../domain/connections/index.ts'
import { askProposal, printAsked } from '../core/ask-proposal.ts'
import { AS, decider, WHY } from '../core/decider.ts'
import type { CliContext } from '../core/context.ts'
import { withApp, WrongUsage } from '../core/context.ts'
import { print } from '../core/output.ts'
import { addConnectionTest } from './connection-test.ts'
import { addConnectionViews } from './connection-views.ts'
import { layoutProblems } from './statement-words.ts'

type Given = {
  kind: string
  url?: string
  keyFile?: string
  folder?: string
  orders?: string
  as?: string
  why?: string
}

const URL_OPTION = ['--url <url>', 'http-api: base address of the bank or its adapter, https in live'] as const
const KEY_OPTION = ['--key-file <file>', 'http-api: file with the key, or - for standard input'] as const
const ORDERS_OPTION = ['--orders <file>', 'file-exchange: JSON profile of the order files'] as const
const SOON = 'Running processes notice it within a few seconds.'

export function addConnectionCommands(program: Command, context: CliContext): void {
  const connection = program.command('connection').description('Connections: how we talk to banks.')
  connection
    .command('add <name>')
    .description('Add a connection. Its kind and name never change.')
    .addOption(
      new Option('--kind <kind>', 'how it works')
        .choices(['http-api', 'file-exchange', 'manual'])
        .makeOptionMandatory(),
    )
    .option(...URL_OPTION)
    .option(...KEY_OPTION)
    .option('--folder <folder>', 'file-exchange: the folder; inbox, outbox and others are created in it')
    .option(...ORDERS_OPTION)
    .option(...AS)
    .option(...WHY)
    .addHelpText(
      'after',
      '\nExample:\n  $ npx vezne connection add garanti --kind http-api --url https://adapter.example --key-file garanti.key' +
        '\n  $ npx vezne connection add ziraat --kind file-exchange --folder /srv/vezne/ziraat' +
        '\n  $ npx vezne connection add manual-teb --kind manual',
    )
    .action(async (name: string, given: Given, command: Command) => {
      const wanted = newConnection(given)
      const asked = await withApp(context, (app) => askProposal(app, given, 'connection.add', { name, given: wanted }))
      printAsked(command, asked, () => {
        print(command, { name, kind: wanted.kind }, [
          `Added ${name}. ${SOON}`,
          `Next: npx vezne connection test ${name}, then npx vezne account connect ${name} IBAN…`,
        ])
      })
    })
  addChange(connection, context)
  addSwitches(connection, context)
  addConnectionViews(connection, context)
  addConnectionTest(connection, context)
}

function addChange(connection: Command, context: CliContext): void {
  connection
    .command('change <name>')
    .description('Set a new address, key or order profile.')
    .option(...URL_OPTION)
    .option(...KEY_OPTION)
    .option(...ORDERS_OPTION)
    .option(...AS)
    .option(...WHY)
    .addHelpText('after', '\nExample:\n  $ npx vezne connection change garanti --key-file new.key')
    .action(async (name: string, options: Omit<Given, 'kind'>, command: Command) => {
      const { url, keyFile, orders } = options
      const update = {
        ...(url !== undefined && { url }),
        ...(keyFile !== undefined && { key: readText(keyFile, '--key-file') }),
        ...(orders !== undefined && { orders: readProfile(orders) }),
      }
      const asked = await withApp(context, (app) => askProposal(app, options, 'connection.change', { name, ...update }))
      printAsked(command, asked, () => {
        print(command, { name, changed: Object.keys(update) }, `Changed ${name}. ${SOON}`)
      })
    })
}

function addSwitches(connection: Command, context: CliContext): void {
  connection
    .command('disable <name>')
    .description('Read and send nothing over it; payouts from its accounts wait.')
    .requiredOption('--reason <text>', 'why, for the history')
    .option(...AS)
    .addHelpText('after', '\nExample:\n  $ npx vezne connection disable garanti --reason "maintenance until 18:00"')
    .action(async (name: string, options: { reason: string; as?: string }, command: Command) => {
      await withApp(context, (app) => disableConnection(app, decider(app, options.as), name, options.reason))
      print(
        command,
        { name, disabled: true },
        `Disabled ${name}. ${SOON} Deposits of its accounts do not expire meanwhile.`,
      )
    })
  connection
    .command('enable <name>')
    .description('Use it again.')
    .option(...AS)
    .addHelpText('after', '\nExample:\n  $ npx vezne connection enable garanti')
    .action(async (name: string, options: { as?: string }, command: Command) => {
      await withApp(context, (app) => enableConnection(app, decider(app, options.as), name))
      print(command, { name, disabled: false }, `Enabled ${name}. ${SOON}`)
    })
}

function newConnection({ kind, url, keyFile, folder, orders }: Given): NewConnection {
  const mayHave = { 'http-api': { url, keyFile }, 'file-exchange': { folder, orders }, manual: {} }[kind] ?? {}
  const extra = Object.entries({ url, keyFile, folder, orders }).find(
    ([name, value]) => value !== undefined && !(name in mayHave),
  )
  if (extra) throw new WrongUsage(`--${extra[0] === 'keyFile' ? 'key-file' : extra[0]} is not for kind ${kind}.`)
  if (kind === 'manual') return { kind: 'manual' }
  if (kind === 'http-api') {
    if (url === undefined || keyFile === undefined) throw new WrongUsage('Kind http-api needs --url and --key-file.')
    return { kind: 'http_api', url, key: readText(keyFile, '--key-file') }
  }
  if (folder === undefined) throw new WrongUsage('Kind file-exchange needs --folder.')
  return { kind: 'file_exchange', folder, orders: orders === undefined ? null : readProfile(orders) }
}

/** A key is never an argument: other users of the machine can see those. */
function readText(file: string, option: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8')
  } catch (error) {
    throw new WrongUsage(`${option}: ${(error as Error).message}`)
  }
}

function readProfile(file: string): Record<string, unknown> {
  const text = readText(file, '--orders')
  try {
    const profile: unknown = JSON.parse(text)
    if (typeof profile === 'object' && profile !== null && !Array.isArray(profile)) {
      readOrdersProfile(profile)
      return profile as Record<string, unknown>
    }
  } catch (error) {
    if (error instanceof OrdersProfileError)
      throw new WrongUsage(
        `--orders: ${file}: ${layoutProblems(error.problems)}. See docs/bank-formats.md, "Order files".`,
      )
    // Reported below.
  }
  throw new WrongUsage(`--orders: ${file} is not a JSON object. See docs/connections.md.`)
}
