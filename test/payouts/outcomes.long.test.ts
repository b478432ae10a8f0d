import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findDrift } from '../../packages/server/src/domain/ledger/index.ts'
import {
  dispatchWithdrawals,
  submitPayouts,
  callsOf,
  findWithdrawalById,
} from '../../packages/server/src/domain/withdrawals/index.ts'
import type { Tx } from '../../packages/server/src/platform/postgres/db.ts'
import { checkHistory } from '../harness/history.ts'
import { withdrawBody } from '../harness/examples.ts'
import { startWithBank } from '../harness/payouts.ts'
import { travelTo } from '../harness/until.ts'
import { makeIban } from '../../packages/server/src/kernel/iban.ts'

const service = await startWithBank()
const { app } = service

test('a withdrawal is sent once, completed, and the books and the bank agree', async () => {
  const shop = await service.merchantWithMoney(1_000_000n, { withdrawFee: { bps: 100 } })
  const { transactionId } = (await shop.post('/v1/withdraw', withdrawBody({ amount: 100_000 }))).body.data
  await service.work()
  const shown = (await shop.get(`/v1/transactions/${transactionId}`)).body.data
  assert.equal(shown.status, 'completed')
  assert.deepEqual((await service.witness()).filter(({ reference }) => reference === transactionId).length, 1)
  assert.deepEqual((await shop.get('/v1/balance')).body.data, { currency: 'TRY', available: 899_000, held: 0 })
  assert.deepEqual(await findDrift(app.db), [])
})

test('magic endings: each outcome of the bank', async () => {
  const shop = await service.merchantWithMoney(10_000_000n)
  const send = async (ending: string) => {
    const iban = makeIban('0062', `9000${ending}`)
    const { body, code } = await shop.post('/v1/withdraw', withdrawBody({ amount: 1000, iban }))
    assert.equal(code, undefined)
    return body.data.transactionId as string
  }
  const ids = Object.fromEntries(
    await Promise.all(
      ['0001', '0002', '0003', '0004', '0005', '0006', '0007', '0009'].map(async (e) => [e, await send(e)]),
    ),
  )
  await service.call('PUT', 'faults', { delayMs: 20 })
  await service.work()
  for (const minutes of [2, 10, 30, 120]) {
    await travelTo(app, minutes * 60)
    await service.work()
  }
  await travelTo(app, 0)
  const state = async (ending: string) => {
    const found = await findWithdrawalById(app.db, ids[ending] ?? '')
    return [found?.status, found?.failureReason]
  }
  assert.deepEqual(await state('0001'), ['failed', 'account_closed'])
  assert.deepEqual(await state('0002'), ['failed', 'name_mismatch'])
  assert.deepEqual(await state('0003'), ['failed', 'limit_exceeded'])
  for (const ending of ['0004', '0005', '0006', '0007', '0009'])
    assert.deepEqual(await state(ending), ['completed', null], ending)
  const paid = (await service.witness()).filter(({ reference }) => Object.values(ids).includes(reference))
  assert.equal(new Set(paid.map(({ reference }) => reference)).size, paid.length)
  assert.equal(paid.length, 5)
  assert.deepEqual(await findDrift(app.db), [])
})

// One commit for each took the shared ledger rows 77 times a second, with one worker and with three.
test('twenty answers that come at once are recorded in a few transactions, each payout once', async () => {
  const shop = await service.merchantWithMoney(10_000_000n, { withdrawFee: { bps: 100 } })
  const ids: string[] = []
  for (let n = 0; n < 20; n++)
    ids.push((await shop.post('/v1/withdraw', withdrawBody({ amount: 1000 }))).body.data.transactionId as string)
  await dispatchWithdrawals(app)
  let [called, transactions] = [0, 0]
  const { promise: allCalled, resolve } = Promise.withResolvers<void>()
  const connection: typeof service.connection = {
    ...service.connection,
    async submit(order) {
      const response = await service.connection.submit(order)
      if (++called === ids.length) resolve()
      await allCalled
      return response
    },
  }
  const transaction = <Result>(work: (tx: Tx) => Promise<Result>) => {
    transactions++
    return app.db.transaction(work)
  }
  const counted = { ...app, connections: [connection], db: { ...app.db, transaction } }
  // Four callers with five payouts each, as a process has them.
  await Promise.all(Array.from({ length: 4 }, () => submitPayouts(counted)))
  assert.equal(called, ids.length)
  const claims = 4
  assert.ok(transactions - claims <= 3, `${transactions - claims} transactions for ${ids.length} answers`)
  for (const id of ids) {
    assert.deepEqual(await checkHistory(app, id), ['processing', 'completed'])
    const calls = await callsOf(app.db, shop.merchantId, id)
    assert.deepEqual(
      calls.map(({ number, kind, outcome }) => [number, kind, outcome]),
      [[1, 'submit', 'accepted']],
    )
  }
  assert.deepEqual((await shop.get('/v1/balance')).body.data, { currency: 'TRY', available: 9_979_800, held: 0 })
  assert.deepEqual(await findDrift(app.db), [])
})
