import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { manualConnection } from '../../packages/server/src/domain/connections/index.ts'
import { dispatchWithdrawals } from '../../packages/server/src/domain/withdrawals/index.ts'
import { withdrawBody } from '../harness/examples.ts'
import { openCommandLine } from '../harness/command-line.ts'
import { setMode } from '../harness/roles.ts'
import { startService } from '../harness/service.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'

const service = await startService()
const data = mkdtempSync(join(tmpdir(), 'vezne-cli-'))
after(() => rmSync(data, { recursive: true, force: true }))
const env = {
  VEZNE_DATA: data,
  DATABASE_URL: service.databaseUrl,
  VEZNE_MASTER_KEY: service.app.config.masterKey.toString('hex'),
}
const sandbox = openCommandLine(env)
const liveCommands = openCommandLine({ ...env, VEZNE_MODE: 'live', VEZNE_PUBLIC_URL: 'https://pay.example' })
after(() => [sandbox.stop(), liveCommands.stop()])
const live = {
  async run(args: string[]) {
    await setMode(service.databaseUrl, 'live')
    const result = await liveCommands.run(args)
    await setMode(service.databaseUrl, 'sandbox')
    return result
  },
}

// oxlint-disable-next-line typescript/no-explicit-any -- a test asserts on whatever came back
async function vezne(...args: string[]): Promise<any> {
  const { code, output, errors } = await sandbox.run([...args, '--json'])
  assert.equal(code, 0, errors)
  return JSON.parse(output)
}

test('merchant freeze and unfreeze: seen on the merchant and on what waits', async () => {
  const shop = await service.merchant({ funds: 50_000n })
  const { transactionId } = (await shop.post('/v1/withdraw', withdrawBody())).body.data
  await vezne('operator', 'add', 'ayse.yilmaz', '--role', 'admin', '--role', 'cashier')
  await vezne('merchant', 'freeze', shop.merchantId, '--as', 'ayse.yilmaz', '--why', 'suspected fraud')
  const { frozen, freezes } = await vezne('merchant', 'show', shop.merchantId)
  assert.deepEqual([frozen, freezes[0].decidedBy, freezes[0].reason], [true, 'ayse.yilmaz', 'suspected fraud'])
  const { withdrawals } = await vezne('withdrawal', 'list', '--state', 'queued')
  assert.deepEqual([withdrawals[0].transactionId, withdrawals[0].stateReason], [transactionId, 'merchant_frozen'])
  assert.equal((await vezne('withdrawal', 'show', transactionId)).withdrawal.stateReason, 'merchant_frozen')
  await vezne('merchant', 'unfreeze', shop.merchantId, '--why', 'documents checked')
  assert.equal((await vezne('withdrawal', 'show', transactionId)).withdrawal.stateReason, null)
  const stopped = ['withdrawal', 'stop', transactionId, '--as', 'ayse.yilmaz', '--why', 'asked for by the shop']
  assert.equal((await vezne(...stopped)).failureReason, 'stopped_by_operator')
  const { output } = await sandbox.run(['withdrawal', 'show', transactionId])
  assert.match(output, /stopped +\S+ ayse\.yilmaz: asked for by the shop/)
})

test('a payout that was written down and not handed over: the reason is on it and on its withdrawal', async () => {
  const { app } = service
  const shop = await service.merchant({ funds: 50_000n })
  const { transactionId } = (await shop.post('/v1/withdraw', withdrawBody())).body.data
  await dispatchWithdrawals({ ...app, connections: [manualConnection] })
  await vezne('merchant', 'freeze', shop.merchantId, '--why', 'suspected fraud')
  const { withdrawal, payout } = await vezne('withdrawal', 'show', transactionId)
  assert.deepEqual([withdrawal.state, withdrawal.stateReason, payout.state], ['sending', 'merchant_frozen', 'ready'])
  const { output } = await sandbox.run(['payout', 'list', '--state', 'ready'])
  assert.match(output, new RegExp(`${transactionId}.*merchant_frozen`))
  await vezne('merchant', 'unfreeze', shop.merchantId, '--why', 'documents checked')
})

test('in live every command that changes something needs a name, and showing needs none', async () => {
  const { merchantId } = await service.merchant()
  const iban = 'TR270004600000000001000040'
  const changes = [
    ['operator', 'add', 'bora.boz', '--role', 'admin'],
    ['operator', 'disable', 'ayse.yilmaz'],
    ['merchant', 'create', '--name', 'Yeni'],
    ['merchant', 'rotate-key', merchantId],
    ['merchant', 'revoke-key', merchantId],
    ['merchant', 'allow-ip', merchantId, '203.0.113.7'],
    ['merchant', 'matching', merchantId, '--late', 'review'],
    ['merchant', 'payout-rules', merchantId, '--daily-count', '1'],
    ['merchant', 'limits', merchantId, '--open-deposits', '1'],
    ['merchant', 'brand', merchantId, '--display-name', 'Yeni'],
    ['endpoint', 'add', merchantId, '--url', 'https://shop.example/hooks'],
    ['events', 'resend', '--merchant', merchantId, '--since', '2026-11-15T00:00:00Z'],
    ['bank', 'disable', '0046'],
    ['bank', 'limits', '0046', '--min', '1', '--max', '2'],
    ['account', 'pause', iban],
    ['account', 'limits', iban, '--count', '1'],
    ['line', 'retry', '--all'],
    ['line', 'reread', 'bank'],
  ]
  for (const change of changes) {
    const { code, errors } = await live.run(change)
    assert.deepEqual([code, errors.includes('--as NAME')], [2, true], `${change.join(' ')}: ${errors}`)
  }
  const block = await live.run(['account', 'block', iban, '--as', 'ayse.yilmaz'])
  assert.deepEqual([block.code, /why must say why/.test(block.errors)], [1, true], block.errors)
  for (const setting of ['matching', 'payout-rules', 'limits', 'brand', 'fees'])
    assert.equal((await live.run(['merchant', setting, merchantId])).code, 0, setting)
})

