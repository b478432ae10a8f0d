import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { eraseTransaction } from '../../packages/server/src/domain/erasures/index.ts'
import { findDrift } from '../../packages/server/src/domain/ledger/index.ts'
import { changeFees, freezeMerchant, setRefundsCharged } from '../../packages/server/src/domain/merchants/index.ts'
import { listLines } from '../../packages/server/src/domain/statements/index.ts'
import { distributeEvents } from '../../packages/server/src/domain/webhooks/index.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { accepted, refused, refusedFields } from '../harness/envelope.ts'
import { withdrawBody } from '../harness/examples.ts'
import { checkEvents } from '../harness/history.ts'
import { openJournal } from '../harness/journal.ts'
import { payDeposit, someDeposits } from '../harness/payments.ts'
import { paidDeposit, refundBody, refundPath, SENDER } from '../harness/refunds.ts'
import { startService } from '../harness/service.ts'
import { travelTo, until } from '../harness/until.ts'

const service = await startService()
const { app } = service
const OTHER_IBAN = 'TR330006100519786457841326'

test('a refund is a withdrawal of all that was received, to the account that the bank named', async () => {
  const shop = await service.merchant()
  const { id } = await paidDeposit(app, shop.merchantId)
  const body = refundBody({ reason: 'Sipariş iptal' })
  const created = accepted(await shop.post(refundPath(id), body), 201)
  assert.deepEqual(
    { ...created, transactionId: '', createdAt: '' },
    {
      ...{ transactionId: '', processId: body.processId, amount: 125_000, currency: 'TRY', status: 'pending' },
      refundOf: id,
      createdAt: '',
    },
  )
  const refund = accepted(await shop.get(`/v1/transactions/${created.transactionId}`), 200)
  const { type, iban, accountName, refundOf, refundReason, fee, userId, userName, name } = refund
  assert.deepEqual(
    { type, iban, accountName, refundOf, refundReason, fee, userId, userName, name },
    {
      ...{ type: 'withdrawal', iban: SENDER.senderIban, accountName: SENDER.senderName, refundOf: id },
      ...{ refundReason: 'Sipariş iptal', fee: 0, userId: 'c-1', userName: 'ayse', name: 'Ayşe Yılmaz' },
    },
  )
  assert.equal(accepted(await shop.get(`/v1/transactions/${id}`), 200).refundedAmount, 125_000)
  const { transactions } = accepted(await shop.get('/v1/transactions?type=deposit'), 200)
  assert.equal(transactions[0].refundedAmount, 125_000)
  assert.deepEqual((await shop.get('/v1/balance')).body.data, { currency: 'TRY', available: 0, held: 125_000 })
  assert.deepEqual(await checkEvents(app, shop, id), ['completed', 'updated'])
  assert.deepEqual(await checkEvents(app, shop, created.transactionId), [])
  assert.deepEqual(await findDrift(app.db), [])
})

test('parts until it is used up; then INVALID_STATE, and more than is left is AMOUNT_OUT_OF_RANGE with what is left', async () => {
  const shop = await service.merchant({ funds: 1_000_000n })
  const { id } = await paidDeposit(app, shop.merchantId)
  accepted(await shop.post(refundPath(id), refundBody({ amount: 25_000 })), 201)
  const { message, details } = refused(
    await shop.post(refundPath(id), refundBody({ amount: 100_001 })),
    400,
    'AMOUNT_OUT_OF_RANGE',
  )
  assert.match(message, /250,00 TL of 1\.250,00 TL has already been refunded.*1\.000,00 TL is left/)
  assert.deepEqual(details, { minAmount: 1, maxAmount: 100_000 })
  assert.equal(accepted(await shop.post(refundPath(id), refundBody()), 201).amount, 100_000)
  const used = refused(await shop.post(refundPath(id), refundBody()), 409, 'INVALID_STATE')
  assert.match(used.message, /nothing is left/)
  assert.deepEqual(await checkEvents(app, shop, id), ['completed', 'updated', 'updated'])
})

test('a deposit that was paid twice: no refund while the second payment waits; after its refund, as ever', async () => {
  const shop = await service.merchant()
  const deposit = await paidDeposit(app, shop.merchantId)
  await payDeposit(app, deposit, SENDER)
  const second = (await listLines(app.db, 'suspense', null)).at(-1)
  for (const amount of [undefined, 1])
    refused(await shop.post(refundPath(deposit.id), refundBody({ amount })), 409, 'INVALID_STATE')
  assert.deepEqual((await shop.get('/v1/balance')).body.data, { currency: 'TRY', available: 125_000, held: 0 })
  const other = await paidDeposit(app, shop.merchantId)
  accepted(await shop.post(refundPath(other.id), refundBody()), 201)
  const journal = await openJournal(app)
  const { id } = await journal.propose('refund_unexplained', { lineIds: [second?.id ?? ''] })
  await journal.approve(id)
  assert.equal(accepted(await shop.post(refundPath(deposit.id), refundBody()), 201).amount, 125_000)
})

