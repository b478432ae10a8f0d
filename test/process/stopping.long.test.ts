import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { ready, vezne } from '../harness/child-process.ts'
import { cloneDatabase } from '../harness/database.ts'
import { until } from '../harness/until.ts'

const database = await cloneDatabase()
const folder = mkdtempSync(join(tmpdir(), 'vezne-stop-'))
after(async () => {
  rmSync(folder, { recursive: true, force: true })
  await database.drop()
})

const KEY = '5f2b91c07de4836a1b9d40e7c8526fa3'.repeat(2)

async function serve(drainSeconds: string) {
  const env = {
    DATABASE_URL: database.url,
    VEZNE_DATA: folder,
    VEZNE_MASTER_KEY: KEY,
    VEZNE_DRAIN_SECONDS: drainSeconds,
  }
  const child = vezne(['serve'], env)
  const address = await ready(child)
  const get = (path: string) => fetch(address + path).catch(() => null)
  return { child, get }
}

test('told to stop: not ready first, requests are served meanwhile and close their connection, then it ends', async () => {
  const { child, get } = await serve('6')
  assert.equal((await get('/readyz'))?.status, 200)
  child.process.kill('SIGTERM')
  await until(
    async () => (await get('/readyz'))?.status,
    (status) => status === 503,
  )
  const answer = await get('/healthz')
  assert.equal(answer?.status, 200)
  assert.equal(answer?.headers.get('connection'), 'close')
  assert.equal(await child.exited, 0)
  assert.equal(await get('/healthz'), null)
})

test('a second signal stops at once', async () => {
  const { child, get } = await serve('60')
  child.process.kill('SIGTERM')
  await until(
    async () => (await get('/readyz'))?.status,
    (status) => status === 503,
  )
  // One that comes within a second of the first counts as the same.
  await until(
    () => Promise.resolve(child.process.exitCode ?? child.process.kill('SIGTERM')),
    (code) => typeof code === 'number',
  )
  const SIGTERM = 15
  assert.equal(await child.exited, 128 + SIGTERM)
})
