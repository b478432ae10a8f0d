import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { addDays, istanbul } from '../../packages/server/src/kernel/istanbul.ts'
import { listLines } from '../../packages/server/src/domain/statements/index.ts'
import { setBankClock } from '../../packages/server/src/simulated-bank.ts'
import { openCommandLine } from '../harness/command-line.ts'
import { someDeposits } from '../harness/payments.ts'
import { startWithBank } from '../harness/payouts.ts'
import { travelTo } from '../harness/until.ts'

// The simulated bank books in the time of the sandbox.
const service = await startWithBank()
const { app, bank } = service
const data = mkdtempSync(join(tmpdir(), 'vezne-clock-'))
after(() => rmSync(data, { recursive: true, force: true }))
const { baseUrl, databaseUrl } = service
const sandbox = { baseUrl, databaseUrl, bankUrl: bank.baseUrl, bankKey: bank.key }
writeFileSync(join(data, 'sandbox.json'), JSON.stringify(sandbox))
const { run, stop } = openCommandLine({ VEZNE_DATA: data, VEZNE_MASTER_KEY: app.config.masterKey.toString('hex') })
after(stop)

const DAY_SECONDS = 86_400
const today = istanbul(new Date()).day

/** The day of the line of a payment that is made now. */
async function dayOfPayment(merchantId: string, amount: bigint): Promise<string | undefined> {
  const [deposit] = await someDeposits(app, merchantId, 1, amount)
  await service.pay(deposit)
  await service.readStatement()
  const line = (await listLines(app.db, undefined, 50)).find((one) => one.amount === amount)
  return line && istanbul(line.bookedAt).day
}

test('a moved clock moves the bank: its lines have the moved day; reset brings both back', async () => {
  const shop = await service.merchant()
  assert.equal((await run(['sim', 'clock', '+2d'])).code, 0)
  await travelTo(app, 2 * DAY_SECONDS)
  assert.equal(await dayOfPayment(shop.merchantId, 12_345n), addDays(today, 2))
  assert.equal((await run(['sim', 'clock', 'reset'])).code, 0)
  await travelTo(app, 0)
  assert.equal(await dayOfPayment(shop.merchantId, 54_321n), today)
})

test('a bank that starts is told the time', async () => {
  const told = Date.now()
  await setBankClock(bank, new Date(told + DAY_SECONDS * 1000))
  const under = Date.now() - told
  const { offsetMs } = await service.call<{ offsetMs: number }>('GET', 'clock')
  // It hears the time when some of it has passed: at most as much as the call took.
  const passed = DAY_SECONDS * 1000 - offsetMs
  assert.ok(passed >= 0 && passed <= under, `${passed} ms passed within ${under} ms`)
  await setBankClock(bank, null)
  assert.equal((await service.call<{ offsetMs: number }>('GET', 'clock')).offsetMs, 0)
})
