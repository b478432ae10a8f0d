import type { Command } from 'commander'
import { listAccounts } from '../../../domain/banks/index.ts'
import { formatMoney } from '../../../kernel/money.ts'
import type { CliContext } from '../core/context.ts'
import { sandboxOnly, wholeKurus, wholeNumber, withApp } from '../core/context.ts'
import { print, table } from '../core/output.ts'
import { bankOf, callBank } from './sim-pay.ts'

type DayOptions = { day?: string; discrepancies: string; seed: string; account?: string[] }
type ReturnOptions = { costs?: string; to?: string; text?: string }

/** As returned by the simulated bank. */
type Discrepancy = {
  number: number
  kind: string
  account: string
  direction: string
  amount: number
  bankNumbers: string[]
  text: string
}
type Day = { day: string; seed: number; discrepancies: Discrepancy[] }

export function addSimDayCommands(sim: Command, context: CliContext): void {
  sim
    .command('day')
    .description('Let the simulated bank make discrepancies on a day, and list them.')
    .option('--discrepancies <count>', 'how many', '10')
    .option('--seed <n>', 'the same seed makes the same discrepancies of the same bookings', '0')
    .option('--day <date>', 'day, such as 2026-11-15; today without it')
    .option('--account <iban...>', 'accounts; without it all active collecting accounts in TRY')
    .addHelpText('after', '\nExample:\n  $ npx vezne sim day --discrepancies 50 --seed 7')
    .action(async ({ day, discrepancies, seed, account }: DayOptions, command: Command) => {
      sandboxOnly(context)
      const bank = bankOf(context)
      const made = (await callBank(bank, 'POST', 'days', {
        ...(day && { day }),
        discrepancies: wholeNumber(discrepancies, '--discrepancies'),
        seed: wholeNumber(seed, '--seed'),
        accounts: account ?? (await collectingIbans(context)),
      })) as Day
      print(command, made, describe(made))
    })
  addBookingCommands(sim, context)
}

/** What the bank does with one booking. */
function addBookingCommands(sim: Command, context: CliContext): void {
  sim
    .command('charge <iban> <kurus>')
    .description('Let the simulated bank charge a fee, and the tax on it (BSMV) in a line of its own.')
    .option('--text <text>', 'text of the line', 'HESAP MASRAFI')
    .addHelpText('after', '\nExample:\n  $ npx vezne sim charge TR330006100519786457841326 1279 --text "FAST MASRAFI"')
    .action(async (iban: string, kurus: string, { text }: { text: string }, command: Command) => {
      sandboxOnly(context)
      const body = { amount: wholeKurus(kurus, 'The fee'), text }
      const booked = await callBank(bankOf(context), 'POST', `accounts/${encodeURIComponent(iban)}/charge`, body)
      print(command, booked as Booked, numbersOf(booked as Booked))
    })
  sim
    .command('return <withdrawal>')
    .description("Let the receiver's bank send a payout back, whole or less costs.")
    .option('--costs <kurus>', 'what the bank keeps')
    .option('--to <iban>', 'another of our accounts')
    .option('--text <text>', 'text of the line')
    .addHelpText('after', '\nExample:\n  $ npx vezne sim return 6af966b0c30e7a52d1f4a9b7 --costs 500')
    .action(async (withdrawal: string, { costs, to, text }: ReturnOptions, command: Command) => {
      sandboxOnly(context)
      const body = {
        ...(costs !== undefined && { costs: wholeKurus(costs, '--costs') }),
        ...(to !== undefined && { toIban: to }),
        ...(text !== undefined && { text }),
      }
      const path = `transfers/${encodeURIComponent(withdrawal)}/return`
      const outcome = (await callBank(bankOf(context), 'POST', path, body)) as { status: string }
      print(command, outcome, `The payout is ${outcome.status} at the bank.`)
    })
  sim
    .command('storno <iban> <number>')
    .description('Let the simulated bank take back a credit, by its bank number.')
    .addHelpText('after', '\nExample:\n  $ npx vezne sim storno TR330006100519786457841326 4831920045')
    .action(async (iban: string, number: string, _options: object, command: Command) => {
      sandboxOnly(context)
      const path = `accounts/${encodeURIComponent(iban)}/bookings/${encodeURIComponent(number)}/storno`
      const booked = (await callBank(bankOf(context), 'POST', path)) as Booked
      print(command, booked, numbersOf(booked))
    })
}

type Booked = { numbers: string[] }

function numbersOf({ numbers }: Booked): string {
  return `Booked: ${numbers.join(', ')}`
}

async function collectingIbans(context: CliContext): Promise<string[]> {
  const accounts = await withApp(context, ({ db }) => listAccounts(db))
  return accounts.filter(({ state, currency }) => state === 'active' && currency === 'TRY').map(({ iban }) => iban)
}

function describe({ day, seed, discrepancies }: Day): string[] {
  const rows = discrepancies.map(({ number, kind, account, direction, amount, bankNumbers, text }) => {
    const money = `${direction === 'debit' ? '-' : ''}${formatMoney(BigInt(amount), 'TRY')}`
    return [String(number), kind, account, money, bankNumbers.join(' '), text]
  })
  const head = `Discrepancies on ${day}, seed ${seed}: ${discrepancies.length}`
  return [head, '', ...table(['no', 'kind', 'account', 'amount', 'bank number', 'text'], rows)]
}
