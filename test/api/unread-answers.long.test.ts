import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Child } from '../harness/child-process.ts'
import { ready, startNode } from '../harness/child-process.ts'
import { send } from '../harness/client.ts'
import { cloneDatabase, testConfig } from '../harness/database.ts'
import { memoryOf, neverRead, watchService } from '../harness/rude-callers.ts'
import { until } from '../harness/until.ts'

// Callers without a key that ask and never read. A process of its own, so that its memory can be told from ours.
const CONNECTIONS = 40
const MAX_GROWTH_MB = 32
const QUIET_PROBES = 300
const PROBES = 60
/** So often each connection of the attack is closed and opened again while the probes are answered. */
const ROUNDS = 5
/** The work of the service for one probe, compared with a quiet while: whatever else the machine does. */
const MOST_WORK = 100
const MAIN = join(import.meta.dirname, '../../packages/server/src/main.ts')
// V8 by itself leaves up to 150 MB of garbage before it collects (49 MB are live), which would hide what unread answers hold.
const LITTLE_GARBAGE = ['--max-semi-space-size=8', '--max-old-space-size=96']

const data = mkdtempSync(join(tmpdir(), 'vezne-unread-'))
const database = await cloneDatabase()
const children: Child[] = []
after(async () => {
  for (const { process } of children) process.kill('SIGTERM')
  await Promise.all(children.map(({ exited }) => exited))
  await database.drop()
  rmSync(data, { recursive: true, force: true })
})

async function start(settings: Record<string, string> = {}) {
  const child = startNode([...LITTLE_GARBAGE, MAIN, 'serve'], {
    HOST: '127.0.0.1',
    PORT: '0',
    VEZNE_LOG: 'silent',
    DATABASE_URL: database.url,
    VEZNE_MASTER_KEY: testConfig().masterKey.toString('hex'),
    VEZNE_DATA: data,
    // Past the budget there would be no large answers to leave unread.
    VEZNE_CHECKOUT_REQUESTS_PER_SECOND: '1000000',
    ...settings,
  })
  children.push(child)
  const baseUrl = await ready(child)
  return { baseUrl, pid: child.process.pid ?? assert.fail('no process'), log: child.errors }
}

/** What the first requests cost once is not the attack's. Returns the path of the stylesheet. */
async function warmUp(baseUrl: string): Promise<string> {
  const { hostname, port } = new URL(baseUrl)
  const page = await send({ hostname, port, path: '/checkout/x' })
  const style = /href="(\/checkout\/assets\/[^"]+\.css)"/.exec(page.text)?.[1] ?? assert.fail(page.text)
  const round = () => Promise.all(Array.from({ length: 25 }, () => send({ hostname, port, path: style, agent: false })))
  for (let count = 0; count < 80; count++) await round()
  return style
}

const request = (target: string, headers = '') => `GET ${target} HTTP/1.1\r\nhost: localhost\r\n${headers}\r\n`

for (const [name, target, headers] of [
  ['the stylesheet', null, ''],
  ['the compressed stylesheet', null, 'accept-encoding: gzip\r\n'],
  ['a page', '/checkout/x', ''],
  [
    'the API with headers that look signed',
    '/v1/transactions',
    `x-api-key: vk_${'0'.repeat(32)}\r\nx-timestamp: 1794726000\r\nx-signature: ${'0'.repeat(64)}\r\n`,
  ],
] as const) {
  test(`${CONNECTIONS} connections that pipeline ${name} and never read cost little memory and delay no one`, async (t) => {
    const { baseUrl, pid } = await start()
    const style = await warmUp(baseUrl)
    const before = memoryOf(pid)
    const idle = await watchService(baseUrl, pid, QUIET_PROBES)
    const rude = neverRead({
      baseUrl,
      connections: CONNECTIONS,
      request: request(target ?? style, headers),
      times: 2000,
    })
    const attacked = () => rude.counts.closed >= ROUNDS * CONNECTIONS
    const { mb, answers, msPerAnswer } = await watchService(baseUrl, pid, PROBES, attacked)
    rude.stop()
    const growth = mb - before
    const work = `${msPerAnswer.toFixed(1)} ms of work for an answer, ${idle.msPerAnswer.toFixed(1)} in a quiet while`
    t.diagnostic(`memory ${before.toFixed(0)} MB + ${growth.toFixed(0)} MB, ${answers} answers of /healthz, ${work}`)
    t.diagnostic(`connections opened ${rude.counts.opened}, closed ${rude.counts.closed}`)
    assert.ok(growth <= MAX_GROWTH_MB, `grew by ${growth.toFixed(0)} MB`)
    assert.ok(msPerAnswer <= MOST_WORK * idle.msPerAnswer, work)
  })
}

test('idle connections past the limit of one address are closed, counted and logged; another address is served', async () => {
  const limits = { VEZNE_MAX_CONNECTIONS_PER_ADDRESS: '50', VEZNE_LOG: 'warn' }
  const { baseUrl, log } = await start(limits)
  const { hostname, port } = new URL(baseUrl)
  const sockets = Array.from({ length: 200 }, () => connect(Number(port), hostname).resume())
  for (const socket of sockets) socket.on('error', () => undefined)
  const other = { hostname, port, localAddress: '127.0.0.2', agent: false as const }
  assert.equal((await send({ ...other, path: '/healthz' })).status, 200)
  const counted = async () => {
    const { text } = await send({ ...other, path: '/metrics' })
    const closed = Number(/vezne_connections_closed_total\{limit="address"\} (\d+)\n/.exec(text)?.[1] ?? 0)
    return { closed, open: sockets.filter((socket) => !socket.closed).length }
  }
  const { open } = await until(counted, (count) => count.open <= 50 && count.closed + count.open === sockets.length)
  assert.equal(open, 50)
  assert.match(log(), /"limit":"address","count":1,"address":"127\.0\.0\.0\/24"/)
  for (const socket of sockets) socket.destroy()
})
