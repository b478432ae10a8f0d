import { note } from '../../kernel/refusals/note.ts'
import type { Said } from '../../platform/refusal.ts'
import { parseExactly } from '../../platform/json/exact-numbers.ts'
import type { FindAnswer, Connection, PayoutOrder, StatementPage, SubmitAnswer } from './connection.ts'
import { parsed, readFound, readNotFound, readRefusedOrder, readTransfer } from './read-transfer.ts'
import { cleaned } from './cleaned-text.ts'
import { readPage } from './read-page.ts'

const PAGE = 500
/** A bank that takes longer is called again in the next cycle. */
const TIMEOUT_MS = 10_000

/** The sandbox's own bank is the same one whatever port it starts on. */
export const SANDBOX_BANK = 'bank-api:127.0.0.1'

export type BankApiCaller = (path: string, init?: RequestInit) => Promise<Response>

type BankApi = { baseUrl: string; key: string; timeoutMs?: number }

export function bankApiCaller({ baseUrl, key, timeoutMs = TIMEOUT_MS }: BankApi): BankApiCaller {
  return (path, init = {}) =>
    fetch(`${baseUrl}/api/${path}`, {
      ...init,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      signal: AbortSignal.timeout(timeoutMs),
      redirect: 'error',
    })
}

export function orderBody(order: PayoutOrder): string {
  return JSON.stringify({ ...order, amount: Number(order.amount) })
}

/** The message of a JSON error quotes the body, so it can contain characters that PostgreSQL refuses. */
function failureOf(thrown: unknown): Said {
  const { name, message, cause } = thrown as Error
  if (thrown instanceof AnswerTooLarge) return note('answer_too_large', { megabytes: thrown.megabytes })
  if (thrown instanceof SyntaxError) return note('answer_unreadable', { error: cleaned(message) })
  if (name === 'TimeoutError') return note('answer_late')
  return note('answer_none', { error: cleaned((cause as Error | undefined)?.message || message) })
}

/** A bank reached over HTTP. The sandbox's simulated bank is reached only through this. */
export function bankApiConnection({ name, ...api }: BankApi & { name?: string }): Connection {
  const { host, pathname } = new URL(api.baseUrl)
  const call = bankApiCaller(api)
  return {
    kind: 'http_api',
    // With the bank's full address: data read from one bank must not be attributed to another.
    name: name ?? `bank-api:${host}${pathname.replace(/\/$/, '')}`,
    async statement(cursor): Promise<StatementPage> {
      try {
        const response = await call(`statement?since=${encodeURIComponent(cursor || '0')}&limit=${PAGE}`)
        if (!response.ok)
          return { outcome: 'unreachable', why: note('answer_http', { status: response.status, text: '' }) }
        return readPage(parseExactly(await readLimitedBody(response)))
      } catch (error) {
        return { outcome: 'unreachable', why: failureOf(error) }
      }
    },
    async submit(order): Promise<SubmitAnswer> {
      try {
        const response = await call('transfers', { method: 'POST', body: orderBody(order) })
        const body = await readLimitedBody(response)
        return response.ok ? readTransfer(JSON.parse(body), order) : readRefusedOrder(response.status, body, order)
      } catch (error) {
        return { outcome: 'unknown', why: failureOf(error) }
      }
    },
    async find(asked): Promise<FindAnswer> {
      try {
        const response = await call(`transfers/${encodeURIComponent(asked.reference)}`)
        const body = await readLimitedBody(response)
        return response.ok ? readFound(JSON.parse(body), asked) : readNotFound(response.status, parsed(body), asked)
      } catch (error) {
        return { outcome: 'unknown', why: failureOf(error) }
      }
    },
  }
}

/** A page has 500 lines of about 1 kB. Thirty times as much allows for long texts; more is a fault or an attack on our memory. */
const MAX_BYTES = 16 * 2 ** 20

/** A bank's answer that is not read to its end. */
class AnswerTooLarge extends Error {
  readonly megabytes = MAX_BYTES / 2 ** 20

  constructor() {
    super(`the answer is larger than ${MAX_BYTES / 2 ** 20} MB`)
  }
}

/** The response body as text. Counts bytes after decompression: a small gzip can expand to any size. */
export async function readLimitedBody({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  // Leaving the loop cancels the stream, so that the rest is not received.
  for await (const chunk of body ?? []) {
    length += chunk.length
    if (length > MAX_BYTES) throw new AnswerTooLarge()
    chunks.push(chunk)
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
}
