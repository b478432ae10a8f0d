import type { Command } from 'commander'
import type { CliContext } from '../core/context.ts'
import { sandboxOnly, wholeNumber, withApp, WrongUsage } from '../core/context.ts'
import { facts, printToStderr, print, say, table } from '../core/output.ts'
import { bankOf } from '../sandbox/sim-pay.ts'
import type { Story } from './trigger-scenarios.ts'
import { STORIES } from './trigger-scenarios.ts'

type Options = { amount: string; variant?: string; list?: boolean; json?: boolean }

export function addTriggerCommand(program: Command, context: CliContext): void {
  program
    .command('trigger [event]')
    .description('Sandbox only: play the whole real story that ends with an event, so that it is recorded and told.')
    .option('--amount <kurus>', 'amount of the deposit or withdrawal', '125000')
    .option('--variant <name>', 'another story with the same event; --list has them')
    .option('--list', 'every event with its stories')
    .addHelpText('after', '\nExample:\n  $ npx vezne trigger deposit.completed --variant late')
    .action(async (event: string | undefined, options: Options, command: Command) => {
      sandboxOnly(context)
      if (options.list) return list(command)
      const story = chooseStory(event, options.variant)
      const amount = wholeNumber(options.amount, '--amount')
      // With --json, stdout contains only the result; progress goes to stderr.
      const { json } = command.optsWithGlobals<Options>()
      // Checked before anything is changed, whether or not this story needs the bank.
      const bank = bankOf(context)
      const told = await withApp(context, (app) =>
        story.play({ context, app, bank, amount, say: json ? printToStderr : say }),
      )
      const result = { event: story.event, variant: story.variant, ...told, clockMoved: story.movesClock ?? false }
      print(command, result, ['', ...ending(story, told)])
    })
}

function list(command: Command): void {
  const stories = STORIES.map(({ event, variant, about }) => ({ event, variant, story: about }))
  const rows = stories.map(({ event, variant, story }) => [event, variant, story])
  print(
    command,
    { stories },
    table(['event', '--variant', 'story (the first of an event is told without --variant)'], rows),
  )
}

function chooseStory(event: string | undefined, variant: string | undefined): Story {
  const stories = STORIES.filter((story) => story.event === event)
  const story = variant === undefined ? stories[0] : stories.find((one) => one.variant === variant)
  if (story) return story
  const events = [...new Set(STORIES.map((one) => one.event))]
  if (event === undefined) throw new WrongUsage(`Which event? One of ${events.join(', ')}.`)
  if (stories.length === 0) throw new WrongUsage(`There is no story for "${event}"; use one of ${events.join(', ')}.`)
  const variants = stories.map((one) => one.variant)
  throw new WrongUsage(`${event} has no variant "${variant}"; use one of ${variants.join(', ')}.`)
}

function ending({ movesClock }: Story, told: Awaited<ReturnType<Story['play']>>): string[] {
  const rows: [string, string][] =
    'eventId' in told
      ? [
          ['eventId', told.eventId],
          ['look at it', `npx vezne events show ${told.eventId}`],
        ]
      : [
          ['transactionId', told.transactionId],
          ['look at it', `npx vezne curl GET /v1/transactions/${told.transactionId}`],
        ]
  if (movesClock)
    rows.push(['clock', 'moved ahead for the whole sandbox; back to real time: npx vezne sim clock reset'])
  return facts(rows)
}
