import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { ready, vezne } from '../harness/child-process.ts'
import { send } from '../harness/client.ts'
import { cloneDatabase, testConfig } from '../harness/database.ts'
import { sendRaw } from '../harness/raw.ts'
import { memoryOf, neverRead } from '../harness/rude-callers.ts'
import { until } from '../harness/until.ts'

// Callers on the ops port that ask too much. A process of its own, so that its memory can be told from ours.
const CONNECTIONS = 8
const MAX_GROWTH_MB = 96

const data = mkdtempSync(join(tmpdir(), 'vezne-ops-flood-'))
const database = await cloneDatabase()
const child = vezne(['serve'], {
  DATABASE_URL: database.url,
  VEZNE_MASTER_KEY: testConfig().masterKey.toString('hex'),
  VEZNE_DATA: data,
  VEZNE_OPS_PORT: '0',
  VEZNE_LOG: 'warn',
})
after(async () => {
  child.process.kill('SIGTERM')
  await child.exited
  await database.drop()
  rmSync(data, { recursive: true, force: true })
})
await ready(child)
const ops = /^ops (\S+)$/m.exec(child.output())?.[1] ?? assert.fail(child.output())
const { hostname, port } = new URL(ops)
const other = { hostname, port, localAddress: '127.0.0.2', agent: false as const }

async function closedAt(limit: string): Promise<number> {
  const { text } = await send({ ...other, path: '/metrics' })
  return Number(new RegExp(`vezne_connections_closed_total\\{limit="${limit}"\\} (\\d+)\n`).exec(text)?.[1] ?? 0)
}

for (const path of ['/metrics', '/readyz']) {
  test(`connections that pipeline ${path} are closed, counted, and cost little memory`, async () => {
    const pid = child.process.pid ?? assert.fail('no process')
    const before = memoryOf(pid)
    const closedBefore = await closedAt('pipelined')
    const request = `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`
    const rude = neverRead({ baseUrl: ops, connections: CONNECTIONS, request, times: 1500 })
    // Each closed connection is opened again: some rounds of them.
    await until(
      () => closedAt('pipelined'),
      (closed) => closed - closedBefore >= 5 * CONNECTIONS,
    )
    const growth = memoryOf(pid) - before
    rude.stop()
    assert.ok(growth <= MAX_GROWTH_MB, `grew by ${growth.toFixed(0)} MB`)
  })
}

test('simultaneous scrapes share their text', async () => {
  const scrapes = Array.from({ length: 60 }, () => send({ hostname, port, path: '/metrics', agent: false }))
  const texts = new Set((await Promise.all(scrapes)).map(({ text }) => text))
  assert.ok(texts.size <= 10, `${texts.size} texts for 60 scrapes`)
})

test('idle connections past the limit of one address are closed; another address is served', async () => {
  const sockets = Array.from({ length: 100 }, () => connect(Number(port), hostname).resume())
  for (const socket of sockets) socket.on('error', () => undefined)
  // At most as many as are allowed: an idle one may be closed for its age on a slow machine.
  const open = () => sockets.filter((socket) => !socket.closed).length
  await until(
    async () => ({ open: open(), closed: await closedAt('address') }),
    (now) => now.open <= 64 && now.closed >= 36,
  )
  assert.equal((await send({ ...other, path: '/healthz' })).status, 200)
  for (const socket of sockets) socket.destroy()
})

for (const [name, text] of [
  ['two Hosts', 'GET /healthz HTTP/1.1\r\nhost: a\r\nhost: b\r\nconnection: close\r\n\r\n'],
  ['no Host', 'GET /healthz HTTP/1.1\r\nconnection: close\r\n\r\n'],
  ['HTTP/0.9', 'GET /healthz HTTP/0.9\r\nhost: a\r\nconnection: close\r\n\r\n'],
  ['a broken escape', 'GET /%zz HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n'],
  ['something else than HTTP', 'hello\r\n\r\n'],
] as const) {
  test(`${name} on the ops port: 400 in our envelope`, async () => {
    const { status, body, code } = await sendRaw(ops, text)
    assert.equal(status, 400)
    assert.equal(code, 'VALIDATION_ERROR', JSON.stringify(body))
    assert.doesNotMatch(JSON.stringify(body), /FST_/)
  })
}
