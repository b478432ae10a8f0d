import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UNATTRIBUTED, merchantActor, operatorActor } from '../../packages/server/src/kernel/actor.ts'
import { balanceOf, findDrift } from '../../packages/server/src/domain/ledger/index.ts'
import { setPayoutRules } from '../../packages/server/src/domain/merchants/index.ts'
import { addOperator, DECIDING } from '../../packages/server/src/domain/people/index.ts'
import {
  dispatchWithdrawals,
  cancelWithdrawal,
  stopOf,
  stopWithdrawal,
} from '../../packages/server/src/domain/withdrawals/index.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { approveTwice } from '../harness/approvals.ts'
import { withdrawBody } from '../harness/examples.ts'
import { startWithBank } from '../harness/payouts.ts'
import { mustFind, checkHistory } from '../harness/history.ts'

const service = await startWithBank()
const { app } = service
const [ADA, BORA] = ['ada.aksoy', 'bora.boz'] as const
for (const name of [ADA, BORA]) await addOperator(app, UNATTRIBUTED, name, DECIDING)
const shop = await service.merchantWithMoney(5_000_000n, { withdrawFee: { bps: 100 } })
const WHY = 'the customer called: wrong account'

async function ask(amount = 10_000): Promise<string> {
  const { body, code } = await shop.post('/v1/withdraw', withdrawBody({ amount }))
  assert.equal(code, undefined)
  return body.data.transactionId as string
}

const balance = () => balanceOf(app.db, shop.merchantId, 'TRY')
const sentTimes = async (id: string) => (await service.witness()).filter(({ reference }) => reference === id).length

async function scheduled(): Promise<string> {
  const id = await ask()
  await app.db.query(sql`
    update withdrawals set state = 'queued', state_reason = 'eft_closed', scheduled_for = now() + interval '1 hour'
    where id = ${id}`)
  return id
}

for (const [name, make] of [
  ['queued', ask],
  ['scheduled', scheduled],
] as const) {
  test(`a ${name} withdrawal is stopped: failed, the money back, told once, and who and why is kept`, async () => {
    const before = await balance()
    const id = await make()
    assert.equal((await mustFind(app, id)).state, 'queued')
    const { status, failureReason } = await stopWithdrawal(app, operatorActor(ADA), id, WHY)
    assert.deepEqual([status, failureReason], ['failed', 'stopped_by_operator'])
    assert.deepEqual(await balance(), before)
    assert.deepEqual(await checkHistory(app, id), ['failed'])
    const stop = await stopOf(app.db, await mustFind(app, id))
    assert.deepEqual([stop?.operator, stop?.reason], [ADA, WHY])
    await service.work()
    assert.equal(await sentTimes(id), 0)
    const { failureText } = (await shop.get(`/v1/transactions/${id}`)).body.data
    assert.deepEqual(Object.keys(failureText), ['tr', 'en'])
    assert.deepEqual(await findDrift(app.db), [])
  })
}

test('whoever approved a withdrawal may stop it afterwards', async () => {
  await setPayoutRules(app, UNATTRIBUTED, shop.merchantId, { approvalThreshold: 10_000n })
  const id = await ask()
  await dispatchWithdrawals(app)
  await assert.rejects(stopWithdrawal(app, operatorActor(ADA), id, WHY), {
    code: 'INVALID_STATE',
    why: 'withdrawal_awaits_approval',
  })
  await approveTwice(app, [operatorActor(ADA), operatorActor(BORA)], id)
  assert.equal((await stopWithdrawal(app, operatorActor(ADA), id, WHY)).status, 'failed')
  await setPayoutRules(app, UNATTRIBUTED, shop.merchantId, { approvalThreshold: null })
})

test('once it is processing nothing stops it, and the message says what to do', async () => {
  const id = await ask()
  await dispatchWithdrawals(app)
  const refusal = { code: 'INVALID_STATE', said: { why: 'withdrawal_at_bank', facts: { withdrawal: id } } }
  await assert.rejects(stopWithdrawal(app, operatorActor(ADA), id, WHY), refusal)
  await service.work()
  await assert.rejects(stopWithdrawal(app, operatorActor(ADA), id, WHY), {
    code: 'INVALID_STATE',
    said: { why: 'withdrawal_ended', facts: { status: 'completed' } },
  })
  assert.equal(await sentTimes(id), 1)
})

test('stopped, cancelled and sent at once: one of them happens, whole', async () => {
  for (let round = 0; round < 10; round++) {
    const before = await balance()
    const id = await ask()
    const stops = [stopWithdrawal(app, operatorActor(ADA), id, WHY), stopWithdrawal(app, operatorActor(BORA), id, WHY)]
    await Promise.allSettled([
      ...stops,
      cancelWithdrawal(app, merchantActor(shop.merchantId), id),
      dispatchWithdrawals(app),
    ])
    await service.work()
    const { status } = await mustFind(app, id)
    assert.equal(await sentTimes(id), status === 'completed' ? 1 : 0)
    if (status === 'failed') assert.deepEqual(await balance(), before)
    await checkHistory(app, id)
  }
  assert.deepEqual(await findDrift(app.db), [])
})

test('a name and a reason are needed, and what was written stays', async () => {
  const id = await ask()
  await assert.rejects(stopWithdrawal(app, operatorActor('nobody'), id, WHY), { code: 'NOT_FOUND' })
  await assert.rejects(stopWithdrawal(app, operatorActor(ADA), id, '  ok '), { code: 'VALIDATION_ERROR' })
  await assert.rejects(stopWithdrawal(app, operatorActor(ADA), '0'.repeat(24), WHY), { code: 'NOT_FOUND' })
  await stopWithdrawal(app, operatorActor(ADA), id, WHY)
  const edits = [
    sql`update withdrawals set stop_reason = 'x' where id = ${id}`,
    sql`delete from withdrawals where id = ${id}`,
  ]
  for (const edit of edits) await assert.rejects(app.db.query(edit), { code: '23001' })
  await assert.rejects(app.db.query(sql`truncate withdrawals`), { code: '23001' })
})
