import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { findDrift } from '../../packages/server/src/domain/ledger/index.ts'
import { listWithoutCredit, missingLines } from '../../packages/server/src/domain/matching/index.ts'
import { findPayout, queryPayoutStatus } from '../../packages/server/src/domain/withdrawals/index.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { openCommandLine } from '../harness/command-line.ts'
import { ingest, matchAll } from '../harness/payments.ts'
import { AMOUNT, openPayoutLines } from '../harness/payout-lines.ts'
import { startWithBank } from '../harness/payouts.ts'
import { travelTo, until } from '../harness/until.ts'

// The bank's word "returned" credits the merchant. The money itself is a credit on a statement, which must follow.
const service = await startWithBank()
const { app } = service
const shop = await service.merchantWithMoney(5_000_000n)
const { sent, lineAbout, faults, sendBack } = openPayoutLines(service, shop)
const WEEK = 7 * 86_400
const masterKey = app.config.masterKey.toString('hex')
const { run, stop } = openCommandLine({ DATABASE_URL: service.databaseUrl, VEZNE_MASTER_KEY: masterKey })
after(stop)
afterEach(async () => {
  await travelTo(app, 0)
  assert.deepEqual(await findDrift(app.db), [])
})

/** Its outcome was not known, and the bank says that it was sent and came back. No line is read. */
async function returned(): Promise<string> {
  await faults('error_after')
  const id = await sent()
  await service.call('DELETE', 'faults')
  await sendBack(id)
  await travelTo(app, 120)
  while ((await queryPayoutStatus(app)) > 0);
  assert.equal((await findPayout(app.db, id))?.state, 'returned')
  return id
}

const reported = async () => (await listWithoutCredit(app, 10)).map(({ withdrawalId }) => withdrawalId)
const back = (id: string, changes: object = {}) =>
  lineAbout(id, { direction: 'credit', narrative: `IADE ${id}`, ...changes })

test('reported after two business days, until its credit is read', async () => {
  const id = await returned()
  assert.deepEqual([(await missingLines(app)).returns, await reported()], [[], []])
  await travelTo(app, WEEK)
  const [found, ...more] = (await missingLines(app)).returns
  assert.deepEqual([found?.currency, found?.count, found?.amount, more.length], ['TRY', 1, BigInt(AMOUNT), 0])
  assert.deepEqual(await reported(), [id])
  await ingest(app, [await lineAbout(id, {}), await back(id)])
  await matchAll(app)
  assert.deepEqual([(await missingLines(app)).returns, await reported()], [[], []])
})

test('a credit less costs is in suspense and reported there, not here', async () => {
  const id = await returned()
  await ingest(app, [await back(id, { amount: BigInt(AMOUNT) - 500n })])
  await matchAll(app)
  await travelTo(app, WEEK)
  assert.deepEqual(await reported(), [])
})

test('doctor names it and says what to do; list and gauges say the same', async () => {
  const id = await returned()
  // Commands go by real time.
  await app.db.query(sql`update payouts set updated_at = updated_at - interval '7 days' where withdrawal_id = ${id}`)
  const { output, code } = await run(['doctor', '--json'])
  const { checks } = JSON.parse(output) as { checks: { check: string; ok: boolean; found: string; todo?: string }[] }
  const check = checks.find((one) => one.check === 'returned payouts without a credit')
  assert.equal(check?.ok, false)
  assert.match(check.found, new RegExp(`^1 \\(100,00 TL\\), the oldest [67] days old: ${id}$`))
  assert.match(check.todo ?? '', /vezne payout list --without-credit.*Lines that are missing/s)
  assert.equal(code, 1)
  assert.match((await run(['payout', 'list', '--without-credit'])).output, new RegExp(id))
  const both = await run(['payout', 'list', '--without-credit', '--without-debit'])
  assert.match(both.errors, /either/)
  const gauge = async () => (await fetch(`${service.baseUrl}/metrics`)).text()
  await until(gauge, (text) => text.includes('vezne_payouts_without_credit{currency="TRY"} 1'))
})
