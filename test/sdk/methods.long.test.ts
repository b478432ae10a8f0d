import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CallbackEvent, Transaction } from '../../packages/sdk/src/index.ts'
import { verifyCallback, VezneError } from '../../packages/sdk/src/index.ts'
import { addTestEndpoint, setCallbackUrl, runCallbacksOnce } from '../harness/callbacks.ts'
import { depositBody, withdrawBody } from '../harness/examples.ts'
import { payDeposit, someDeposits } from '../harness/payments.ts'
import { paidDeposit, refundBody } from '../harness/refunds.ts'
import { answer, ok, startReceiver } from '../harness/receiver.ts'
import { startService } from '../harness/service.ts'
import { openClient } from './service.ts'

const service = await startService()
const { app, baseUrl } = service
const merchant = await service.merchant({ funds: 1_000_000n })
const { banks, deposits, withdrawals, transactions, balance, events } = openClient(baseUrl, merchant)

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  return Array.fromAsync(items)
}

/** What the independent client of the tests sees. */
async function witness(path: string): Promise<Record<string, unknown>> {
  const { status, body } = await merchant.get(path)
  assert.equal(status, 200)
  return body.data as Record<string, unknown>
}

test('banks.list', async () => {
  const list = await banks.list()
  assert.deepEqual(list, (await witness('/v1/available-banks')).banks)
  assert.equal(list[0]?._id, 'FAST')
})

test('deposits.instructions: the words of a payment in both languages, as long as it can be paid', async () => {
  const created = await deposits.create(depositBody({ bankCode: 'FAST' }))
  const { transactionId: id, assignedAccount: account } = created
  const turkish = await deposits.instructions(id)
  assert.deepEqual(turkish, await witness(`/v1/transactions/${id}/instructions`))
  assert.equal(turkish.language, 'tr')
  for (const line of [`IBAN: ${account?.iban}`, 'Tutar: 1.250,00 TL', `Ödeme sayfası ve durum: ${created.checkoutUrl}`])
    assert.ok(turkish.text.split('\n').includes(line), turkish.text)
  const english = await deposits.instructions(id, { language: 'en' })
  assert.match(
    english.text,
    /^Deneme: payment of 1,250\.00 TL\n[^]*\nSend by: \d+ \w+ \d{4}, \d\d:\d\d \(Istanbul time\)\n/,
  )
  const { bankCode: _, ...open } = depositBody()
  const unchosen = await deposits.create(open)
  assert.doesNotMatch((await deposits.instructions(unchosen.transactionId)).text, /IBAN/)
  await deposits.cancel(id)
  await assert.rejects(deposits.instructions(id), { code: 'INVALID_STATE' })
  await assert.rejects(deposits.instructions('0'.repeat(24)), { code: 'NOT_FOUND' })
})

test('deposits: create, get, find, cancel', async () => {
  const request = depositBody({ metadata: { sepet: 'Ş-17' }, language: 'en' })
  const created = await deposits.create(request)
  assert.deepEqual([created.processId, created.amount, created.status], [request.processId, 125_000, 'pending'])
  assert.match(created.checkoutUrl ?? '', /^http.*\/checkout\?token=/)
  const seen = await deposits.get(created.transactionId)
  assert.deepEqual(seen, await witness(`/v1/transactions/${created.transactionId}`))
  assert.deepEqual([seen.type, seen.metadata], ['deposit', { sepet: 'Ş-17' }])
  assert.deepEqual(await deposits.find(request.processId), seen)
  assert.equal(await deposits.find('nothing'), null)
  assert.equal(await withdrawals.find(request.processId), null, 'of the other kind')
  const cancelled = await deposits.cancel(created.transactionId)
  assert.deepEqual([cancelled.status, cancelled.sequence], ['cancelled', 1])
  assert.equal((await deposits.cancel(created.transactionId)).sequence, 1, 'twice in one second is no repeated request')
  const again = await deposits.create(request)
  assert.deepEqual([again.alreadyExisted, again.status, again.checkoutUrl], [true, 'cancelled', undefined])
})

test('deposits.refund: once however often it is sent; what differs is an error', async () => {
  const { id } = await paidDeposit(app, merchant.merchantId)
  const request = refundBody({ amount: 5000, reason: 'iade' })
  const created = await deposits.refund(id, request)
  assert.deepEqual([created.refundOf, created.amount, created.alreadyExisted], [id, 5000, false])
  const again = await deposits.refund(id, request)
  assert.deepEqual([again.transactionId, again.refundOf, again.alreadyExisted], [created.transactionId, id, true])
  await assert.rejects(deposits.refund(id, { ...request, amount: 1 }), { code: 'DUPLICATE_TRANSACTION' })
  assert.equal((await deposits.get(id)).refundedAmount, 5000)
  assert.equal((await withdrawals.get(created.transactionId)).refundReason, 'iade')
})

test('withdrawals: create, get, find, cancel; balance.get', async () => {
  const before = await balance.get({ currency: 'TRY' })
  const request = withdrawBody({ amount: 40_000 })
  const { transactionId, alreadyExisted } = await withdrawals.create(request)
  assert.equal(alreadyExisted, false)
  const held = await balance.get()
  assert.deepEqual(held, await witness('/v1/balance'))
  assert.deepEqual([held.available, held.held], [before.available - 40_000, before.held + 40_000])
  const seen = await withdrawals.get(transactionId)
  assert.deepEqual(seen, await transactions.get(transactionId))
  assert.deepEqual(await withdrawals.find(request.processId), seen)
  assert.equal((await withdrawals.cancel(transactionId)).failureReason, 'cancelled_by_merchant')
  assert.deepEqual(await balance.get(), before)
})

