import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { Option } from 'commander'
import type { MatchingPolicy } from '../../domain/merchants/index.ts'
import { setBrand, setMatching, setReturnOrigins } from '../../domain/merchants/index.ts'
import type { Doors } from './doors.ts'
import { merchantId, wholeNumber, withApp } from './doors.ts'
import { facts, print } from './output.ts'

type MatchingOptions = {
  amount?: MatchingPolicy['amount']
  tolerance?: string
  late?: MatchingPolicy['late']
  nameCheck?: MatchingPolicy['nameCheck']
}
type BrandOptions = { displayName?: string; accent?: string; logo?: string; returnOrigin?: string[] }

export function addMerchantSettings(merchant: Command, doors: Doors): void {
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
    .addOption(new Option('--late <policy>', 'money after the expiry').choices(['complete', 'review']))
    .addOption(
      new Option('--name-check <policy>', 'a sender who is not the customer').choices(['off', 'warn', 'require']),
    )
    .addHelpText('after', '\nExample:\n  $ npx vezne merchant matching demo --amount tolerance --tolerance 100')
    .action(async (given: string, { amount, tolerance, late, nameCheck }: MatchingOptions, command: Command) => {
      const change: Partial<MatchingPolicy> = {
        ...(amount && { amount }),
        ...(tolerance !== undefined && { tolerance: BigInt(wholeNumber(tolerance, '--tolerance')) }),
        ...(late && { late }),
        ...(nameCheck && { nameCheck }),
      }
      const policy = await withApp(doors, (app) => setMatching(app, merchantId(doors, given), change))
      print(command, policy, facts(Object.entries(policy).map(([name, value]) => [name, String(value)])))
    })
  merchant
    .command('brand <merchant>')
    .description('How the merchant looks on the checkout page, and where customers may be sent back to.')
    .option('--display-name <name>', 'name shown to customers')
    .option('--accent <colour>', 'accent colour such as #0e5a6b; corrected where it would be hard to read')
    .option('--logo <file>', 'PNG, JPEG or WebP; stored as a small PNG')
    .option('--return-origin <origin...>', 'origins to which a customer may be sent back, replacing the list')
    .addHelpText('after', '\nExample:\n  $ npx vezne merchant brand demo --display-name "Kitap Evi" --accent "#7a1f3d"')
    .action(async (given: string, { logo, returnOrigin, ...words }: BrandOptions, command: Command) => {
      const id = merchantId(doors, given)
      const brand = await withApp(doors, async (app) => {
        if (returnOrigin) await setReturnOrigins(app, id, returnOrigin)
        return setBrand(app, id, { ...words, ...(logo && { logo: readFileSync(logo) }) })
      })
      print(command, brand, facts(Object.entries(brand).map(([name, value]) => [name, String(value)])))
    })
}
