import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { openCollectingAccount, setBankLimits } from '../../packages/server/src/domain/banks/index.ts'
import { fundMerchant } from '../../packages/server/src/domain/matching/index.ts'
import { findDrift } from '../../packages/server/src/domain/ledger/index.ts'
import { findMerchant } from '../../packages/server/src/domain/merchants/index.ts'
import { accepted, refused, refusedFields } from '../harness/envelope.ts'
import { depositBody, withdrawBody } from '../harness/examples.ts'
import { turkishIban } from '../harness/iban.ts'
import { startService } from '../harness/service.ts'

// Decisions 4 (processId), 10 (balance, holds, fees), 17 (currencies).
const service = await startService()
type Shop = Awaited<ReturnType<typeof service.merchant>>

/** At the bank of the examples' recipient: another currency than TRY stays within a bank. */
const OURS = turkishIban({ account: '0000000000004711' })

const balance = async (shop: Shop, query = '') => {
  const { available, held } = accepted(await shop.get(`/v1/balance${query}`), 200)
  return [available, held]
}
const cancel = (shop: Shop, id: string) => shop.post(`/v1/transactions/${id}/cancel`, undefined)

test('D4.2 the second use of a processId on withdraw: 400 DUPLICATE_TRANSACTION, and moves nothing', async () => {
  const shop = await service.merchant({ funds: 50_000n })
  const body = withdrawBody()
  accepted(await shop.post('/v1/withdraw', body), 201)
  refused(await shop.post('/v1/withdraw', body), 400, 'DUPLICATE_TRANSACTION')
  refused(await shop.post('/v1/withdraw', { ...body, amount: 1 }), 400, 'DUPLICATE_TRANSACTION')
  // Even where the balance would no longer do: "already used" is what the caller needs to know.
  refused(await shop.post('/v1/withdraw', { ...body, amount: 50_000 }), 400, 'DUPLICATE_TRANSACTION')
  assert.deepEqual(await balance(shop), [40_000, 10_000])
})

test('D4.2b DUPLICATE_TRANSACTION names the first transaction and the fields that differ, in both kinds', async () => {
  const shop = await service.merchant({ funds: 50_000n })
  for (const [path, body] of [
    ['/v1/deposit', depositBody()],
    ['/v1/withdraw', withdrawBody()],
  ] as const) {
    const { transactionId } = accepted(await shop.post(path, body), 201)
    const same = refused(await shop.post(path, body), 400, 'DUPLICATE_TRANSACTION')
    assert.deepEqual(same.details, { transactionId, differs: [] })
    const other = refused(await shop.post(path, { ...body, amount: 9999 }), 400, 'DUPLICATE_TRANSACTION')
    assert.deepEqual(other.details, { transactionId, differs: ['amount'] })
  }
})

test('D4.3 the same processId on a deposit and on a withdrawal is allowed', async () => {
  const shop = await service.merchant({ funds: 50_000n })
  const processId = 'both'
  accepted(await shop.post('/v1/deposit', depositBody({ processId })), 201)
  accepted(await shop.post('/v1/withdraw', withdrawBody({ processId })), 201)
})

test('D4.4 the same processId at two merchants is allowed', async () => {
  const processId = 'everyone-has-order-1'
  for (const shop of [await service.merchant({ funds: 50_000n }), await service.merchant({ funds: 50_000n })]) {
    accepted(await shop.post('/v1/deposit', depositBody({ processId })), 201)
    accepted(await shop.post('/v1/withdraw', withdrawBody({ processId })), 201)
  }
})

test('D4.5 a processId stays used for ever, also after its transaction was cancelled', async () => {
  const shop = await service.merchant({ funds: 50_000n })
  for (const [path, body] of [
    ['/v1/deposit', depositBody()],
    ['/v1/withdraw', withdrawBody()],
  ] as const) {
    const { transactionId } = accepted(await shop.post(path, body), 201)
    accepted(await cancel(shop, transactionId), 200)
    refused(await shop.post(path, body), 400, 'DUPLICATE_TRANSACTION')
  }
})

test('D4.6 case and outer spaces make another processId', async () => {
  const shop = await service.merchant()
  for (const processId of ['Order-1', 'order-1', ' order-1', 'order-1 '])
    assert.equal(accepted(await shop.post('/v1/deposit', depositBody({ processId })), 201).processId, processId)
})

test('D10.1 a withdrawal holds its amount at once, and a cancelled one gives it back once', async () => {
  const shop = await service.merchant({ funds: 50_000n })
  const { transactionId } = accepted(await shop.post('/v1/withdraw', withdrawBody({ amount: 20_000 })), 201)
  assert.deepEqual(await balance(shop), [30_000, 20_000])
  accepted(await cancel(shop, transactionId), 200)
  assert.deepEqual(await balance(shop), [50_000, 0])
  refused(await cancel(shop, transactionId), 409, 'INVALID_STATE')
  assert.deepEqual(await balance(shop), [50_000, 0])
})

