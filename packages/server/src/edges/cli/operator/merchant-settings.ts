import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { Option } from 'commander'
import type { MatchingPolicy, MatchingRules, PayoutRules } from '../../../domain/merchants/index.ts'
import {
  findMerchant,
  matchLimit,
  merchantInForce,
  payoutRulesInForce,
  setBrand,
  setEftDeadline,
  setReturnOrigins,
} from '../../../domain/merchants/index.ts'
import { askProposal, printAsked } from '../core/ask-proposal.ts'
import { AS, decider, WHY } from '../core/decider.ts'
import type { CliContext } from '../core/context.ts'
import { merchantId, wholeNumber, withApp } from '../core/context.ts'
import { facts, print } from '../core/output.ts'

type MatchingOptions = {
  amount?: MatchingPolicy['amount']
  tolerance?: string
  late?: MatchingPolicy['late']
  nameCheck?: MatchingPolicy['nameCheck']
  approveFrom?: string
  as?: string
  why?: string
}
type BrandOptions = Partial<
  Record<'displayName' | 'accent' | 'supportPhone' | 'supportEmail' | 'supportAddress' | 'as', string>
> & {
  /** False: `--no-logo`. */
  logo?: string | false
  darkLogo?: string | false
  returnOrigin?: string[]
}

export function addMerchantSettings(merchant: Command, context: CliContext): void {
  addMatching(merchant, context)
  addBrand(merchant, context)
  addPayoutRules(merchant, context)
  addLimits(merchant, context)
  addDeadline(merchant, context)
}

type RuleOptions = Partial<
  Record<'approveFrom' | 'dailyAmount' | 'dailyCount' | 'ibanAmount' | 'ibanCount' | 'as' | 'why', string>
>

function addPayoutRules(merchant: Command, context: CliContext): void {
  merchant
    .command('payout-rules <merchant>')
    .description(
      'When two people must approve a withdrawal before it is sent: in live always, until a rule is set. "none" lifts a rule. Without options: show them.',
    )
    .option('--approve-from <kurus>', 'from this amount on')
    .option('--daily-amount <kurus>', 'beyond this sum of a day')
    .option('--daily-count <n>', 'beyond this number of a day')
    .option('--iban-amount <kurus>', 'beyond this sum of a day to one IBAN')
    .option('--iban-count <n>', 'beyond this number of a day to one IBAN')
    .option(...AS)
    .option(...WHY)
    .addHelpText('after', '\nExample:\n  $ npx vezne merchant payout-rules demo --approve-from 5000000 --iban-count 3')
    .action(async (given: string, options: RuleOptions, command: Command) => {
      const count = (text: string) => (text === 'none' ? null : wholeNumber(text, 'A rule'))
      const amount = (text: string) => (text === 'none' ? null : BigInt(wholeNumber(text, 'A rule')))
      const change: Partial<PayoutRules> = {
        ...(options.approveFrom !== undefined && { approvalThreshold: amount(options.approveFrom) }),
        ...(options.dailyAmount !== undefined && { dailyAmount: amount(options.dailyAmount) }),
        ...(options.dailyCount !== undefined && { dailyCount: count(options.dailyCount) }),
        ...(options.ibanAmount !== undefined && { dailyIbanAmount: amount(options.ibanAmount) }),
        ...(options.ibanCount !== undefined && { dailyIbanCount: count(options.ibanCount) }),
      }
      const id = merchantId(context, given)
      const asked = await withApp(context, async (app) => {
        if (!isEmpty(change)) return askProposal(app, options, 'merchant.payout_rules', { merchantId: id, ...change })
        return {
          state: 'applied' as const,
          result: payoutRulesInForce((await merchantInForce(app, id)).payoutRules, app),
        }
      })
      printAsked(command, asked, (rules) => {
        print(command, rules, facts(Object.entries(rules).map(([name, value]) => [name, String(value ?? 'none')])))
      })
    })
}

function addLimits(merchant: Command, context: CliContext): void {
  merchant
    .command('limits <merchant>')
    .description('How much a merchant may have under way at once. Without options: show it.')
    .option('--open-deposits <n>', 'deposits that may be pending at once; a further one is refused with 429')
    .option(...AS)
    .option(...WHY)
    .addHelpText('after', '\nExample:\n  $ npx vezne merchant limits demo --open-deposits 5000')
    .action(async (given: string, options: { openDeposits?: string; as?: string; why?: string }, command: Command) => {
      const id = merchantId(context, given)
      const { openDeposits } = options
      const asked = await withApp(context, async (app) => {
        const max = openDeposits === undefined ? null : wholeNumber(openDeposits, '--open-deposits')
        if (max === null) return { state: 'applied' as const, result: (await findMerchant(app, id)).maxOpenDeposits }
        const outcome = await askProposal(app, options, 'merchant.open_deposits', { merchantId: id, max })
        return outcome.state === 'applied' ? { ...outcome, result: max } : outcome
      })
      printAsked(command, asked, (maxOpenDeposits) => {
        print(command, { maxOpenDeposits }, facts([['maxOpenDeposits', String(maxOpenDeposits)]]))
      })
    })
}

