import type { Excess } from '../../platform/bound-connections.ts'
import type { Address } from '../../platform/ip.ts'
import { maskAddress } from '../../platform/ip.ts'
import type { Api } from './endpoint.ts'

/** Every line is written synchronously: a flood of connections must not become a flood of lines. */
const LINE_EVERY_MS = 1000

/** How the log names a caller. */
function loggedAddress({ logAddresses }: Pick<Api, 'logAddresses'>, address: Address | null): string {
  if (!address) return 'unknown'
  return logAddresses === 'full' ? address.toString() : maskAddress(address)
}

/** Counts connections that were closed for going past a limit; logs one line a second for each limit, with their number. */
export function noteExcess(api: Pick<Api, 'log' | 'metrics' | 'logAddresses'>) {
  const lines = new Map<Excess, { at: number; count: number }>()
  return (limit: Excess, address: Address | null) => {
    api.metrics.closedConnections.inc({ limit })
    const line = lines.get(limit) ?? { at: Number.NEGATIVE_INFINITY, count: 0 }
    lines.set(limit, line)
    line.count++
    if (performance.now() - line.at < LINE_EVERY_MS) return
    api.log.warn({ limit, count: line.count, address: loggedAddress(api, address) }, 'connections closed at a limit')
    line.at = performance.now()
    line.count = 0
  }
}
