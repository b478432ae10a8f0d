import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { UNATTRIBUTED, operatorActor } from '../../packages/server/src/kernel/actor.ts'
import { balanceOf, findDrift } from '../../packages/server/src/domain/ledger/index.ts'
import { addOperator, DECIDING } from '../../packages/server/src/domain/people/index.ts'
import { bankApiConnection } from '../../packages/server/src/domain/connections/index.ts'
import {
  queryPayoutStatus,
  decideDoubt,
  dispatchWithdrawals,
  findPayout,
  submitPayouts,
  callsOf,
} from '../../packages/server/src/domain/withdrawals/index.ts'
import { aWeekLater } from '../harness/crash.ts'
import { withdrawBody } from '../harness/examples.ts'
import type { Reply } from '../harness/plain-bank.ts'
import { accepted, neverSeen, startPlainBank } from '../harness/plain-bank.ts'
import { startService } from '../harness/service.ts'
import { mustFind, checkHistory } from '../harness/history.ts'
import { travelTo } from '../harness/until.ts'
import { note } from '../../packages/server/src/kernel/refusals/note.ts'

const service = await startService()
const { app } = service
const bank = await startPlainBank()
app.connections.push(bankApiConnection(bank.connection))
const shop = await service.merchant({ funds: 5_000_000n })
for (const name of ['ada.aksoy', 'bora.boz']) await addOperator(app, UNATTRIBUTED, name, DECIDING)
const HOUR = 3600
const AMOUNT = 10_000n

afterEach(async () => {
  bank.behave()
  await travelTo(app, 0)
})

const available = async () => (await balanceOf(app.db, shop.merchantId, 'TRY')).available
const ordersOf = (id: string) => bank.orders.filter((reference) => reference === id).length
const payoutOf = async (id: string) => (await findPayout(app.db, id)) ?? assert.fail(`no payout for ${id}`)
const callsFor = async (id: string) =>
  (await callsOf(app.db, shop.merchantId, id)).map(({ kind, outcome }) => `${kind} ${outcome}`)

async function work(): Promise<void> {
  while ((await dispatchWithdrawals(app)) + (await submitPayouts(app)) + (await queryPayoutStatus(app)) > 0);
}

/** The first sending pays and breaks; the bank's search does not find it yet; the second sending gets this reply. */
async function sentTwice(second: Reply): Promise<string> {
  bank.behave({
    submit: (reference, pay) => {
      if (ordersOf(reference) > 1) return second
      pay()
      return 'reset'
    },
    find: () => neverSeen,
  })
  const { transactionId: id } = (await shop.post('/v1/withdraw', withdrawBody())).body.data
  await work()
  await travelTo(app, 120)
  await work()
  assert.equal(ordersOf(id), 2)
  return id
}

const REFUSALS: [name: string, reply: Reply, words: RegExp][] = [
  [
    '400 duplicate_reference',
    { status: 400, body: { error: 'duplicate_reference' } },
    /"status":400.*duplicate_reference|duplicate_reference.*"status":400/,
  ],
  [
    '409',
    { status: 409, body: { error: 'already_processed' } },
    /"status":409.*already_processed|already_processed.*"status":409/,
  ],
  ['422', { status: 422, body: { error: 'duplicate' } }, /"status":422.*duplicate|duplicate.*"status":422/],
  ['status rejected', { status: 200, body: { status: 'rejected', reason: 'duplicate' } }, /duplicate/],
]

for (const [name, reply, words] of REFUSALS) {
  test(`${name} to the second sending: the first may have paid, so the merchant gets nothing back`, async () => {
    const before = await available()
    const id = await sentTwice(reply)
    const { status, state } = await mustFind(app, id)
    assert.deepEqual([status, state, (await payoutOf(id)).state], ['processing', 'unknown', 'asking'])
    assert.equal(await available(), before - AMOUNT)
    assert.deepEqual(await callsFor(id), ['submit unknown', 'find never_seen', 'submit contradictory'])
    assert.match(JSON.stringify((await callsOf(app.db, shop.merchantId, id)).at(-1)?.detail), words)
    bank.behave()
    await travelTo(app, HOUR)
    await work()
    assert.equal((await mustFind(app, id)).status, 'completed')
    assert.deepEqual(await checkHistory(app, id), ['processing', 'completed'])
    assert.deepEqual([ordersOf(id), bank.paid.filter((reference) => reference === id).length], [2, 1])
    assert.deepEqual(await findDrift(app.db), [])
  })
}

