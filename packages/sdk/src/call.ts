import { readAnswer } from './read-answer.ts'
import type { Settings } from './settings.ts'
import { freshSigner } from './sign-request.ts'
import { VezneError } from './vezne-error.ts'

type Method = 'GET' | 'POST'
type Parts = { query?: object; body?: object }
export type Call = <Data>(method: Method, path: string, parts?: Parts) => Promise<Data>

const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 8_000
/** Temporary: from the service (429, 503), or from a proxy while the service restarts. */
const PASSING_STATUSES: ReadonlySet<number> = new Set([429, 502, 503, 504])

/** Signed calls. Temporary failures are retried with a new signature; other failures are thrown. */
export function openCalls(settings: Settings): Call {
  const sign = freshSigner(settings, settings.now)

  async function tryOnce(method: Method, url: URL, body: Uint8Array | null, tries: number): Promise<unknown> {
    // Signed as sent, after URL encoding.
    const path = url.pathname + url.search
    const headers = sign({ method, path, ...(body && { body }) })
    const call = { method, path, timestamp: Number(headers['X-Timestamp']), now: settings.now() }
    const answer = await fetch(url, {
      method,
      headers: { ...headers, ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { body }),
      // The signature covers this path: the target of a redirect would refuse it.
      redirect: 'manual',
      signal: AbortSignal.timeout(settings.timeoutMs),
    })
      .then(async (response) => ({ response, text: await response.text() }))
      .catch((error: Error) => {
        throw unreachable(error, method, url, tries)
      })
    return readAnswer(call, answer.response, answer.text, settings.onWarning)
  }

  return async <Data>(method: Method, path: string, { query = {}, body }: Parts = {}) => {
    const { url, bytes } = written(settings.baseUrl, method, path, { query, ...(body && { body }) })
    for (let tries = 1; ; tries++) {
      try {
        return (await tryOnce(method, url, bytes, tries)) as Data
      } catch (error) {
        const pauseMs = pauseBefore(settings, error, tries)
        if (tries >= settings.maxTries || pauseMs === null) throw error
        await settings.wait(pauseMs)
      }
    }
  }
}

/** Null if a retry would not help, or would have to wait longer than `maxWaitMs`. */
function pauseBefore({ maxWaitMs, random }: Settings, error: unknown, tries: number): number | null {
  if (!(error instanceof VezneError)) return null
  if (error.code !== 'UNREACHABLE' && !PASSING_STATUSES.has(error.status ?? 0)) return null
  const asked = error.retryAfterSeconds === null ? null : error.retryAfterSeconds * 1000
  const pauseMs = asked ?? Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (tries - 1))
  // Random jitter, so that callers do not all return at the same moment after an outage.
  return pauseMs > maxWaitMs ? null : Math.round(pauseMs * (1 + random() / 4))
}

/** A BigInt, a circular object or an invalid Date cannot be written. */
function written(baseUrl: string, method: Method, path: string, { query = {}, body }: Parts) {
  try {
    const bytes = body ? new TextEncoder().encode(JSON.stringify(body)) : null
    return { url: new URL(withQuery(path, query), baseUrl), bytes }
  } catch (error) {
    const [why = ''] = (error as Error).message.split('\n')
    throw new VezneError('INVALID_OPTIONS', `${method} ${path}: ${why}. Nothing was sent.`, { cause: error })
  }
}

function withQuery(path: string, query: object): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query) as [string, string | number | Date | undefined][])
    if (value !== undefined) parameters.append(name, value instanceof Date ? value.toISOString() : String(value))
  const text = parameters.toString()
  return text === '' ? path : `${path}?${text}`
}

function unreachable(error: Error, method: Method, { origin, pathname }: URL, tries: number): VezneError {
  const why = error.cause instanceof Error ? error.cause.message || error.cause.name : error.message
  const effect = method === 'POST' ? ' It may still have taken effect; repeating the same call is safe.' : ''
  return new VezneError(
    'UNREACHABLE',
    `${origin} does not answer (${why}; attempt ${tries} of ${method} ${pathname}).${effect} Check baseUrl and the network.`,
    { cause: error },
  )
}
