import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { findDemoCredentials } from '../../packages/server/src/domain/merchants/index.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { client } from '../harness/client.ts'
import { openCommandLine } from '../harness/command-line.ts'
import { depositBody, withdrawBody } from '../harness/examples.ts'
import { payDeposit, someDeposits } from '../harness/payments.ts'
import { startService } from '../harness/service.ts'
import { until } from '../harness/until.ts'

const service = await startService()
const data = mkdtempSync(join(tmpdir(), 'vezne-cli-'))
after(() => rmSync(data, { recursive: true, force: true }))
const env = { VEZNE_DATA: data, VEZNE_MASTER_KEY: service.app.config.masterKey.toString('hex') }
const demo = await findDemoCredentials(service.app)
writeFileSync(
  join(data, 'sandbox.json'),
  JSON.stringify({ baseUrl: service.baseUrl, databaseUrl: service.databaseUrl, merchant: demo }),
)

const { run, stop } = openCommandLine(env)
after(stop)

// oxlint-disable-next-line typescript/no-explicit-any -- a test asserts on whatever came back
async function vezne(...args: string[]): Promise<any> {
  const { code, output, errors } = await run([...args, '--json'])
  assert.equal(code, 0, errors)
  return JSON.parse(output)
}

test('merchant create → the credentials work at once, from the allowed address', async () => {
  const created = await vezne(
    'merchant',
    'create',
    '--name',
    'Kitap Evi',
    '--allow-ip',
    '127.0.0.1',
    '::1',
    '--withdraw-fee-bps',
    '100',
  )
  assert.deepEqual(Object.keys(created), ['merchantId', 'apiKey', 'apiSecret', 'callbackSecret'])
  assert.match(created.callbackSecret, /^whsec_/)
  await vezne('sim', 'fund', created.merchantId, '1000000')
  const shop = client(service.baseUrl, created)
  assert.equal((await shop.post('/v1/withdraw', withdrawBody({ amount: 100_000 }))).status, 201)
  assert.deepEqual((await shop.get('/v1/balance')).body.data, { currency: 'TRY', available: 899_000, held: 101_000 })
  const shown = await vezne('merchant', 'show', created.merchantId)
  assert.deepEqual(shown.networks, ['127.0.0.1', '::1'])
  const { merchants } = await vezne('merchant', 'list')
  assert.ok(merchants.some((one: { merchantId: string }) => one.merchantId === created.merchantId))
  const paged: string[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const page = await vezne('merchant', 'list', '--limit', '1', ...(cursor ? ['--before', cursor] : []))
    assert.equal(page.merchants.length, 1)
    paged.push(page.merchants[0].merchantId)
    cursor = page.cursor
  }
  assert.deepEqual(
    paged,
    merchants.map((one: { merchantId: string }) => one.merchantId),
  )
})

test('sim fund goes through completed deposits, split by the bank limit, and the books agree', async () => {
  const { merchantId, get } = await service.merchant({ depositFee: { bps: 100 } })
  const { deposits, available } = await vezne('sim', 'fund', merchantId, '100000050')
  assert.equal(deposits.length, 3)
  assert.equal(available, 100_000_050 - 3 * 333_334)
  const list = (await get('/v1/transactions?type=deposit&status=completed')).body.data.transactions
  assert.equal(list.length, 3)
})

test('doctor finds what is wrong: this test server does not wait for the disk, everything else is in order', async () => {
  const { code, output } = await run(['doctor', '--json'])
  const { checks } = JSON.parse(output) as { checks: { check: string; ok: boolean }[] }
  assert.deepEqual(
    checks.filter(({ ok }) => !ok).map(({ check }) => check),
    ['durability'],
  )
  assert.ok(checks.some(({ check }) => check === 'ledger'))
  assert.equal(code, 1)
})

test('doctor says how long a bank has not been read', async () => {
  const { db } = service.app
  const check = async () => {
    const { checks } = JSON.parse((await run(['doctor', '--json'])).output) as { checks: Record<string, unknown>[] }
    const { ok, found } = checks.find((one) => one['check'] === 'statements') ?? {}
    return { ok, found }
  }
  assert.deepEqual(await check(), { ok: true, found: 'no bank is read' })
  await db.query(sql`
    insert into statement_cursors (source, cursor, read_at) values ('bank', '1', now() - interval '4 minutes')`)
  assert.deepEqual(await check(), { ok: true, found: 'bank read 4 min ago' })
  await db.query(sql`update statement_cursors set read_at = now() - interval '6 minutes'`)
  assert.deepEqual(await check(), { ok: false, found: 'bank read 6 min ago' })
  await db.query(sql`update statement_cursors set read_at = null`)
  assert.deepEqual(await check(), { ok: false, found: 'bank never read' })
  await db.query(sql`update statement_cursors set source = 'manual'`)
  assert.deepEqual(await check(), { ok: true, found: 'no bank is read' }, 'people import its statements')
  await db.query(sql`delete from statement_cursors`)
})

