import pg from 'pg'
import type { Hosts } from './database-url.ts'

/** A host that does not respond in time takes no writes. */
const TIMEOUT_MS = 1000

/**
 * The hosts of an address that take writes, as host:port. More than one is a split brain after a failover: processes on
 * different hosts could each pay the same request. A single host is not queried.
 */
export async function findPrimaries({ all }: Hosts): Promise<string[]> {
  if (all.length < 2) return []
  const found = await Promise.all(all.map(async (url) => ((await takesWrites(url)) ? [new URL(url).host] : [])))
  return found.flat()
}

async function takesWrites(url: string): Promise<boolean> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'vezne',
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ transaction_read_only: string }>('show transaction_read_only')
    return rows[0]?.transaction_read_only === 'off'
  } catch {
    return false
  } finally {
    void client.end().catch(() => undefined)
  }
}

/** Why a deployment must not write, or null. */
export function describeSplit(primaries: string[]): string | null {
  if (primaries.length < 2) return null
  return `${primaries.join(' and ')} both take writes; stop the one that is not the primary`
}