test('D10.2 ten cancels of one withdrawal at once: one 200, nine 409, the money comes back once', async () => {
  const shop = await service.merchant({ funds: 50_000n })
  const { transactionId } = accepted(await shop.post('/v1/withdraw', withdrawBody({ amount: 20_000 })), 201)
  const answers = await Promise.all(Array.from({ length: 10 }, () => cancel(shop, transactionId)))
  const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b)
  assert.deepEqual(statuses, [200, ...Array.from({ length: 9 }, () => 409)])
  assert.deepEqual(await balance(shop), [50_000, 0])
})

test('D10.3 creating and cancelling a deposit moves no money', async () => {
  const shop = await service.merchant({ funds: 50_000n })
  const { transactionId } = accepted(await shop.post('/v1/deposit', depositBody()), 201)
  accepted(await cancel(shop, transactionId), 200)
  assert.deepEqual(await balance(shop), [50_000, 0])
})

for (const [name, fee, amount, expected] of [
  ['none by default', {}, 10_000, 0],
  ['150 basis points', { bps: 150 }, 10_000, 150],
  ['a fixed part', { fixed: 250n }, 10_000, 250],
  ['both', { bps: 150, fixed: 250n }, 10_000, 400],
  ['half a kuruş rounds up', { bps: 50 }, 100, 1],
  ['less than half rounds down', { bps: 49 }, 100, 0],
  ['never below the minimum', { bps: 100, min: 500n }, 10_000, 500],
  ['never above the maximum', { bps: 1000, fixed: 5n, max: 700n }, 10_000, 700],
] as const) {
  test(`D10.4 withdrawal fee, ${name}: held with the amount, shown, and given back`, async () => {
    const shop = await service.merchant({ funds: 50_000n, withdrawFee: fee })
    const { transactionId } = accepted(await shop.post('/v1/withdraw', withdrawBody({ amount })), 201)
    assert.deepEqual(await balance(shop), [50_000 - amount - expected, amount + expected])
    assert.equal(accepted(await shop.get(`/v1/transactions/${transactionId}`), 200).fee, expected)
    accepted(await cancel(shop, transactionId), 200)
    assert.deepEqual(await balance(shop), [50_000, 0])
  })

  test(`D10.5 deposit fee, ${name}: taken from what is credited, and shown`, async () => {
    const shop = await service.merchant({ funds: BigInt(amount), depositFee: fee })
    assert.deepEqual(await balance(shop), [amount - expected, 0])
    const [paid] = accepted(await shop.get('/v1/transactions'), 200).transactions
    assert.deepEqual([paid.receivedAmount, paid.fee, paid.netAmount], [amount, expected, amount - expected])
  })
}

test('D10.6 the balance must hold the fee as well: 400 INSUFFICIENT_BALANCE', async () => {
  const shop = await service.merchant({ funds: 10_000n, withdrawFee: { fixed: 1n } })
  refused(await shop.post('/v1/withdraw', withdrawBody({ amount: 10_000 })), 400, 'INSUFFICIENT_BALANCE')
  accepted(await shop.post('/v1/withdraw', withdrawBody({ amount: 9999 })), 201)
  assert.deepEqual(await balance(shop), [0, 10_000])
})

test('D10.7 fees belong to one merchant only', async () => {
  await service.merchant({ withdrawFee: { fixed: 5000n } })
  const shop = await service.merchant({ funds: 10_000n })
  accepted(await shop.post('/v1/withdraw', withdrawBody({ amount: 10_000 })), 201)
})

test('D10.8 after all of this every stored balance is the sum of its transfers', async () => {
  assert.deepEqual(await findDrift(service.app.db), [])
})

test('D17.1 a deployment may enable another currency; ledger and limits are per currency', async () => {
  const { app, merchant } = await startService({ currencies: ['TRY', 'EUR'] })
  await setBankLimits(app, UNATTRIBUTED, '0062', 'EUR', { minAmount: 10n, maxAmount: 2000n })
  const { bankId } = await openCollectingAccount(app, UNATTRIBUTED, {
    iban: OURS,
    title: 'Vezne Deneme',
    currency: 'EUR',
  })
  const shop = await merchant({ funds: 50_000n })
  await fundMerchant(app, await findMerchant(app, shop.merchantId), 1500n, 'EUR')
  assert.deepEqual(await balance(shop), [50_000, 0])
  assert.deepEqual(await balance(shop, '?currency=EUR'), [1500, 0])

  const euros = (amount: number) => depositBody({ amount, currency: 'EUR', bankCode: bankId })
  const { currency, assignedAccount } = accepted(await shop.post('/v1/deposit', euros(2000)), 201)
  assert.deepEqual([currency, assignedAccount.iban], ['EUR', OURS])
  refused(await shop.post('/v1/deposit', euros(2001)), 400, 'AMOUNT_OUT_OF_RANGE')

  const payout = (amount: number) => withdrawBody({ amount, currency: 'EUR' })
  refused(await shop.post('/v1/withdraw', payout(1501)), 400, 'INSUFFICIENT_BALANCE')
  assert.equal(accepted(await shop.post('/v1/withdraw', payout(1500)), 201).currency, 'EUR')
  assert.deepEqual(
    [await balance(shop), await balance(shop, '?currency=EUR')],
    [
      [50_000, 0],
      [0, 1500],
    ],
  )
  assert.deepEqual(refusedFields(await shop.post('/v1/withdraw', withdrawBody({ currency: 'USD' }))), ['currency'])
})
