import type { Command } from 'commander'
import { realClock, unixSeconds } from '../../platform/clock.ts'
import type { RefusalCode } from '../../platform/refusal.ts'
import { Refusal } from '../../platform/refusal.ts'
import { sign } from '../../platform/signature.ts'
import type { Doors } from './doors.ts'
import { mustReadSandbox, NotRunning, WrongUsage } from './doors.ts'
import { facts, print, toJson } from './output.ts'

type Options = { key?: string; secret?: string; url?: string; timestamp?: string }
type Call = { method: 'GET' | 'POST'; path: string; body: string }

export function addSignCommands(program: Command, doors: Doors): void {
  program
    .command('sign <words...>')
    .usage('[options] [METHOD] PATH [BODY]')
    .description('Print the three headers for a request, signed as the demo merchant or with --key and --secret.')
    .option('--key <key>', 'API key')
    .option('--secret <secret>', 'API secret')
    .option('--timestamp <seconds>', 'Unix time to sign instead of now')
    .addHelpText('after', '\nExample:\n  $ npx vezne sign GET "/v1/transactions?limit=5"')
    .action((words: string[], options: Options, command: Command) => {
      const headers = signedHeaders(readCall(words), credentials(doors, options), options.timestamp)
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
    .action((words: string[], options: Options) => send(doors, readCall(words), options))
}

/** `PATH`, `PATH BODY`, `METHOD PATH` or `METHOD PATH BODY`. */
function readCall(words: string[]): Call {
  const given = [...words]
  const method = /^(get|post)$/i.test(given[0] ?? '') ? given.shift()?.toUpperCase() : undefined
  const [path = '', body = ''] = given
  if (!path.startsWith('/')) throw new WrongUsage(`The path must start with /, such as /v1/balance; got "${path}".`)
  return { method: (method ?? (body ? 'POST' : 'GET')) as Call['method'], path, body }
}

function credentials(doors: Doors, { key, secret }: Options): { apiKey: string; apiSecret: string } {
  if (key && secret) return { apiKey: key, apiSecret: secret }
  if (key || secret) throw new WrongUsage('Give --key and --secret together, or neither.')
  return mustReadSandbox(doors.readConfig()).merchant
}

function signedHeaders(
  { method, path, body }: Call,
  { apiKey, apiSecret }: { apiKey: string; apiSecret: string },
  at?: string,
) {
  const timestamp = at ?? String(unixSeconds(realClock))
  return {
    'X-API-Key': apiKey,
    'X-Timestamp': timestamp,
    'X-Signature': sign(apiSecret, { timestamp, method, target: path, body }),
  }
}

async function send(doors: Doors, call: Call, options: Options): Promise<void> {
  const response = await request(doors, call, options)
  const text = await response.text()
  process.stderr.write(`HTTP ${response.status}\n`)
  process.stdout.write(`${pretty(text)}\n`)
  process.exitCode = response.ok ? 0 : 1
}

async function request(doors: Doors, call: Call, options: Options): Promise<Response> {
  const base = options.url ?? mustReadSandbox(doors.readConfig()).baseUrl
  const url = new URL(call.path, base)
  // What is signed is what goes over the wire, after the URL has been written out.
  const headers = signedHeaders({ ...call, path: url.pathname + url.search }, credentials(doors, options))
  return fetch(url, {
    method: call.method,
    headers: { ...headers, ...(call.body && { 'Content-Type': 'application/json' }) },
    ...(call.body && { body: call.body }),
  }).catch((error: Error) => {
    throw new NotRunning(
      `${base} does not answer (${(error.cause as Error | undefined)?.message ?? error.message}). Start the sandbox with: npm start`,
    )
  })
}

type Envelope<Data> = { data: Data } | { error: { code: RefusalCode; message: string } }

/** The API as the demo merchant's program would call it. What it refuses is refused here, in its own words. */
export async function callAsDemo<Data>(
  doors: Doors,
  method: Call['method'],
  path: string,
  body?: object,
): Promise<Data> {
  const response = await request(doors, { method, path, body: body ? JSON.stringify(body) : '' }, {})
  const answer = (await response.json()) as Envelope<Data>
  if ('data' in answer) return answer.data
  const { code, message } = answer.error
  throw new Refusal(code, `${method} ${path} was refused, ${code}: ${message}`)
}

function pretty(text: string): string {
  try {
    return toJson(JSON.parse(text))
  } catch {
    return text
  }
}
