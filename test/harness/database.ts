import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { compose, prepare } from '../../packages/server/src/compose.ts'
import type { Config } from '../../packages/server/src/config.ts'

const TEMPLATE = 'vezne_template'

/** The master key of every test database; fixed, because files share the template. */
const MASTER_KEY = Buffer.from('5f2b91c07de4836a1b9d40e7c8526fa3'.repeat(2), 'hex')

/** A machine that is shared stops a process for seconds: its transactions were ended as idle. */
export const DATABASE_PATIENCE = 5

export function testConfig(changes: Partial<Config> = {}): Config {
  return {
    mode: 'sandbox',
    host: '127.0.0.1',
    port: 0,
    dataFolder: '/nonexistent',
    pointerFile: null,
    databaseUrl: null,
    migrateAtStart: true,
    masterKey: MASTER_KEY,
    oldMasterKey: null,
    publicUrl: null,
    trustedProxies: [],
    logLevel: 'silent',
    logAddresses: 'masked',
    maxConnections: 4096,
    maxConnectionsPerAddress: 1024,
    checkoutRequestsPerSecond: 1000,
    authFailuresPerMinute: 1000,
    drainSeconds: 0,
    ops: null,
    keepEventsDays: 730,
    retainPersonalDays: 3653,
    booksStopAmount: null,
    auditHeads: null,
    currencies: ['TRY'],
    bankApi: null,
    tracing: null,
    callbackRules: 'loopback-too',
    databasePatience: DATABASE_PATIENCE,
    ...changes,
  }
}

export async function makeTemplate(serverUrl: string): Promise<string> {
  await admin(serverUrl, `create database ${TEMPLATE}`)
  const url = nameIn(serverUrl, TEMPLATE)
  const app = compose(testConfig(), url)
  await prepare(app)
  await app.db.end()
  return url
}

/** A separate database, migrated and seeded; `empty` has no tables. */
export async function cloneDatabase(
  kind: 'seeded' | 'empty' = 'seeded',
): Promise<{ url: string; drop: () => Promise<void> }> {
  const serverUrl = process.env['VEZNE_TEST_DATABASE']
  if (!serverUrl) throw new Error('Run tests with: npm test [-- FILE]')
  const name = `test_${randomBytes(8).toString('hex')}`
  const template = kind === 'seeded' ? TEMPLATE : 'template0'
  // Copies files: writing every page of a clone to the WAL would cost more.
  await admin(serverUrl, `create database ${name} template ${template} strategy file_copy`)
  return { url: nameIn(serverUrl, name), drop: () => admin(serverUrl, `drop database ${name} with (force)`) }
}

function nameIn(serverUrl: string, database: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${database}`
  return url.href
}

async function admin(serverUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: nameIn(serverUrl, 'postgres') })
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
