import type { Command } from 'commander'
import { expireDeposits } from '../../../domain/deposits/index.ts'
import { fundMerchant } from '../../../domain/matching/index.ts'
import { balanceOf } from '../../../domain/ledger/index.ts'
import { findMerchant } from '../../../domain/merchants/index.ts'
import { bringForward, unschedule } from '../../../domain/withdrawals/index.ts'
import { retryNow } from '../../../domain/webhooks/index.ts'
import { moveClock, readOffsetSeconds } from '../../../platform/time/business-clock.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import { realClock } from '../../../platform/time/clock.ts'
import type { Tx } from '../../../platform/postgres/db.ts'
import { decider } from '../core/decider.ts'
import { formatMoney } from '../../../kernel/money.ts'
import type { CliApp, CliContext } from '../core/context.ts'
import { merchantId, NotRunning, sandboxOnly, wholeNumber, withApp, WrongUsage } from '../core/context.ts'
import { print } from '../core/output.ts'
import { addSimBankCommand } from './sim-bank.ts'
import { addSimDayCommands } from './sim-day.ts'
import { addSimFileCommands } from './sim-files.ts'
import { addSimPayCommands, callBank, findBank, payThroughBank, readBank } from './sim-pay.ts'

const UNIT_SECONDS = { s: 1, m: 60, h: 3600, d: 86_400 } as const

export function addSimCommands(program: Command, context: CliContext): void {
  const sim = program.command('sim').description('Sandbox only: money and time for tests.')
  addSimPayCommands(sim, context)
  addSimBankCommand(sim, context)
  addSimFileCommands(sim, context)
  addSimDayCommands(sim, context)
  sim
    .command('fund <merchant> <kurus>')
    .description('Give a merchant a balance, by way of completed deposits. "demo" names the sandbox\'s own merchant.')
    .option('--currency <code>', 'currency', 'TRY')
    .addHelpText('after', '\nExample:\n  $ npx vezne sim fund demo 1000000')
    .action(async (given: string, kurus: string, { currency }: { currency: string }, command: Command) => {
      sandboxOnly(context)
      const amount = BigInt(wholeNumber(kurus, 'The amount in kuruş'))
      const result = await withApp(context, async (app) => {
        const merchant = await findMerchant(app, merchantId(context, given))
        const deposits = await fundMerchant(app, merchant, amount, currency, payThroughBank(context, app))
        return { deposits: deposits.map(({ id }) => id), ...(await balanceOf(app.db, merchant.id, currency)) }
      })
      print(
        command,
        result,
        `Deposited ${formatMoney(amount, currency)}; available: ${formatMoney(result.available, currency)}`,
      )
    })
  sim
    .command('clock [move]')
    .description('Show business time, move it (+90s, +31m, +2h, +1d), or reset it. Signatures stay with real time.')
    .addHelpText('after', '\nExample:\n  $ npx vezne sim clock +31m')
    .action(async (move: string | undefined, _options: object, command: Command) => {
      sandboxOnly(context)
      const offsetSeconds = await withApp(context, (app) => travel(context, app, move))
      const now = shifted(offsetSeconds).now().toISOString()
      print(
        command,
        { offsetSeconds, now },
        `Business time is ${now}${offsetSeconds ? ` (real time + ${offsetSeconds} s)` : ''}`,
      )
    })
}

export async function travel(context: CliContext, app: CliApp, move: string | undefined): Promise<number> {
  if (move === undefined) return readOffsetSeconds(app.db)
  const offset = await app.db.transaction(async (tx) => {
    const before = await readOffsetSeconds(tx)
    const after = move === 'reset' ? 0 : before + seconds(move)
    await moveClock(tx, after)
    if (after < before) await makeDue(app, tx, after)
    return after
  })
  // Every process follows the clock by itself; due work is done before this command returns, so that scripts need not wait.
  const then = { ...app, clock: shifted(offset) }
  await moveBank(context, offset)
  await readBank(context, then)
  while ((await expireDeposits(then)) > 0);
  return offset
}

/** What the bank books from now on has the day of the moved clock. One that is not running is told when it starts. */
async function moveBank(context: CliContext, offset: number): Promise<void> {
  const bank = findBank(context)
  const now = offset === 0 ? null : shifted(offset).now().toISOString()
  try {
    if (bank) await callBank(bank, 'PUT', 'clock', { now })
  } catch (error) {
    if (!(error instanceof NotRunning)) throw error
  }
}

/**
 * Work postponed under the shifted clock would otherwise wait until that time. Payouts before withdrawals, the order in which workers lock
 * them; endpoint queues last.
 */
async function makeDue(app: CliApp, tx: Tx, offset: number): Promise<void> {
  const clock = shifted(offset)
  await bringForward(tx, clock.now())
  await unschedule({ ...app, clock }, tx, decider(app, undefined))
  await retryNow(tx, clock.now())
}

function shifted(offsetSeconds: number): Clock {
  return { now: () => new Date(realClock.now().getTime() + offsetSeconds * 1000) }
}

function seconds(move: string): number {
  const [, digits, unit] = /^\+(\d{1,6})([smhd])$/.exec(move) ?? []
  if (digits === undefined) throw new WrongUsage(`"${move}" is not a move; use +90s, +31m, +2h, +1d or reset.`)
  return Number(digits) * UNIT_SECONDS[unit as keyof typeof UNIT_SECONDS]
}
