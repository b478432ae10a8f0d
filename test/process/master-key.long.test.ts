import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { compose, prepare } from '../../packages/server/src/compose.ts'
import { findByCheckoutToken } from '../../packages/server/src/domain/deposits/index.ts'
import { apiSecrets, callbackSecrets, createMerchant } from '../../packages/server/src/domain/merchants/index.ts'
import { resealRows } from '../../packages/server/src/platform/postgres/sealed-rows.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { run } from '../harness/child-process.ts'
import { client } from '../harness/client.ts'
import { openCommandLine } from '../harness/command-line.ts'
import { cloneDatabase, testConfig } from '../harness/database.ts'
import { depositBody } from '../harness/examples.ts'
import { startService } from '../harness/service.ts'

const OLD = testConfig().masterKey
const NEW = randomBytes(32)
const data = mkdtempSync(join(tmpdir(), 'vezne-master-key-'))
after(() => rmSync(data, { recursive: true, force: true }))

function processOf(databaseUrl: string, changes: Parameters<typeof testConfig>[0]) {
  const app = compose(testConfig(changes), databaseUrl)
  after(() => app.db.end())
  return app
}

function commandLine(databaseUrl: string, keys: { masterKey: Buffer; oldMasterKey?: Buffer }) {
  const { run, stop } = openCommandLine({
    VEZNE_DATA: data,
    DATABASE_URL: databaseUrl,
    VEZNE_MASTER_KEY: keys.masterKey.toString('hex'),
    ...(keys.oldMasterKey && { VEZNE_MASTER_KEY_OLD: keys.oldMasterKey.toString('hex') }),
  })
  after(stop)
  return run
}

test('a rotation under load: no request fails, addresses stay valid, and the old key is needed no more', async () => {
  const service = await startService({ masterKey: NEW, oldMasterKey: OLD })
  const before = processOf(service.databaseUrl, { masterKey: OLD })
  const merchants = []
  for (let made = 0; made < 110; made++)
    merchants.push(await createMerchant(before, UNATTRIBUTED, { name: `Dükkân ${made}` }))
  const shops = merchants.slice(0, 8).map((credentials) => client(service.baseUrl, credentials))
  const created = await shops[0]?.post('/v1/deposit', depositBody())
  const token = new URL(created?.body.data.checkoutUrl).searchParams.get('token') ?? ''

  let rotating = true
  const statuses: number[] = []
  const load = shops.map(async (shop) => {
    while (rotating) statuses.push((await shop.get('/v1/balance')).status)
  })
  const run = commandLine(service.databaseUrl, { masterKey: NEW, oldMasterKey: OLD })
  const { code, output, errors } = await run(['master-key', 'rotate'])
  // Callers are cached for a second: this reads what the rotation has left.
  const after = await Promise.all(merchants.map((one) => client(service.baseUrl, one).get('/v1/balance')))
  rotating = false
  await Promise.all(load)

  assert.equal(code, 0, errors)
  assert.match(
    errors,
    /^2 of 224\n113 of 224\n224 of 224$/m,
    'keys of tokens and marks, and two secrets for each merchant',
  )
  assert.match(output, /Remove VEZNE_MASTER_KEY_OLD/)
  assert.ok(statuses.length > 50)
  assert.deepEqual(new Set([...statuses, ...after.map(({ status }) => status)]), new Set([200]))

  const again = await run(['master-key', 'rotate', '--json'])
  assert.deepEqual(JSON.parse(again.output), { resealed: 0, oldKeyNeeded: false, unopened: [] })
  const { code: checked, output: counts } = await commandLine(service.databaseUrl, { masterKey: NEW })([
    'master-key',
    'check',
    '--json',
  ])
  assert.equal(checked, 0)
  const { keys } = JSON.parse(counts) as { keys: { setting: string; secrets: number }[] }
  assert.deepEqual(
    keys.map(({ setting }) => setting),
    ['VEZNE_MASTER_KEY'],
  )
  const later = processOf(service.databaseUrl, { masterKey: NEW })
  await later.checkoutKeys.load()
  assert.equal((await findByCheckoutToken(later, token))?.id, created?.body.data.transactionId)
})