test('sim clock +31m: a pending deposit is expired when the command returns; signatures stay with real time', async () => {
  const shop = await service.merchant()
  const { transactionId } = (await shop.post('/v1/deposit', depositBody())).body.data
  assert.equal((await vezne('sim', 'clock', '+31m')).offsetSeconds, 1860)
  const { status, sequence } = (await shop.get(`/v1/transactions/${transactionId}`)).body.data
  assert.deepEqual({ status, sequence }, { status: 'expired', sequence: 1 })
  assert.equal((await vezne('sim', 'clock', 'reset')).offsetSeconds, 0)
})

test('sign prints headers that the server accepts; curl signs, sends and exits by the answer', async () => {
  const headers = await vezne('sign', 'GET', '/v1/balance')
  const answer = await fetch(`${service.baseUrl}/v1/balance`, { headers })
  assert.equal(answer.status, 200)
  const good = await run(['curl', '/v1/deposit', JSON.stringify(depositBody())])
  assert.equal(good.code, 0)
  const refused = await run(['curl', 'POST', '/v1/deposit', '{"amount":1}'])
  assert.equal(refused.code, 1)
  assert.match(refused.output, /VALIDATION_ERROR/)
})

test('rotate-key, revoke-key and allow-ip', async () => {
  const shop = await service.merchant()
  const rotated = await vezne('merchant', 'rotate-key', shop.merchantId)
  assert.equal(rotated.apiKey, shop.apiKey)
  assert.notEqual(rotated.apiSecret, shop.apiSecret)
  assert.deepEqual(await vezne('merchant', 'revoke-key', shop.merchantId, '--old'), { endedSecrets: 1 })
  assert.deepEqual(await vezne('merchant', 'revoke-key', shop.merchantId), { revokedKeys: [shop.apiKey] })
  const { allowedIps } = await vezne('merchant', 'allow-ip', shop.merchantId, '203.0.113.0/24')
  assert.deepEqual(allowedIps, ['127.0.0.1', '203.0.113.0/24', '::1'])
  const refused = await run(['merchant', 'allow-ip', shop.merchantId, '010.0.0.1'])
  assert.equal(refused.code, 1)
})

test('bank limits, disable and enable', async () => {
  await vezne('bank', 'limits', '0046', '--min', '1000', '--max', '2000')
  await vezne('bank', 'disable', '0064')
  const shop = await service.merchant()
  // What a request needs of the banks is a second old at most.
  await until(
    async () => (await shop.get('/v1/available-banks')).body.data.banks as { code: string; maxAmount: number }[],
    (banks) =>
      banks.find(({ code }) => code === '0046')?.maxAmount === 2000 && banks.every(({ code }) => code !== '0064'),
  )
  await vezne('bank', 'enable', '0064')
  const { banks: list } = await vezne('bank', 'list')
  assert.equal(list.find(({ code }: { code: string }) => code === '0064').enabled, true)
})

test('wrong usage: exit code 2 and what to do', async () => {
  for (const args of [['sim', 'clock', 'tomorrow'], ['curl', 'v1/balance'], ['merchant', 'create'], ['nonsense']]) {
    const { code, errors } = await run(args)
    assert.equal(code, 2, args.join(' '))
    assert.notEqual(errors, '')
  }
})

test('line match and line suspend: the decision bears the name of an operator, who must be one', async () => {
  const { app } = service
  const [deposit] = await someDeposits(app, (await service.merchant()).merchantId, 1)
  assert.ok(deposit)
  await payDeposit(app, deposit, { narrative: 'kira' })
  const lines = async () => (await vezne('line', 'list', '--state', 'suspense')).lines
  const [{ id: line }] = await lines()
  const stranger = await run(['line', 'match', line, deposit.id, '--as', 'nobody.here'])
  assert.equal(stranger.code, 1)
  assert.match(stranger.errors, /vezne operator add nobody\.here/)
  for (const nobodys of ['operator', 'matcher'])
    assert.equal((await run(['operator', 'add', nobodys, '--role', 'admin'])).code, 1)
  assert.equal((await run(['operator', 'add', 'ayse.yilmaz'])).code, 2, 'no role by default')
  await vezne('operator', 'add', 'ayse.yilmaz', '--role', 'admin', '--role', 'cashier')
  await vezne('line', 'suspend', line, '--as', 'ayse.yilmaz')
  const [{ decisions }] = await lines()
  assert.equal(decisions.at(-1).decidedBy, 'ayse.yilmaz')
  assert.equal((await vezne('line', 'match', line, deposit.id, '--as', 'ayse.yilmaz')).status, 'completed')
})

test('line match: another amount than was asked for is taken only by who names it', async () => {
  const { app } = service
  const [deposit] = await someDeposits(app, (await service.merchant()).merchantId, 1, 250_000n)
  await payDeposit(app, deposit ?? assert.fail(), { narrative: 'kira', amount: 200_000n })
  const [{ id: line }] = (await vezne('line', 'list', '--state', 'suspense')).lines
  const match = ['line', 'match', line, deposit?.id ?? '', '--as', 'ayse.yilmaz']
  const refused = await run(match)
  assert.equal(refused.code, 1)
  assert.match(refused.errors, /2\.500,00.*2\.000,00.*\n {2}--received 200000/)
  assert.equal((await vezne(...match, '--received', '200000')).receivedAmount, 200_000)
})
