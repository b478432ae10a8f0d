import { EVENT_TYPES } from '@vezne/contract/event-types'
import type { Command } from 'commander'
import type { EndpointHealth } from '../../../domain/webhooks/index.ts'
import {
  disableEndpoint,
  enableEndpoint,
  listEndpoints,
  recordTestEvent,
  removeEndpoint,
} from '../../../domain/webhooks/index.ts'
import type { EndpointSettings } from '../../../domain/merchants/index.ts'
import { callbackNetworks, findMerchant, rotateSecret } from '../../../domain/merchants/index.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { askProposal, printAsked } from '../core/ask-proposal.ts'
import { AS, decider, WHY } from '../core/decider.ts'
import { endpointJson } from '../core/api-names.ts'
import type { CliApp, CliContext } from '../core/context.ts'
import { merchantId, rememberDemo, wholeNumber, withApp, WrongUsage } from '../core/context.ts'
import { facts, print, table } from '../core/output.ts'

type Options = {
  url?: string
  events?: string
  description?: string
  maxConcurrent?: string
  maxPerSecond?: string
  as?: string
  why?: string
}

type NetworkOptions = { remove?: true; as?: string; why?: string }

/** A merchant's callback endpoints. Like keys, they are managed by the operator. */
export function addEndpointCommands(program: Command, context: CliContext): void {
  const endpoint = program
    .command('endpoint')
    .description('Callback endpoints: where a merchant hears of its transactions.')
  endpoint
    .command('list [merchant]')
    .description('Every endpoint with its state, and how many events wait for it.')
    .addHelpText('after', '\nExample:\n  $ npx vezne endpoint list demo')
    .action(async (merchant = 'demo', _options: object, command: Command) => {
      const endpoints = await withApp(context, async (app) => {
        const { id } = await findMerchant(app, merchantId(context, merchant))
        return listEndpoints(app.db, id)
      })
      const header = ['id', 'state', 'waiting', 'events', 'url']
      print(command, { endpoints: endpoints.map(endpointJson) }, table(header, endpoints.map(row)))
    })
  addNetworksCommand(endpoint, context)
  addSettingsCommands(endpoint, context)
  addRotation(endpoint, context)
  addStateCommands(endpoint, context)
}

function addNetworksCommand(endpoint: Command, context: CliContext): void {
  endpoint
    .command('networks <merchant> [cidr...]')
    .description(
      'Private networks that callbacks of the merchant may go to in live. Two people add one; --remove takes it off.',
    )
    .option('--remove', 'take them off the list instead')
    .option(...AS)
    .option(...WHY)
    .addHelpText(
      'after',
      '\nExample:\n  $ npx vezne endpoint networks 6920f1c2a4b8d0e6f1a2b3c4 10.20.0.0/16 --as ayse.yilmaz --why "ERP of the group"',
    )
    .action(async (merchant: string, given: string[], options: NetworkOptions, command: Command) => {
      const show = (networks: string[]) => print(command, { networks }, networks.join('\n') || 'none')
      const id = merchantId(context, merchant)
      if (given.length === 0)
        return show(await withApp(context, async (app) => callbackNetworks(app, (await findMerchant(app, id)).id)))
      const terms = { merchantId: id, ...(options.remove ? { remove: given } : { add: given }) }
      printAsked(command, await withApp(context, (app) => askProposal(app, options, 'endpoint.networks', terms)), show)
    })
}

function addSettingsCommands(endpoint: Command, context: CliContext): void {
  withSettings(endpoint.command('add <merchant>'))
    .allowExcessArguments()
    .description('Add an endpoint; its secret is shown this once.')
    .addHelpText(
      'after',
      '\nExample:\n  $ npx vezne endpoint add demo --url http://127.0.0.1:3000/hooks --events deposit.completed',
    )
    .action(async (merchant: string, options: Options, command: Command) => {
      const [, stray = 'https://…'] = command.args
      if (options.url === undefined || command.args.length > 1)
        throw new WrongUsage(`Give the address with --url: npx vezne endpoint add ${merchant} --url ${stray}`)
      const settings = { ...settingsFrom(options), url: options.url }
      const asked = await withApp(context, async (app) => {
        const { id } = await findMerchant(app, merchantId(context, merchant))
        return askProposal(app, options, 'endpoint.add', { merchantId: id, ...settings })
      })
      printAsked(command, asked, ({ endpoint: added, secret }) => {
        const shown = facts([
          ['endpoint', added.id],
          ['url', settings.url],
          ['secret', secret],
        ])
        print(command, { ...endpointJson(added), secret }, [
          ...shown,
          '',
          'Keep the secret now: it is not shown again.',
        ])
      })
    })
  withSettings(endpoint.command('set <merchant> <endpoint>'))
    .description('Change an endpoint; what is left out stays as it is.')
    .addHelpText('after', '\nExample:\n  $ npx vezne endpoint set demo 6af9… --max-per-second 20')
    .action(async (merchant: string, id: string, options: Options, command: Command) => {
      const settings = settingsFrom(options)
      const terms = { merchantId: merchantId(context, merchant), endpointId: id, ...settings }
      const asked = await withApp(context, (app) => askProposal(app, options, 'endpoint.change', terms))
      printAsked(command, asked, (changed) => {
        const { eventTypes, url, state } = changed
        const off = state === 'enabled' ? '' : ', as soon as it is enabled'
        const words = url === null ? `${id} has no address yet.` : `${id} gets ${filterOf(eventTypes)} at ${url}${off}.`
        print(command, endpointJson(changed), words)
      })
    })
}

