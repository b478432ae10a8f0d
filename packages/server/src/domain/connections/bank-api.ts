import type { FindAnswer, Rail, StatementPage, SubmitAnswer } from './rail.ts'
import { readFound, readNotFound, readRefusedOrder, readTransfer, unknown } from './read-answer.ts'
import { readPage } from './read-statement.ts'

const PAGE = 500
/** A bank that takes longer is asked again at the next turn. */
const PATIENCE_MS = 10_000

/** The sandbox's own bank is the same one at whatever port it starts. */
export const SANDBOX_BANK = 'bank-api:127.0.0.1'

/** A bank that is reached over HTTP. The sandbox's simulated bank is reached through this and nothing else. */
export function bankApiRail({ baseUrl, key, name }: { baseUrl: string; key: string; name?: string }): Rail {
  const { host, pathname } = new URL(baseUrl)
  const call = (path: string, init: RequestInit = {}) =>
    fetch(`${baseUrl}/api/${path}`, {
      ...init,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      signal: AbortSignal.timeout(PATIENCE_MS),
      redirect: 'error',
    })
  return {
    // With the bank's whole address: what one bank has read or seen says nothing about another.
    name: name ?? `bank-api:${host}${pathname.replace(/\/$/, '')}`,
    async statement(cursor): Promise<StatementPage> {
      try {
        const response = await call(`statement?since=${encodeURIComponent(cursor || '0')}&limit=${PAGE}`)
        if (!response.ok) return { outcome: 'unreachable', why: `HTTP ${response.status}` }
        return readPage(await response.json())
      } catch (error) {
        return { outcome: 'unreachable', why: (error as Error).message }
      }
    },
    async submit(order): Promise<SubmitAnswer> {
      try {
        const response = await call('transfers', {
          method: 'POST',
          body: JSON.stringify({ ...order, amount: Number(order.amount) }),
        })
        if (response.ok) return readTransfer(await response.json(), order)
        return readRefusedOrder(response.status, await response.text(), order)
      } catch (error) {
        return unknown((error as Error).message)
      }
    },
    async find(asked): Promise<FindAnswer> {
      try {
        const response = await call(`transfers/${encodeURIComponent(asked.reference)}`)
        if (response.ok) return readFound(await response.json(), asked)
        return readNotFound(response.status, await response.json().catch(() => null), asked)
      } catch (error) {
        return unknown((error as Error).message)
      }
    },
  }
}