test('a rotation that stops half way leaves everything openable with both keys, and is finished by the next', async () => {
  const database = await cloneDatabase()
  after(database.drop)
  const before = processOf(database.url, {})
  for (let made = 0; made < 3; made++) await createMerchant(before, UNATTRIBUTED, { name: 'Dükkân' })
  const both = processOf(database.url, { masterKey: NEW, oldMasterKey: OLD })
  const stop = () => {
    throw new Error('stopped')
  }
  await assert.rejects(resealRows(both, [apiSecrets, callbackSecrets], stop), /stopped/)
  const run = commandLine(database.url, { masterKey: NEW, oldMasterKey: OLD })
  const half = await run(['master-key', 'check', '--json'])
  assert.equal(half.code, 0, half.output)
  assert.equal((JSON.parse(half.output) as { keys: object[] }).keys.length, 2)
  assert.equal((await run(['master-key', 'rotate'])).code, 0)
  assert.equal((await commandLine(database.url, { masterKey: NEW })(['master-key', 'check'])).code, 0)
})

test('what does not open is named, and the old key is said to be needed', async () => {
  const database = await cloneDatabase()
  after(database.drop)
  const before = processOf(database.url, {})
  const { apiKey } = await createMerchant(before, UNATTRIBUTED, { name: 'Dükkân' })
  await before.db.oneStatement((tx) =>
    tx.query(sql`update merchant_secrets set sealed = 'v2.damaged' where api_key = ${apiKey}`),
  )
  const run = commandLine(database.url, { masterKey: NEW, oldMasterKey: OLD })
  const rotated = await run(['master-key', 'rotate'])
  assert.equal(rotated.code, 1)
  assert.match(rotated.output, new RegExp(`keep VEZNE_MASTER_KEY_OLD[\\s\\S]*${apiKey}`))
  const doctor = await run(['doctor'])
  assert.match(doctor.output, new RegExp(`FAIL {2}master key: 1 secret\\(s\\) do not open.*${apiKey}`))
})

test('without the right key a process does not start, and says which one is missing', async () => {
  const database = await cloneDatabase()
  after(database.drop)
  await assert.rejects(
    prepare(processOf(database.url, { masterKey: NEW })),
    /VEZNE_MASTER_KEY does not fit.*[0-9a-f]{8}/,
  )
})

test('a command with a wrong key seals nothing, and reads what is not sealed', async () => {
  const database = await cloneDatabase()
  after(database.drop)
  const before = processOf(database.url, {})
  const { merchantId } = await createMerchant(before, UNATTRIBUTED, { name: 'Dükkân' })
  const secrets = () =>
    before.db.query(sql`
      select (select count(*)::int from merchants) as merchants, (select count(*)::int from merchant_secrets) as keys,
        (select count(*)::int from callback_secrets) as callbacks`)
  const unchanged = await secrets()
  const [endpoint] = await before.db.query<{ id: string }>(
    sql`select id from callback_endpoints where merchant_id = ${merchantId}`,
  )
  const run = commandLine(database.url, { masterKey: NEW })
  for (const args of [
    ['merchant', 'create', '--name', 'Yeni'],
    ['merchant', 'rotate-key', merchantId],
    ['endpoint', 'add', merchantId, '--url', 'https://shop.example/hooks'],
    ['endpoint', 'rotate-secret', merchantId, endpoint?.id ?? ''],
  ]) {
    const { code, errors } = await run(args)
    assert.deepEqual([code, /VEZNE_MASTER_KEY does not fit/.test(errors)], [2, true], `${args.join(' ')}: ${errors}`)
  }
  assert.deepEqual(await secrets(), unchanged)
  const shown = await run(['merchant', 'list'])
  assert.deepEqual([shown.code, shown.output.includes(merchantId)], [0, true])
  const inForce = await run(['merchant', 'show', merchantId])
  assert.deepEqual([inForce.code, inForce.output], [2, ''], 'which rules are in force is not known without it')
  const rotating = commandLine(database.url, { masterKey: NEW, oldMasterKey: OLD })
  assert.equal((await rotating(['merchant', 'rotate-key', merchantId])).code, 0, 'during a rotation the old key fits')
})

test('a database that is not new gets no new key: nothing starts, and nothing is written', async () => {
  const { url, drop } = await cloneDatabase()
  after(drop)
  const VEZNE_DATA = join(data, 'without-key')
  for (const command of ['up', 'serve', 'work', 'migrate']) {
    const { code, errors } = await run([command], { VEZNE_DATA, DATABASE_URL: url })
    assert.equal(code, 2, `${command}: ${errors}`)
    assert.match(errors, /VEZNE_MASTER_KEY is missing/)
    assert.ok(!existsSync(join(VEZNE_DATA, 'master.key')), command)
  }
})
