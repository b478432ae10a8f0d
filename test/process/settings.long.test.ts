import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { run } from '../harness/child-process.ts'
import { cloneDatabase, testConfig } from '../harness/database.ts'

const data = mkdtempSync(join(tmpdir(), 'vezne-settings-'))
after(() => rmSync(data, { recursive: true, force: true }))

const live = {
  VEZNE_DATA: data,
  VEZNE_MODE: 'live',
  VEZNE_MASTER_KEY: testConfig().masterKey.toString('hex'),
  VEZNE_PUBLIC_URL: 'https://pay.example',
}

test('wrong settings: every mistake in one message, exit code 2', async () => {
  const { code, errors } = await run(['up'], {
    VEZNE_DATA: data,
    PORT: '99999',
    VEZNE_MODE: 'prod',
    VEZNE_MASTER_KEY: 'short',
    DATABASE_URL: 'mysql://x',
    VEZNE_TRUSTED_PROXIES: '10.0.0.1,nonsense',
    VEZNE_LOG: 'loud',
  })
  assert.equal(code, 2)
  for (const name of ['PORT', 'VEZNE_MODE', 'VEZNE_MASTER_KEY', 'DATABASE_URL', 'VEZNE_TRUSTED_PROXIES', 'VEZNE_LOG']) {
    assert.match(errors, new RegExp(`- ${name}`))
  }
})

test('a password in the address of the trace receiver is refused, and not printed', async () => {
  const endpoint = 'http://tracer:hunter2@127.0.0.1:4318'
  const { code, errors, output } = await run(['serve'], { VEZNE_DATA: data, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint })
  assert.equal(code, 2)
  assert.match(errors, /- OTEL_EXPORTER_OTLP_ENDPOINT/)
  assert.doesNotMatch(errors + output, /hunter2/)
})

test('live refuses a missing master key and a missing public address, both at once', async () => {
  const { code, errors } = await run(['up'], { VEZNE_DATA: data, VEZNE_MODE: 'live' })
  assert.equal(code, 2)
  assert.match(errors, /VEZNE_MASTER_KEY/)
  assert.match(errors, /VEZNE_PUBLIC_URL/)
})

test('live refuses a public address without https', async () => {
  const { code, errors } = await run(['serve'], { ...live, VEZNE_PUBLIC_URL: 'http://pay.example' })
  assert.equal(code, 2)
  assert.match(errors, /VEZNE_PUBLIC_URL/)
})

test('live refuses a database that has the demo merchant', async () => {
  const database = await cloneDatabase('seeded')
  const { code, errors } = await run(['migrate'], { ...live, DATABASE_URL: database.url })
  assert.equal(code, 2)
  assert.match(errors, /demo merchant/)
  await database.drop()
})

test('live on a database of its own: migrates, seeds banks, no demo merchant and no collecting accounts', async () => {
  const database = await cloneDatabase('empty')
  const settings = { ...live, DATABASE_URL: database.url }
  assert.equal((await run(['migrate'], settings)).code, 0)
  const merchants = await run(['merchant', 'list', '--json'], settings)
  assert.deepEqual(JSON.parse(merchants.output), { merchants: [], cursor: null })
  const banks = await run(['bank', 'list', '--json'], settings)
  const list = (JSON.parse(banks.output) as { banks: { _id: string; accounts: number }[] }).banks
  assert.ok(list.length > 20)
  assert.ok(list.every(({ accounts }) => accounts === 0))
  const refused = await run(['sim', 'fund', 'demo', '100'], settings)
  assert.equal(refused.code, 2)
  const nameless = await run(['line', 'suspend', '6920f1c2a4b8d0e6f1a2b3c4'], settings)
  assert.equal(nameless.code, 2)
  assert.match(nameless.errors, /--as NAME/)
  await database.drop()
})

test('a command that fails creates nothing in the data folder, not even the folder', async () => {
  const nowhere = join(data, 'not-yet')
  const { code, errors } = await run(['sign', 'GET', '/v1/balance'], { VEZNE_DATA: nowhere })
  assert.equal(code, 3)
  assert.match(errors, /npm start/)
  assert.equal(existsSync(nowhere), false)
})

test('a command on a database whose master key it does not have is refused, and makes no key', async () => {
  const nowhere = join(data, 'not-yet')
  const { code, errors } = await run(['merchant', 'list'], {
    VEZNE_DATA: nowhere,
    DATABASE_URL: 'postgres://u@127.0.0.1:9/x',
  })
  assert.equal(code, 2)
  assert.match(errors, /VEZNE_MASTER_KEY is missing, and .*not-yet has no master\.key\. Set the key/)
  assert.equal(existsSync(nowhere), false)
})
