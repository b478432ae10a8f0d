import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operatorActor, UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { findDeposit } from '../../packages/server/src/domain/deposits/index.ts'
import {
  queryPayoutStatus,
  dispatchWithdrawals,
  submitPayouts,
} from '../../packages/server/src/domain/withdrawals/index.ts'
import { freezeMerchant, freezesOf, unfreezeMerchant } from '../../packages/server/src/domain/merchants/index.ts'
import { addOperator, DECIDING } from '../../packages/server/src/domain/people/index.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { openAsCustomer } from '../harness/customer.ts'
import { accepted, refused } from '../harness/envelope.ts'
import { depositBody, withdrawBody } from '../harness/examples.ts'
import { reloadDeposit } from '../harness/payments.ts'
import { startWithBank } from '../harness/payouts.ts'
import { startSecondProcess } from '../harness/service.ts'
import { mustFind } from '../harness/history.ts'
import { travelTo, until } from '../harness/until.ts'

const service = await startWithBank()
const { app } = service
const [ADA, WHY] = ['ada.aksoy', 'suspected fraud'] as const
await addOperator(app, UNATTRIBUTED, ADA, DECIDING)

type Shop = Awaited<ReturnType<typeof service.merchantWithMoney>>
const newShop = () => service.merchantWithMoney(1_000_000n)
const freeze = ({ merchantId }: Shop) => freezeMerchant(app, operatorActor(ADA), merchantId, WHY)
const unfreeze = ({ merchantId }: Shop) => unfreezeMerchant(app, operatorActor(ADA), merchantId, 'cleared up')

async function withdraw(shop: Shop, changes = {}): Promise<string> {
  return accepted(await shop.post('/v1/withdraw', withdrawBody(changes)), 201).transactionId as string
}

/** Every process has heard of it. */
async function refusesBy(shop: Shop, status: 201 | 403) {
  return until(
    () => shop.post('/v1/deposit', depositBody()),
    (answer) => answer.status === status,
  )
}

const sentTimes = async (id: string) => (await service.witness()).filter(({ reference }) => reference === id).length
const stateOf = async (id: string) => (await mustFind(app, id)).state

test('frozen: new deposits and withdrawals are refused within a second, in every process; the rest goes on', async () => {
  const shop = await newShop()
  const other = await startSecondProcess(service)
  assert.equal((await other.findCaller(shop.apiKey))?.merchant.frozen, false)
  const open = accepted(await shop.post('/v1/deposit', depositBody()), 201)
  await freeze(shop)
  refused(await refusesBy(shop, 403), 403, 'ACCOUNT_SUSPENDED')
  refused(await shop.post('/v1/withdraw', withdrawBody()), 403, 'ACCOUNT_SUSPENDED')
  const caller = () => other.findCaller(shop.apiKey)
  await until(caller, (found) => found?.merchant.frozen === true)

  for (const path of ['/v1/balance', '/v1/available-banks', '/v1/transactions', '/v1/events']) {
    accepted(await shop.get(path), 200)
  }
  accepted(await shop.post('/v1/events/resend', { since: new Date().toISOString() }), 200)
  assert.equal((await openAsCustomer(open.checkoutUrl)).status, 200)
  accepted(await shop.post(`/v1/transactions/${open.transactionId}/cancel`, undefined), 200)
  await unfreeze(shop)
  accepted(await refusesBy(shop, 201), 201)
})

test('money that arrives for a frozen merchant is matched and told', async () => {
  const shop = await newShop()
  const { transactionId } = accepted(await shop.post('/v1/deposit', depositBody()), 201)
  await freeze(shop)
  const deposit = await findDeposit(app.db, shop.merchantId, transactionId)
  assert.ok(deposit)
  await service.pay(deposit)
  const events = await app.db.query(sql`select type from events where transaction_id = ${transactionId}`)
  assert.deepEqual(events, [{ type: 'deposit.completed' }])
  assert.equal((await reloadDeposit(app, deposit)).status, 'completed')
})

test('payouts wait and go on by themselves: what is queued, scheduled or written down, not what the bank has', async () => {
  const shop = await newShop()
  const neighbour = await newShop()
  const written = await withdraw(shop)
  await dispatchWithdrawals(app)
  const queued = await withdraw(shop)
  const scheduled = await withdraw(shop)
  await app.db.query(sql`
    update withdrawals set state = 'queued', state_reason = 'no_funds', scheduled_for = now() where id = ${scheduled}`)
  await freeze(shop)
  const theirs = await withdraw(neighbour)
  await service.work()
  assert.deepEqual(
    [await stateOf(written), await stateOf(queued), await stateOf(scheduled), await stateOf(theirs)],
    ['sending', 'queued', 'queued', 'sent'],
  )
  for (const id of [written, queued, scheduled]) assert.equal(await sentTimes(id), 0)
  await unfreeze(shop)
  await service.work()
  for (const id of [written, queued, scheduled]) {
    assert.equal(await stateOf(id), 'sent')
    assert.equal(await sentTimes(id), 1)
  }
})

test('the bank is still asked about what it was given; after "never seen" nothing is sent until the freeze ends', async () => {
  const shop = await newShop()
  const [sent, lost] = [await withdraw(shop), await withdraw(shop)]
  await dispatchWithdrawals(app)
  await service.call('PUT', 'faults', { kinds: ['error_after'] })
  await app.db.query(sql`update payouts set next_at = now() + interval '1 hour' where withdrawal_id = ${lost}`)
  await submitPayouts(app)
  await service.call('PUT', 'faults', { kinds: ['error_before'] })
  await app.db.query(sql`update payouts set next_at = now() - interval '1 minute' where withdrawal_id = ${lost}`)
  await submitPayouts(app)
  await service.call('DELETE', 'faults')
  await freeze(shop)
  await travelTo(app, 120)
  while ((await queryPayoutStatus(app)) + (await submitPayouts(app)) > 0);
  assert.deepEqual([await stateOf(sent), await stateOf(lost)], ['sent', 'unknown'])
  assert.equal(await sentTimes(lost), 0)
  await unfreeze(shop)
  await service.work()
  assert.deepEqual([await stateOf(lost), await sentTimes(lost)], ['sent', 1])
  await travelTo(app, 0)
})

test('who, when and why are kept; twice is refused; two at once are one', async () => {
  const shop = await newShop()
  const both = await Promise.allSettled([freeze(shop), freeze(shop)])
  assert.deepEqual(both.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
  await assert.rejects(freeze(shop), { code: 'INVALID_STATE' })
  await unfreeze(shop)
  await assert.rejects(unfreeze(shop), { code: 'INVALID_STATE' })
  await assert.rejects(freezeMerchant(app, operatorActor(ADA), shop.merchantId, ' no '), { code: 'VALIDATION_ERROR' })
  await assert.rejects(freezeMerchant(app, operatorActor(ADA), '0'.repeat(24), WHY), { code: 'NOT_FOUND' })
  const rows = await freezesOf(app.db, shop.merchantId)
  assert.deepEqual(
    rows.map(({ frozen, decidedBy, reason }) => [frozen, decidedBy, reason]),
    [
      [true, ADA, WHY],
      [false, ADA, 'cleared up'],
    ],
  )
})
