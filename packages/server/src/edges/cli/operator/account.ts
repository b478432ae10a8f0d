import type { Command } from 'commander'
import type { AccountState, CollectingAccount } from '../../../domain/banks/index.ts'
import { accountsInForce, setKarekod } from '../../../domain/banks/index.ts'
import { changeAccountState } from '../../../domain/deposits/index.ts'
import { formatMoney } from '../../../kernel/money.ts'
import { askProposal, printAsked } from '../core/ask-proposal.ts'
import { AS, decider, WHY } from '../core/decider.ts'
import type { CliContext } from '../core/context.ts'
import { wholeNumber, withApp } from '../core/context.ts'
import { print, table } from '../core/output.ts'

const VERBS: [verb: string, state: AccountState, what: string][] = [
  ['activate', 'active', 'Give the account to customers.'],
  ['pause', 'paused', 'Give it to no new customers; those who have it may still pay.'],
  ['drain', 'draining', 'Like pause, on the way to closing the account.'],
  ['block', 'blocked', 'Let nobody pay into it: customers who were shown it are shown another account.'],
]

export function addAccountCommands(program: Command, context: CliContext): void {
  const account = program.command('account').description('Collecting accounts: state, connection and daily limits.')
  account
    .command('list')
    .description('All collecting accounts.')
    .addHelpText('after', '\nExample:\n  $ npx vezne account list')
    .action(async (_options: object, command: Command) => {
      const accounts = await withApp(context, accountsInForce)
      const rows = accounts.map((one) => [
        one.id,
        one.bankName,
        one.iban,
        one.stoppedBy === null ? one.state : `${one.state}, payouts stopped: ${one.stoppedBy}`,
        one.connection ?? (one.awaitsConnection ? 'to be connected' : ''),
        limitsOf(one),
      ])
      print(command, { accounts }, table(['id', 'bank', 'IBAN', 'state', 'connection', 'a day at most'], rows))
    })
  for (const [verb, state, what] of VERBS) {
    const example = state === 'blocked' ? ' --why "the bank froze it"' : ''
    account
      .command(`${verb} <account>`)
      .description(what)
      .option('--why <text>', state === 'blocked' ? 'why, for the audit; required in live' : 'why, for the audit')
      .option(...AS)
      .addHelpText('after', `\nExample:\n  $ npx vezne account ${verb} TR620006200029500006291296${example}`)
      .action(async (given: string, { as, why }: Decision, command: Command) => {
        const changed = await withApp(context, (app) => changeAccountState(app, decider(app, as), given, state, why))
        const moved = changed.moved > 0 ? ` ${changed.moved} open deposit(s) were given another account.` : ''
        print(command, changed, `${changed.bankName} ${changed.iban}: ${state}.${moved}`)
      })
  }
  addLimits(account, context)
  addConnect(account, context)
  addKarekod(account, context)
}

function addConnect(account: Command, context: CliContext): void {
  account
    .command('connect <connection> <accounts...>')
    .description('Set the source of record: only its lines are booked for these accounts, and payouts leave over it.')
    .option(...AS)
    .option(...WHY)
    .addHelpText('after', '\nExample:\n  $ npx vezne account connect bank-api:bank.example TR620006200029500006291296')
    .action(async (connection: string, given: string[], options: Decision, command: Command) => {
      const terms = { accounts: given, connection }
      const asked = await withApp(context, (app) => askProposal(app, options, 'account.connect', terms))
      printAsked(command, asked, (accounts) => {
        print(
          command,
          { accounts },
          accounts.map(({ bankName, iban }) => `${bankName} ${iban}: ${connection}.`),
        )
      })
    })
}

function addKarekod(account: Command, context: CliContext): void {
  account
    .command('karekod <account>')
    .description('Show a TR Karekod for payments into the account, which fills in a bank app. Off by default.')
    .requiredOption('--producer <code>', 'the institution\'s producer code, four digits; "none" switches it off')
    .option(...AS)
    .addHelpText('after', '\nExample:\n  $ npx vezne account karekod TR620006200029500006291296 --producer 0062')
    .action(async (given: string, { producer, as }: { producer: string; as?: string }, command: Command) => {
      const code = producer === 'none' ? null : producer
      const changed = await withApp(context, (app) => setKarekod(app, decider(app, as), given, code))
      print(
        command,
        changed,
        `${changed.bankName} ${changed.iban}: ${code === null ? 'no TR Karekod' : `TR Karekod of ${code}`}.`,
      )
    })
}

type Decision = { as?: string; why?: string }

function addLimits(account: Command, context: CliContext): void {
  account
    .command('limits <account>')
    .description('Set what the account may take in a day; a limit that is left out is lifted.')
    .option('--amount <kurus>', 'largest sum of a day')
    .option('--count <n>', 'largest number of payments of a day')
    .option(...AS)
    .option(...WHY)
    .addHelpText(
      'after',
      '\nExample:\n  $ npx vezne account limits TR620006200029500006291296 --amount 50000000 --count 300',
    )
    .action(async (given: string, options: Decision & { amount?: string; count?: string }, command: Command) => {
      const amount = options.amount === undefined ? null : BigInt(wholeNumber(options.amount, '--amount'))
      const count = options.count === undefined ? null : wholeNumber(options.count, '--count')
      const terms = { account: given, amount, count }
      const asked = await withApp(context, (app) => askProposal(app, options, 'account.limits', terms))
      printAsked(command, asked, (changed) => {
        const words = `${amount ?? 'no'} kuruş, ${count ?? 'no'} payments a day at most.`
        print(command, changed, `${changed.bankName} ${changed.iban}: ${words}`)
      })
    })
}

function limitsOf({ dailyAmountLimit, dailyCountLimit, currency }: CollectingAccount): string {
  const amount = dailyAmountLimit === null ? [] : [formatMoney(dailyAmountLimit, currency)]
  const count = dailyCountLimit === null ? [] : [`${dailyCountLimit} payments`]
  return [...amount, ...count].join(', ') || 'no limit'
}
