import type { Vezne } from '@vezne/sdk'
import { vezne, VezneError } from '@vezne/sdk'
import type { Command } from 'commander'
import { findCredentials } from '../../../domain/merchants/index.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { CliApp, CliContext } from '../core/context.ts'
import { Explained, merchantId, sandboxOnly, wholeNumber, withApp, WrongUsage } from '../core/context.ts'
import { facts, printToStderr, print, say, table } from '../core/output.ts'
import { bankOf } from '../sandbox/sim-pay.ts'
import { baseUrl } from './signed-call.ts'
import type { Scenario } from './trigger-scenarios.ts'
import { SCENARIOS } from './trigger-scenarios.ts'
import type { Step } from './trigger-timeline.ts'
import { lineOf } from './trigger-timeline.ts'

type Options = { amount: string; merchant: string; variant?: string; list?: boolean; json?: boolean }
type Played = Awaited<ReturnType<Scenario['run']>> & { timeline: Step[] }

export function addTriggerCommand(program: Command, context: CliContext): void {
  program
    .command('trigger [story]')
    .description(
      'Sandbox only: play a whole story, or the scenario of an event, through the API and the simulated bank.',
    )
    .option('--merchant <merchant>', 'whose', 'demo')
    .option('--amount <kurus>', 'amount of the deposit or withdrawal', '125000')
    .option('--variant <name>', 'with an event: another scenario of it; --list has them')
    .option('--list', 'every story, and every event with its scenarios')
    .addHelpText('after', () => ['', 'Stories:', ...storyTable().map((row) => `  ${row}`)].join('\n'))
    .addHelpText(
      'after',
      '\nExample:\n  $ npx vezne trigger late\n  $ npx vezne trigger deposit.failed --merchant demo',
    )
    .action(async (name: string | undefined, options: Options, command: Command) => {
      sandboxOnly(context)
      if (options.list) return list(command)
      const scenario = chooseScenario(name, options.variant)
      const result = await play(context, scenario, options, command)
      const { event, variant, story = null } = scenario
      print(command, { story, event, variant, ...result, clockMoved: scenario.movesClock ?? false }, [
        '',
        ...ending(scenario, result, options.merchant),
      ])
    })
}

async function play(
  context: CliContext,
  scenario: Scenario,
  { merchant, amount }: Options,
  command: Command,
): Promise<Played> {
  // With --json, stdout contains only the result; progress goes to stderr.
  const show = command.optsWithGlobals<Options>().json ? printToStderr : say
  const kurus = wholeNumber(amount, '--amount')
  // Checked before anything is changed, whether or not this scenario needs the bank.
  const bank = bankOf(context)
  const timeline: Step[] = []
  const id = merchantId(context, merchant)
  const result = await withApp(context, async (app) => {
    const add = (what: string, more: Partial<Step> = {}) => {
      const step = { at: app.clock.now().toISOString(), what, ...more }
      timeline.push(step)
      show(lineOf(step))
    }
    const api = await clientOf(context, app, id)
    return scenario.run({ context, app, bank, merchant, merchantId: id, api, amount: kurus, say: add })
  }).catch((error: unknown) => {
    throw explained(error, merchant)
  })
  return { ...result, timeline }
}

/** The API as this merchant's own program calls it. */
export async function clientOf(context: CliContext, app: CliApp, id: string): Promise<Vezne> {
  const credentials = await findCredentials(app, id)
  if (!credentials) throw new Refusal('INVALID_STATE', `Merchant ${id} has no key: npx vezne merchant rotate-key ${id}`)
  return vezne({ baseUrl: baseUrl(context, {}), ...credentials, maxTries: 1 })
}

function explained(error: unknown, merchant: string): unknown {
  if (!(error instanceof VezneError) || error.code !== 'IP_NOT_WHITELISTED') return error
  return new Explained([error.message, `Allow this machine: npx vezne merchant allow-ip ${merchant} 127.0.0.1`])
}

const stories = () => SCENARIOS.flatMap(({ story, about }) => (story === undefined ? [] : [{ story, about }]))

function storyTable(): string[] {
  const width = Math.max(...stories().map(({ story }) => story.length))
  return stories().map(({ story, about }) => `${story.padEnd(width)}  ${about}`)
}

function list(command: Command): void {
  const scenarios = SCENARIOS.map(({ event, variant, about }) => ({ event, variant, scenario: about }))
  const rows = scenarios.map(({ event, variant, scenario }) => [event, variant, scenario])
  print(command, { stories: stories(), scenarios }, [
    'Whole stories, which end when nothing is left to do:',
    ...storyTable(),
    '',
    ...table(['event', '--variant', 'scenario (the first of an event runs without --variant)'], rows),
  ])
}

function chooseScenario(name: string | undefined, variant: string | undefined): Scenario {
  const told = variant === undefined && SCENARIOS.find(({ story }) => story !== undefined && story === name)
  if (told) return told
  const scenarios = SCENARIOS.filter((scenario) => scenario.event === name)
  const scenario = variant === undefined ? scenarios[0] : scenarios.find((one) => one.variant === variant)
  if (scenario) return scenario
  const events = [...new Set(SCENARIOS.map((one) => one.event))]
  const names = [
    `a story (${stories()
      .map(({ story }) => story)
      .join(', ')})`,
    `an event (${events.join(', ')})`,
  ]
  if (name === undefined) throw new WrongUsage(`What? Name ${names.join(' or ')}.`)
  if (scenarios.length === 0) throw new WrongUsage(`There is no scenario "${name}"; name ${names.join(' or ')}.`)
  const variants = scenarios.map((one) => one.variant)
  throw new WrongUsage(`${name} has no variant "${variant}"; use one of ${variants.join(', ')}.`)
}

function ending({ event, movesClock }: Scenario, result: Played, merchant: string): string[] {
  const rows: [string, string][] =
    'eventId' in result
      ? [
          ['eventId', result.eventId],
          [
            'look at it',
            `npx vezne events show ${result.eventId}${merchant === 'demo' ? '' : ` --merchant ${merchant}`}`,
          ],
        ]
      : [
          ['transactionId', result.transactionId],
          [
            'look at it',
            merchant === 'demo'
              ? `npx vezne curl GET /v1/transactions/${result.transactionId}`
              : `npx vezne ${event.split('.')[0]} show ${result.transactionId}`,
          ],
        ]
  if (movesClock)
    rows.push(['clock', 'moved ahead for the whole sandbox; back to real time: npx vezne sim clock reset'])
  return facts(rows)
}