test('a refund that is cancelled frees its part again, with an event', async () => {
  const shop = await service.merchant()
  const { id } = await paidDeposit(app, shop.merchantId)
  const { transactionId } = accepted(await shop.post(refundPath(id), refundBody()), 201)
  accepted(await shop.post(`/v1/transactions/${transactionId}/cancel`, undefined), 200)
  assert.equal('refundedAmount' in accepted(await shop.get(`/v1/transactions/${id}`), 200), false)
  assert.deepEqual(await checkEvents(app, shop, id), ['completed', 'updated', 'updated'])
  accepted(await shop.post(refundPath(id), refundBody()), 201)
  assert.deepEqual(await findDrift(app.db), [])
})

test('an exact repeat and another request with the processId are told apart, also from a withdrawal', async () => {
  const shop = await service.merchant({ funds: 1_000_000n })
  const { id } = await paidDeposit(app, shop.merchantId)
  const body = refundBody({ reason: 'iade' })
  const { transactionId } = accepted(await shop.post(refundPath(id), body), 201)
  const differs = async (path: string, again: object) => {
    const { details } = refused(await shop.post(path, again), 400, 'DUPLICATE_TRANSACTION')
    assert.equal(details.transactionId, transactionId)
    return details.differs
  }
  assert.deepEqual(await differs(refundPath(id), body), [])
  assert.deepEqual(await differs(refundPath(id), { ...body, amount: 125_000 }), [])
  assert.deepEqual(await differs(refundPath(id), { ...body, amount: 1, reason: 'x' }), ['amount', 'reason'])
  assert.deepEqual(await differs(refundPath(id), { ...body, iban: OTHER_IBAN }), ['iban'])
  const second = await paidDeposit(app, shop.merchantId)
  assert.deepEqual(await differs(refundPath(second.id), body), ['refundOf'])
  const plain = withdrawBody({ processId: body.processId, amount: 125_000, userId: 'c-1' })
  assert.deepEqual(await differs('/v1/withdraw', plain), ['refundOf'])
  const withdrawal = withdrawBody()
  accepted(await shop.post('/v1/withdraw', withdrawal), 201)
  const taken = refundBody({ processId: withdrawal.processId })
  refused(await shop.post(refundPath(second.id), taken), 400, 'DUPLICATE_TRANSACTION')
  assert.equal(accepted(await shop.get(`/v1/transactions/${second.id}`), 200).refundedAmount, undefined)
})

test('what cannot be refunded: unknown, of another merchant, a withdrawal, not completed, without balance, frozen', async () => {
  const [shop, other] = [await service.merchant(), await service.merchant()]
  const deposit = await paidDeposit(app, shop.merchantId)
  refused(await shop.post(refundPath('0'.repeat(24)), refundBody()), 404, 'NOT_FOUND')
  refused(await other.post(refundPath(deposit.id), refundBody()), 404, 'NOT_FOUND')
  const [open = assert.fail()] = await someDeposits(app, shop.merchantId, 1)
  assert.match(refused(await shop.post(refundPath(open.id), refundBody()), 409, 'INVALID_STATE').message, /is pending/)
  const sent = accepted(await shop.post('/v1/withdraw', withdrawBody({ amount: 100_000 })), 201)
  const isWithdrawal = refused(await shop.post(refundPath(sent.transactionId), refundBody()), 409, 'INVALID_STATE')
  assert.match(isWithdrawal.message, /is a withdrawal/)
  const poor = refused(await shop.post(refundPath(deposit.id), refundBody()), 400, 'INSUFFICIENT_BALANCE')
  assert.deepEqual(poor.details, { available: 25_000, needed: 125_000 })
  await freezeMerchant(app, UNATTRIBUTED, shop.merchantId, 'a test of it')
  await until(
    () => shop.post(refundPath(deposit.id), refundBody({ amount: 1_000_000 })),
    ({ code }) => code === 'ACCOUNT_SUSPENDED',
  )
  assert.deepEqual(await checkEvents(app, shop, deposit.id), ['completed'])
})

test('addresses: as for withdraw, a merchant without a list is refused', async () => {
  const shop = await service.merchant({ allowedNetworks: [] })
  const { id } = await paidDeposit(app, shop.merchantId)
  refused(await shop.post(refundPath(id), refundBody()), 403, 'IP_NOT_WHITELISTED')
})

