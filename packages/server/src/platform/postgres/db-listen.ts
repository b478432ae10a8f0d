import pg from 'pg'
import type { Hosts } from './database-url.ts'
import { CONNECTION, streamOf } from './db-pool.ts'

/** Long enough not to hammer a server that restarts, short enough that nobody notices. */
const RECONNECT_MS = 500
const STATEMENT_MS = 5000

/** Hears notifications until it is told to stop. After a lost connection it listens again, and looks once for what it missed. */
export async function listen(
  hosts: Hosts,
  channel: string,
  heard: () => void,
  onLost: (error: Error) => void,
): Promise<() => Promise<void>> {
  // Not before the first connection stands: whoever asks for it wants to know that it failed.
  let stopped = true
  let timer: NodeJS.Timeout | undefined
  let client: pg.Client
  async function connect(): Promise<void> {
    const host = hosts.current()
    client = new pg.Client({ ...CONNECTION, connectionString: host, query_timeout: STATEMENT_MS })
    client.on('error', onLost)
    client.on('notification', heard)
    client.on('end', () => {
      if (!stopped) timer = setTimeout(() => void again(), RECONNECT_MS)
    })
    try {
      await client.connect()
      await client.query(`listen ${channel}`)
    } catch (error) {
      hosts.failed(host)
      // Its 'end' asks for the next attempt.
      await client.end()
      throw error
    }
  }
  async function again(): Promise<void> {
    try {
      await connect()
      heard()
    } catch {
      // The 'end' of the failed attempt has already asked for the next one.
    }
  }
  await connect()
  stopped = false
  return async () => {
    stopped = true
    clearTimeout(timer)
    const ended = client.end()
    // Without waiting for the server's own goodbye, which a silent one never says.
    streamOf(client).destroySoon()
    await ended
  }
}
