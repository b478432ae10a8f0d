import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { connect, createServer } from 'node:net'

/**
 * pass: all bytes go through. silent: none, in either direction. no-answers: requests only. refuse: open and new
 * connections are reset. Held bytes are sent when the mode is pass again.
 */
export type FaultMode = 'pass' | 'silent' | 'no-answers' | 'refuse'

export type FaultProxy = {
  /** The database's address through this proxy. */
  url: string
  set: (mode: FaultMode) => void
  /** Number of accepted connections. */
  accepted: () => number
  close: () => Promise<void>
}

/** A network between the service and its database, with injected faults. */
export async function startFaultProxy(databaseUrl: string): Promise<FaultProxy> {
  const target = new URL(databaseUrl)
  const pairs = new Set<{ caller: Socket; database: Socket }>()
  let mode: FaultMode = 'pass'
  let accepted = 0
  const apply = ({ caller, database }: { caller: Socket; database: Socket }) => {
    if (mode === 'refuse') {
      caller.resetAndDestroy()
      database.destroy()
      return
    }
    if (mode === 'silent') caller.pause()
    else caller.resume()
    if (mode === 'pass') database.resume()
    else database.pause()
  }
  const server = createServer((caller) => {
    accepted++
    const pair = { caller, database: connect(Number(target.port), target.hostname) }
    pairs.add(pair)
    join(pair.caller, pair.database, () => pairs.delete(pair))
    join(pair.database, pair.caller, () => pairs.delete(pair))
    apply(pair)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: url.href,
    set(next) {
      mode = next
      for (const pair of [...pairs]) apply(pair)
    },
    accepted: () => accepted,
    async close() {
      for (const { caller, database } of pairs) {
        caller.destroy()
        database.destroy()
      }
      server.close()
      await once(server, 'close')
    },
  }
}

function join(from: Socket, to: Socket, closed: () => void): void {
  from.on('data', (chunk) => void to.write(chunk))
  from.on('end', () => void to.end())
  from.on('error', () => to.destroy())
  from.on('close', closed)
}
