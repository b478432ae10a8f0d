import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { merchantActor, operatorActor, UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { checkLedger, findDrift, lastCheck } from '../../packages/server/src/domain/ledger/index.ts'
import { setPayoutRules } from '../../packages/server/src/domain/merchants/index.ts'
import { addOperator, DECIDING } from '../../packages/server/src/domain/people/index.ts'
import {
  decideDoubt,
  dispatchWithdrawals,
  findPayout,
  cancelWithdrawal,
  findWithdrawalById,
  rejectWithdrawal,
  stopWithdrawal,
} from '../../packages/server/src/domain/withdrawals/index.ts'
import { distributeEvents } from '../../packages/server/src/domain/webhooks/index.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { approveTwice } from '../harness/approvals.ts'
import { openCommandLineOf } from '../harness/command-line.ts'
import { laterBy } from '../harness/crash.ts'
import { depositBody, withdrawBody } from '../harness/examples.ts'
import { startWithBank } from '../harness/payouts.ts'

// Someone who can write to the database, but lacks the master key and cannot change the schema.
const service = await startWithBank()
const { app, connection, work, witness } = service
const shop = await service.merchantWithMoney(5_000_000n)
const other = await service.merchantWithMoney(1_000_000n)
const run = openCommandLineOf(service)
const [ada, bora] = [operatorActor('ada.aksoy'), operatorActor('bora.boz')]
for (const name of ['ada.aksoy', 'bora.boz']) await addOperator(app, UNATTRIBUTED, name, DECIDING)
await setPayoutRules(app, UNATTRIBUTED, shop.merchantId, { approvalThreshold: 50_000n })
const [source] = await app.banks.accounts()
const EVIL = 'TR330006100519786457841326'

const stateOf = async (id: string) => (await findWithdrawalById(app.db, id))?.state
const ask = async (amount: number) =>
  (await shop.post('/v1/withdraw', withdrawBody({ amount }))).body.data.transactionId as string
const check = async (name: string) => {
  const { output } = await run(['doctor', '--json'])
  return (JSON.parse(output) as { checks: { check: string; ok: boolean; todo?: string }[] }).checks.find(
    (one) => one.check === name,
  )
}
const forge = (id: string, { iban = EVIL, amount = 60_000, name = 'Evil' } = {}) =>
  app.db.query(sql`
    insert into payouts (merchant_id, withdrawal_id, source_account_id, connection, rail, amount, currency, iban, account_name,
      description, purpose_code, state, next_at, created_at, updated_at)
    values (${shop.merchantId}, ${id}, ${source?.id}, ${connection.name}, 'fast', ${amount}, 'TRY', ${iban}, ${name},
      ${`Para cekme ${id}`}, '06', 'ready', now() - interval '1 minute', now(), now())`)
const sentFor = async (id: string) => (await witness()).filter(({ reference }) => reference === id)

afterEach(async () => assert.deepEqual(await findDrift(app.db), []))

test('a payout inserted for a withdrawal that waits for approval is not sent; doctor names it', async () => {
  const id = await ask(60_000)
  await work()
  assert.equal(await stateOf(id), 'awaiting_approval')
  assert.equal((await check('payouts and their withdrawals'))?.ok, true)
  await forge(id)
  await work()
  assert.deepEqual(await sentFor(id), [])
  assert.deepEqual(
    [(await findPayout(app.db, id))?.state, (await findPayout(app.db, id))?.reason],
    ['asking', 'differs_from_withdrawal'],
  )
  const found = await check('payouts and their withdrawals')
  assert.equal(found?.ok, false)
  assert.match(found?.todo ?? '', /A payout that differs/)

  // Its money is not given back while the bank may have the payout.
  await assert.rejects(rejectWithdrawal(app, ada, id, 'a test'), { why: 'withdrawal_has_payout' })
  await assert.rejects(cancelWithdrawal(app, merchantActor(shop.merchantId), id), { why: 'withdrawal_has_payout' })
  assert.equal(await stateOf(id), 'awaiting_approval')

  // The way out: approved by two, it is in doubt, and two people end it.
  await approveTwice(app, [ada, bora], id)
  await work()
  assert.deepEqual([await sentFor(id), (await findPayout(app.db, id))?.state], [[], 'asking'])
  const said = { verdict: 'not_found' as const, evidence: 'the bank has no such order' }
  await decideDoubt(app, ada, id, said)
  assert.equal(await decideDoubt(app, bora, id, said), 'failed')
  assert.equal((await check('payouts and their withdrawals'))?.ok, true)
})

for (const [what, terms] of [
  ['another IBAN', { iban: EVIL, amount: 40_000, name: withdrawBody().accountName }],
  ['another amount', { iban: withdrawBody().iban, amount: 40_001, name: withdrawBody().accountName }],
  ['another name', { iban: withdrawBody().iban, amount: 40_000, name: 'Evil' }],
] as const) {
  test(`a payout inserted before ours, with ${what}: dispatch goes on, and it is in doubt instead of sent`, async () => {
    const [id, next] = [await ask(40_000), await ask(41_000)]
    await forge(id, terms)
    await assert.rejects(stopWithdrawal(app, ada, id, 'looks wrong'), { why: 'withdrawal_has_payout' })
    await work()
    assert.deepEqual([await stateOf(id), await stateOf(next)], ['unknown', 'sent'])
    assert.deepEqual(await sentFor(id), [])
    assert.equal((await findWithdrawalById(app.db, id))?.stateReason, 'differs_from_withdrawal')
    const said = { verdict: 'not_found' as const, evidence: 'the bank has no such order' }
    await decideDoubt(app, ada, id, said)
    assert.equal(await decideDoubt(app, bora, id, said), 'failed')
  })
}

test('terms of deposits, collecting accounts and ledger accounts cannot be changed', async () => {
  const { transactionId } = (await shop.post('/v1/deposit', depositBody())).body.data
  const fixed = /fixed/
  for (const change of [
    sql`merchant_id = ${other.merchantId}`,
    sql`process_id = 'another'`,
    sql`amount = amount + 1`,
    sql`currency = 'EUR'`,
    sql`reference_code = null`,
    sql`created_at = created_at - interval '1 day'`,
  ])
    await assert.rejects(app.db.query(sql`update deposits set ${change} where id = ${transactionId}`), fixed)
  for (const change of [sql`iban = ${EVIL}`, sql`title = 'Evil'`, sql`bank_id = 'x'`, sql`currency = 'EUR'`])
    await assert.rejects(app.db.query(sql`update collecting_accounts set ${change} where id = ${source?.id}`), fixed)
  for (const change of [sql`merchant_id = ${other.merchantId}`, sql`kind = 'fees'`, sql`subject = 'x'`])
    await assert.rejects(app.db.query(sql`update accounts set ${change} where merchant_id = ${shop.merchantId}`), fixed)
})

const raise = ({ merchantId }: { merchantId: string }, by: number) =>
  app.db.query(sql`
    update accounts set balance = balance + ${by} where merchant_id = ${merchantId} and kind = 'merchant_available'`)

test('a raised balance stops payouts at once; they continue when a check finds it right again', async () => {
  const id = await ask(7_000)
  await raise(shop, 7_000)
  const asked = await shop.post('/v1/withdraw', withdrawBody({ amount: 1_000 }))
  assert.deepEqual([asked.status, asked.body.error?.code], [400, 'INSUFFICIENT_BALANCE'])
  await work()
  assert.deepEqual([await sentFor(id), (await lastCheck(app.db))?.drifted], [[], 1])
  await raise(shop, -7_000)
  await work()
  assert.deepEqual(await sentFor(id), [])
  await checkLedger(laterBy(app, 61))
  await work()
  assert.equal((await sentFor(id)).length, 1)
})

test('a balance raised at the cost of another stops payouts with the next check, also those written down', async () => {
  const id = await ask(8_000)
  await dispatchWithdrawals(app)
  await raise(shop, 1_000)
  await raise(other, -1_000)
  await checkLedger(laterBy(app, 122))
  await work()
  assert.deepEqual([await sentFor(id), (await lastCheck(app.db))?.drifted], [[], 2])
  await raise(shop, -1_000)
  await raise(other, 1_000)
  await checkLedger(laterBy(app, 183))
  await work()
  assert.equal((await sentFor(id)).length, 1)
})

test('doctor: an account with transfers of another merchant', async () => {
  const rename = (from: string, to: string) =>
    app.db.transaction(async (tx) => {
      await tx.query(sql`set local session_replication_role = replica`)
      await tx.query(sql`
        update accounts set merchant_id = ${to} where merchant_id = ${from} and kind = 'merchant_available'`)
    })
  await rename(shop.merchantId, 'x')
  const drift = await findDrift(app.db)
  assert.ok(drift.some(({ what }) => what === 'owner'))
  const { output } = await run(['doctor'])
  assert.match(output, /FAIL {2}ledger:.* of another merchant/)
  await rename('x', shop.merchantId)
})

test('doctor: an event that says what the transaction does not', async () => {
  const { transactionId } = (await shop.post('/v1/deposit', depositBody())).body.data
  assert.equal((await check('events'))?.ok, true)
  const body = JSON.stringify({ type: 'deposit.completed', data: { transactionId, status: 'completed', sequence: 1 } })
  await app.db.query(sql`
    insert into events (merchant_id, id, transaction_id, sequence, type, body, created_at)
    values (${shop.merchantId}, ${app.ids.next()}, ${transactionId}, 1, 'deposit.completed', ${body}, now())`)
  while ((await distributeEvents(app)) > 0);
  const found = await check('events')
  assert.deepEqual([found?.ok, /An event that is not true/.test(found?.todo ?? '')], [false, true])
})