test('in live a setting that endangers money is proposed, and another person approves what was shown', async () => {
  const { merchantId } = await service.merchant()
  const limits = ['merchant', 'limits', merchantId]
  const proposed = await live.run([...limits, '--open-deposits', '1007', '--why', 'new season', '--as', 'ayse.yilmaz'])
  const [, id = ''] = /^Proposed as ([0-9a-f]{24})\./.exec(proposed.output) ?? assert.fail(proposed.output)
  assert.match((await live.run(limits)).output, /maxOpenDeposits +1000$/m)
  assert.match((await live.run(['proposal', 'list'])).output, new RegExp(`${id} +merchant\\.open_deposits`))
  const { output } = await live.run(['proposal', 'show', id])
  assert.match(output, /maxOpenDeposits +1000 +1007/)
  assert.match(output, /ayse\.yilmaz: new season/)
  const [, seen = ''] = /--seen ([0-9a-f]+)/.exec(output) ?? []
  const approve = (as: string, hash = seen) => live.run(['proposal', 'approve', id, '--seen', hash, '--as', as])
  assert.match((await approve('ayse.yilmaz')).errors, /another person must approve/)
  await vezne('operator', 'add', 'mehmet.kaya', '--role', 'admin', '--as', 'ayse.yilmaz')
  assert.match((await approve('mehmet.kaya', '0'.repeat(16))).errors, /since you saw it/)
  assert.match((await approve('mehmet.kaya')).output, /^Approved/)
  assert.match((await live.run(limits)).output, /maxOpenDeposits +1007/)
  const other = await live.run([...limits, '--open-deposits', '1008', '--as', 'ayse.yilmaz', '--json'])
  const { proposal } = JSON.parse(other.output) as { proposal: { id: string } }
  const reject = ['proposal', 'reject', proposal.id, '--why', 'not agreed']
  assert.match((await live.run([...reject, '--as', 'mehmet.kaya'])).output, /^Rejected/)
  assert.match((await live.run(['proposal', 'list', '--all'])).output, new RegExp(`${proposal.id} .* rejected`))
})

test('in live a name is needed, and it must be an operator', async () => {
  const { merchantId } = await service.merchant()
  for (const command of ['freeze', 'unfreeze']) {
    const args = ['merchant', command, merchantId, '--why', 'suspected fraud']
    const unnamed = await live.run(args)
    assert.deepEqual([unnamed.code, unnamed.errors.includes('--as NAME')], [2, true])
    const stranger = await live.run([...args, '--as', 'nobody.here'])
    assert.deepEqual([stranger.code, stranger.errors.includes('vezne operator add nobody.here')], [1, true])
  }
  assert.deepEqual(await service.app.db.query(sql`select 1 from merchants where frozen`), [])
})

test('merchant fees shows the terms and sets new ones from a moment on', async () => {
  const { merchantId } = await service.merchant({ depositFee: { bps: 100 }, withdrawFee: { bps: 50 } })
  const first = await vezne('merchant', 'fees', merchantId)
  assert.deepEqual([first.fees.length, first.fees[0].setBy, first.fees[0].withdraw.bps], [1, null, 50])
  const change = [
    'merchant',
    'fees',
    merchantId,
    '--withdraw-bps',
    '75',
    '--withdraw-max',
    '9000',
    '--deposit-min',
    '10',
  ]
  const { fees } = await vezne(...change, '--from', '2099-12-01T00:00+03:00', '--as', 'ayse.yilmaz')
  assert.deepEqual(
    fees.map((one: Record<string, unknown>) => [
      one['effectiveFrom'],
      one['setBy'],
      one['deposit'],
      one['withdraw'],
    ])[0],
    [
      '2099-11-30T21:00:00.000Z',
      'ayse.yilmaz',
      { bps: 100, fixed: 0, min: 10, max: null },
      { bps: 75, fixed: 0, min: 0, max: 9000 },
    ],
  )
  const shown = await vezne('merchant', 'show', merchantId)
  assert.deepEqual([shown.withdrawFee.bps, shown.fees.length], [50, 2])
  assert.equal((await sandbox.run([...change, '--from', '2020-01-01T00:00Z'])).code, 1)
  assert.equal((await sandbox.run([...change, '--from', 'tomorrow'])).code, 2)
  assert.equal((await sandbox.run(['merchant', 'fees', merchantId, '--from', '2099-12-02T00:00Z'])).code, 2)
  assert.equal((await live.run(change)).code, 2)
  assert.equal((await live.run([...change, '--as', 'nobody.here'])).code, 1)
  const lifted = await vezne('merchant', 'fees', merchantId, '--withdraw-max', 'none', '--from', '2099-12-02T00:00Z')
  assert.deepEqual([lifted.fees[0].withdraw.max, lifted.fees[0].setBy], [null, 'operator'])
})
