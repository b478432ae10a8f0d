import type { Command } from 'commander'
import type { CliContext } from '../core/context.ts'
import { sandboxOnly, wholeNumber, withApp, WrongUsage } from '../core/context.ts'
import { facts, printToStderr, print, say, table } from '../core/output.ts'
import { bankOf } from '../sandbox/sim-pay.ts'
import type { Scenario } from './trigger-scenarios.ts'
import { SCENARIOS } from './trigger-scenarios.ts'

type Options = { amount: string; variant?: string; list?: boolean; json?: boolean }

export function addTriggerCommand(program: Command, context: CliContext): void {
  program
    .command('trigger [event]')
    .description(
      'Sandbox only: run the real scenario that ends with an event, so that the event is recorded and delivered.',
    )
    .option('--amount <kurus>', 'amount of the deposit or withdrawal', '125000')
    .option('--variant <name>', 'another scenario with the same event; --list has them')
    .option('--list', 'every event with its scenarios')
    .addHelpText('after', '\nExample:\n  $ npx vezne trigger deposit.completed --variant late')
    .action(async (event: string | undefined, options: Options, command: Command) => {
      sandboxOnly(context)
      if (options.list) return list(command)
      const scenario = chooseScenario(event, options.variant)
      const amount = wholeNumber(options.amount, '--amount')
      // With --json, stdout contains only the result; progress goes to stderr.
      const { json } = command.optsWithGlobals<Options>()
      // Checked before anything is changed, whether or not this scenario needs the bank.
      const bank = bankOf(context)
      const result = await withApp(context, (app) =>
        scenario.run({ context, app, bank, amount, say: json ? printToStderr : say }),
      )
      const output = {
        event: scenario.event,
        variant: scenario.variant,
        ...result,
        clockMoved: scenario.movesClock ?? false,
      }
      print(command, output, ['', ...ending(scenario, result)])
    })
}

function list(command: Command): void {
  const scenarios = SCENARIOS.map(({ event, variant, about }) => ({ event, variant, scenario: about }))
  const rows = scenarios.map(({ event, variant, scenario }) => [event, variant, scenario])
  print(
    command,
    { scenarios },
    table(['event', '--variant', 'scenario (the first of an event runs without --variant)'], rows),
  )
}

function chooseScenario(event: string | undefined, variant: string | undefined): Scenario {
  const scenarios = SCENARIOS.filter((scenario) => scenario.event === event)
  const scenario = variant === undefined ? scenarios[0] : scenarios.find((one) => one.variant === variant)
  if (scenario) return scenario
  const events = [...new Set(SCENARIOS.map((one) => one.event))]
  if (event === undefined) throw new WrongUsage(`Which event? One of ${events.join(', ')}.`)
  if (scenarios.length === 0)
    throw new WrongUsage(`There is no scenario for "${event}"; use one of ${events.join(', ')}.`)
  const variants = scenarios.map((one) => one.variant)
  throw new WrongUsage(`${event} has no variant "${variant}"; use one of ${variants.join(', ')}.`)
}

function ending({ movesClock }: Scenario, result: Awaited<ReturnType<Scenario['run']>>): string[] {
  const rows: [string, string][] =
    'eventId' in result
      ? [
          ['eventId', result.eventId],
          ['look at it', `npx vezne events show ${result.eventId}`],
        ]
      : [
          ['transactionId', result.transactionId],
          ['look at it', `npx vezne curl GET /v1/transactions/${result.transactionId}`],
        ]
  if (movesClock)
    rows.push(['clock', 'moved ahead for the whole sandbox; back to real time: npx vezne sim clock reset'])
  return facts(rows)
}
