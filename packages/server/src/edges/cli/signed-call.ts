import { realClock, unixSeconds } from '../../platform/time/clock.ts'
import type { ErrorCode } from '@vezne/contract'
import { Refusal } from '../../platform/refusal.ts'
import { sign } from '../../platform/crypto/signature.ts'
import type { Doors } from './doors.ts'
import { mustReadSandbox, NotRunning, WrongUsage } from './doors.ts'

/** Whose call it is and where it goes: the demo merchant and the running sandbox, unless told otherwise. */
export type CallOptions = { key?: string; secret?: string; url?: string }
export type Call = { method: 'GET' | 'POST'; path: string; body: string }

export function credentials(doors: Doors, { key, secret }: CallOptions): { apiKey: string; apiSecret: string } {
  if (key && secret) return { apiKey: key, apiSecret: secret }
  if (key || secret) throw new WrongUsage('Give --key and --secret together, or neither.')
  return mustReadSandbox(doors.readConfig()).merchant
}

export function signedHeaders(
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

export async function request(doors: Doors, call: Call, options: CallOptions): Promise<Response> {
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

type Envelope<Data> = { data: Data } | { error: { code: ErrorCode; message: string } }

/** The API as a merchant's program calls it. What it refuses is refused here, in its own words. */
export async function callApi<Data>(
  doors: Doors,
  method: Call['method'],
  path: string,
  { body, options = {} }: { body?: object; options?: CallOptions } = {},
): Promise<Data> {
  const response = await request(doors, { method, path, body: body ? JSON.stringify(body) : '' }, options)
  const answer = (await response.json().catch((error: Error) => {
    throw new NotRunning(`${response.url} answered ${response.status}, and not as Vezne does (${error.message}).`)
  })) as Envelope<Data>
  if ('data' in answer) return answer.data
  const { code, message } = answer.error
  throw new Refusal(code, `${method} ${path} was refused, ${code}: ${message}`)
}