test('400 to the first sending is a definite no; its words are kept', async () => {
  const before = await available()
  bank.behave({ submit: () => ({ status: 400, body: { error: 'invalid_to_iban' } }) })
  const { transactionId: id } = (await shop.post('/v1/withdraw', withdrawBody())).body.data
  await work()
  const { status, failureReason } = await mustFind(app, id)
  assert.deepEqual([status, failureReason, await available()], ['failed', 'bank_refused', before])
  const [call] = await callsOf(app.db, shop.merchantId, id)
  assert.deepEqual([call?.outcome, ordersOf(id)], ['rejected', 1])
  assert.deepEqual(call?.detail, note('answer_http', { status: 400, text: '{"error":"invalid_to_iban"}' }))
})

test('the answer to a question ends it: after a refused second sending the bank says that it refused the order', async () => {
  const before = await available()
  const id = await sentTwice({ status: 400, body: { error: 'invalid_order' } })
  bank.behave({ find: () => ({ status: 200, body: { status: 'rejected', reason: 'account_closed' } }) })
  await travelTo(app, HOUR)
  await work()
  const { status, failureReason } = await mustFind(app, id)
  assert.deepEqual([status, failureReason, await available()], ['failed', 'account_closed', before])
})

test('never seen and refused, again and again: hourly at most, in doubt, and two people end it', async () => {
  const before = await available()
  const id = await sentTwice({ status: 400, body: { error: 'invalid_order' } })
  await work()
  assert.equal(ordersOf(id), 2, 'not sent before the next question is due')
  for (const [hours, orders] of [3, 4, 5, 6, 7].entries()) {
    await travelTo(app, (hours + 1) * (HOUR + 60))
    await work()
    assert.equal(ordersOf(id), orders)
    const wait = (await payoutOf(id)).nextAt.getTime() - app.clock.now().getTime()
    assert.ok(wait > 14 * 60_000, `the next question is due in ${wait} ms`)
  }
  assert.equal((await mustFind(app, id)).state, 'unknown')
  for (const operator of ['ada.aksoy', 'bora.boz']) {
    const said = { verdict: 'not_found' as const, evidence: 'statement until noon', unproven: true }
    await decideDoubt(aWeekLater(app), operatorActor(operator), id, said)
  }
  assert.deepEqual([(await mustFind(app, id)).status, await available()], ['failed', before])
  await travelTo(app, 100 * HOUR)
  await work()
  assert.equal(ordersOf(id), 7)
})

test('refused as a duplicate, then never seen again: it is not sent a third time', async () => {
  const id = await sentTwice({ status: 400, body: { error: 'duplicate_reference' } })
  for (const hours of [1, 2, 3]) {
    await travelTo(app, hours * (HOUR + 60))
    await work()
  }
  assert.deepEqual([(await mustFind(app, id)).state, ordersOf(id)], ['unknown', 2])
})

test('an order that the bank accepts at the second sending is completed', async () => {
  const id = await sentTwice(accepted)
  assert.equal((await mustFind(app, id)).status, 'completed')
})

const DUPLICATES: [name: string, reply: Reply][] = [
  ['400 duplicate_reference', { status: 400, body: { error: 'duplicate_reference' } }],
  ['rejected as duplicate_reference', { status: 200, body: { status: 'rejected', reason: 'duplicate_reference' } }],
  ['rejected as ALREADY_PROCESSED', { status: 200, body: { status: 'rejected', reason: 'ALREADY_PROCESSED' } }],
]

for (const [name, reply] of DUPLICATES) {
  test(`${name} to the first sending: the bank has it already, so it is in doubt`, async () => {
    const before = await available()
    bank.behave({
      submit: (_, pay) => {
        pay()
        return reply
      },
    })
    const { transactionId: id } = (await shop.post('/v1/withdraw', withdrawBody())).body.data
    await work()
    assert.deepEqual([(await mustFind(app, id)).state, await available()], ['unknown', before - AMOUNT])
    await travelTo(app, HOUR)
    await work()
    assert.deepEqual([(await mustFind(app, id)).status, ordersOf(id)], ['completed', 1])
  })
}
