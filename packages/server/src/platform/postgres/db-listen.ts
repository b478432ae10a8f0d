import pg from 'pg'
import type { Hosts } from './database-url.ts'
import { CONNECTION, streamOf } from './db-pool.ts'

/** Long enough not to overload a restarting server, short enough not to be noticed. */
const RECONNECT_MS = 500
const STATEMENT_MS = 5000

/**
 * Receives notifications until stopped. After a lost connection it listens again and calls `onNotification` once for missed
 * ones.
 */
export async function listen(
  hosts: Hosts,
  channel: string,
  onNotification: () => void,
  onLost: (error: Error) => void,
): Promise<() => Promise<void>> {
  // True until the first connection is made: its failure goes to the caller.
  let stopped = true
  let timer: NodeJS.Timeout | undefined
  let client: pg.Client
  async function connect(): Promise<void> {
    const host = hosts.current()
    client = new pg.Client({ ...CONNECTION, connectionString: host, query_timeout: STATEMENT_MS })
    client.on('error', onLost)
    client.on('notification', onNotification)
    client.on('end', () => {
      if (!stopped) timer = setTimeout(() => void reconnect(), RECONNECT_MS)
    })
    try {
      await client.connect()
      await client.query(`listen ${channel}`)
    } catch (error) {
      hosts.failed(host)
      // Its 'end' event triggers the next attempt.
      await client.end()
      throw error
    }
  }
  async function reconnect(): Promise<void> {
    try {
      await connect()
      onNotification()
    } catch {
      // The 'end' event of the failed attempt has triggered the next one.
    }
  }
  await connect()
  stopped = false
  return async () => {
    stopped = true
    clearTimeout(timer)
    const ended = client.end()
    // Does not wait for the server to close, because an unresponsive one never does.
    streamOf(client).destroySoon()
    await ended
  }
}