function addDeadline(merchant: Command, context: CliContext): void {
  merchant
    .command('deadline <merchant>')
    .description('How long deposits wait that can only be paid by EFT while it is closed. Without options: show it.')
    .option('--eft-hours <n>', 'until so many hours after its next opening; "none": half an hour, as any other')
    .option(...AS)
    .addHelpText('after', '\nExample:\n  $ npx vezne merchant deadline demo --eft-hours 4')
    .action(async (given: string, { eftHours, as }: { eftHours?: string; as?: string }, command: Command) => {
      const id = merchantId(context, given)
      const eftDeadlineHours = await withApp(context, async (app) => {
        if (eftHours === undefined) return (await findMerchant(app, id)).eftDeadlineHours
        return setEftDeadline(
          app,
          decider(app, as),
          id,
          eftHours === 'none' ? null : wholeNumber(eftHours, '--eft-hours'),
        )
      })
      print(command, { eftDeadlineHours }, facts([['eftDeadlineHours', String(eftDeadlineHours ?? 'none')]]))
    })
}

function addMatching(merchant: Command, context: CliContext): void {
  merchant
    .command('matching <merchant>')
    .description('How money is judged that is not exactly what was asked for. Without options: show it.')
    .addOption(
      new Option('--amount <policy>', 'another amount with the right code').choices([
        'exact',
        'tolerance',
        'accept_received',
      ]),
    )
    .option('--tolerance <kurus>', 'how far off an amount may be with --amount tolerance')
    .option(
      '--approve-from <kurus>',
      'two people match a line that names no code from this amount on; "none": in live from 1000000',
    )
    .addOption(new Option('--late <policy>', 'money after the expiry').choices(['complete', 'review']))
    .addOption(
      new Option('--name-check <policy>', 'a sender who is not the customer').choices(['off', 'warn', 'require']),
    )
    .option(...AS)
    .option(...WHY)
    .addHelpText('after', '\nExample:\n  $ npx vezne merchant matching demo --amount tolerance --tolerance 100')
    .action(async (given: string, options: MatchingOptions, command: Command) => {
      const change = matchingOf(options)
      const id = merchantId(context, given)
      const asked = await withApp(context, async (app) => {
        if (!isEmpty(change)) return askProposal(app, options, 'merchant.matching', { merchantId: id, ...change })
        const { matching } = await merchantInForce(app, id)
        return { state: 'applied' as const, result: { ...matching, approveFrom: matchLimit(matching, app) } }
      })
      printAsked(command, asked, (rules) => {
        print(command, rules, facts(Object.entries(rules).map(([name, value]) => [name, String(value ?? 'none')])))
      })
    })
}

function matchingOf({ amount, tolerance, late, nameCheck, approveFrom }: MatchingOptions): Partial<MatchingRules> {
  const kurus = (text: string, option: string) => BigInt(wholeNumber(text, option))
  return {
    ...(amount && { amount }),
    ...(tolerance !== undefined && { tolerance: kurus(tolerance, '--tolerance') }),
    ...(late && { late }),
    ...(nameCheck && { nameCheck }),
    ...(approveFrom !== undefined && {
      approveFrom: approveFrom === 'none' ? null : kurus(approveFrom, '--approve-from'),
    }),
  }
}

function addBrand(merchant: Command, context: CliContext): void {
  merchant
    .command('brand <merchant>')
    .description('How the merchant looks on the checkout page, and where customers may be sent back to.')
    .option('--display-name <name>', 'name shown to customers')
    .option('--accent <colour>', 'accent colour such as #0e5a6b; corrected where it would be hard to read')
    .option('--logo <file>', 'PNG, JPEG or WebP; stored as a small PNG')
    .option('--no-logo', 'remove it')
    .option('--dark-logo <file>', 'another logo for dark pages')
    .option('--no-dark-logo', 'remove it')
    .option('--support-phone <number>', 'shown to customers; "" removes it')
    .option('--support-email <address>', 'likewise')
    .option('--support-address <text>', 'likewise')
    .option('--return-origin <origin...>', 'origins to which a customer may be sent back, replacing the list')
    .option(...AS)
    .addHelpText('after', '\nExample:\n  $ npx vezne merchant brand demo --display-name "Kitap Evi" --accent "#7a1f3d"')
    .action(async (given: string, { logo, darkLogo, returnOrigin, as, ...words }: BrandOptions, command: Command) => {
      const id = merchantId(context, given)
      const brand = await withApp(context, async (app) => {
        const actor = decider(app, as)
        if (returnOrigin) await setReturnOrigins(app, actor, id, returnOrigin)
        const change = {
          ...words,
          ...(logo !== undefined && { logo: logo === false ? null : readFileSync(logo) }),
          ...(darkLogo !== undefined && { darkLogo: darkLogo === false ? null : readFileSync(darkLogo) }),
        }
        return isEmpty(change) ? (await findMerchant(app, id)).brand : setBrand(app, actor, id, change)
      })
      print(command, brand, facts(Object.entries(brand).map(([name, value]) => [name, String(value)])))
    })
}

/** Reading a setting is not a decision and needs no name. */
function isEmpty(change: object): boolean {
  return Object.keys(change).length === 0
}
