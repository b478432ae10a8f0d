import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operatorActor, UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { istanbul, startOfDay } from '../../packages/server/src/kernel/istanbul.ts'
import { balanceOf, findDrift } from '../../packages/server/src/domain/ledger/index.ts'
import type { Schedule } from '../../packages/server/src/domain/merchants/index.ts'
import { freezeMerchant, nextTime, setSettlementSchedule } from '../../packages/server/src/domain/merchants/index.ts'
import { addOperator, DECIDING } from '../../packages/server/src/domain/people/index.ts'
import {
  lastSettlements,
  previewSettlement,
  requestSettlement,
  settleDue,
} from '../../packages/server/src/domain/withdrawals/index.ts'
import { Refusal } from '../../packages/server/src/platform/refusal.ts'
import { Crash, crashingWorker, laterBy } from '../harness/crash.ts'
import { startService } from '../harness/service.ts'
import { fund, registerAccount } from '../harness/settlements.ts'

// Settlements that people ask for after they have seen what would leave.
const service = await startService()
const { app } = service
const [ADA, BORA] = ['ada.aksoy', 'bora.boz'] as const
for (const name of [ADA, BORA]) await addOperator(app, UNATTRIBUTED, name, DECIDING)
const [ada, bora] = [operatorActor(ADA), operatorActor(BORA)]
const EVERY_DAY: Schedule = { every: 'day', weekday: null, minute: 0, minimum: 1n }
const DAY_SECONDS = 86_400
/** Noon in Istanbul tomorrow and the day after: no test runs over midnight. */
const toNoon =
  Math.round((startOfDay(istanbul(app.clock.now()).day).getTime() - app.clock.now().getTime()) / 1000) +
  1.5 * DAY_SECONDS
const noon = laterBy(app, toNoon)
const nextNoon = laterBy(app, toNoon + DAY_SECONDS)

async function shopWith(funds: bigint): Promise<string> {
  const { merchantId } = await service.merchant({ funds })
  await registerAccount(app, [ADA, BORA], merchantId)
  return merchantId
}

const settlementsOf = (merchantId: string) => lastSettlements(app.db, merchantId, 50)

async function seenBy(merchantId: string) {
  const { now } = await previewSettlement(app, merchantId)
  return now instanceof Refusal ? assert.fail(now.message) : now
}

test('a request that was seen: a process that dies at any point sends all or nothing, and the same form never twice', async () => {
  for (let dieAt = 1; ; dieAt++) {
    const merchantId = await shopWith(5000n)
    const seen = await seenBy(merchantId)
    const { worker, isDead } = crashingWorker(app, dieAt)
    await requestSettlement(worker, ada, merchantId, seen).catch((error: unknown) => assert.ok(error instanceof Crash))
    await fund(app, merchantId, 9000n)
    const { held } = await balanceOf(app.db, merchantId, 'TRY')
    const wasMade = (await settlementsOf(merchantId)).length === 1
    assert.equal(held, wasMade ? 5000n : 0n, `died at ${dieAt}`)
    const again = requestSettlement(app, ada, merchantId, seen)
    await (wasMade ? assert.rejects(again, { why: 'settlement_changed' }) : again)
    assert.deepEqual(await balanceOf(app.db, merchantId, 'TRY'), { available: 9000n, held: 5000n })
    if (!isDead()) break
  }
  assert.deepEqual(await findDrift(app.db), [])
})

test('a request that was seen and a scheduled settlement at once: the money leaves once', async () => {
  const merchantId = await shopWith(6000n)
  await setSettlementSchedule(noon, ada, merchantId, EVERY_DAY)
  const seen = await seenBy(merchantId)
  const asked = Array.from({ length: 4 }, (_, at) => requestSettlement(nextNoon, at % 2 ? ada : bora, merchantId, seen))
  const [, ...answers] = await Promise.allSettled([settleDue(nextNoon), ...asked])
  const made = await settlementsOf(merchantId)
  assert.deepEqual(
    made.map(({ amount }) => amount).filter((amount) => amount > 0n),
    [6000n],
  )
  assert.ok(answers.filter(({ status }) => status === 'fulfilled').length <= 1)
})

test('the preview: what is available, where it goes, when the next one is due, and why nothing can leave', async () => {
  const { merchantId } = await service.merchant()
  const refusalOf = async () => {
    const { now } = await previewSettlement(app, merchantId)
    return now instanceof Refusal ? now : null
  }
  assert.equal((await refusalOf())?.why, 'settlement_account_missing')
  await registerAccount(app, [ADA, BORA], merchantId)
  const facts = { available: { minor: '0', currency: 'TRY' }, unconfirmed: null }
  assert.deepEqual((await refusalOf())?.said, { why: 'settlement_nothing_to_send', facts })
  await fund(app, merchantId, 700n)
  assert.equal((await seenBy(merchantId)).amount, 700n)
  assert.equal((await previewSettlement(noon, merchantId)).due, null)
  await setSettlementSchedule(noon, ada, merchantId, EVERY_DAY)
  const { day: dayAfter } = istanbul(nextNoon.clock.now())
  assert.deepEqual((await previewSettlement(noon, merchantId)).due, { at: startOfDay(dayAfter), waits: false })
  assert.deepEqual((await previewSettlement(nextNoon, merchantId)).due, { at: startOfDay(dayAfter), waits: true })
  await settleDue(nextNoon)
  const { due, settlements } = await previewSettlement(nextNoon, merchantId)
  assert.deepEqual(due, { at: new Date(startOfDay(dayAfter).getTime() + DAY_SECONDS * 1000), waits: false })
  assert.deepEqual(
    settlements.map(({ day, amount, withdrawal }) => [day, amount, withdrawal?.status]),
    [[dayAfter, 700n, 'pending']],
  )
  await freezeMerchant(app, UNATTRIBUTED, merchantId, 'a test of it')
  assert.deepEqual((await refusalOf())?.said, { why: 'settlement_held_up', facts: { by: 'merchant_frozen' } })
})

test('nextTime: the first time after now, in Istanbul', () => {
  const daily = { ...EVERY_DAY, minute: 9 * 60 }
  const weekly = { ...daily, every: 'week' as const, weekday: 1 }
  const next = (schedule: Schedule, time: string) => nextTime(schedule, new Date(`2026-11-${time}Z`))?.toISOString()
  assert.equal(next(daily, '11T05:59'), '2026-11-11T06:00:00.000Z')
  assert.equal(next(daily, '11T06:00'), '2026-11-12T06:00:00.000Z', 'this one is due')
  assert.equal(next(daily, '12T22:30'), '2026-11-13T06:00:00.000Z', 'already the 13th in Istanbul')
  assert.equal(next(weekly, '16T05:59'), '2026-11-16T06:00:00.000Z')
  assert.equal(next(weekly, '16T06:00'), '2026-11-23T06:00:00.000Z')
  assert.equal(next({ ...weekly, weekday: 7 }, '28T21:30'), '2026-11-29T06:00:00.000Z', 'a Sunday in Istanbul')
  assert.equal(next({ ...daily, every: 'off' }, '11T05:59'), undefined)
})
