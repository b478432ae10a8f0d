import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { findDrift } from '../../packages/server/src/domain/ledger/index.ts'
import { openDb } from '../../packages/server/src/platform/postgres/db.ts'
import { openLog } from '../../packages/server/src/platform/log.ts'
import { sign } from '../../packages/server/src/platform/crypto/signature.ts'
import type { Child } from '../harness/child-process.ts'
import { ready, run, vezne } from '../harness/child-process.ts'
import { client } from '../harness/client.ts'
import { depositBody } from '../harness/examples.ts'
import { until } from '../harness/until.ts'

// mkdtemp makes a folder that only its owner can enter, the hard case when the owner is root.
const data = join(mkdtempSync(join(tmpdir(), 'vezne-up-')), 'deeper', 'data')
const env = { VEZNE_DATA: data }
let service: Child
const acknowledged = new Set<string>()

after(async () => {
  service.process.kill('SIGTERM')
  await service.exited
  rmSync(join(data, '../..'), { recursive: true, force: true })
})

function facts() {
  return JSON.parse(readFileSync(join(data, 'sandbox.json'), 'utf8')) as {
    baseUrl: string
    databaseUrl: string
    bankUrl: string
    merchant: { merchantId: string; apiKey: string; apiSecret: string; callbackSecret: string }
    logins: { name: string; password: string }[]
  }
}

/** As browsers do, to be quicker when they have something to say. */
async function connectAndSayNothing(url: string): Promise<void> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined)
  await once(socket, 'connect')
}

/** A deposit of which the service has read the beginning; what this returns sends the rest, and resolves with the answer. */
async function beginDeposit(): Promise<() => Promise<string>> {
  const { baseUrl, merchant } = facts()
  const { hostname, port } = new URL(baseUrl)
  const body = JSON.stringify(depositBody())
  const timestamp = String(Math.floor(Date.now() / 1000))
  const signature = sign(merchant.apiSecret, { timestamp, method: 'POST', target: '/v1/deposit', body })
  const head = [
    'POST /v1/deposit HTTP/1.1\r\nhost: localhost\r\nexpect: 100-continue\r\ncontent-type: application/json',
    `x-api-key: ${merchant.apiKey}\r\nx-timestamp: ${timestamp}\r\nx-signature: ${signature}`,
    `content-length: ${Buffer.byteLength(body)}\r\n\r\n`,
  ]
  const socket = connect(Number(port), hostname)
  socket.write(head.join('\r\n'))
  assert.match(String((await once(socket, 'data'))[0]), / 100 Continue/)
  return async () => {
    socket.write(body)
    return String((await once(socket, 'data'))[0])
  }
}

