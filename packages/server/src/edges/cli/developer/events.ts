import { EVENT_TYPES } from '@vezne/contract/event-types'
import type { Command } from 'commander'
import { Option } from 'commander'
import type { EventWithDeliveries } from '../../../domain/webhooks/index.ts'
import { findEvent, listEvents, resendEvent, resendFailed } from '../../../domain/webhooks/index.ts'
import { findEndpoints } from '../../../domain/merchants/index.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { attemptJson, eventJson } from '../core/api-names.ts'
import { AS, decider } from '../core/decider.ts'
import type { CliContext } from '../core/context.ts'
import { merchantId, moment, wholeNumber, withApp, WrongUsage } from '../core/context.ts'
import { facts, print, table } from '../core/output.ts'

type ListOptions = {
  merchant: string
  type?: string
  transaction?: string
  state?: 'waiting' | 'given_up'
  limit: string
}
type ResendOptions = { merchant: string; endpoint?: string; since?: string; as?: string }

export function addEventCommands(program: Command, context: CliContext): void {
  const events = program
    .command('events')
    .description('What merchants are told, what became of it, and how to tell it again.')
  addList(events, context)
  addShow(events, context)
  addResend(events, context)
}

function addList(events: Command, context: CliContext): void {
  ofMerchant(events.command('list'))
    .description('Events, newest first, each with what became of it.')
    .addOption(new Option('--type <type>', 'only this type').choices(EVENT_TYPES))
    .option('--transaction <id>', 'only this transaction')
    .addOption(new Option('--state <state>', 'only those that wait or were given up').choices(['waiting', 'given_up']))
    .option('--limit <n>', 'how many', '20')
    .addHelpText('after', '\nExample:\n  $ npx vezne events list --state waiting')
    .action(async ({ merchant, type, transaction, state, limit }: ListOptions, command: Command) => {
      const filter = { type, transactionId: transaction, state, limit: wholeNumber(limit, '--limit') }
      const owner = merchantId(context, merchant)
      const { found, endpoints } = await withApp(context, async ({ db }) => {
        return { found: await listEvents(db.pages, owner, filter), endpoints: await findEndpoints(db.pages, [owner]) }
      })
      const rows = found.map((event) => [
        event.id,
        event.createdAt.toISOString(),
        event.type,
        event.transactionId,
        fate(event),
      ])
      print(
        command,
        { events: found.map((event) => eventJson(event, endpoints)) },
        table(['event', 'at', 'type', 'transaction', 'delivery'], rows),
      )
    })
}

function addShow(events: Command, context: CliContext): void {
  ofMerchant(events.command('show <event>'))
    .description('One event: its body, its deliveries and every attempt.')
    .addHelpText('after', '\nExample:\n  $ npx vezne events show 6af98786ac96905f1d0a18c8')
    .action(async (id: string, { merchant }: { merchant: string }, command: Command) => {
      const owner = merchantId(context, merchant)
      const { event, endpoints } = await withApp(context, async ({ db }) => {
        return { event: await findEvent(db, owner, id), endpoints: await findEndpoints(db, [owner]) }
      })
      if (!event) throw new Refusal('NOT_FOUND', `There is no event ${id}.`)
      const about = facts([
        ['event', event.id],
        ['type', event.type],
        ['transaction', `${event.transactionId}, sequence ${event.sequence}`],
        ['delivery', fate(event)],
        ['body', event.body],
      ])
      const rows = event.attempts.map(({ at, endpointId, outcome, status, problem, connectMs, waitMs, readMs }) => {
        const took = `${connectMs + waitMs + readMs} ms`
        return [at.toISOString(), endpointId, outcome, String(status ?? ''), took, problem ?? '']
      })
      const attempts = table(['at', 'endpoint', 'outcome', 'status', 'took', 'problem'], rows)
      const json = { ...eventJson(event, endpoints), attempts: event.attempts.map(attemptJson) }
      print(command, json, rows.length > 0 ? [...about, '', ...attempts] : about)
    })
}

function addResend(events: Command, context: CliContext): void {
  ofMerchant(events.command('resend [event]'))
    .description('Send an event again, or with --since everything that failed from a moment on.')
    .option('--endpoint <id>', 'to this endpoint only')
    .option('--since <time>', 'all failed ones since, such as 2026-11-15T00:00:00Z')
    .option(...AS)
    .addHelpText('after', '\nExample:\n  $ npx vezne events resend --since 2026-11-15T00:00:00Z')
    .action(async (id: string | undefined, options: ResendOptions, command: Command) => {
      const owner = merchantId(context, options.merchant)
      if (options.since !== undefined && options.endpoint !== undefined)
        throw new WrongUsage('--endpoint goes with one event: --since is about every endpoint.')
      const since = options.since === undefined ? null : moment(options.since, '--since')
      if ((id === undefined) === (since === null))
        throw new WrongUsage(`Name an event or give --since${id === undefined ? '' : ', not both'}.`)
      const deliveries = await withApp(context, (app) => {
        const actor = decider(app, options.as)
        return since
          ? resendFailed(app, actor, owner, since)
          : resendEvent(app, actor, owner, id ?? '', options.endpoint)
      })
      print(
        command,
        { deliveries },
        `${deliveries} delivery(ies) go out now; those of a disabled endpoint wait until it is enabled.`,
      )
    })
}

function ofMerchant(command: Command): Command {
  return command.option('--merchant <merchant>', 'whose', 'demo')
}

function fate({ deliveries }: EventWithDeliveries): string {
  const words = deliveries.map(({ state, tries, lastOutcome }) => {
    if (state === 'delivered' || state === 'given_up') return state.replace('_', ' ')
    if (state === 'behind') return 'waits for the event before it'
    return tries > 0 ? `failed ${tries}× (${lastOutcome}), waits` : 'waits'
  })
  return words.join('; ') || 'no endpoint wants it'
}
