import type { Command } from 'commander'
import type { Balance } from '../../../domain/ledger/index.ts'
import { balanceOf } from '../../../domain/ledger/index.ts'
import type { MerchantDetails } from '../../../domain/merchants/index.ts'
import {
  createMerchant,
  pageOfMerchants,
  revokeKey,
  revokeOldSecret,
  rotateKey,
  showMerchant,
} from '../../../domain/merchants/index.ts'
import { formatMoney } from '../../../kernel/money.ts'
import { askProposal, printAsked } from '../core/ask-proposal.ts'
import { AS, decider, WHY } from '../core/decider.ts'
import { merchantJson } from '../core/api-names.ts'
import type { CliApp, CliContext } from '../core/context.ts'
import { merchantId, rememberDemo, wholeNumber, withApp } from '../core/context.ts'
import { addMerchantFees, feeInWords } from './merchant-fees.ts'
import { facts, print, table } from '../core/output.ts'
import { addMerchantLogins } from './invite.ts'
import { addMerchantFreeze } from './merchant-freeze.ts'
import { addMerchantHistory } from './merchant-history.ts'
import { addMerchantSettings } from './merchant-settings.ts'
import { addMerchantSettlement } from './merchant-settlement.ts'

type CreateOptions = {
  name: string
  allowIp?: string[]
  callbackUrl?: string
  returnOrigin?: string[]
  depositFeeBps?: string
  withdrawFeeBps?: string
  rateLimit?: string
  as?: string
}

type NetworkOptions = { remove?: boolean; as?: string; why?: string }

export function addMerchantCommands(program: Command, context: CliContext): void {
  const merchant = program.command('merchant').description('Merchants, their keys and their addresses.')
  merchant
    .command('create')
    .description('Create a merchant and show its credentials, once.')
    .requiredOption('--name <name>', 'display name')
    .option('--allow-ip <cidr...>', 'addresses or networks that may call; withdrawals need one')
    .option('--callback-url <url>', 'where callbacks are sent')
    .option('--return-origin <origin...>', 'origins to which a customer may be sent back')
    .option('--deposit-fee-bps <n>', 'fee on deposits, in hundredths of a percent')
    .option('--withdraw-fee-bps <n>', 'fee on withdrawals, in hundredths of a percent')
    .option('--rate-limit <n>', 'requests a second, per serving process (1000 when left out)')
    .option(...AS)
    .addHelpText(
      'after',
      '\nExample:\n  $ npx vezne merchant create --name "Kitap Evi" --allow-ip 203.0.113.7 --deposit-fee-bps 150',
    )
    .action((options: CreateOptions, command: Command) => create(context, options, command))
  merchant
    .command('list')
    .description('Merchants, newest first.')
    .option('--limit <n>', 'how many', '50')
    .option('--before <id>', 'those before this one: the cursor of the page before')
    .addHelpText('after', '\nExample:\n  $ npx vezne merchant list --limit 200 --json')
    .action(async (options: { limit: string; before?: string }, command: Command) => {
      const limit = wholeNumber(options.limit, '--limit')
      const page = { before: options.before, limit: limit + 1 }
      const found = await withApp(context, ({ db }) => pageOfMerchants(db.pages, page))
      const merchants = found.slice(0, limit)
      const cursor = found.length > limit ? (merchants.at(-1)?.id ?? null) : null
      const rows = merchants.map(({ id, name, demo, frozen }) => [
        id,
        name + (demo ? ' (demo)' : '') + (frozen ? ' (frozen)' : ''),
      ])
      const more =
        cursor === null ? [] : [`There are more: npx vezne merchant list --limit ${limit} --before ${cursor}`]
      print(command, { merchants: merchants.map(merchantJson), cursor }, [...table(['id', 'name'], rows), ...more])
    })
  merchant
    .command('show <merchant>')
    .description('One merchant: fees, addresses, keys. "demo" names the sandbox\'s own.')
    .addHelpText('after', '\nExample:\n  $ npx vezne merchant show demo')
    .action(async (given: string, _options: object, command: Command) => {
      const found = await withApp(context, (app) => gather(app, merchantId(context, given)))
      print(command, merchantJson(found), describe(found))
    })
  addKeyCommands(merchant, context)
  addNetworksCommand(merchant, context)
  addMore(merchant, context)
}

function addMore(merchant: Command, context: CliContext): void {
  addMerchantSettings(merchant, context)
  addMerchantFreeze(merchant, context)
  addMerchantFees(merchant, context)
  addMerchantSettlement(merchant, context)
  addMerchantHistory(merchant, context)
  addMerchantLogins(merchant, context)
}

