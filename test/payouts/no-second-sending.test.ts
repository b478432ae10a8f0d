import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { openCollectingAccount } from '../../packages/server/src/domain/banks/index.ts'
import { bankApiConnection } from '../../packages/server/src/domain/connections/index.ts'
import { findDrift } from '../../packages/server/src/domain/ledger/index.ts'
import {
  queryPayoutStatus,
  dispatchWithdrawals,
  submitPayouts,
  callsOf,
} from '../../packages/server/src/domain/withdrawals/index.ts'
import { makeIban } from '../../packages/server/src/kernel/iban.ts'
import { withdrawBody } from '../harness/examples.ts'
import type { Reply } from '../harness/plain-bank.ts'
import { neverSeen, startPlainBank } from '../harness/plain-bank.ts'
import { startService } from '../harness/service.ts'
import { mustFind } from '../harness/history.ts'
import { travelTo } from '../harness/until.ts'
import { note } from '../../packages/server/src/kernel/refusals/note.ts'
import type { Said } from '../../packages/server/src/platform/refusal.ts'

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

async function sent(reply: Reply, changes: Record<string, unknown> = {}): Promise<string> {
  bank.behave({ submit: () => reply, find: () => neverSeen })
  const { transactionId } = (await shop.post('/v1/withdraw', withdrawBody(changes))).body.data
  await work()
  return transactionId as string
}

async function askOften(): Promise<void> {
  for (const hours of [1, 2, 3, 4]) {
    await travelTo(app, hours * 3660)
    await work()
  }
}

const ordersOf = (id: string) => bank.orders.filter((reference) => reference === id).length
const said = async (id: string, detail: Said) =>
  (await callsOf(app.db, shop.merchantId, id)).some((call) => isDeepStrictEqual(call.detail, detail))

test('the bank said pending and later that it never saw the order: in doubt, and not sent again', async () => {
  const id = await sent({ status: 200, body: { status: 'pending' } })
  assert.equal((await mustFind(app, id)).state, 'sending')
  await askOften()
  assert.deepEqual([(await mustFind(app, id)).state, ordersOf(id)], ['unknown', 1])
  assert.ok(await said(id, note('call_unseen_doubted', { doubt: note('doubt_was_pending') })))
})

test('the recipient has become an account of ours since the first sending: in doubt, and not sent again', async () => {
  const iban = makeIban('0046', '7700002')
  const id = await sent('reset', { iban })
  await openCollectingAccount(app, UNATTRIBUTED, { iban, title: 'Yeni Hesap A.Ş.', currency: 'TRY' })
  await askOften()
  assert.deepEqual([(await mustFind(app, id)).state, ordersOf(id)], ['unknown', 1])
  assert.ok(await said(id, note('call_not_sent', { problem: note('unsent_recipient_ours') })))
})
