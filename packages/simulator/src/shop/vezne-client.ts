import { createHmac } from 'node:crypto'
import type { Now } from '../time.ts'

export type VezneAccess = { url: string; apiKey: string; apiSecret: string }

/** Vezne refused, or its response was invalid; `code` is the one to look up. */
export class VezneError extends Error {
  code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

export type VezneClient = {
  createDeposit: (deposit: object) => Promise<Record<string, unknown>>
  findDeposit: (processId: string) => Promise<Record<string, unknown> | null>
}

const TIMEOUT_MS = 10_000

/** A minimal merchant integration: a signature and two calls. */
export function vezneClient(access: VezneAccess, now: Now): VezneClient {
  return {
    createDeposit: (deposit) => call(access, now, 'POST', '/v1/deposit', JSON.stringify(deposit)),
    async findDeposit(processId) {
      const query = new URLSearchParams({ processId, type: 'deposit' })
      const { transactions } = await call(access, now, 'GET', `/v1/transactions?${query.toString()}`, '')
      const [first] = Array.isArray(transactions) ? (transactions as Record<string, unknown>[]) : []
      return first ?? null
    },
  }
}

async function call(
  { url, apiKey, apiSecret }: VezneAccess,
  now: Now,
  method: string,
  target: string,
  body: string,
): Promise<Record<string, unknown>> {
  const timestamp = String(Math.floor(now().getTime() / 1000))
  const signature = createHmac('sha256', apiSecret)
    .update(timestamp + method + target + body)
    .digest('hex')
  const response = await fetch(url + target, {
    method,
    headers: {
      'x-api-key': apiKey,
      'x-timestamp': timestamp,
      'x-signature': signature,
      ...(body !== '' && { 'content-type': 'application/json' }),
    },
    ...(body !== '' && { body }),
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((error: Error) => {
    throw new VezneError('UNREACHABLE', `${url} did not respond (${error.message}).`)
  })
  return readEnvelope(response)
}

type Envelope = { success?: boolean; data?: Record<string, unknown>; error?: { code?: string; message?: string } }

async function readEnvelope(response: Response): Promise<Record<string, unknown>> {
  const envelope = (await response.json().catch(() => null)) as Envelope | null
  if (envelope?.success === true && envelope.data) return envelope.data
  const { code = 'UNREADABLE_ANSWER', message = `HTTP ${response.status}` } = envelope?.error ?? {}
  throw new VezneError(code, message)
}