function addKeyCommands(merchant: Command, context: CliContext): void {
  merchant
    .command('rotate-key <merchant>')
    .description('Issue a second secret for the key; the old one works on for a while. A revoked key is replaced.')
    .option('--overlap-hours <n>', 'how long the old secret still works', '24')
    .option(...AS)
    .addHelpText('after', '\nExample:\n  $ npx vezne merchant rotate-key demo --overlap-hours 48')
    .action(async (given: string, options: { overlapHours: string; as?: string }, command: Command) => {
      const hours = wholeNumber(options.overlapHours, '--overlap-hours')
      const rotated = await withApp(context, (app) =>
        rotateKey(app, decider(app, options.as), merchantId(context, given), { overlapHours: hours }),
      )
      rememberDemo(context.readConfig(), merchantId(context, given), rotated)
      const until = rotated.previousEndsAt?.toISOString() ?? 'there was none'
      print(
        command,
        rotated,
        facts([
          ['apiKey', rotated.apiKey],
          ['apiSecret', rotated.apiSecret],
          ['old secret until', until],
        ]),
      )
    })
  merchant
    .command('revoke-key <merchant>')
    .description('Stop the key and all its secrets within a second, or only the secret that a rotation replaced.')
    .option('--old', 'end only the older secret of a rotation')
    .option(...AS)
    .addHelpText('after', '\nExample:\n  $ npx vezne merchant revoke-key 6920f1c2a4b8d0e6f1a2b3c4')
    .action(async (given: string, options: { old?: boolean; as?: string }, command: Command) => {
      const id = merchantId(context, given)
      const result = await withApp(context, async (app) => {
        const actor = decider(app, options.as)
        return options.old
          ? { endedSecrets: await revokeOldSecret(app, actor, id) }
          : { revokedKeys: await revokeKey(app, actor, id) }
      })
      print(
        command,
        result,
        'revokedKeys' in result
          ? `Revoked: ${result.revokedKeys.join(', ') || 'there was none'}`
          : `Ended ${result.endedSecrets} old secret(s).`,
      )
    })
}

function addNetworksCommand(merchant: Command, context: CliContext): void {
  merchant
    .command('allow-ip <merchant> <cidr...>')
    .description("Add addresses or networks to the merchant's list, or take them off with --remove.")
    .option('--remove', 'take them off the list instead')
    .option(...AS)
    .option(...WHY)
    .addHelpText('after', '\nExample:\n  $ npx vezne merchant allow-ip demo 203.0.113.0/24 2001:db8::/48')
    .action(async (given: string, networks: string[], options: NetworkOptions, command: Command) => {
      const change = options.remove ? { remove: networks } : { add: networks }
      const terms = { merchantId: merchantId(context, given), ...change }
      const asked = await withApp(context, (app) => askProposal(app, options, 'merchant.networks', terms))
      printAsked(command, asked, (list) => {
        print(command, { allowedIps: list }, `Allowed: ${list.join(', ') || 'nobody (withdrawals are refused)'}`)
      })
    })
}

async function create(context: CliContext, options: CreateOptions, command: Command): Promise<void> {
  const bps = (text: string | undefined, name: string) => (text === undefined ? {} : { bps: wholeNumber(text, name) })
  const credentials = await withApp(context, (app) =>
    createMerchant(app, decider(app, options.as), {
      name: options.name,
      allowedNetworks: options.allowIp ?? [],
      callbackUrl: options.callbackUrl ?? null,
      returnOrigins: options.returnOrigin ?? [],
      depositFee: bps(options.depositFeeBps, '--deposit-fee-bps'),
      withdrawFee: bps(options.withdrawFeeBps, '--withdraw-fee-bps'),
      ...(options.rateLimit !== undefined && { requestsPerSecond: wholeNumber(options.rateLimit, '--rate-limit') }),
    }),
  )
  const shown = facts(Object.entries(credentials))
  print(command, credentials, [...shown, '', 'Keep the two secrets now: they are not shown again.'])
}

type Shown = MerchantDetails & { balances: (Balance & { currency: string })[] }

async function gather(app: CliApp, id: string): Promise<Shown> {
  const balances = app.currencies.map(async (currency) => ({ currency, ...(await balanceOf(app.db, id, currency)) }))
  return { ...(await showMerchant(app, id)), balances: await Promise.all(balances) }
}

function describe(merchant: Shown): string[] {
  return facts([
    ['id', merchant.id],
    ['name', merchant.name],
    ...merchant.balances.map(({ currency, available, held }): [string, string] => [
      'balance',
      `${formatMoney(available, currency)} available${available < 0n ? ' (below zero: a credit was taken back)' : ''}, ${formatMoney(held, currency)} held`,
    ]),
    ['deposit fee', feeInWords(merchant.depositFee)],
    ['withdraw fee', feeInWords(merchant.withdrawFee)],
    ['allowed IPs', merchant.networks.join(', ') || 'none'],
    ['callback URLs', merchant.callbackUrls.join(', ') || 'none'],
    ['return origins', merchant.returnOrigins.join(', ') || 'none'],
    ['requests/s', String(merchant.requestsPerSecond)],
    ['open deposits', `at most ${merchant.maxOpenDeposits}`],
    ...merchant.freezes.map(({ frozen, decidedBy, reason, decidedAt }): [string, string] => [
      frozen ? 'frozen' : 'unfrozen',
      `${decidedAt.toISOString()} ${decidedBy}: ${reason}`,
    ]),
    ...merchant.keys.map(({ apiKey, revokedAt, liveSecrets }): [string, string] => [
      'key',
      `${apiKey}  ${revokedAt ? `revoked ${revokedAt.toISOString()}` : `live, ${liveSecrets} secret(s)`}`,
    ]),
  ])
}
