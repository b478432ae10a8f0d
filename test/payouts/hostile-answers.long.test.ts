import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { balanceOf, findDrift } from '../../packages/server/src/domain/ledger/index.ts'
import { bankApiConnection } from '../../packages/server/src/domain/connections/index.ts'
import {
  queryPayoutStatus,
  dispatchWithdrawals,
  findPayout,
  submitPayouts,
  callsOf,
} from '../../packages/server/src/domain/withdrawals/index.ts'
import { withdrawBody } from '../harness/examples.ts'
import type { Reply } from '../harness/plain-bank.ts'
import { startPlainBank } from '../harness/plain-bank.ts'
import { startService } from '../harness/service.ts'
import { mustFind } from '../harness/history.ts'
import { travelTo } from '../harness/until.ts'

// A bank whose answers are JSON of the wrong kind: each must still be recorded, and the payout must still end.
const service = await startService()
const { app } = service
const bank = await startPlainBank()
app.connections.push(bankApiConnection(bank.connection))
const shop = await service.merchant({ funds: 5_000_000n })

afterEach(async () => {
  bank.behave()
  await travelTo(app, 0)
  assert.deepEqual(await findDrift(app.db), [])
})

const available = async () => (await balanceOf(app.db, shop.merchantId, 'TRY')).available

async function work(): Promise<void> {
  while ((await dispatchWithdrawals(app)) + (await submitPayouts(app)) + (await queryPayoutStatus(app)) > 0);
}

const ok = (body: object | string): Reply => ({ status: 200, body })

/** The id of a payout to whose order the bank gives this reply. */
async function sentTo(reply: Reply): Promise<string> {
  bank.behave({
    submit: (_, pay) => {
      pay()
      return reply
    },
  })
  const { transactionId } = (await shop.post('/v1/withdraw', withdrawBody())).body.data
  await work()
  return transactionId as string
}

test('a bank reference with a NUL is stored without it', async () => {
  const id = await sentTo(ok({ status: 'accepted', bankReference: 'B\0-1\0' }))
  assert.deepEqual(
    [(await mustFind(app, id)).status, (await findPayout(app.db, id))?.bankReference],
    ['completed', 'B-1'],
  )
})

test('a bank reference with 10,000 characters is stored in part', async () => {
  const id = await sentTo(ok({ status: 'accepted', bankReference: '😀'.repeat(5000) }))
  const { bankReference = null } = (await findPayout(app.db, id)) ?? {}
  assert.deepEqual([(await mustFind(app, id)).status, bankReference], ['completed', '😀'.repeat(70)])
})

for (const bankReference of [{ number: 'B-1' }, ['B-1'], 42, true, null, '', '\0']) {
  test(`accepted with the bank reference ${JSON.stringify(bankReference)} is in doubt, and asked about`, async () => {
    const id = await sentTo(ok({ status: 'accepted', bankReference }))
    assert.deepEqual([(await mustFind(app, id)).state, (await findPayout(app.db, id))?.state], ['unknown', 'asking'])
    await travelTo(app, 120)
    await work()
    assert.equal((await mustFind(app, id)).status, 'completed')
  })
}

test('a bank reference of a return that is an object: returned, without a reference', async () => {
  const before = await available()
  const id = await sentTo('reset')
  bank.behave({ find: () => ok({ status: 'returned', bankReference: { number: 'B\0' } }) })
  await travelTo(app, 120)
  await work()
  assert.deepEqual([(await mustFind(app, id)).state, await available()], ['returned', before])
})

test('an answer that is not JSON and holds a NUL is in doubt, and its words are kept', async () => {
  const id = await sentTo(ok('{"status":\0}'))
  assert.equal((await mustFind(app, id)).state, 'unknown')
  assert.match(
    JSON.stringify((await callsOf(app.db, shop.merchantId, id))[0]?.detail),
    /"answer_unreadable".*not valid JSON|not valid JSON.*"answer_unreadable"/,
  )
})

for (const reason of ['constructor', 'toString', '__proto__', { code: 7 }, 'hesap\0kapali', 'x'.repeat(10_000)]) {
  test(`a refusal for ${JSON.stringify(reason).slice(0, 30)} fails as bank_refused, and the money is back`, async () => {
    const before = await available()
    const id = await sentTo(ok({ status: 'rejected', reason }))
    const { status, failureReason } = await mustFind(app, id)
    assert.deepEqual([status, failureReason, await available()], ['failed', 'bank_refused', before])
    const shown = (await shop.get(`/v1/transactions/${id}`)).body.data
    assert.deepEqual(Object.keys(shown.failureText as object), ['tr', 'en'])
  })
}

const ABOUT_ANOTHER: [name: string, fields: object, field: string][] = [
  ['another reference', { reference: 'aaaaaaaaaaaaaaaaaaaaaaaa' }, 'reference'],
  ['a reference that is no text', { reference: 42 }, 'reference'],
  ['another amount', { amount: 9999 }, 'amount'],
  ['an amount in lira', { amount: '100.00' }, 'amount'],
  ['another recipient', { toIban: 'TR470000100100000350930001' }, 'recipient'],
  ['another currency', { currency: 'USD' }, 'currency'],
]

for (const [name, fields, field] of ABOUT_ANOTHER) {
  test(`an answer with ${name} is about another transfer: in doubt, when sending and when asking`, async () => {
    const about = (status: string) => ok({ status, bankReference: 'B-9', reason: 'account_closed', ...fields })
    const id = await sentTo(about('accepted'))
    assert.equal((await mustFind(app, id)).state, 'unknown')
    for (const [hours, status] of ['accepted', 'rejected', 'returned', 'pending'].entries()) {
      bank.behave({ find: () => about(status) })
      await travelTo(app, (hours + 1) * 3660)
      await work()
      assert.equal((await mustFind(app, id)).state, 'unknown', status)
    }
    const calls = await callsOf(app.db, shop.merchantId, id)
    const has = 'contradictory'
    assert.deepEqual(
      calls.map(({ outcome }) => outcome),
      [has, has, 'unknown', has, has],
    )
    for (const { detail } of calls) {
      const differs = JSON.stringify(detail)
      assert.ok(differs.includes('"answer_differs"') && differs.includes(`"field":"${field}"`), differs)
    }
  })
}

test('an answer with our reference, in capitals too, our amount, recipient and currency counts', async () => {
  const toIban = withdrawBody().iban.replace(/(.{4})/g, '$1 ')
  bank.behave({
    submit: (id) => {
      const about = { reference: id.toUpperCase(), amount: 10_000, toIban, currency: 'TL' }
      return ok({ status: 'accepted', bankReference: 'B-2', ...about })
    },
  })
  const { transactionId } = (await shop.post('/v1/withdraw', withdrawBody({ amount: 10_000 }))).body.data
  await work()
  assert.equal((await mustFind(app, transactionId)).status, 'completed')
})