test('get of the other kind says which it is', async () => {
  const { transactionId } = await deposits.create(depositBody())
  await assert.rejects(withdrawals.get(transactionId), { code: 'NOT_FOUND', message: /is a deposit, not a withdrawal/ })
})

test('transactions.list reads over the ends of pages, newest first, each once', async () => {
  const busy = await service.merchant()
  const made = await someDeposits(app, busy.merchantId, 250)
  const { transactions } = openClient(baseUrl, busy)
  const read = await all<Transaction>(transactions.list({ type: 'deposit', status: 'pending' }))
  const ids = read.map(({ transactionId }) => transactionId)
  assert.deepEqual(
    ids,
    made
      .map(({ id }) => id)
      .toSorted()
      .toReversed(),
  )
  assert.deepEqual(await all(transactions.list({ type: 'withdrawal' })), [])
  assert.deepEqual(await all(transactions.list({ from: new Date(Date.now() + 60_000) })), [])
  assert.equal((await all(transactions.list({ processId: made[3]?.processId ?? '' }))).length, 1)
  for await (const first of transactions.list()) {
    assert.equal(first.transactionId, ids[0], 'reading may stop at any time')
    break
  }
})

test('events: list in both directions, get with attempts, resend, resendFailed; callbacks are verified', async () => {
  const shop = await service.merchant()
  const { events } = openClient(baseUrl, shop)
  const receiver = await startReceiver(answer(503))
  const endpoint = await setCallbackUrl(app, shop.merchantId, receiver.url)
  assert.deepEqual(await all(events.list({ after: '0' })), [])
  await assert.rejects(all(events.list({ after: '' })), { code: 'VALIDATION_ERROR' })
  const made = await someDeposits(app, shop.merchantId, 3)
  for (const deposit of made) await payDeposit(app, deposit)
  await runCallbacksOnce(app)
  const forward = await all(events.list({ after: '0' }))
  assert.deepEqual(
    forward.map(({ type, transactionId }) => [type, transactionId]),
    made.map(({ id }) => ['deposit.completed', id]),
  )
  assert.deepEqual(await all(events.list()), forward.toReversed())
  assert.deepEqual(await all(events.list({ after: forward[1]?.cursor ?? '' })), forward.slice(2))
  assert.equal((await all(events.list({ state: 'waiting', type: 'deposit.completed' }))).length, 3)
  const { eventId } = forward[0] ?? assert.fail()
  assert.deepEqual(
    (await events.get(eventId)).attempts.map(({ outcome, status }) => [outcome, status]),
    [['5xx', 503]],
  )
  receiver.behave(ok)
  assert.deepEqual(await events.resendFailed({ since: new Date(0) }), { deliveries: 3 })
  await runCallbacksOnce(app)
  assert.deepEqual(await events.resend(eventId), { deliveries: 1 })
  await runCallbacksOnce(app)
  const other = await addTestEndpoint(app, shop.merchantId, { url: receiver.url })
  assert.deepEqual(await events.resend(eventId, { endpointId: other.endpoint.id }), { deliveries: 1 })
  assert.equal(
    (await events.get(eventId)).deliveries.find(({ endpointId }) => endpointId === endpoint.id)?.state,
    'delivered',
  )
  for (const { headers, body, id } of receiver.all) {
    const event: CallbackEvent = verifyCallback(headers, body, [shop.callbackSecret])
    assert.deepEqual(event, { eventId: id, ...JSON.parse(body) })
  }
})

test('events of other merchants, and a wrong secret, are refused in the one family of errors', async () => {
  await assert.rejects(events.get('6af95aef0d2c47b1c2f0a5e3'), (error: VezneError) => {
    assert.ok(error instanceof VezneError)
    assert.deepEqual([error.code, error.status, error.requestId?.length], ['NOT_FOUND', 404, 24])
    return true
  })
  const wrong = openClient(baseUrl, { ...merchant, apiSecret: 'vs_wrong' })
  await assert.rejects(wrong.balance.get(), { code: 'INVALID_SIGNATURE', status: 401, message: /Check apiSecret/ })
  await assert.rejects(deposits.create(depositBody({ amount: 0 })), (error: VezneError) => {
    assert.deepEqual((error.details as { field: string }[])[0]?.field, 'amount')
    return error.code === 'VALIDATION_ERROR'
  })
})

test('a clock that is ten minutes behind is told so', async () => {
  const slow = openClient(baseUrl, merchant, { now: () => new Date(Date.now() - 600_000) })
  await assert.rejects(slow.balance.get(), ({ code, message, details }: VezneError) => {
    const { clockAheadSeconds } = details as { clockAheadSeconds: number }
    assert.ok(clockAheadSeconds <= -600, String(clockAheadSeconds))
    assert.match(message, new RegExp(`clock is ${-clockAheadSeconds} s behind the server's`))
    return code === 'TIMESTAMP_EXPIRED'
  })
})
