import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { findDrift } from '../../packages/server/src/domain/ledger/index.ts'
import { bankApiConnection } from '../../packages/server/src/domain/connections/index.ts'
import {
  queryPayoutStatus,
  dispatchWithdrawals,
  submitPayouts,
} from '../../packages/server/src/domain/withdrawals/index.ts'
import { withdrawBody } from '../harness/examples.ts'
import type { Reply } from '../harness/plain-bank.ts'
import { startPlainBank } from '../harness/plain-bank.ts'
import { startService } from '../harness/service.ts'
import { mustFind } from '../harness/history.ts'
import { travelTo } from '../harness/until.ts'

// The bank pays the first order, and refuses that same order as one that it has seen before.
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

async function work(): Promise<void> {
  while ((await dispatchWithdrawals(app)) + (await submitPayouts(app)) + (await queryPayoutStatus(app)) > 0);
}

async function paidAndRefused(reply: (reference: string) => Reply): Promise<string> {
  bank.behave({
    submit: (reference, pay) => {
      pay()
      return reply(reference)
    },
  })
  const { transactionId } = (await shop.post('/v1/withdraw', withdrawBody())).body.data
  await work()
  return transactionId as string
}

const refused = (fields: object): Reply => ({ status: 200, body: { status: 'rejected', ...fields } })
const http = (status: number, body: object | string): Reply => ({ status, body })
const LONG = 'islem kurallara uygun degildir '.repeat(40)

const REPEATS: [name: string, reply: (reference: string) => Reply][] = [
  ['mükerrer', () => refused({ reason: 'Mükerrer işlem' })],
  ['MÜKERRER İŞLEM', () => refused({ reason: 'MÜKERRER İŞLEM' })],
  ['mukerrer', () => refused({ reason: 'mukerrer_referans' })],
  ['mükerrer in a wrong encoding', () => refused({ reason: 'M\u00c3\u00bckerrer' })],
  ['daha önce', () => refused({ reason: 'Referans DAHA ÖNCE kullanılmış' })],
  ['tekrar', () => refused({ reason: 'TEKRAR EDEN ISLEM' })],
  ['already, late in a long reason', () => refused({ reason: `${LONG} reference already used` })],
  ['duplicate in another field', () => refused({ reason: 'refused', detail: { message: 'Duplicate order' } })],
  ['HTTP 400, late in a long body', () => http(400, { error: 'bad', text: `${LONG} mükerrer` })],
  ['HTTP 400, written with escapes', () => http(400, '{"error":"m\\u00fckerrer"}')],
  ['HTTP 400, a text without end', () => http(400, 'x'.repeat(200_000))],
  ['HTTP 400 about another reference', () => http(400, { reference: 'aaaaaaaaaaaaaaaaaaaaaaaa', error: 'bad' })],
  ['HTTP 400 with our reference, accepted', (reference) => http(400, { reference, status: 'accepted' })],
  ['HTTP 400 with our reference, pending', (reference) => http(400, { reference, status: 'pending' })],
  ['HTTP 409', () => http(409, { error: 'conflict' })],
]

for (const [name, reply] of REPEATS) {
  test(`the first sending is refused as a repeat, ${name}: in doubt, and the answer to a question counts`, async () => {
    const id = await paidAndRefused(reply)
    assert.equal((await mustFind(app, id)).state, 'unknown')
    await travelTo(app, 120)
    await work()
    assert.deepEqual(
      [(await mustFind(app, id)).status, bank.orders.filter((one) => one === id).length],
      ['completed', 1],
    )
  })
}

for (const [name, reply] of [
  ['a reason', () => refused({ reason: 'account_closed' })],
  ['HTTP 400', () => http(400, { error: 'invalid_iban' })],
  ['HTTP 400 and our reference', (reference: string) => http(400, { reference, status: 'rejected', error: 'limit' })],
] as const) {
  test(`the first sending is refused with ${name}: that is a clear no`, async () => {
    bank.behave({ submit: reply })
    const { transactionId } = (await shop.post('/v1/withdraw', withdrawBody())).body.data
    await work()
    assert.equal((await mustFind(app, transactionId as string)).status, 'failed')
  })
}
