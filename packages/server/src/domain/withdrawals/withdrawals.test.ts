import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { merchantActor } from '../../kernel/actor.ts'
import { compose } from '../../compose.ts'
import { testConfig } from '../../../../../test/harness/database.ts'
import { withdrawFee } from '../../../../../test/harness/fees.ts'
import { startService } from '../../../../../test/harness/service.ts'
import { Refusal } from '../../platform/refusal.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { balanceOf, findDrift } from '../ledger/index.ts'
import type { NewWithdrawal, Withdrawal } from './index.ts'
import { cancelWithdrawal, createWithdrawals, findWithdrawal, WITHDRAWAL_STATUSES } from './index.ts'

const service = await startService()
const { app } = service

function request(merchantId: string, changes: Partial<NewWithdrawal> = {}): NewWithdrawal {
  return {
    actor: merchantActor(merchantId),
    processId: randomUUID(),
    amount: 1000n,
    currency: 'TRY',
    bankId: null,
    iban: 'TR620006200029500006291296',
    accountName: 'Ayşe Yılmaz',
    userId: 'u-1',
    userName: 'ayse',
    name: 'Ayşe Yılmaz',
    feeTerms: withdrawFee(),
    ...changes,
  }
}

const codes = (outcomes: (object | Refusal)[]) => outcomes.map((one) => (one instanceof Refusal ? one.code : 'created'))

async function newWithdrawal(merchantId: string, changes: Partial<NewWithdrawal> = {}): Promise<Withdrawal> {
  const [created] = await createWithdrawals(app, [request(merchantId, changes)])
  assert.ok(created && !(created instanceof Refusal))
  return created
}

const history = (id: string) =>
  app.db.query(sql`
    select sequence, from_status as "from", to_status as "to", reason from status_history
    where transaction_id = ${id} order by sequence`)
const events = (id: string) =>
  app.db.query(sql`select sequence, type from events where transaction_id = ${id} order by sequence`)

test('a mixed list is decided in order of arrival, each with its own outcome, and the books agree', async () => {
  const [one, two] = [await service.merchant({ funds: 5000n }), await service.merchant({ funds: 1000n })]
  const twin = request(one.merchantId, { amount: 2000n })
  const outcomes = await createWithdrawals(app, [
    twin,
    request(two.merchantId, { amount: 1001n }),
    { ...twin, amount: 1n },
    request(one.merchantId, { amount: 3001n }),
    request(one.merchantId, { amount: 2900n, feeTerms: withdrawFee({ fixed: 100n }) }),
    request(one.merchantId, { amount: 1n }),
    { ...twin, actor: merchantActor(two.merchantId), amount: 1000n },
  ])
  assert.deepEqual(codes(outcomes), [
    ...['created', 'INSUFFICIENT_BALANCE', 'DUPLICATE_TRANSACTION', 'INSUFFICIENT_BALANCE', 'created'],
    ...['INSUFFICIENT_BALANCE', 'created'],
  ])
  assert.deepEqual(await balanceOf(app.db, one.merchantId, 'TRY'), { available: 0n, held: 5000n })
  assert.deepEqual(await balanceOf(app.db, two.merchantId, 'TRY'), { available: 0n, held: 1000n })
  const [first] = outcomes as Withdrawal[]
  assert.deepEqual(await findWithdrawal(app.db, one.merchantId, first?.id ?? ''), first)
  assert.deepEqual(await findDrift(app.db), [])
})

test('a fee that the balance cannot bear is INSUFFICIENT_BALANCE, and a refused processId stays free', async () => {
  const { merchantId } = await service.merchant({ funds: 1000n })
  const wanted = request(merchantId, { feeTerms: withdrawFee({ fixed: 1n }) })
  assert.deepEqual(codes(await createWithdrawals(app, [wanted])), ['INSUFFICIENT_BALANCE'])
  assert.deepEqual(codes(await createWithdrawals(app, [{ ...wanted, amount: 999n }])), ['created'])
  assert.deepEqual(codes(await createWithdrawals(app, [{ ...wanted, amount: 1n }])), ['DUPLICATE_TRANSACTION'])
})

