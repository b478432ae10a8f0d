import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { UNATTRIBUTED } from '../packages/server/src/kernel/actor.ts'
import { compose, prepare } from '../packages/server/src/compose.ts'
import { fundMerchant } from '../packages/server/src/domain/matching/index.ts'
import { findDrift } from '../packages/server/src/domain/ledger/index.ts'
import { createMerchant, findMerchant } from '../packages/server/src/domain/merchants/index.ts'
import { sql } from '../packages/server/src/platform/postgres/sql.ts'
import { testConfig } from '../test/harness/database.ts'
import type { Caller } from './load.ts'

const MERCHANTS = 200
/** Ten million withdrawals of 1 TL: no run empties it. */
const FUNDS = 1_000_000_000n

/** Far above anything a run reaches: the rate limit must not affect the measurement. */
const REQUESTS_PER_SECOND = 1_000_000
const MAX_OPEN_DEPOSITS = 2_000_000_000

export type Counts = { withdrawals: number; deposits: number }

/** One database with funded merchants, cloned for each variant, so that all start from identical data. */
export async function makeDatabases(serverUrl: string, names: string[]) {
  await statement(serverUrl, 'create database bench_template')
  const template = databaseAt(serverUrl, 'bench_template')
  const callers = await fillTemplate(template)
  for (const name of names) await statement(serverUrl, `create database ${name} template bench_template`)
  return { callers, urls: names.map((name) => databaseAt(serverUrl, name)) }
}

/** The same, created and migrated by the code of another checkout, which has its own schema. */
export async function makeDatabaseOf(folder: string, serverUrl: string, name: string): Promise<Caller[]> {
  await statement(serverUrl, `drop database ${name}`)
  await statement(serverUrl, 'drop database bench_template')
  const file = pathToFileURL(resolve(folder, 'bench/databases.ts')).href
  const other = (await import(file)) as { makeDatabases: typeof makeDatabases }
  return (await other.makeDatabases(serverUrl, [name])).callers
}

export async function makeEmptyDatabase(serverUrl: string, name: string): Promise<string> {
  await statement(serverUrl, `create database ${name}`)
  return databaseAt(serverUrl, name)
}

async function fillTemplate(url: string): Promise<Caller[]> {
  const app = compose(testConfig(), url)
  await prepare(app)
  const callers: Caller[] = []
  for (let count = 0; count < MERCHANTS; count++) {
    const { merchantId, apiKey, apiSecret } = await createMerchant(app, UNATTRIBUTED, {
      name: `Bench ${count}`,
      allowedNetworks: ['127.0.0.1'],
      requestsPerSecond: REQUESTS_PER_SECOND,
      // No deposit is paid in a bench, so every deposit of a run stays open.
      maxOpenDeposits: MAX_OPEN_DEPOSITS,
    })
    await fundMerchant(app, await findMerchant(app, merchantId), FUNDS, 'TRY')
    callers.push({ apiKey, apiSecret })
  }
  await app.db.end()
  return callers
}

/** Settings that must be on for the figures to count, as reported by PostgreSQL. */
export async function durability(serverUrl: string): Promise<Record<string, string>> {
  const { rows } = await statement(
    serverUrl,
    `select name, setting from pg_settings where name in ('fsync', 'synchronous_commit', 'full_page_writes')`,
  )
  return Object.fromEntries((rows as { name: string; setting: string }[]).map(({ name, setting }) => [name, setting]))
}

/**
 * Runs after the warm-up, when tables have rows: does what autovacuum would do within a minute, and makes every
 * connection replan, because a plan made for an empty table scans all of it.
 */
export async function analyse(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('vacuum analyze')
  await client.end()
}

export async function inspect(url: string): Promise<{ counts: Counts; drift: number }> {
  const app = compose(testConfig(), url)
  try {
    const [counts] = await app.db.query<Counts>(sql`
      select (select count(*) from withdrawals)::int as withdrawals, (select count(*) from deposits)::int as deposits`)
    return { counts: counts as Counts, drift: (await findDrift(app.db)).length }
  } finally {
    await app.db.end()
  }
}

function databaseAt(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

async function statement(serverUrl: string, text: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: databaseAt(serverUrl, 'postgres') })
  await client.connect()
  try {
    return await client.query(text)
  } finally {
    await client.end()
  }
}
