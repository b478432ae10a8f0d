import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { EventPage, VezneEvent } from '@vezne/sdk'
import { VezneError } from '@vezne/sdk'
import type { Command } from 'commander'
import { tryLock } from '../../../../platform/files/lock-data-folder.ts'
import type { CliContext } from '../../core/context.ts'
import { NotRunning, readSandbox, wholeNumber, WrongUsage } from '../../core/context.ts'
import { printToStderr, printJson, say } from '../../core/output.ts'
import type { CallOptions } from '../signed-call.ts'
import { client, credentials } from '../signed-call.ts'
import { answerText, forwardEvents } from './forward-events.ts'
import type { Place } from './place.ts'
import { openPlace } from './place.ts'
import type { Answer } from './post-event.ts'

type Options = CallOptions & {
  forward?: string
  callbackSecret?: string
  skip?: string
  fromStart?: boolean
  latest?: boolean
  once?: boolean
}

const ASK_EVERY_MS = 1000
const PER_PAGE = 100
/** Transient errors: nothing is running there, something else is, or the database is unavailable. */
const PASSING = new Set(['UNREACHABLE', 'UNREADABLE_ANSWER', 'SERVICE_UNAVAILABLE'])
/** Maximum number of unaccepted events kept; reading the stream pauses until there is room. */
const MAX_WAITING = 1000

/** Shows the merchant's event stream in a terminal, and forwards it to a program on this machine. */
export function addListenCommand(program: Command, context: CliContext): void {
  program
    .command('listen')
    .description('Show events as they happen and forward them. It goes on where it stopped, and loses none.')
    .option('--forward <url>', 'send each event there, signed as a callback, until it is accepted')
    .option('--callback-secret <secret>', "sign forwarded events with this; the demo merchant's when left out")
    .option('--skip <n>', 'drop an event that the receiver has refused n times, and go on')
    .option('--from-start', 'begin with the first event there is')
    .option('--latest', 'begin with what happens next, and leave out what came before')
    .option('--once', 'stop when there is nothing new')
    .option('--key <key>', 'API key')
    .option('--secret <secret>', 'API secret')
    .option('--url <url>', 'base address; the running sandbox when left out')
    .addHelpText('after', '\nExample:\n  $ npx vezne listen --forward http://127.0.0.1:3000/callbacks')
    .action((options: Options, command: Command) => listen(context, options, command))
}

async function listen(context: CliContext, options: Options, command: Command): Promise<void> {
  const { json = false } = command.optsWithGlobals<{ json?: boolean }>()
  const skipAfter = checkOptions(options)
  const { forward: url, once = false } = options
  const secret = url === undefined ? '' : callbackSecret(context, options)
  const file = placeFile(context, options)
  const place = openPlace(file)
  if (options.fromStart) place.begin('0')
  else if (options.latest || place.isNew()) place.begin(await lastCursor(context, options))
  const release = url === undefined ? null : tryLock(`${file}.lock`)
  if (!json) printToStderr(greeting(url, secret))
  if (url === undefined) return readOn(context, options, place, (event) => show(json, event, null, false))
  if (!release) printToStderr(`Another listen forwards to ${url} already: every event arrives there twice.`)
  const stopping = new AbortController()
  const lanes = forwardEvents({
    ...{ url, secret, skipAfter, once, stop: stopping.signal },
    onThrough(event, answer, skipped) {
      show(json, event, answer, skipped)
      place.through(event.eventId)
    },
  })
  try {
    for (const event of await waitingEvents(context, options, place)) lanes.take(event)
    await Promise.race([readOn(context, options, place, (event) => lanes.take(event)), lanes.broken])
    await lanes.finish()
  } finally {
    // Otherwise an event waiting for its next attempt would keep the process alive after reading has stopped.
    stopping.abort()
    release?.()
  }
}

