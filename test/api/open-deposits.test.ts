import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UNATTRIBUTED, merchantActor } from '../../packages/server/src/kernel/actor.ts'
import { createDeposits } from '../../packages/server/src/domain/deposits/index.ts'
import { setMaxOpenDeposits } from '../../packages/server/src/domain/merchants/index.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { accepted, refused } from '../harness/envelope.ts'
import { depositBody } from '../harness/examples.ts'
import { startService } from '../harness/service.ts'
import { until } from '../harness/until.ts'

const service = await startService()
const { app } = service

test('one more open deposit than allowed: 429 with how many, the limit and what ends them; a repetition is still a duplicate', async () => {
  const shop = await service.merchant({ maxOpenDeposits: 3 })
  const bodies = [depositBody(), depositBody({ bankCode: undefined }), depositBody()]
  const [first] = await Promise.all(bodies.map(async (body) => accepted(await shop.post('/v1/deposit', body), 201)))
  const answer = await shop.post('/v1/deposit', depositBody())
  refused(answer, 429, 'RATE_LIMITED')
  assert.match(answer.body.error.message, /^3 deposits are open; .* at most 3 .*paid, cancelled or expired/)
  assert.ok(Number(answer.headers['retry-after']) >= 1)
  refused(await shop.post('/v1/deposit', bodies[0]), 400, 'DUPLICATE_TRANSACTION')
  accepted(await shop.post(`/v1/transactions/${first.transactionId}/cancel`, undefined), 200)
  const again = depositBody()
  await until(
    () => shop.post('/v1/deposit', again),
    ({ status }) => status === 201,
  )
  refused(await shop.post('/v1/deposit', depositBody()), 429, 'RATE_LIMITED')
  await setMaxOpenDeposits(app, UNATTRIBUTED, shop.merchantId, 4)
  await until(
    () => shop.post('/v1/deposit', depositBody()),
    ({ status }) => status === 201,
  )
})

test('a repeated processId uses up nothing of the limit', async () => {
  const shop = await service.merchant({ maxOpenDeposits: 3 })
  const body = depositBody()
  accepted(await shop.post('/v1/deposit', body), 201)
  for (let times = 0; times < 5; times++) refused(await shop.post('/v1/deposit', body), 400, 'DUPLICATE_TRANSACTION')
  for (let times = 0; times < 2; times++) accepted(await shop.post('/v1/deposit', depositBody()), 201)
  refused(await shop.post('/v1/deposit', depositBody()), 429, 'RATE_LIMITED')
})

test('thousands of unpaid deposits of one merchant leave an account to another', async () => {
  const [account] = await app.db.query<{ id: string; bankId: string }>(sql`
    update collecting_accounts set daily_amount_limit = 100000000, daily_count_limit = 1000
    where id = (select min(id) from collecting_accounts where currency = 'TRY') returning id, bank_id as "bankId"`)
  assert.ok(account)
  const hoarder = await service.merchant({ maxOpenDeposits: 10_000 })
  const customer = { id: 'c-1', name: 'Ayşe Yılmaz', username: 'ayse' }
  const order = {
    actor: merchantActor(hoarder.merchantId),
    amount: 125_000n,
    currency: 'TRY',
    bankId: account.bankId,
    customer,
  }
  await createDeposits(
    app,
    Array.from({ length: 3000 }, () => ({ ...order, processId: app.ids.next() })),
  )
  const accountOf = async ({ post }: typeof hoarder): Promise<object | undefined> => {
    return accepted(await post('/v1/deposit', depositBody({ bankCode: account.bankId })), 201).assignedAccount
  }
  await until(
    () => accountOf(hoarder),
    (given) => given === undefined,
  )
  assert.notEqual(await accountOf(await service.merchant()), undefined)
})
