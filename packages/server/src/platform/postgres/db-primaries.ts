import pg from 'pg'
import { SettingsError } from '../read-setting.ts'
import type { HostFault } from './database-faults.ts'
import { causeOf } from './database-faults.ts'
import { hostsOf } from './database-url.ts'
import type { Hosts } from './database-url.ts'

/** `used`: new connections of this process go to it. `failure`: null if it takes writes; `what` is a verb phrase. */
export type HostState = {
  host: string
  used: boolean
  failure: { fault: HostFault; code: string; what: string } | null
}

/** A host that does not respond in time takes no writes. */
const TIMEOUT_MS = 1000
const READ_ONLY = '25006'

/** What each host of an address does now. A single host is not queried. */
export async function examineHosts({ all, current }: Hosts): Promise<HostState[]> {
  if (all.length < 2) return []
  return Promise.all(
    all.map(async (url) => {
      const failure = await tryHost(url)
      return { host: hostsOf(url), used: url === current(), failure: failure === null ? null : causeOf(failure) }
    }),
  )
}

/** Null if it takes writes. */
async function tryHost(url: string): Promise<unknown> {
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
    return rows[0]?.transaction_read_only === 'off' ? null : { code: READ_ONLY }
  } catch (error) {
    return error
  } finally {
    void client.end().catch(() => undefined)
  }
}

export function describeHosts(states: HostState[]): string {
  return states.map(({ host, failure }) => `${host} ${failure?.what ?? 'takes writes'}`).join('; ')
}

/** Hosts that take writes. With two, processes on different hosts could each pay the same request. */
export function primariesOf(states: HostState[]): string[] {
  return states.filter(({ failure }) => failure === null).map(({ host }) => host)
}

/** Why a deployment must not write, or null. */
export function describeSplit(states: HostState[]): string | null {
  const primaries = primariesOf(states)
  if (primaries.length < 2) return null
  return `${primaries.join(' and ')} both take writes; stop the one that is not the primary`
}

/** For every process and command that decides something: what is written on the wrong host is lost. */
export async function mustNotBeSplit(db: { hosts: () => Promise<HostState[]> }): Promise<void> {
  const split = describeSplit(await db.hosts())
  if (split === null) return
  throw new SettingsError([
    `DATABASE_URL: ${split}. What is written on either is not known to the other. See docs/operations.md, "Two primaries".`,
  ])
}