function checkOptions({ forward, skip, latest, fromStart }: Options): number | null {
  if (forward !== undefined && !/^https?:$/.test(URL.parse(forward)?.protocol ?? ''))
    throw new WrongUsage(`--forward ${forward} is not an address such as http://127.0.0.1:3000/callbacks.`)
  if (latest && fromStart) throw new WrongUsage('--latest and --from-start contradict each other: give one of them.')
  if (skip === undefined) return null
  if (forward === undefined) throw new WrongUsage('--skip goes with --forward.')
  const tries = wholeNumber(skip, '--skip')
  if (tries < 1) throw new WrongUsage('--skip must be 1 or more.')
  return tries
}

function greeting(url: string | undefined, secret: string): string[] {
  if (url === undefined) return ['listening (Ctrl-C to stop)']
  return [`listening, forwarding to ${url} (Ctrl-C to stop)`, `your receiver verifies with the secret ${secret}`]
}

/** Reads the stream from the saved position: up to its end with --once, otherwise forever. */
async function readOn(
  context: CliContext,
  options: Options,
  place: Place,
  take: (event: VezneEvent) => void,
): Promise<void> {
  for (let first = true; ; first = false) {
    // With --once refused events stay in the list, so this loop would never end.
    while (!options.once && place.waiting().length >= MAX_WAITING) await pause(ASK_EVERY_MS)
    const { events } = await page(context, options, place.cursor(), !first && !options.once)
    for (const event of events) {
      // A forwarded event is saved as waiting first. A displayed event is saved afterwards: better shown twice than never.
      if (options.forward !== undefined) place.take(event.cursor, event.eventId)
      take(event)
      if (options.forward === undefined) place.read(event.cursor)
    }
    if (events.length > 0) continue
    if (options.once) return
    await pause(ASK_EVERY_MS)
  }
}

/** Waits for a service that is restarting; if the first request fails, that is an error. */
async function page(context: CliContext, options: Options, cursor: string, patient: boolean): Promise<EventPage> {
  for (let tries = 0; ; tries++) {
    try {
      const events = await client(context, options).events.page({ after: cursor, limit: PER_PAGE })
      if (tries > 0) printToStderr('connected again')
      return events
    } catch (error) {
      const passing = error instanceof NotRunning || (error instanceof VezneError && PASSING.has(error.code))
      if (!passing || !patient) throw error
      if (tries === 0) printToStderr([error.message, 'waiting for it …'])
      await pause(ASK_EVERY_MS)
    }
  }
}

async function lastCursor(context: CliContext, options: Options): Promise<string> {
  const { events } = await client(context, options).events.page({ limit: 1 })
  return events[0]?.cursor ?? '0'
}

/** Events that an earlier run had read and its receiver had not accepted. */
async function waitingEvents(context: CliContext, options: Options, place: Place): Promise<VezneEvent[]> {
  const events: VezneEvent[] = []
  for (const id of place.waiting()) events.push(await client(context, options).events.get(id))
  return events
}

function callbackSecret(context: CliContext, options: Options): string {
  const secret =
    options.callbackSecret ?? (options.key ? undefined : readSandbox(context.readConfig())?.merchant.callbackSecret)
  if (secret === undefined) throw new WrongUsage("Forwarding needs --callback-secret whsec_…, the endpoint's secret.")
  return secret
}

/** One position per API key and target: merchants do not mix, and only displaying events does not move the position of a forwarder. */
function placeFile(context: CliContext, options: Options): string {
  const hash = (url: string) => createHash('sha256').update(url).digest('hex').slice(0, 12)
  const target = options.forward === undefined ? '' : `-${hash(options.forward)}`
  return join(context.readConfig().dataFolder, `listen-${credentials(context, options).apiKey}${target}.json`)
}

function show(json: boolean, event: VezneEvent, answer: Answer | null, skipped: boolean): void {
  if (json) {
    const forwarded = answer && String(answer.status ?? answer.text)
    const about = answer && { answer: answer.text, skipped }
    return printJson({ ...event, forwarded, ...about }, 0)
  }
  const { createdAt, type, transactionId, sequence } = event
  const parts = [createdAt, type.padEnd(22), transactionId, `#${sequence}`, answer && `→ ${answerText(answer)}`]
  say([...parts, skipped && 'skipped'].filter(Boolean).join('  '))
}