test('fields are checked', async () => {
  const shop = await service.merchant()
  const { id } = await paidDeposit(app, shop.merchantId)
  const fields = async (changes: object) => refusedFields(await shop.post(refundPath(id), refundBody({ ...changes })))
  assert.deepEqual(await fields({ processId: undefined }), ['processId'])
  for (const amount of [0, -1, 1.5, '5']) assert.deepEqual(await fields({ amount }), ['amount'])
  assert.deepEqual(await fields({ reason: ' ' }), ['reason'])
  assert.deepEqual(await fields({ reason: 'x'.repeat(201) }), ['reason'])
  assert.deepEqual(await fields({ iban: OTHER_IBAN }), ['iban'], 'it goes back to where it came from')
  accepted(await shop.post(refundPath(id), refundBody({ iban: 'tr62 0006 2000 2950 0006 2912 96' })), 201)
})

test('no usable sender on the bank line: iban and accountName are needed', async () => {
  const shop = await service.merchant()
  for (const line of [{ senderIban: null }, { senderIban: 'DE89370400440532013000' }, { senderName: '' }]) {
    const { id } = await paidDeposit(app, shop.merchantId, line)
    assert.deepEqual(refusedFields(await shop.post(refundPath(id), refundBody())), ['iban', 'accountName'])
    assert.deepEqual(refusedFields(await shop.post(refundPath(id), refundBody({ iban: OTHER_IBAN }))), ['accountName'])
    const recipient = { iban: OTHER_IBAN, accountName: 'Ali Kaya' }
    refused(await shop.post(refundPath(id), refundBody({ ...recipient, iban: 'TR00' })), 400, 'INVALID_IBAN')
    const { transactionId } = accepted(await shop.post(refundPath(id), refundBody(recipient)), 201)
    const [row] = await app.db.query(sql`
      select iban, account_name as name, state, state_reason as reason from withdrawals where id = ${transactionId}`)
    const waits = { state: 'awaiting_approval', reason: 'refund_recipient' }
    assert.deepEqual(row, { iban: OTHER_IBAN, name: 'Ali Kaya', ...waits })
  }
})

test('an erased deposit can be refunded to an account that the merchant names; the reason is erased with the refund', async () => {
  const shop = await service.merchant()
  const { merchantId } = shop
  const { id } = await paidDeposit(app, merchantId)
  const how = { askedFor: 'transaction', reason: 'a test', despiteRetention: true, dryRun: false } as const
  const erase = async (kind: 'deposit' | 'withdrawal', one: string) => {
    await distributeEvents(app)
    const outcome = await eraseTransaction(app, UNATTRIBUTED, { kind, merchantId, id: one }, how)
    assert.equal(outcome.outcome, 'erased', JSON.stringify(outcome))
  }
  await erase('deposit', id)
  assert.deepEqual(refusedFields(await shop.post(refundPath(id), refundBody())), ['iban', 'accountName'])
  const body = refundBody({ iban: OTHER_IBAN, accountName: 'Ali Kaya', reason: 'Ali Kaya iade' })
  const { transactionId } = accepted(await shop.post(refundPath(id), body), 201)
  accepted(await shop.post(`/v1/transactions/${transactionId}/cancel`, undefined), 200)
  await erase('withdrawal', transactionId)
  const { refundReason, iban } = accepted(await shop.get(`/v1/transactions/${transactionId}`), 200)
  assert.deepEqual([refundReason, iban], ['[erased]', 'TR470000000000000000000000'])
  await checkEvents(app, shop, transactionId)
})

test('several lines: it goes to the sender of the largest', async () => {
  const shop = await service.merchant()
  const [deposit = assert.fail()] = await someDeposits(app, shop.merchantId, 1)
  await payDeposit(app, deposit, { ...SENDER, amount: 25_000n })
  await payDeposit(app, deposit, { ...SENDER, amount: 100_000n, senderIban: OTHER_IBAN })
  const { transactionId } = accepted(await shop.post(refundPath(deposit.id), refundBody()), 201)
  assert.equal(accepted(await shop.get(`/v1/transactions/${transactionId}`), 200).iban, OTHER_IBAN)
})

test('a merchant whose refunds are charged pays the fee of a withdrawal for them', async () => {
  const shop = await service.merchant({ funds: 10_000n })
  await changeFees(app, UNATTRIBUTED, shop.merchantId, { withdraw: { fixed: 150n } })
  await setRefundsCharged(app, UNATTRIBUTED, shop.merchantId, true)
  await travelTo(app, 5)
  const { id } = await paidDeposit(app, shop.merchantId)
  const { transactionId } = accepted(await shop.post(refundPath(id), refundBody({ amount: 100 })), 201)
  assert.equal(accepted(await shop.get(`/v1/transactions/${transactionId}`), 200).fee, 150)
  await travelTo(app, 0)
})
