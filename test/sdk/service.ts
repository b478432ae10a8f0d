import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect, createServer } from 'node:net'
import { after } from 'node:test'
import type { VezneOptions } from '../../packages/sdk/src/index.ts'
import { vezne } from '../../packages/sdk/src/index.ts'

/** The SDK does not wait in these tests: what is lost is asked for again at once. */
export function openClient(baseUrl: string, credentials: Pick<VezneOptions, 'apiKey' | 'apiSecret'>, options = {}) {
  const { apiKey, apiSecret } = credentials
  return vezne({ baseUrl, apiKey, apiSecret, wait: async () => undefined, ...options })
}

/**
 * A line to the service that breaks on demand: requests arrive, and their answers are lost on the way back, after the service
 * has sent them.
 */
export async function startLossyLine(baseUrl: string) {
  const { hostname, port } = new URL(baseUrl)
  let toLose = 0
  let lost = 0
  const server = createServer((caller) => {
    const service = connect(Number(port), hostname)
    caller.on('data', (chunk) => void service.write(chunk))
    service.on('data', (chunk) => {
      if (toLose === 0) return void caller.write(chunk)
      toLose--
      lost++
      caller.destroy()
      service.destroy()
    })
    for (const [one, other] of [
      [caller, service],
      [service, caller],
    ] as const) {
      one.on('error', () => undefined)
      one.on('close', () => other.destroy())
    }
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  after(() => server.close())
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lose: (answers: number) => void (toLose = answers),
    lost: () => lost,
  }
}