function addRotation(endpoint: Command, context: CliContext): void {
  endpoint
    .command('rotate-secret <merchant> <endpoint>')
    .description('Make a new secret. For a day everything is signed with both, so that the receiver can change over.')
    .option(...AS)
    .addHelpText('after', '\nExample:\n  $ npx vezne endpoint rotate-secret demo 6af9…')
    .action(async (merchant: string, id: string, options: { as?: string }, command: Command) => {
      const owner = merchantId(context, merchant)
      const { rotated, first } = await withApp(context, async (app) => {
        const [one] = await listEndpoints(app.db, owner)
        return { rotated: await rotateSecret(app, decider(app, options.as), owner, id), first: one?.id }
      })
      // The callbackSecret that a sandbox shows is the secret of the first endpoint.
      if (id === first) rememberDemo(context.readConfig(), owner, { callbackSecret: rotated.secret })
      const until = rotated.oldSecretEndsAt.toISOString()
      print(
        command,
        rotated,
        facts([
          ['secret', rotated.secret],
          ['the old one signs until', until],
        ]),
      )
    })
}

type Verb = [
  name: string,
  what: string,
  done: string,
  act: (app: CliApp, actor: Actor, merchant: string, id: string) => Promise<object | void>,
]

const VERBS: Verb[] = [
  ['enable', 'Send to it again: what has waited goes out now, in order.', 'is enabled', enableEndpoint],
  ['remove', 'Take it away: what had not arrived is given up.', 'is removed', removeWithWaiting],
  [
    'test',
    'Send it an endpoint.test event.',
    'will hear from us in a moment',
    async (...args) => void (await recordTestEvent(...args)),
  ],
]

/** A worker gives them up at its next turn; counted before, because then they are no longer waiting. */
async function removeWithWaiting(app: CliApp, actor: Actor, merchant: string, id: string) {
  const waiting = (await listEndpoints(app.db, merchant)).find((one) => one.id === id)?.waiting ?? 0
  await removeEndpoint(app, actor, merchant, id)
  return { givenUp: waiting }
}

function addStateCommands(endpoint: Command, context: CliContext): void {
  for (const [verb, what, done, act] of VERBS) {
    endpoint
      .command(`${verb} <merchant> <endpoint>`)
      .description(what)
      .option(...AS)
      .addHelpText('after', `\nExample:\n  $ npx vezne endpoint ${verb} demo 6af9…`)
      .action(async (merchant: string, id: string, options: { as?: string }, command: Command) => {
        const more = await withApp(context, (app) =>
          act(app, decider(app, options.as), merchantId(context, merchant), id),
        )
        const words = more && 'givenUp' in more ? `${done}; waiting events given up: ${String(more.givenUp)}` : done
        print(command, { endpointId: id, done: verb, ...more }, `${id} ${words}.`)
      })
  }
  endpoint
    .command('disable <merchant> <endpoint>')
    .description('Send nothing to it; its events wait.')
    .requiredOption('--reason <words>', 'why, for whoever looks at it next')
    .option(...AS)
    .addHelpText('after', '\nExample:\n  $ npx vezne endpoint disable demo 6af9… --reason "moving to a new server"')
    .action(async (merchant: string, id: string, { reason, as }: { reason: string; as?: string }, command: Command) => {
      await withApp(context, (app) => disableEndpoint(app, decider(app, as), merchantId(context, merchant), id, reason))
      print(command, { endpointId: id, done: 'disable' }, `${id} is disabled; its events wait.`)
    })
}

function withSettings(command: Command): Command {
  return command
    .option('--url <url>', 'where to send')
    .option('--events <types>', 'comma-separated event types, or "all"')
    .option('--description <words>', 'what it is for')
    .option('--max-concurrent <n>', 'calls at the same time (default 10)')
    .option('--max-per-second <n>', 'calls a second (default 100)')
    .option(...AS)
    .option(...WHY)
}

function settingsFrom({ url, events, description, maxConcurrent, maxPerSecond }: Options) {
  if (url !== undefined && !/^https?:\/\//i.test(url))
    throw new WrongUsage(`--url must be a whole address such as http://127.0.0.1:3000/callbacks, not "${url}".`)
  const settings: Partial<EndpointSettings & { url: string }> = {
    ...(url !== undefined && { url }),
    ...(events !== undefined && { eventTypes: readTypes(events) }),
    ...(description !== undefined && { description }),
    ...(maxConcurrent !== undefined && { maxConcurrent: wholeNumber(maxConcurrent, '--max-concurrent') }),
    ...(maxPerSecond !== undefined && { maxPerSecond: wholeNumber(maxPerSecond, '--max-per-second') }),
  }
  return settings
}

/** A misspelt type would be a filter that never matches. */
function readTypes(text: string): string[] {
  if (text === 'all') return []
  const types = text.split(',').map((type) => type.trim())
  const unknown = types.find((type) => !EVENT_TYPES.some((known) => known === type))
  if (unknown === undefined) return types
  throw new WrongUsage(`There is no event "${unknown}"; use some of ${EVENT_TYPES.join(', ')}.`)
}

function row({ id, state, stateReason, waiting, failingSince, eventTypes, url }: EndpointHealth): string[] {
  const trouble = stateReason ?? (failingSince && `failing since ${failingSince.toISOString()}`)
  return [id, trouble ? `${state}: ${trouble}` : state, String(waiting), filterOf(eventTypes), url ?? 'no address yet']
}

function filterOf(eventTypes: string[]): string {
  return eventTypes.join(', ') || 'all events'
}
