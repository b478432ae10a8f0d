import assert from 'node:assert/strict'
import { test } from 'node:test'
import { balanceOf } from '../../packages/server/src/domain/ledger/index.ts'
import {
  dispatchWithdrawals,
  previewSettlement,
  requestSettlement,
} from '../../packages/server/src/domain/withdrawals/index.ts'
import { addOperator, DECIDING } from '../../packages/server/src/domain/people/index.ts'
import { operatorActor, UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { istanbul } from '../../packages/server/src/kernel/istanbul.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { Refusal } from '../../packages/server/src/platform/refusal.ts'
import { laterBy } from '../harness/crash.ts'
import { accepted, refused } from '../harness/envelope.ts'
import { withdrawBody } from '../harness/examples.ts'
import { mustFind } from '../harness/history.ts'
import { matchAll, reloadDeposit, someDeposits } from '../harness/payments.ts'
import { startWithBank } from '../harness/payouts.ts'
import { refundBody, refundPath } from '../harness/refunds.ts'
import { registerAccount } from '../harness/settlements.ts'
import { camt, openFileAccount } from '../harness/statement-files.ts'

// A merchant's money that stems from lines which no final statement contains does not leave.

const service = await startWithBank()
const { app } = service
const PEOPLE: [string, string] = ['ayse.yilmaz', 'mehmet.kaya']
for (const name of PEOPLE) await addOperator(app, UNATTRIBUTED, name, DECIDING)
// The bank has more than the merchant under test.
await service.merchantWithMoney(1_000_000n)
// Before there are accounts whose statements come as files: the pool may give them to a deposit.
const shops: Awaited<ReturnType<typeof service.merchantWithMoney>>[] = []
while (shops.length < 3) shops.push(await service.merchantWithMoney(300_000n))

/** A merchant with confirmed money, and a deposit that a report during the day has paid. */
async function openShop() {
  const shop = shops.pop() ?? assert.fail('no shop')
  const { merchantId } = shop
  const available = async () => (await balanceOf(app.db, merchantId, 'TRY')).available
  const confirmed = await available()
  const [deposit = assert.fail('no deposit')] = await someDeposits(app, merchantId, 1, 200_000n)
  const { id, iban, take } = await openFileAccount(app)
  await app.db.query(sql`update deposits set collecting_account_id = ${id} where id = ${deposit.id}`)
  const day = istanbul(app.clock.now()).day
  const sender = { sender: deposit.customer.name, iban: 'TR620006200029500006291296', text: `FAST ${deposit.referenceCode}` } // prettier-ignore
  const report = { iban, day, bookings: [{ number: 'N1', amount: 200_000, ...sender }] }
  await take(camt('052', report))
  await matchAll(app)
  assert.equal((await reloadDeposit(app, deposit)).status, 'completed')
  const withdraw = async (amount: bigint) =>
    accepted(await shop.post('/v1/withdraw', withdrawBody({ amount: Number(amount) })), 201).transactionId as string
  const where = async (one: string) => {
    const { state, stateReason } = await mustFind(app, one)
    return [state, stateReason]
  }
  return { shop, deposit, available, confirmed, withdraw, where, final: () => take(camt('053', { ...report, opening: 0 })) } // prettier-ignore
}

test('payouts take confirmed money only; the others wait with the reason, and leave once the final statement came', async () => {
  const { withdraw, where, confirmed, available, final } = await openShop()
  const first = await withdraw(confirmed / 2n)
  const second = await withdraw(confirmed / 2n + 50_000n)
  assert.ok((await available()) >= 0n)
  await dispatchWithdrawals(app)
  assert.equal((await where(first))[0], 'sending')
  assert.deepEqual(await where(second), ['queued', 'unconfirmed'])
  await final()
  await dispatchWithdrawals(laterBy(app, 61))
  assert.equal((await where(second))[0], 'sending')
})

test('a refund of the deposit is refused until then', async () => {
  const { shop, deposit, final } = await openShop()
  const refund = () => shop.post(refundPath(deposit.id), refundBody({ amount: 1000 }))
  refused(await refund(), 409, 'INVALID_STATE')
  await final()
  accepted(await refund(), 201)
})

test('a settlement sends what is confirmed', async () => {
  const { shop, confirmed, available, final } = await openShop()
  const { merchantId } = shop
  await registerAccount(app, PEOPLE, merchantId)
  const now = async () => (await previewSettlement(app, merchantId)).now
  const shown = await now()
  assert.ok(!(shown instanceof Refusal))
  assert.equal(shown.amount, (await available()) - 200_000n)
  assert.ok(shown.amount <= confirmed)
  assert.equal((await requestSettlement(app, operatorActor('ayse.yilmaz'), merchantId, shown)).amount, shown.amount)
  assert.ok((await now()) instanceof Refusal)
  await final()
  assert.ok(!((await now()) instanceof Refusal))
})