test('a currency that came after the merchant: its request is refused, its neighbours in the list are created', async () => {
  const { merchantId } = await service.merchant({ funds: 5000n })
  const wider = compose(testConfig({ currencies: ['TRY', 'EUR'] }), service.databaseUrl)
  try {
    const list = [request(merchantId), request(merchantId, { currency: 'EUR' }), request(merchantId)]
    assert.deepEqual(codes(await createWithdrawals(wider, list)), ['created', 'INSUFFICIENT_BALANCE', 'created'])
  } finally {
    await wider.db.end()
  }
})

test('an empty list is an empty answer', async () => assert.deepEqual(await createWithdrawals(app, []), []))

test('cancelling gives the money back with its fee, and is told once', async () => {
  const { merchantId } = await service.merchant({ funds: 5000n })
  const { id } = await newWithdrawal(merchantId, { feeTerms: withdrawFee({ fixed: 50n }) })
  assert.deepEqual(await balanceOf(app.db, merchantId, 'TRY'), { available: 3950n, held: 1050n })
  const cancelled = await cancelWithdrawal(app, merchantActor(merchantId), id)
  assert.deepEqual(
    [cancelled?.status, cancelled?.failureReason, cancelled?.sequence],
    ['failed', 'cancelled_by_merchant', 1],
  )
  assert.deepEqual(await findWithdrawal(app.db, merchantId, id), cancelled)
  assert.deepEqual(await balanceOf(app.db, merchantId, 'TRY'), { available: 5000n, held: 0n })
  assert.deepEqual(await history(id), [{ sequence: 1, from: 'pending', to: 'failed', reason: 'cancelled_by_merchant' }])
  assert.deepEqual(await events(id), [{ sequence: 1, type: 'withdrawal.failed' }])
})

for (const status of WITHDRAWAL_STATUSES.filter((one) => one !== 'pending')) {
  test(`a withdrawal that is ${status} cannot be cancelled: INVALID_STATE, and nothing moves`, async () => {
    const { merchantId } = await service.merchant({ funds: 5000n })
    const { id } = await newWithdrawal(merchantId)
    const reason = status === 'failed' ? 'cancelled_by_merchant' : null
    const state = { processing: 'sending', completed: 'sent', failed: 'failed' }[status as 'failed']
    await app.db.query(sql`
      update withdrawals set status = ${status}, state = ${state}, failure_reason = ${reason} where id = ${id}`)
    await assert.rejects(cancelWithdrawal(app, merchantActor(merchantId), id), { code: 'INVALID_STATE' })
    assert.deepEqual(await balanceOf(app.db, merchantId, 'TRY'), { available: 4000n, held: 1000n })
    assert.deepEqual(await history(id), [])
    assert.deepEqual(await events(id), [])
  })
}

test('nobody cancels the withdrawal of another merchant, or one that does not exist', async () => {
  const [one, two] = [await service.merchant({ funds: 1000n }), await service.merchant()]
  const { id } = await newWithdrawal(one.merchantId)
  assert.equal(await cancelWithdrawal(app, merchantActor(two.merchantId), id), null)
  assert.equal(await cancelWithdrawal(app, merchantActor(one.merchantId), '0'.repeat(24)), null)
  assert.equal((await findWithdrawal(app.db, one.merchantId, id))?.status, 'pending')
})

test('four cancelling at once, while new ones are made from what comes back, 100 times: the money is given back once', async () => {
  const { merchantId } = await service.merchant({ funds: 1000n })
  for (let round = 0; round < 100; round++) {
    const { id } = await newWithdrawal(merchantId)
    const cancels = Promise.allSettled(
      Array.from({ length: 4 }, () => cancelWithdrawal(app, merchantActor(merchantId), id)),
    )
    const [outcome] = await createWithdrawals(app, [request(merchantId)])
    const answers = await cancels
    assert.equal(answers.filter((answer) => answer.status === 'fulfilled').length, 1)
    for (const answer of answers) {
      if (answer.status === 'rejected') assert.equal((answer.reason as Refusal).code, 'INVALID_STATE')
    }
    assert.equal((await history(id)).length, 1)
    assert.equal((await events(id)).length, 1)
    if (outcome && !(outcome instanceof Refusal)) await cancelWithdrawal(app, merchantActor(merchantId), outcome.id)
    assert.deepEqual(await balanceOf(app.db, merchantId, 'TRY'), { available: 1000n, held: 0n })
  }
  assert.deepEqual(await findDrift(app.db), [])
})
