import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Child } from '../harness/child-process.ts'
import { ready, run, vezne } from '../harness/child-process.ts'
import { cloneDatabase, testConfig } from '../harness/database.ts'

const database = await cloneDatabase()
const data = mkdtempSync(join(tmpdir(), 'vezne-ops-'))
const children = new Map<string, Child>()
const env = {
  VEZNE_DATA: data,
  DATABASE_URL: database.url,
  VEZNE_MASTER_KEY: testConfig().masterKey.toString('hex'),
  VEZNE_BANK_API_URL: 'http://127.0.0.1:1',
  VEZNE_BANK_API_KEY: 'k',
}
after(async () => {
  for (const child of children.values()) child.process.kill('SIGTERM')
  await Promise.all([...children.values()].map(({ exited }) => exited))
  await database.drop()
  rmSync(data, { recursive: true, force: true })
})

/** One process for each role and settings: tests only ask it. */
function start(role: string, changes: Record<string, string> = {}): Child {
  const key = JSON.stringify([role, changes])
  const child = children.get(key) ?? vezne([role], { ...env, ...changes })
  children.set(key, child)
  return child
}

/** The address from the line `ops http://…`. */
async function opsOf(child: Child): Promise<string> {
  for (;;) {
    const [, address] = /^ops (\S+)$/m.exec(child.output()) ?? []
    if (address) return address
    const said = once(child.process.stdout as NodeJS.ReadableStream, 'data')
    if ((await Promise.race([said, child.exited.then(() => 'gone')])) === 'gone')
      throw new Error(`vezne ended before it was ready:\n${child.output()}\n${child.errors()}`)
  }
}

async function get(url: string): Promise<{ status: number; text: string }> {
  const response = await fetch(url)
  return { status: response.status, text: await response.text() }
}

for (const role of ['serve', 'work', 'up']) {
  test(`${role}: health, readiness and metrics are on the ops port`, async () => {
    const ops = await opsOf(start(role, { VEZNE_OPS_PORT: '0' }))
    assert.equal((await get(`${ops}/healthz`)).status, 200)
    assert.equal((await get(`${ops}/readyz`)).status, 200)
    const metrics = await get(`${ops}/metrics`)
    assert.equal(metrics.status, 200)
    assert.match(metrics.text, /^vezne_db_connections\{.*\} \d/m)
    assert.equal((await get(`${ops}/v1/balance`)).status, 404)
  })
}

test('with an ops port the public port has no metrics, and health as before', async () => {
  const child = start('serve', { VEZNE_OPS_PORT: '0' })
  const address = await ready(child)
  assert.equal((await get(`${address}/metrics`)).status, 404)
  assert.equal((await get(`${address}/healthz`)).status, 200)
  assert.equal((await get(`${address}/readyz`)).status, 200)
})

test('without an ops port the public port has metrics', async () => {
  const child = start('serve')
  assert.equal((await get(`${await ready(child)}/metrics`)).status, 200)
  assert.doesNotMatch(child.output(), /^ops /m)
})

test('metrics on the public port are not for what comes through a proxy', async () => {
  const direct = `${await ready(start('serve'))}/metrics`
  for (const header of ['X-Forwarded-For', 'Forwarded', 'X-Real-IP']) {
    const forwarded = await fetch(direct, { headers: { [header]: 'for=203.0.113.9' } })
    assert.equal(forwarded.status, 404, header)
  }
  const proxied = await ready(start('serve', { VEZNE_TRUSTED_PROXIES: '127.0.0.1' }))
  assert.equal((await get(`${proxied}/metrics`)).status, 404)
})

test('an ops port that is wrong, or the same as PORT, is a mistake in the settings', async () => {
  const wrong = await run(['serve'], { ...env, VEZNE_OPS_PORT: 'none' })
  assert.equal(wrong.code, 2)
  assert.match(wrong.errors, /- VEZNE_OPS_PORT is "none"/)
  const same = await run(['serve'], { ...env, PORT: '18080', VEZNE_OPS_PORT: '18080' })
  assert.equal(same.code, 2)
  assert.match(same.errors, /- VEZNE_OPS_PORT is the same as PORT/)
})

test('a PORT that another program has is named in the message, and the process ends', async () => {
  const first = await ready(start('serve'))
  const second = await run(['serve'], { ...env, PORT: new URL(first).port })
  assert.equal(second.code, 2)
  assert.match(second.errors, /- PORT \d+ is in use/)
})

test('an ops port that another program has is named in the message', async () => {
  const first = await opsOf(start('work', { VEZNE_OPS_PORT: '0' }))
  const second = await run(['work'], { ...env, VEZNE_OPS_PORT: new URL(first).port })
  assert.equal(second.code, 2)
  assert.match(second.errors, /VEZNE_OPS_PORT \d+ is in use/)
})

test('the ops port listens on loopback, or where VEZNE_OPS_HOST says', async () => {
  const loopback = await opsOf(start('work', { VEZNE_OPS_PORT: '0' }))
  assert.equal(new URL(loopback).hostname, '127.0.0.1')
  const all = await opsOf(start('work', { VEZNE_OPS_PORT: '0', VEZNE_OPS_HOST: '0.0.0.0' }))
  assert.equal(new URL(all).hostname, '0.0.0.0')
})
