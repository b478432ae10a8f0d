import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { CliContext } from '../core/context.ts'
import { sandboxOnly, WrongUsage } from '../core/context.ts'
import { print, table } from '../core/output.ts'
import { bankOf, callBank, fetchFromBank } from './sim-pay.ts'

type FileOptions = {
  day?: string
  from?: string
  to?: string
  until?: string
  format?: string
  fileVersion?: string
  encoding?: string
  batch?: boolean
  times?: boolean
}
type StatementOptions = FileOptions & { account: string; out?: string }
type ExchangeOptions = FileOptions & {
  connection: string
  account?: string[]
  statements: boolean
  report?: string
  reportVersion?: string
  later?: boolean
}

/** As returned by the simulated bank. */
type Order = { name: string; messageId: string | null; refused: { code: string; text: string } | null } & Counts
type Counts = { accepted: number; rejected: number }
type Exchanged = { orders: Order[]; files: string[] }

export function addSimFileCommands(sim: Command, context: CliContext): void {
  const statement = sim
    .command('statement')
    .description('Write a statement of the simulated bank as a file, as a bank would send it.')
    .requiredOption('--account <iban>', 'account')
    .option('--out <file>', 'where to write it; without it in this folder, under the name that the bank gives')
  withFileOptions(statement)
    .addHelpText(
      'after',
      '\nExample:\n  $ npx vezne sim statement --account TR330006100519786457841326 --day 2026-11-15 --format mt940 --out day.sta',
    )
    .action(async ({ account, out, ...options }: StatementOptions, command: Command) => {
      sandboxOnly(context)
      const query = new URLSearchParams({ account, ...fileOptions(options) })
      const response = await fetchFromBank(bankOf(context), 'GET', `files/statement?${query.toString()}`)
      const name = /filename="([\w.-]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1]
      const file = resolve(out ?? name ?? 'statement')
      const bytes = Buffer.from(await response.arrayBuffer())
      writeFileSync(file, bytes)
      print(command, { file, bytes: bytes.length }, `Wrote ${file} (${bytes.length} bytes)`)
    })
  addExchange(sim, context)
}

function addExchange(sim: Command, context: CliContext): void {
  const exchange = sim
    .command('exchange')
    .description("Let the simulated bank fetch payment orders from a connection's outbox and fill its inbox.")
    .requiredOption('--connection <folder>', 'folder of the connection, with inbox and outbox')
    .option('--account <iban...>', 'accounts whose statements come back; without it those that the orders debited')
    .option('--no-statements', 'only reports on orders')
    .option('--report <level>', 'group, payment or transaction')
    .option('--report-version <version>', 'version of pain.002: 03, 10 or 11')
    .option('--later', 'the first report says ACSP; ACSC comes with the next exchange')
  withFileOptions(exchange)
    .addHelpText('after', '\nExample:\n  $ npx vezne sim exchange --connection /srv/vezne/ziraat --format camt.053')
    .action(async (options: ExchangeOptions, command: Command) => {
      sandboxOnly(context)
      const { connection, account, statements, report, reportVersion, later } = options
      const exchanged = (await callBank(bankOf(context), 'POST', 'files/exchange', {
        folder: resolve(connection),
        ...(account && { accounts: account }),
        statements: statements ? fileOptions(options) : null,
        report: {
          ...(report && { level: report }),
          ...(reportVersion && { version: reportVersion }),
          ...(later && { settle: 'later' }),
        },
      })) as Exchanged
      print(command, exchanged, describe(exchanged))
    })
}

function withFileOptions(command: Command): Command {
  return command
    .option('--day <date>', 'day, such as 2026-11-15; today without it')
    .option('--from <date>', 'first day of a period, with --to')
    .option('--to <date>', 'last day of a period')
    .option('--until <time>', 'only what was booked before 14:30, for camt.052, camt.054 and mt942')
    .option(
      '--format <format>',
      'camt.053, camt.052, camt.054, mt940, mt942, ziraat, garanti, vakifbank, kuveyt-turk or teb',
    )
    .option('--file-version <version>', 'version of a camt file: 02 or 08')
    .option('--encoding <name>', 'utf-8 or windows-1254')
    .option('--batch', 'payouts of one order as one entry with its details')
    .option('--times', 'bookings with their time, not only their day')
}

/** As the bank's API names them. */
function fileOptions({ day, from, to, until, format, fileVersion, encoding, batch, times }: FileOptions) {
  if ((from === undefined) !== (to === undefined)) throw new WrongUsage('--from and --to belong together.')
  const given = { day, from, to, until, format, version: fileVersion, encoding }
  const known = Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return Object.fromEntries([
    ...known,
    ...(batch ? [['batch', 'true']] : []),
    ...(times ? [['times', 'true']] : []),
  ]) as Record<string, string>
}

function describe({ orders, files }: Exchanged): string[] {
  const rows = orders.map(({ name, accepted, rejected, refused }) => {
    return [name, String(accepted), String(rejected), refused ? `${refused.code} ${refused.text}` : '']
  })
  return [
    ...(rows.length > 0 ? table(['order', 'paid', 'rejected', 'refused'], rows) : ['No orders in the outbox.']),
    ...files.map((name) => `put into the inbox: ${name}`),
  ]
}
