import { signRequest } from '@vezne/sdk'
import type { Command } from 'commander'
import { realClock, unixSeconds } from '../../../platform/time/clock.ts'
import type { CliContext } from '../core/context.ts'
import { NotRunning, WrongUsage } from '../core/context.ts'
import { facts, printToStderr, print, printJson, say } from '../core/output.ts'
import type { CallOptions } from './signed-call.ts'
import { baseUrl, credentials } from './signed-call.ts'

type Call = { method: string; path: string; body: string }

export function addSignCommands(program: Command, context: CliContext): void {
  program
    .command('sign <words...>')
    .usage('[options] [METHOD] PATH [BODY]')
    .description('Print the three headers for a request, signed as the demo merchant or with --key and --secret.')
    .option('--key <key>', 'API key')
    .option('--secret <secret>', 'API secret')
    .option('--timestamp <seconds>', 'Unix time to sign instead of now')
    .addHelpText('after', '\nExample:\n  $ npx vezne sign GET "/v1/transactions?limit=5"')
    .action((words: string[], options: CallOptions & { timestamp?: string }, command: Command) => {
      const timestamp = options.timestamp ?? unixSeconds(realClock)
      const headers = signRequest(credentials(context, options), { ...readCall(words), timestamp })
      print(command, headers, facts(Object.entries(headers).map(([name, value]) => [`${name}:`, value])))
    })
  program
    .command('curl <words...>')
    .usage('[options] [METHOD] PATH [BODY]')
    .description('Sign a request, send it, and show the answer. Exit code 1 when the answer is a refusal.')
    .option('--key <key>', 'API key')
    .option('--secret <secret>', 'API secret')
    .option('--url <url>', 'base address; the running sandbox when left out')
    .addHelpText('after', '\nExample:\n  $ npx vezne curl GET /v1/balance')
    .action((words: string[], options: CallOptions) => send(context, readCall(words), options))
}

/** `PATH`, `PATH BODY`, `METHOD PATH` or `METHOD PATH BODY`. */
function readCall(words: string[]): Call {
  const given = [...words]
  const method = /^(get|post)$/i.test(given[0] ?? '') ? given.shift()?.toUpperCase() : undefined
  const [path = '', body = ''] = given
  if (!path.startsWith('/')) throw new WrongUsage(`The path must start with /, such as /v1/balance; got "${path}".`)
  return { method: method ?? (body ? 'POST' : 'GET'), path, body }
}

/** Sent once, exactly as typed, and the response is returned unprocessed: this is for inspecting the wire. */
async function request(context: CliContext, { method, path, body }: Call, options: CallOptions): Promise<Response> {
  const base = baseUrl(context, options)
  const url = new URL(path, base)
  // Sign what is sent over the wire, after the URL has been normalised.
  const signed = { method, path: url.pathname + url.search, body, timestamp: unixSeconds(realClock) }
  const headers = signRequest(credentials(context, options), signed)
  return fetch(url, {
    method,
    headers: { ...headers, ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body }),
  }).catch((error: Error) => {
    throw new NotRunning(
      `${base} does not answer (${(error.cause as Error | undefined)?.message ?? error.message}). Start the sandbox with: npm start`,
    )
  })
}

async function send(context: CliContext, call: Call, options: CallOptions): Promise<void> {
  const response = await request(context, call, options)
  const text = await response.text()
  printToStderr(`HTTP ${response.status}`)
  show(text)
  process.exitCode = response.ok ? 0 : 1
}

function show(text: string): void {
  try {
    printJson(JSON.parse(text))
  } catch {
    say(text.split('\n'))
  }
}
