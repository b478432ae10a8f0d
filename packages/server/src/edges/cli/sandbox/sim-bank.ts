import type { Command } from 'commander'
import { Option } from 'commander'
import type { CliContext } from '../core/context.ts'
import { sandboxOnly, WrongUsage } from '../core/context.ts'
import { print, table } from '../core/output.ts'
import { bankOf, callBank } from './sim-pay.ts'

/** As returned by the simulated bank. */
type Plan = { seed: number; rate: number; kinds: string[]; delayMs: number; counts: Record<string, number> }
type Options = { fault?: string[]; rate?: string; seed?: string; delay?: string; off?: boolean }

/** Those of the simulated bank, which is a program of its own. */
export const FAULT_KINDS = [
  ...['timeout_before', 'timeout_after', 'error_before', 'error_after', 'reset_before', 'reset_after', 'slow'],
  ...['duplicate_answer', 'late_status', 'accept_then_reject', 'find_error'],
]

export function addSimBankCommand(sim: Command, context: CliContext): void {
  sim
    .command('bank')
    .description('Let the simulated bank misbehave with payouts. Without options: show the plan and what it has done.')
    .addOption(new Option('--fault <kind...>', 'kinds of faults').choices(FAULT_KINDS))
    .option('--rate <share>', 'share of calls, 0 to 1; 1 when faults are named')
    .option('--seed <n>', 'the same seed draws the same faults')
    .option('--delay <ms>', 'how long a silent or slow call takes')
    .option('--off', 'behave again')
    .addHelpText('after', '\nExample:\n  $ npx vezne sim bank --fault timeout_after reset_after --rate 0.3')
    .action(async ({ fault, rate, seed, delay, off }: Options, command: Command) => {
      sandboxOnly(context)
      const bank = bankOf(context)
      const plan = {
        ...(fault && { kinds: fault }),
        ...number('rate', rate),
        ...number('seed', seed),
        ...number('delayMs', delay),
      }
      const method = off ? 'DELETE' : Object.keys(plan).length > 0 ? 'PUT' : 'GET'
      const shown = (await callBank(bank, method, 'faults', method === 'PUT' ? plan : undefined)) as Plan
      print(command, shown, describe(shown))
    })
}

function describe({ seed, rate, kinds, delayMs, counts }: Plan): string[] {
  const plan =
    rate === 0 ? 'off' : `${Number((rate * 100).toPrecision(6))} % of calls, seed ${seed}, delay ${delayMs} ms`
  const rows = Object.entries(counts)
    .filter(([kind, count]) => kinds.includes(kind) || count > 0)
    .map(([kind, count]) => [kind, kinds.includes(kind) ? 'yes' : 'no', String(count)])
  return [`plan  ${plan}`, ...(rows.length > 0 ? ['', ...table(['fault', 'on', 'happened'], rows)] : [])]
}

function number(name: string, text: string | undefined): Record<string, number> {
  if (text === undefined) return {}
  if (!/^\d+(\.\d+)?$/.test(text)) throw new WrongUsage(`${name} must be a number, not "${text}".`)
  return { [name]: Number(text) }
}