function postmasterPid(): number {
  return Number(readFileSync(join(data, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])
}

/** Creates deposits until the service stops answering, and remembers each that was acknowledged. */
async function depositUntilGone(): Promise<void> {
  const shop = client(facts().baseUrl, facts().merchant)
  const one = async (): Promise<void> => {
    for (;;) {
      const { status, body } = await shop.post('/v1/deposit', depositBody())
      if (status !== 201) return
      acknowledged.add(body.data.transactionId)
    }
  }
  await Promise.allSettled(Array.from({ length: 16 }, one))
}

function untilAcknowledged(count: number): Promise<number> {
  return until(
    async () => acknowledged.size,
    (size) => size >= count,
  )
}

async function assertNothingLost(): Promise<void> {
  const db = openDb({ url: facts().databaseUrl, log: openLog('silent') })
  const { rows } = await listAll(facts().databaseUrl)
  assert.deepEqual(
    [...acknowledged].filter((id) => !rows.has(id)),
    [],
    'acknowledged deposits that are gone',
  )
  assert.deepEqual(await findDrift(db), [])
  await db.end()
}

async function listAll(databaseUrl: string): Promise<{ rows: Set<string> }> {
  const { Client } = (await import('pg')).default
  const connection = new Client({ connectionString: databaseUrl })
  await connection.connect()
  const { rows } = await connection.query<{ id: string }>('select id from deposits')
  await connection.end()
  return { rows: new Set(rows.map(({ id }) => id)) }
}

test('up: starts from nothing, prints the facts, and writes them to sandbox.json for its owner only', async () => {
  service = vezne(['up'], env)
  const address = await ready(service)
  assert.equal(service.output().trimEnd().split('\n').at(-1), `ready ${address}`)
  const { baseUrl, merchant, logins } = facts()
  assert.equal(baseUrl, address)
  for (const value of Object.values(merchant)) assert.ok(service.output().includes(value))
  assert.equal(logins.length, 3)
  for (const { name, password } of logins) assert.ok(service.output().includes(`${name}  ${password}\n`))
  assert.equal(statSync(join(data, 'sandbox.json')).mode & 0o777, 0o600)
})

test('the printed curl works as pasted into a shell', (t) => {
  const missing = ['curl', 'openssl'].filter((tool) => spawnSync(tool, ['--version'], { stdio: 'ignore' }).error)
  if (missing.length > 0) return t.skip(`this machine has no ${missing.join(' and ')}`)
  const [snippet] = /TS=\$\(date[\s\S]*?-d "\$BODY"/.exec(service.output()) ?? ['exit 1']
  const { stdout, stderr } = spawnSync('sh', ['-c', snippet], { encoding: 'utf8' })
  assert.equal((JSON.parse(stdout || '{}') as { success?: boolean }).success, true, stdout + stderr)
})

test('the command line finds the running sandbox by VEZNE_DATA', async () => {
  const { code, output } = await run(['curl', 'GET', '/v1/available-banks'], env)
  assert.equal(code, 0)
  assert.equal((JSON.parse(output) as { data: { banks: { _id: string }[] } }).data.banks[0]?._id, 'FAST')
})

test('kill -9 of PostgreSQL under load: the service comes back by itself and nothing acknowledged is lost', async () => {
  const load = depositUntilGone()
  await untilAcknowledged(200)
  process.kill(postmasterPid(), 'SIGKILL')
  await load
  const shop = client(facts().baseUrl, facts().merchant)
  await until(
    () => shop.get('/v1/balance'),
    ({ status }) => status === 200,
  )
  await assertNothingLost()
})

const returnOrigins = async () =>
  (JSON.parse((await run(['merchant', 'show', 'demo', '--json'], env)).output) as { returnOrigins: string[] })
    .returnOrigins
const shopOrigin = () => new URL(facts().bankUrl).origin

test('a return origin that a developer added is named beside the one of the demo shop', async () => {
  assert.deepEqual(await returnOrigins(), [shopOrigin()])
  const added = ['--return-origin', shopOrigin(), 'https://dev.example']
  assert.equal((await run(['merchant', 'brand', 'demo', ...added], env)).code, 0)
  assert.deepEqual(await returnOrigins(), [shopOrigin(), 'https://dev.example'])
})

test('kill -9 of the service under load: a second start finds its data, and nothing acknowledged is lost', async () => {
  const before = acknowledged.size
  const load = depositUntilGone()
  await untilAcknowledged(before + 200)
  service.process.kill('SIGKILL')
  await load
  const { merchant } = facts()
  service = vezne(['up'], env)
  await ready(service)
  assert.deepEqual(facts().merchant, merchant)
  // The shop is at another port now; its older origin is gone, and the developer's stays.
  assert.deepEqual(await returnOrigins(), ['https://dev.example', shopOrigin()])
  await assertNothingLost()
})

test('kill -9 of both, then a start: nothing acknowledged is lost', async () => {
  const before = acknowledged.size
  const load = depositUntilGone()
  await untilAcknowledged(before + 200)
  const postmaster = postmasterPid()
  service.process.kill('SIGKILL')
  process.kill(postmaster, 'SIGKILL')
  await load
  service = vezne(['up'], env)
  await ready(service)
  await assertNothingLost()
})

test('Ctrl-C: every request that has begun is answered, a silent connection waits in vain, PostgreSQL stops with the service', async () => {
  await Promise.all([facts().baseUrl, facts().bankUrl].map(connectAndSayNothing))
  const begun = await Promise.all(Array.from({ length: 20 }, beginDeposit))
  service.process.kill('SIGINT')
  await until(
    async () => service.output(),
    (output) => output.includes('\nstopping'),
  )
  for (const answer of await Promise.all(begun.map((goOn) => goOn()))) assert.match(answer, /^HTTP\/1\.1 201 /)
  assert.equal(await service.exited, 0)
  assert.equal(existsSync(join(data, 'postgres/postmaster.pid')), false)
})

test('a command without a running sandbox says so, exit code 3', async () => {
  const { code, errors } = await run(['merchant', 'list'], env)
  assert.equal(code, 3)
  assert.match(errors, /npm start/)
})
