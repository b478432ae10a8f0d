import type { Command } from 'commander'
import { Option } from 'commander'
import type { EnteredLine, LineToEnter } from '../../../domain/statements/index.ts'
import { listEntered } from '../../../domain/statements/index.ts'
import { formatMoney, readMoney } from '../../../kernel/money.ts'
import { readAccountNames } from '../core/account-names.ts'
import { askProposal, printAsked } from '../core/ask-proposal.ts'
import { collect } from '../core/collect.ts'
import type { CliApp, CliContext } from '../core/context.ts'
import { withApp, WrongUsage } from '../core/context.ts'
import { print, table } from '../core/output.ts'

type Written = Partial<Record<'account' | 'amount' | 'date' | 'sender' | 'iban' | 'text' | 'why' | 'as', string>>
type EnterOptions = Written & { direction?: LineToEnter['direction']; besides: string[]; list?: boolean }

export function addEnterCommand(line: Command, context: CliContext): void {
  line
    .command('enter')
    .description(
      "Enter a line while the bank's system is down. Another person approves it; the bank's own line replaces it later.",
    )
    .option('--account <iban>', 'the collecting account')
    .option('--amount <amount>', 'in lira, like 1.250,00')
    .addOption(new Option('--direction <direction>', 'money that came or left').choices(['credit', 'debit']))
    .option('--date <day>', 'the booking day, like 2026-01-31')
    .option('--sender <name>', 'the sender, of a debit the recipient, as the bank shows it')
    .option('--iban <iban>', "the sender's IBAN, if the bank shows it")
    .option('--text <text>', 'the description, word for word')
    .option('--besides <line>', 'a similar line that is another payment; again for each', collect, [])
    .option('--list', 'the newest lines that were entered and booked; changes nothing')
    .option('--why <text>', 'why, without personal data')
    .option('--as <name>', 'who decides')
    .addHelpText(
      'after',
      '\nExample:\n  $ npx vezne line enter --account TR… --amount 1.250,00 --direction credit --date 2026-01-31 --sender "Ayşe Yılmaz" --text "FAST ABCDEF23" --why "bank down since 10:00" --as ayse.yilmaz',
    )
    .action(async (options: EnterOptions, command: Command) => {
      if ((options.list === undefined) === (options.account === undefined))
        throw new WrongUsage('Say one of: a line with --account …, or --list.')
      if (options.list) {
        const { entered, rows } = await withApp(context, async (app) => {
          const newest = await listEntered(app.db.pages, 50)
          return { entered: newest, rows: await rowsOf(app, newest) }
        })
        return print(command, { entered }, table(HEADS, rows))
      }
      const { asked, rows } = await withApp(context, async (app) => {
        const done = await askProposal(app, options, 'line.enter', readLine(options))
        return { asked: done, rows: done.state === 'applied' ? await rowsOf(app, [done.result]) : [] }
      })
      printAsked(command, asked, (booked) => print(command, booked, ['Booked:', ...table(HEADS, rows)]))
    })
}

const HEADS = ['line', 'account', 'amount', 'day', 'sender', 'entered by', 'approved by']

async function rowsOf(app: CliApp, entered: EnteredLine[]): Promise<string[][]> {
  const [accountOf, accounts] = [await readAccountNames(app), await app.banks.accounts()]
  const currencies = new Map(accounts.map(({ id, currency }) => [id, currency]))
  return entered.map((one) => [
    one.lineId,
    accountOf(one.collectingAccountId),
    formatMoney(one.direction === 'debit' ? -one.amount : one.amount, currencies.get(one.collectingAccountId)),
    one.bookedOn,
    one.senderName,
    one.proposedBy,
    one.decidedBy,
  ])
}

function readLine({ direction, besides, iban, ...written }: EnterOptions): LineToEnter {
  const given = (name: keyof Written) => {
    const text = written[name as keyof typeof written]
    if (typeof text !== 'string') throw new WrongUsage(`--${name} is missing. See: npx vezne line enter --help`)
    return text
  }
  if (direction === undefined) throw new WrongUsage('--direction is missing: credit or debit.')
  const amount = readMoney(given('amount'))
  if (amount === null) throw new WrongUsage('--amount must be lira with two decimals, like 1.250,00.')
  return {
    accountIban: given('account'),
    amount,
    direction,
    bookedOn: given('date'),
    senderName: given('sender'),
    senderIban: iban ?? null,
    narrative: given('text'),
    besides,
  }
}
