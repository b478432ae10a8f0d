import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operatorActor, UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { findDeposit } from '../../packages/server/src/domain/deposits/index.ts'
import { matchByHand } from '../../packages/server/src/domain/matching/index.ts'
import { findWithdrawal } from '../../packages/server/src/domain/withdrawals/index.ts'
import { changeFees, findMerchant, termsAt } from '../../packages/server/src/domain/merchants/index.ts'
import { addOperator, DECIDING } from '../../packages/server/src/domain/people/index.ts'
import { listLines } from '../../packages/server/src/domain/statements/index.ts'
import { NO_FEE } from '../../packages/server/src/kernel/money.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { withdrawBody } from '../harness/examples.ts'
import { payDeposit, someDeposits } from '../harness/payments.ts'
import { startService } from '../harness/service.ts'
import { travelTo } from '../harness/until.ts'

const service = await startService()
const { app } = service
const [ADA, DAY_MS] = ['ada.aksoy', 86_400_000] as const
for (const name of [ADA, 'bora.boz']) await addOperator(app, UNATTRIBUTED, name, DECIDING)
type Shop = Awaited<ReturnType<typeof service.merchant>>
const newShop = () => service.merchant({ funds: 1_000_000n, depositFee: { bps: 100 }, withdrawFee: { bps: 100 } })
const inDays = (days: number) => new Date(app.clock.now().getTime() + days * DAY_MS)

async function withdrawFeeOf(shop: Shop): Promise<bigint | undefined> {
  const { body } = await shop.post('/v1/withdraw', withdrawBody({ amount: 10_000 }))
  return (await findWithdrawal(app.db, shop.merchantId, body.data.transactionId))?.fee
}

test('new terms hold from their moment on, for what is created then: withdrawals and deposits', async () => {
  const shop = await newShop()
  const { merchantId } = shop
  const change = { deposit: { bps: 200 }, withdraw: { bps: 300, fixed: 5n } }
  await changeFees(app, operatorActor(ADA), merchantId, { ...change, from: inDays(1) })
  assert.equal(await withdrawFeeOf(shop), 100n)
  const [before, paidLater] = await someDeposits(app, merchantId, 2, 10_000n)
  assert.ok(before && paidLater)
  assert.equal((await payDeposit(app, before)).fee, 100n)
  await travelTo(app, DAY_MS / 1000 + 60)
  assert.equal(await withdrawFeeOf(shop), 305n)
  const [after] = await someDeposits(app, merchantId, 1, 10_000n)
  assert.ok(after)
  assert.equal((await payDeposit(app, after)).fee, 200n)
  // Created under the old terms, paid under the new ones: the old terms.
  assert.equal((await payDeposit(app, paidLater)).fee, 100n)
  await travelTo(app, 0)
})

test('a deposit completed by hand pays by the terms of its creation too', async () => {
  const { merchantId } = await newShop()
  const [deposit] = await someDeposits(app, merchantId, 1, 10_000n)
  assert.ok(deposit)
  await changeFees(app, operatorActor(ADA), merchantId, { deposit: { bps: 900 } })
  await travelTo(app, 10)
  await payDeposit(app, deposit, { narrative: 'kira' })
  const [line] = await listLines(app.db, 'suspense', 1)
  assert.equal((await matchByHand(app, operatorActor(ADA), line?.id ?? '', deposit.id)).fee, 100n)
  assert.equal((await findDeposit(app.db, merchantId, deposit.id))?.fee, 100n)
  await travelTo(app, 0)
})

test('what is not named stays; of two for the same moment the later word holds; the history is whole', async () => {
  const { merchantId } = await newShop()
  const from = inDays(2)
  await changeFees(app, operatorActor(ADA), merchantId, { withdraw: { bps: 700 }, from })
  const fees = await changeFees(app, operatorActor('bora.boz'), merchantId, { withdraw: { fixed: 9n, max: 50n }, from })
  assert.deepEqual(termsAt(fees, from), fees[0])
  assert.deepEqual(termsAt(fees, from).withdraw, { bps: 700, fixed: 9n, min: 0n, max: 50n })
  assert.deepEqual(termsAt(fees, from).deposit, { ...NO_FEE, bps: 100 })
  assert.deepEqual(termsAt(fees, new Date(from.getTime() - 1)).withdraw, { ...NO_FEE, bps: 100 })
  // Clocks differ a little: whatever was created before the first terms pays by them.
  assert.deepEqual(termsAt(fees, new Date(0)), fees[2])
  assert.deepEqual(
    fees.map(({ setBy }) => setBy),
    ['bora.boz', ADA, null],
  )
  assert.deepEqual((await findMerchant(app, merchantId)).fees, fees)
})

test('a moment that has passed, or that not every process can know of in time, is refused', async () => {
  const { merchantId } = await newShop()
  for (const from of [inDays(-1), app.clock.now()]) {
    const change = changeFees(app, operatorActor(ADA), merchantId, { withdraw: { bps: 1 }, from })
    await assert.rejects(change, { code: 'VALIDATION_ERROR', message: /^from / })
  }
  const wrong = [{ bps: 10_001 }, { bps: -1 }, { bps: 1.5 }, { fixed: -1n }, { max: 2n ** 53n }]
  for (const withdraw of wrong)
    await assert.rejects(changeFees(app, operatorActor(ADA), merchantId, { withdraw }), { code: 'VALIDATION_ERROR' })
  await assert.rejects(changeFees(app, operatorActor(ADA), '0'.repeat(24), { withdraw: { bps: 1 } }), {
    code: 'NOT_FOUND',
  })
  const now = app.clock.now().getTime()
  const [soon] = await changeFees(app, operatorActor(ADA), merchantId, { withdraw: { bps: 1 } })
  assert.ok(soon && soon.effectiveFrom.getTime() > now && soon.effectiveFrom.getTime() < now + 60_000)
})

test('terms are never changed or removed, and several at once are all kept', async () => {
  const { merchantId } = await newShop()
  const changes = [1, 2, 3, 4].map((bps) => changeFees(app, operatorActor(ADA), merchantId, { withdraw: { bps } }))
  await Promise.all(changes)
  assert.equal((await findMerchant(app, merchantId)).fees.length, 5)
  const edits = [sql`update merchant_fees set withdraw_bps = 0`, sql`delete from merchant_fees`]
  for (const edit of edits) await assert.rejects(app.db.query(edit), { code: '23001' })
  await assert.rejects(app.db.query(sql`truncate merchant_fees`), { code: '23001' })
})
