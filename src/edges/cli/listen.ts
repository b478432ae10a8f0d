import { createHash } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Command } from 'commander'
import { realClock, unixSeconds } from '../../platform/clock.ts'
import { ownDataFolder } from '../../platform/data-folder.ts'
import { Refusal } from '../../platform/refusal.ts'
import { signWebhook } from '../../platform/webhook-signature.ts'
import type { Doors } from './doors.ts'
import { NotRunning, readSandbox, WrongUsage } from './doors.ts'
import type { CallOptions } from './signed-call.ts'
import { callApi, credentials } from './signed-call.ts'

type Options = CallOptions & { forward?: string; callbackSecret?: string; fromStart?: boolean; once?: boolean }
type Event = { eventId: string; type: string; transactionId: string; sequence: number; cursor: string; payload: string }
type Page = { events: Event[]; nextCursor: string | null }

const ASK_EVERY_MS = 1000
const LONGEST_PAUSE_MS = 10_000
const PER_PAGE = 100
/** What a callback is given, too. */
const ANSWER_WITHIN_MS = 15_000

/**
 * The merchant's stream of events in a terminal, and on to a program on this machine. Its place is kept in a file and moves
 * on only after an event is through: whatever happens while it is not running comes when it runs again.
 */
export function addListenCommand(program: Command, doors: Doors): void {
  program
    .command('listen')
    .description('Show events as they happen and forward them. It goes on where it stopped, and loses none.')
    .option('--forward <url>', 'send each event there, signed as a callback, until it is accepted')
    .option('--callback-secret <secret>', "sign forwarded events with this; the demo merchant's when left out")
    .option('--from-start', 'begin with the first event there is')
    .option('--once', 'stop when there is nothing new')
    .option('--key <key>', 'API key')
    .option('--secret <secret>', 'API secret')
    .option('--url <url>', 'base address; the running sandbox when left out')
    .addHelpText('after', '\nExample:\n  $ npx vezne listen --forward http://127.0.0.1:3000/callbacks')
    .action((options: Options, command: Command) => listen(doors, options, command))
}

async function listen(doors: Doors, options: Options, command: Command): Promise<void> {
  const { json } = command.optsWithGlobals<{ json?: boolean }>()
  if (options.forward !== undefined && !/^https?:$/.test(URL.parse(options.forward)?.protocol ?? ''))
    throw new WrongUsage(`--forward ${options.forward} is not an address such as http://127.0.0.1:3000/callbacks.`)
  const secret = options.forward === undefined ? '' : callbackSecret(doors, options)
  const place = placeOf(doors, options)
  let cursor = options.fromStart ? '0' : (place.read() ?? (await lastCursor(doors, options)))
  place.write(cursor)
  if (!json)
    process.stderr.write(`listening${options.forward ? `, forwarding to ${options.forward}` : ''} (Ctrl-C to stop)\n`)
  for (let first = true; ; first = false) {
    const { events } = await page(doors, options, cursor, !first && !options.once)
    for (const event of events) {
      const result =
        options.forward === undefined ? null : await forward(options.forward, secret, event, options.once ?? false)
      process.stdout.write(json ? `${JSON.stringify({ ...event, forwarded: result })}\n` : `${line(event, result)}\n`)
      cursor = event.cursor
      place.write(cursor)
    }
    if (events.length > 0) continue
    if (options.once) return
    await pause(ASK_EVERY_MS)
  }
}

/** A service that is restarted is waited for; that it was never there is an error, at the first question. */
async function page(doors: Doors, options: Options, cursor: string, patient: boolean): Promise<Page> {
  for (let tries = 0; ; tries++) {
    try {
      return await callApi<Page>(doors, 'GET', `/v1/events?after=${cursor}&limit=${PER_PAGE}`, { options })
    } catch (error) {
      const passing = error instanceof NotRunning || (error instanceof Refusal && error.code === 'SERVICE_UNAVAILABLE')
      if (!passing || !patient) throw error
      if (tries === 0) process.stderr.write(`${error.message}\nwaiting for it …\n`)
      await pause(ASK_EVERY_MS)
    }
  }
}

async function lastCursor(doors: Doors, options: Options): Promise<string> {
  const { events } = await callApi<Page>(doors, 'GET', '/v1/events?limit=1', { options })
  return events[0]?.cursor ?? '0'
}

/** Until it is accepted: the next event waits, as it would in the service. */
async function forward(url: string, secret: string, event: Event, once: boolean): Promise<string> {
  for (let tries = 1; ; tries++) {
    const { accepted, outcome } = await post(url, secret, event)
    if (accepted) return outcome
    const words = `${event.type} ${event.eventId}: ${url} answered ${outcome}`
    if (once) throw new Refusal('INVALID_STATE', `${words}. It is the first to be sent next time.`)
    process.stderr.write(`${words}; again in a moment\n`)
    await pause(Math.min(LONGEST_PAUSE_MS, ASK_EVERY_MS * 2 ** (tries - 1)))
  }
}

async function post(url: string, secret: string, { eventId, payload }: Event) {
  const timestamp = String(unixSeconds(realClock))
  const signature = signWebhook([secret], { id: eventId, timestamp, body: payload })
  const headers = { 'webhook-id': eventId, 'webhook-timestamp': timestamp, 'webhook-signature': signature }
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: payload,
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    })
    await response.body?.cancel()
    return { accepted: response.ok, outcome: String(response.status) }
  } catch (error) {
    const { message, cause } = error as Error
    return { accepted: false, outcome: (cause as Error | undefined)?.message ?? message }
  }
}

function callbackSecret(doors: Doors, options: Options): string {
  const secret =
    options.callbackSecret ?? (options.key ? undefined : readSandbox(doors.readConfig())?.merchant.callbackSecret)
  if (secret === undefined) throw new WrongUsage("Forwarding needs --callback-secret whsec_…, the endpoint's secret.")
  return secret
}

/** One place per API key and target: two merchants do not mix, and who only looks moves nobody's place but their own. */
function placeOf(doors: Doors, options: Options) {
  const { dataFolder } = doors.readConfig()
  const target = options.forward === undefined ? '' : `-${nameOf(options.forward)}`
  const file = join(dataFolder, `listen-${credentials(doors, options).apiKey}${target}.json`)
  return {
    read: () => (existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { cursor: string }).cursor : null),
    write(cursor: string) {
      ownDataFolder(dataFolder)
      writeFileSync(`${file}.new`, JSON.stringify({ cursor }), { mode: 0o600 })
      // All at once, or the old place stays: half a file would be no place at all.
      renameSync(`${file}.new`, file)
    },
  }
}

function nameOf(url: string): string {
  return createHash('sha256').update(url).digest('hex').slice(0, 12)
}

function line({ type, transactionId, sequence }: Event, forwarded: string | null): string {
  const time = realClock.now().toISOString().slice(11, 19)
  return [time, type.padEnd(22), transactionId, `#${sequence}`, forwarded && `→ ${forwarded}`]
    .filter(Boolean)
    .join('  ')
}
