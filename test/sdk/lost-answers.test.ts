import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { VezneError } from '../../packages/sdk/src/index.ts'
import { depositBody, withdrawBody } from '../harness/examples.ts'
import { startService } from '../harness/service.ts'
import { openClient, startLossyLine } from './service.ts'

const service = await startService()
const line = await startLossyLine(service.baseUrl)
const merchant = await service.merchant({ funds: 1_000_000n })
const { deposits, withdrawals, balance, transactions } = openClient(line.url, merchant)

async function countOf(processId: string): Promise<number> {
  return (await transactions.page({ processId })).transactions.length
}

/** Makes the call while this many answers are lost on their way. */
async function losing<Result>(answers: number, call: () => Promise<Result>): Promise<Result> {
  const before = line.lost()
  line.lose(answers)
  try {
    return await call()
  } finally {
    assert.equal(line.lost() - before, answers, 'the service had answered')
  }
}

test('a deposit whose answer was lost is returned, and exists once', async () => {
  const request = depositBody({ metadata: { order: 7 } })
  const created = await losing(1, () => deposits.create(request))
  assert.equal(created.alreadyExisted, true)
  assert.equal(created.status, 'pending')
  assert.match(created.checkoutUrl ?? '', /\/checkout\?token=/)
  assert.equal(created.assignedAccount?.iban.length, 26)
  assert.equal((await deposits.find(request.processId))?.transactionId, created.transactionId)
  assert.equal(await countOf(request.processId), 1)
})

test('a withdrawal whose answer was lost three times is returned, and its money is held once', async () => {
  const before = await balance.get()
  const request = withdrawBody({ amount: 10_000, iban: 'TR62 0006 2000 2950 0006 2912 96' })
  const created = await losing(3, () => withdrawals.create(request))
  assert.equal(created.alreadyExisted, true)
  assert.deepEqual(await balance.get(), { ...before, available: before.available - 10_000, held: before.held + 10_000 })
  assert.equal(await countOf(request.processId), 1)
})

test('no answer at all is an error that says so; the same call later returns what was created', async () => {
  const request = withdrawBody({ amount: 5_000 })
  const before = await balance.get()
  await assert.rejects(
    losing(5, () => withdrawals.create(request)),
    ({ code, message }: VezneError) => code === 'UNREACHABLE' && /repeating the same call is safe/.test(message),
  )
  const again = await withdrawals.create(request)
  assert.equal(again.alreadyExisted, true)
  assert.equal((await withdrawals.get(again.transactionId)).processId, request.processId)
  assert.equal((await balance.get()).available, before.available - 5_000)
})

const CREATE = {
  deposit: (amount: number) => deposits.create(depositBody({ processId: 'used', amount })),
  withdrawal: (amount: number) => withdrawals.create(withdrawBody({ processId: 'used', amount })),
}
for (const kind of ['deposit', 'withdrawal'] as const)
  test(`another ${kind} with a processId that is taken is an error, also when its answer was lost`, async () => {
    const create = async (amount: number): Promise<{ transactionId: string; alreadyExisted: boolean }> =>
      CREATE[kind](amount)
    const first = await create(1_000)
    assert.equal(first.alreadyExisted, false)
    for (const losses of [0, 1]) {
      const error: VezneError = await losing(losses, () => create(1_001)).then(
        () => assert.fail('created'),
        (failure: VezneError) => failure,
      )
      assert.deepEqual([error.code, error.status], ['DUPLICATE_TRANSACTION', 400])
      assert.deepEqual(error.details, { transactionId: first.transactionId, differs: ['amount'] })
      assert.match(error.message, /A new payment needs a new processId/)
    }
  })

test('a refusal whose answer was lost is refused again, and is not REQUEST_REPEATED', async () => {
  const request = withdrawBody({ amount: 900_000_000 })
  await assert.rejects(
    losing(2, () => withdrawals.create(request)),
    { code: 'INSUFFICIENT_BALANCE' },
  )
  assert.equal(await countOf(request.processId), 0)
})

test('a cancellation whose answer was lost returns what is cancelled; what cannot be cancelled is refused', async () => {
  const deposit = await deposits.create(depositBody())
  assert.equal((await losing(2, () => deposits.cancel(deposit.transactionId))).status, 'cancelled')
  const withdrawal = await withdrawals.create(withdrawBody({ amount: 1_000 }))
  const before = await balance.get()
  const cancelled = await losing(1, () => withdrawals.cancel(withdrawal.transactionId))
  assert.deepEqual([cancelled.status, cancelled.failureReason], ['failed', 'cancelled_by_merchant'])
  assert.equal((await balance.get()).available, before.available + 1_000)
  const [completed] = (await transactions.page({ type: 'deposit', status: 'completed', limit: 1 })).transactions
  await assert.rejects(deposits.cancel(completed?.transactionId ?? ''), { code: 'INVALID_STATE', status: 409 })
})

test('who may create but not look gets the duplicate, which names the transaction', async () => {
  const abroad = await service.merchant({ allowedNetworks: ['192.0.2.1'] })
  const { deposits } = openClient(line.url, abroad)
  const request = depositBody()
  const { transactionId } = await deposits.create(request)
  await assert.rejects(deposits.create(request), ({ code, details }: VezneError) => {
    assert.deepEqual(details, { transactionId, differs: [] })
    return code === 'DUPLICATE_TRANSACTION'
  })
})
