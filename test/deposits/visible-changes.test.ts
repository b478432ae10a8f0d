import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operatorActor, UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { listAudit } from '../../packages/server/src/domain/audit/index.ts'
import { listAccounts } from '../../packages/server/src/domain/banks/index.ts'
import type { Deposit } from '../../packages/server/src/domain/deposits/index.ts'
import {
  acknowledgeAccount,
  changeAccountState,
  chooseBank,
  claimPayment,
  expireDeposits,
  forgetBank,
} from '../../packages/server/src/domain/deposits/index.ts'
import { matchByHand, suspendByHand } from '../../packages/server/src/domain/matching/index.ts'
import { addOperator, DECIDING } from '../../packages/server/src/domain/people/index.ts'
import { linesOfDeposit } from '../../packages/server/src/domain/statements/index.ts'
import { depositBody } from '../harness/examples.ts'
import { accepted } from '../harness/envelope.ts'
import { reloadDeposit, payDeposit, someDeposits } from '../harness/payments.ts'
import { startService } from '../harness/service.ts'
import { checkEvents } from '../harness/history.ts'
import { travelTo } from '../harness/until.ts'

const service = await startService()
const { app } = service
const shop = await service.merchant()

async function one(): Promise<Deposit> {
  const [deposit] = await someDeposits(app, shop.merchantId, 1)
  return deposit ?? assert.fail()
}

async function heldLines({ merchantId, id }: Deposit): Promise<string[]> {
  const lines = await linesOfDeposit(app.db, merchantId, id)
  return lines.filter(({ state }) => state === 'suspense').map((line) => line.id)
}

test('a deposit that is paid in three parts: each part is told', async () => {
  const deposit = await one()
  assert.deepEqual(await checkEvents(app, shop, deposit.id), [])
  await payDeposit(app, deposit, { amount: 50_000n })
  assert.deepEqual(await checkEvents(app, shop, deposit.id), ['processing'])
  await payDeposit(app, deposit, { amount: 25_000n })
  assert.deepEqual(await checkEvents(app, shop, deposit.id), ['processing', 'updated'])
  await payDeposit(app, deposit, { amount: 50_000n })
  assert.deepEqual(await checkEvents(app, shop, deposit.id), ['processing', 'updated', 'completed'])
})

test('a deposit that is paid three times: completed is told once, the flag duplicate once', async () => {
  const deposit = await one()
  for (let payment = 0; payment < 3; payment++) await payDeposit(app, deposit)
  assert.deepEqual(await checkEvents(app, shop, deposit.id), ['completed', 'updated'])
  assert.deepEqual((await reloadDeposit(app, deposit)).flags, ['duplicate'])
})

test('money that a person takes away or accepts is told', async () => {
  const deposit = await one()
  await payDeposit(app, deposit, { amount: 50_000n })
  await payDeposit(app, deposit, { amount: 100_000n })
  assert.deepEqual(await checkEvents(app, shop, deposit.id), ['processing', 'updated'])
  const [first = '', second = ''] = await heldLines(deposit)
  await suspendByHand(app, UNATTRIBUTED, second)
  assert.deepEqual(await checkEvents(app, shop, deposit.id), ['processing', 'updated', 'updated'])
  await matchByHand(app, UNATTRIBUTED, first, deposit.id, null, 50_000n)
  assert.deepEqual(await checkEvents(app, shop, deposit.id), ['processing', 'updated', 'updated', 'completed'])
})

test("the customer's choices: bank and account are told, the claim and the acknowledgement are not shown and not told", async () => {
  const { transactionId: id } = accepted(await shop.post('/v1/deposit', depositBody({ bankCode: undefined })), 201)
  const key = { merchantId: shop.merchantId, id }
  await chooseBank(app, key, 'FAST')
  assert.deepEqual(await checkEvents(app, shop, id), ['updated'])
  await chooseBank(app, key, 'FAST')
  await claimPayment(app, key)
  await acknowledgeAccount(app, key)
  assert.deepEqual(await checkEvents(app, shop, id), ['updated'])
  await forgetBank(app, key)
  assert.deepEqual(await checkEvents(app, shop, id), ['updated', 'updated'])
  await forgetBank(app, key)
  assert.deepEqual(await checkEvents(app, shop, id), ['updated', 'updated'])
})

test('an account that is blocked: every deposit that moves to another one says so', async () => {
  const deposits = await someDeposits(app, shop.merchantId, 3)
  const accountIds = [...new Set(deposits.map(({ collectingAccountId }) => collectingAccountId ?? ''))]
  for (const accountId of accountIds) await changeAccountState(app, UNATTRIBUTED, accountId, 'blocked')
  for (const { id } of deposits) assert.ok((await checkEvents(app, shop, id)).every((type) => type === 'updated'))
  for (const { id } of deposits) assert.ok((await checkEvents(app, shop, id)).length > 0)
  for (const accountId of accountIds) await changeAccountState(app, UNATTRIBUTED, accountId, 'active')
})

test('to block an account in live takes a reason, which is in the audit', async () => {
  await addOperator(app, UNATTRIBUTED, 'ada.aksoy', DECIDING)
  const [live, ada] = [{ ...app, sandbox: false }, operatorActor('ada.aksoy')]
  const { id } = (await app.banks.accounts())[0] ?? assert.fail('no account')
  const block = (why?: string) => changeAccountState(live, ada, id, 'blocked', why)
  for (const why of [undefined, '', ' no ']) await assert.rejects(block(why), { why: 'reason_missing' })
  // What the process has cached may be a second old.
  assert.equal((await listAccounts(app.db)).find((one) => one.id === id)?.state, 'active')
  await block(' the bank froze it ')
  await changeAccountState(live, ada, id, 'active')
  const entries = await listAudit(app.db, { subject: `account:${id}`, actor: 'ada.aksoy' }, 2)
  assert.deepEqual(
    entries.map(({ reason }) => reason),
    [null, 'the bank froze it'],
  )
})

test('cancelled, expired, late', async () => {
  const [cancelled, late] = [await one(), await one()]
  accepted(await shop.post(`/v1/transactions/${cancelled.id}/cancel`, undefined), 200)
  assert.deepEqual(await checkEvents(app, shop, cancelled.id), ['cancelled'])
  await travelTo(app, 31 * 60)
  await expireDeposits(app)
  assert.deepEqual(await checkEvents(app, shop, late.id), ['expired'])
  await payDeposit(app, late)
  assert.deepEqual(await checkEvents(app, shop, late.id), ['expired', 'completed'])
  await travelTo(app, 0)
})
