import type { Command } from 'commander'
import type { Schedule } from '../../../domain/merchants/index.ts'
import {
  findMerchant,
  findSchedule,
  findSettlementAccount,
  setSettlementSchedule,
} from '../../../domain/merchants/index.ts'
import { lastSettlements, requestSettlement } from '../../../domain/withdrawals/index.ts'
import { formatMoney } from '../../../kernel/money.ts'
import { askProposal, wordsOf } from '../core/ask-proposal.ts'
import { AS, decider, WHY } from '../core/decider.ts'
import type { CliApp, CliContext } from '../core/context.ts'
import { merchantId, wholeKurus, withApp, WrongUsage } from '../core/context.ts'
import { facts, print, table } from '../core/output.ts'

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
/** Settlements that are shown. */
const SHOWN = 10

export function addMerchantSettlement(merchant: Command, context: CliContext): void {
  addAccount(merchant, context)
  addSchedule(merchant, context)
  merchant
    .command('settle <merchant>')
    .description("Send the merchant's available balance to its own account now.")
    .option(...AS)
    .addHelpText('after', '\nExample:\n  $ npx vezne merchant settle demo --as ayse.yilmaz')
    .action(async (given: string, { as }: { as?: string }, command: Command) => {
      const id = merchantId(context, given)
      const {
        id: withdrawalId,
        processId,
        amount,
      } = await withApp(context, (app) => requestSettlement(app, decider(app, as), id))
      print(
        command,
        { withdrawalId, processId, amount },
        `${formatMoney(amount)} will be sent as ${processId}. Follow it: vezne withdrawal show ${withdrawalId}`,
      )
    })
}

function addAccount(merchant: Command, context: CliContext): void {
  merchant
    .command('settlement-account <merchant>')
    .description("Register the merchant's own account. Another person approves it, or runs the same command.")
    .requiredOption('--iban <iban>', 'its IBAN')
    .requiredOption('--title <name>', 'the name of its owner, as the bank has it')
    .option(...AS)
    .option(...WHY)
    .addHelpText(
      'after',
      '\nExample:\n  $ npx vezne merchant settlement-account demo --iban TR620006200029500006291296 --title "Kitap Evi A.Ş." --as ayse.yilmaz',
    )
    .action(async (given: string, options: AccountOptions, command: Command) => {
      const { iban, title } = options
      const terms = { merchantId: merchantId(context, given), iban, title }
      const { asked, account } = await withApp(context, async (app) => ({
        asked: await askProposal(app, options, 'merchant.settlement_account', terms),
        account: await findSettlementAccount(app, terms.merchantId),
      }))
      const registered =
        'Registered. The balance is sent there by schedule (vezne merchant settlement) or now (vezne merchant settle).'
      const result = {
        account,
        isWaiting: asked.state === 'open',
        ...(asked.state === 'open' && { change: asked.proposal }),
      }
      print(command, result, asked.state === 'applied' ? registered : wordsOf(asked))
    })
}

type AccountOptions = { iban: string; title: string; as?: string; why?: string }

type ScheduleOptions = {
  daily?: boolean
  weekly?: string
  off?: boolean
  at: string
  minimum: string
  as?: string
}

function addSchedule(merchant: Command, context: CliContext): void {
  merchant
    .command('settlement <merchant>')
    .description("When the merchant's balance is sent to its own account. Without options: show it and the last ones.")
    .option('--daily', 'every day')
    .option('--weekly <day>', 'every week on this day, such as monday')
    .option('--off', 'never by itself')
    .option('--at <time>', 'from this time of the day on, in Istanbul', '09:00')
    .option('--minimum <kurus>', 'smaller balances stay until the next time', '1')
    .option(...AS)
    .addHelpText(
      'after',
      '\nExample:\n  $ npx vezne merchant settlement demo --weekly monday --at 10:30 --minimum 100000 --as ayse.yilmaz',
    )
    .action(async (given: string, options: ScheduleOptions, command: Command) => {
      const id = merchantId(context, given)
      const schedule = scheduleOf(options)
      const shown = await withApp(context, async (app) => {
        if (schedule) await setSettlementSchedule(app, decider(app, options.as), id, schedule)
        return show(app, id)
      })
      print(command, shown, describe(shown))
    })
}

/** Null to show it only. */
function scheduleOf({ daily, weekly, off, at, minimum }: ScheduleOptions): Schedule | null {
  const given = [daily, weekly, off].filter((one) => one !== undefined)
  if (given.length === 0) return null
  if (given.length > 1) throw new WrongUsage('Give one of --daily, --weekly and --off.')
  const weekday = weekly === undefined ? null : WEEKDAYS.indexOf(weekly.toLowerCase()) + 1
  if (weekday === 0) throw new WrongUsage(`--weekly must be one of ${WEEKDAYS.join(', ')}, not "${weekly}".`)
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(at) ?? []
  if (hours === undefined) throw new WrongUsage(`--at must be a time of the day such as 09:30, not "${at}".`)
  const least = wholeKurus(minimum, '--minimum')
  if (least === 0) throw new WrongUsage('--minimum must be 1 or more.')
  const every = off ? 'off' : daily ? 'day' : 'week'
  return { every, weekday, minute: Number(hours) * 60 + Number(minutes), minimum: BigInt(least) }
}

async function show(app: CliApp, id: string) {
  await findMerchant(app, id)
  return {
    account: await findSettlementAccount(app, id),
    schedule: await findSchedule(app.db, id),
    settlements: await lastSettlements(app.db, id, SHOWN),
  }
}

function describe({ account, schedule, settlements }: Awaited<ReturnType<typeof show>>): string[] {
  const rows = settlements.map(({ day, amount, withdrawalId, requestedBy }) => {
    return [
      day,
      withdrawalId ? formatMoney(amount) : 'below the minimum',
      withdrawalId ?? '',
      requestedBy ?? 'schedule',
    ]
  })
  return [
    ...facts([
      ['account', account ? `${account.iban} ${account.title}` : 'none: vezne merchant settlement-account'],
      ['schedule', schedule ? inWords(schedule) : 'off'],
    ]),
    ...(rows.length > 0 ? ['', ...table(['day', 'amount', 'withdrawal', 'by'], rows)] : []),
  ]
}

function inWords({ every, weekday, minute, minimum }: Schedule): string {
  if (every === 'off') return 'off'
  const when = weekday === null ? 'every day' : `every ${WEEKDAYS[weekday - 1]}`
  const time = [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':')
  return `${when} at ${time}, from ${formatMoney(minimum)} on`
}
