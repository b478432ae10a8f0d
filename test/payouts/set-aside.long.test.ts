import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { merchantActor, operatorActor, UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { fetchLines } from '../../packages/server/src/domain/connections/index.ts'
import { expireDeposits, findDeposit } from '../../packages/server/src/domain/deposits/index.ts'
import { balanceOf, findDrift } from '../../packages/server/src/domain/ledger/index.ts'
import {
  dispatchWithdrawals,
  findPayout,
  queryPayoutStatus,
  submitPayouts,
} from '../../packages/server/src/domain/payouts/index.ts'
import { addOperator, DECIDING } from '../../packages/server/src/domain/people/index.ts'
import { listAside } from '../../packages/server/src/domain/set-aside/index.ts'
import { cancelWithdrawal, stopWithdrawal } from '../../packages/server/src/domain/withdrawals/index.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { openCommandLineOf } from '../harness/command-line.ts'
import { withdrawBody } from '../harness/examples.ts'
import { mustFind } from '../harness/history.ts'
import { someDeposits } from '../harness/payments.ts'
import { startWithBank } from '../harness/payouts.ts'

// One row that cannot be processed, among others that can.
const service = await startWithBank()
const { witness } = service
const MINUTE_MS = 60_000
let minutesLater = 0
const now = () => new Date(service.app.clock.now().getTime() + minutesLater * MINUTE_MS)
const app = { ...service.app, clock: { ...service.app.clock, now } }
const ADA = operatorActor('ada.aksoy')
await addOperator(app, UNATTRIBUTED, 'ada.aksoy', DECIDING)
const run = openCommandLineOf(service)

const shop = await service.merchantWithMoney(5_000_000n, { withdrawFee: { bps: 100 } })
const { merchantId } = shop

async function work(): Promise<void> {
  while ((await dispatchWithdrawals(app)) + (await submitPayouts(app)) + (await queryPayoutStatus(app)) > 0);
}

async function ask(count: number): Promise<string[]> {
  const ids: string[] = []
  for (let n = 0; n < count; n++) {
    const { body } = await shop.post('/v1/withdraw', withdrawBody({ amount: 10_000 }))
    ids.push(body.data.transactionId as string)
  }
  return ids
}

const asides = async () => (await listAside(app.db, 10)).map(({ what, id, failures }) => [what, id, failures])
const sentTimes = async (id: string) => (await witness()).filter(({ reference }) => reference === id).length
const statusOf = async (id: string) => (await mustFind(app, id)).status
const statuses = (ids: string[]) => Promise.all(ids.map(statusOf))
const resolveHold = (id: string) =>
  app.db.query(sql`update holds set state = 'voided', resolved_at = now() where subject_id = ${id}`)
const doctor = async () => {
  const { output } = await run(['doctor', '--json'])
  return (JSON.parse(output) as { checks: { check: string; ok: boolean; found: string }[] }).checks.find(
    ({ check }) => check === 'rows set aside',
  )
}

/** Another event has the number of the next change: the database refuses to write that. */
const poison = (id: string, sequence: number) =>
  app.db.query(sql`
    insert into events (id, merchant_id, transaction_id, sequence, type, body, created_at)
    values (${app.ids.next()}, ${merchantId}, ${id}, ${sequence}, 'withdrawal.updated', '{}', now())`)
const cure = (id: string, sequence: number) =>
  app.db.query(sql`delete from events where transaction_id = ${id} and sequence = ${sequence}`)

afterEach(async () => {
  assert.deepEqual(await findDrift(app.db), [])
  assert.deepEqual(await asides(), [])
})

test('a hold that was resolved before: 19 of 20 go, the culprit is named, and stopping it gives the money back once', async () => {
  const before = await balanceOf(app.db, merchantId, 'TRY')
  const ids = await ask(20)
  const culprit = ids[3] as string
  await resolveHold(culprit)
  await work()
  const others = ids.filter((id) => id !== culprit)
  assert.deepEqual(new Set(await statuses(others)), new Set(['completed']))
  for (const id of others) assert.equal(await sentTimes(id), 1)
  const { status, stage, stageReason } = await mustFind(app, culprit)
  assert.deepEqual([status, stage, stageReason], ['pending', 'scheduled', 'cannot_be_booked'])
  assert.deepEqual(await asides(), [['withdrawal', culprit, 1]])
  const check = await doctor()
  assert.equal(check?.ok, false)
  assert.ok(check?.found.includes(culprit))

  // It is tried again later, by itself, and does not hold up the others then.
  const [next] = (await ask(1)) as [string]
  minutesLater += 11
  assert.equal(await dispatchWithdrawals(app), 2)
  assert.deepEqual(await asides(), [['withdrawal', culprit, 2]])
  await work()
  assert.deepEqual(await statuses([next, culprit]), ['completed', 'pending'])

  await stopWithdrawal(app, ADA, culprit, 'its hold was resolved before')
  assert.equal(await statusOf(culprit), 'failed')
  const paid = 20n * 10_100n
  assert.deepEqual(await balanceOf(app.db, merchantId, 'TRY'), { available: before.available - paid, held: 0n })
  minutesLater += 11
  await dispatchWithdrawals(app)
  assert.equal((await doctor())?.ok, true)
})

test('the merchant can cancel such a withdrawal too', async () => {
  const before = await balanceOf(app.db, merchantId, 'TRY')
  const [id] = (await ask(1)) as [string]
  await resolveHold(id)
  assert.equal((await cancelWithdrawal(app, merchantActor(merchantId), id))?.status, 'failed')
  assert.deepEqual(await balanceOf(app.db, merchantId, 'TRY'), before)
})

test('a withdrawal that goes again once its cause is gone', async () => {
  const ids = await ask(3)
  const culprit = ids[0] as string
  await poison(culprit, 1)
  await work()
  assert.deepEqual(await statuses(ids), ['pending', 'completed', 'completed'])
  assert.deepEqual(await asides(), [['withdrawal', culprit, 1]])
  await cure(culprit, 1)
  minutesLater += 11
  assert.equal(await dispatchWithdrawals(app), 1)
  await work()
  assert.equal(await statusOf(culprit), 'completed')
})

test('an answer of the bank that cannot be recorded: the others end, it is in doubt, and is never sent twice', async () => {
  const ids = await ask(5)
  const culprit = ids[2] as string
  await dispatchWithdrawals(app)
  await poison(culprit, 2)
  await work()
  assert.deepEqual((await statuses(ids)).filter((status) => status === 'completed').length, 4)
  const payout = await findPayout(app.db, culprit)
  assert.deepEqual([payout?.state, payout?.reason], ['unknown', 'cannot_be_booked'])
  assert.deepEqual(await asides(), [['payout', culprit, 1]])
  assert.equal(await sentTimes(culprit), 1)
  await cure(culprit, 2)
  minutesLater += 11
  await work()
  assert.equal(await statusOf(culprit), 'completed')
  assert.equal(await sentTimes(culprit), 1)
})

test('a deposit that cannot expire: the others do', async () => {
  const deposits = await someDeposits(app, merchantId, 3, 100_000n)
  const [culprit, ...others] = deposits.map(({ id }) => id) as [string, string, string]
  await poison(culprit, 1)
  minutesLater += 24 * 60
  await fetchLines(app, service.connection)
  while ((await expireDeposits(app)) > 0);
  const status = async (id: string) => (await findDeposit(app.db, merchantId, id))?.status
  assert.deepEqual(await Promise.all([culprit, ...others].map(status)), ['pending', 'expired', 'expired'])
  assert.deepEqual(await asides(), [['deposit', culprit, 1]])
  await cure(culprit, 1)
  minutesLater += 11
  while ((await expireDeposits(app)) > 0);
  assert.equal(await status(culprit), 'expired')
})
