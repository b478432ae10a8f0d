import type { Command } from 'commander'
import { Option } from 'commander'
import type { EnteredLine, LineToEnter } from '../../../domain/statements/index.ts'
import { confirmEntered, enterLine, listEntered, rejectEntered } from '../../../domain/statements/index.ts'
import { formatMoney, readMoney } from '../../../kernel/money.ts'
import { readAccountNames } from '../core/account-names.ts'
import { collect } from '../core/collect.ts'
import type { CliApp, CliContext } from '../core/context.ts'
import { withApp, WrongUsage } from '../core/context.ts'
import { decider } from '../core/decider.ts'
import { print, table } from '../core/output.ts'

type Written = Partial<Record<'account' | 'amount' | 'date' | 'sender' | 'iban' | 'text' | 'why' | 'as', string>>
type EnterOptions = Written & {
  direction?: LineToEnter['direction']
  besides: string[]
  confirm?: string
  reject?: string
  withdraw?: string
  list?: boolean
}

export function addEnterCommand(line: Command, context: CliContext): void {
  line
    .command('enter')
    .description(
      "Enter a line while the bank's system is down. Another person confirms it; the bank's own line replaces it later.",
    )
    .option('--account <iban>', 'the collecting account')
    .option('--amount <amount>', 'in lira, like 1.250,00')
    .addOption(new Option('--direction <direction>', 'money that came or left').choices(['credit', 'debit']))
    .option('--date <day>', 'the booking day, like 2026-01-31')
    .option('--sender <name>', 'the sender, of a debit the recipient, as the bank shows it')
    .option('--iban <iban>', "the sender's IBAN, if the bank shows it")
    .option('--text <text>', 'the description, word for word')
    .option('--besides <line>', 'a similar line that is another payment; again for each', collect, [])
    .option('--confirm <id>', 'book it, as another person')
    .option('--reject <id>', 'do not book it, as another person')
    .option('--withdraw <id>', 'do not book it, as the person who entered it')
    .option('--list', 'the newest entered lines; changes nothing')
    .option('--why <text>', 'why, without personal data')
    .option('--as <name>', 'who decides')
    .addHelpText(
      'after',
      '\nExample:\n  $ npx vezne line enter --account TR… --amount 1.250,00 --direction credit --date 2026-01-31 --sender "Ayşe Yılmaz" --text "FAST ABCDEF23" --why "bank down since 10:00" --as ayse.yilmaz\n  $ npx vezne line enter --confirm 6920f1c2a4b8d0e6f1a2b3c4 --as mehmet.kaya',
    )
    .action(async (options: EnterOptions, command: Command) => {
      const { entered, accountOf, accounts } = await withApp(context, async (app) => {
        const changed = await change(app, options)
        return { entered: changed, accountOf: await readAccountNames(app), accounts: await app.banks.accounts() }
      })
      const currencies = new Map(accounts.map(({ id, currency }) => [id, currency]))
      const rows = entered.map((one) => [
        one.id,
        one.state,
        accountOf(one.collectingAccountId),
        `${one.direction === 'debit' ? '-' : ''}${formatMoney(one.amount, currencies.get(one.collectingAccountId))}`,
        one.bookedOn,
        one.senderName,
        one.proposedBy,
        one.decidedBy ?? '',
        one.lineId ?? '',
      ])
      const heads = ['id', 'state', 'account', 'amount', 'day', 'sender', 'entered by', 'decided by', 'line']
      print(command, { entered }, [...table(heads, rows), ...next(options, entered)])
    })
}

function next({ list }: EnterOptions, [only]: EnteredLine[]): string[] {
  if (list || only?.state !== 'proposed') return []
  return ['', `Nothing is booked yet. Another person: npx vezne line enter --confirm ${only.id} --as NAME`]
}

async function change(app: CliApp, options: EnterOptions): Promise<EnteredLine[]> {
  const { confirm, reject, withdraw, list, account, as, why = '' } = options
  const said = [confirm, reject, withdraw, list, account].filter((one) => one !== undefined)
  if (said.length !== 1)
    throw new WrongUsage('Say one of: a line with --account …, --confirm, --reject, --withdraw, --list.')
  if (list) return listEntered(app.db.pages, 50)
  if (confirm !== undefined) return [await confirmEntered(app, decider(app, as), confirm)]
  if (reject !== undefined) return [await rejectEntered(app, decider(app, as), reject, { state: 'rejected', why })]
  if (withdraw !== undefined) return [await rejectEntered(app, decider(app, as), withdraw, { state: 'withdrawn', why })]
  return [await enterLine(app, decider(app, as), readLine(options))]
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
    reason: given('why'),
  }
}
