import type { Command } from 'commander'
import type { NewAccount } from '../../../domain/banks/index.ts'
import { listBanks, switchBank } from '../../../domain/banks/index.ts'
import { findMerchant } from '../../../domain/merchants/index.ts'
import { formatMoney } from '../../../kernel/money.ts'
import { askProposal, printAsked } from '../core/ask-proposal.ts'
import { AS, decider, WHY } from '../core/decider.ts'
import { bankJson } from '../core/api-names.ts'
import type { CliContext } from '../core/context.ts'
import { merchantId, wholeNumber, withApp } from '../core/context.ts'
import { print, table } from '../core/output.ts'

type LimitOptions = { min: string; max: string; currency: string; as?: string; why?: string }

export function addBankCommands(program: Command, context: CliContext): void {
  const bank = program.command('bank').description('The bank list: limits, availability, collecting accounts.')
  bank
    .command('list')
    .description('All banks with their limits; --all also those that are not offered.')
    .option('--all', 'also banks that are not offered for deposits')
    .addHelpText('after', '\nExample:\n  $ npx vezne bank list')
    .action(async (options: { all?: boolean }, command: Command) => {
      const { banks, currencies } = await withApp(context, async (app) => {
        const all = await listBanks(app)
        return { banks: all.filter(({ enabled }) => enabled || options.all), currencies: app.currencies }
      })
      const rows = banks.map(({ id, code, name, enabled, accounts, limits }) => {
        const range = limits.map(
          (l) => `${formatMoney(l.minAmount, l.currency)} – ${formatMoney(l.maxAmount, l.currency)}`,
        )
        return [code, name, id, enabled ? 'on' : 'off', String(accounts), range.join('; ')]
      })
      print(
        command,
        { banks: banks.map((one) => bankJson({ currencies }, one)) },
        table(['code', 'name', '_id', '', 'accounts', 'limits'], rows),
      )
    })
  bank
    .command('limits <bank>')
    .description('Set the smallest and largest deposit, in kuruş. Banks are named by code, _id, or FAST.')
    .requiredOption('--min <kurus>', 'smallest amount')
    .requiredOption('--max <kurus>', 'largest amount')
    .option('--currency <code>', 'currency', 'TRY')
    .option(...AS)
    .option(...WHY)
    .addHelpText('after', '\nExample:\n  $ npx vezne bank limits 0046 --min 1000 --max 5000000')
    .action(async (given: string, options: LimitOptions, command: Command) => {
      const { currency } = options
      const limits = {
        minAmount: BigInt(wholeNumber(options.min, '--min')),
        maxAmount: BigInt(wholeNumber(options.max, '--max')),
      }
      const asked = await withApp(context, (app) =>
        askProposal(app, options, 'bank.limits', { bank: given, currency, ...limits }),
      )
      printAsked(command, asked, (changed) => {
        const range = `${formatMoney(limits.minAmount, currency)} to ${formatMoney(limits.maxAmount, currency)}`
        print(command, { bank: bankJson({ currencies: [currency] }, changed), ...limits }, `${changed.name}: ${range}`)
      })
    })
  addSwitchCommands(bank, context)
  addAccountCommand(bank, context)
}

function addSwitchCommands(bank: Command, context: CliContext): void {
  for (const [word, on] of [
    ['enable', true],
    ['disable', false],
  ] as const) {
    bank
      .command(`${word} <bank>`)
      .description(`${on ? 'Offer' : 'Stop offering'} a bank for deposits, to everyone or to one merchant.`)
      .option('--merchant <id>', 'for this merchant only')
      .option(...AS)
      .addHelpText('after', `\nExample:\n  $ npx vezne bank ${word} 0046 --merchant demo`)
      .action(async (given: string, options: { merchant?: string; as?: string }, command: Command) => {
        const merchant = options.merchant && merchantId(context, options.merchant)
        const changed = await withApp(context, async (app) => {
          if (merchant) await findMerchant(app, merchant)
          return switchBank(app, decider(app, options.as), given, on, merchant)
        })
        print(
          command,
          { bankId: changed.id, on, merchantId: merchant },
          `${changed.name}: ${word}d${merchant ? ` for ${merchant}` : ''}`,
        )
      })
  }
}

type AccountOptions = { iban: string; title: string; currency: string; connection?: string; as?: string; why?: string }

function addAccountCommand(bank: Command, context: CliContext): void {
  bank
    .command('open-account')
    .description('Add a collecting account of your company; its IBAN says at which bank.')
    .requiredOption('--iban <iban>', 'Turkish IBAN')
    .requiredOption('--title <title>', 'account holder as the bank knows it')
    .option('--currency <code>', 'currency', 'TRY')
    .option('--connection <name>', 'its source of record; needed if several connections give statements')
    .option(...AS)
    .option(...WHY)
    .addHelpText(
      'after',
      '\nExample:\n  $ npx vezne bank open-account --iban "TR62 0006 2000 2950 0006 2912 96" --title "Örnek Ödeme A.Ş."',
    )
    .action(async (options: AccountOptions, command: Command) => {
      const { iban, title, currency, connection } = options
      const terms = { iban, title, currency, ...(connection !== undefined && { connection }) }
      const asked = await withApp(context, (app) => askProposal(app, options, 'account.open', terms))
      printAsked(command, asked, (account) => {
        print(command, account, [`Opened ${account.id}: ${account.title}, ${account.iban}`, connectionWords(account)])
      })
    })
}

function connectionWords({ iban, connection, awaitsConnection }: NewAccount): string {
  if (connection !== null) return `Its connection is ${connection}.`
  if (!awaitsConnection) return 'It has no connection yet: the first worker with a bank API gives it its own.'
  return `Several connections are known: no customer gets the account and its lines are kept unread, until you run: vezne account connect CONNECTION ${iban}`
}
