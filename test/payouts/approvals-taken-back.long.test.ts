import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UNATTRIBUTED, operatorActor } from '../../packages/server/src/kernel/actor.ts'
import { listAudit } from '../../packages/server/src/domain/audit/index.ts'
import { setPayoutRules } from '../../packages/server/src/domain/merchants/index.ts'
import { writtenReasons } from '../../packages/server/src/domain/overview/index.ts'
import { addOperator, DECIDING } from '../../packages/server/src/domain/people/index.ts'
import {
  approvalsOf,
  approveWithdrawal,
  rejectWithdrawal,
  withdrawApproval,
} from '../../packages/server/src/domain/withdrawals/index.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { accepted } from '../harness/envelope.ts'
import { withdrawBody } from '../harness/examples.ts'
import { mustFind } from '../harness/history.ts'
import { startWithBank } from '../harness/payouts.ts'

const service = await startWithBank()
const { app } = service
const [ADA, BORA] = ['ada.aksoy', 'bora.boz'] as const
for (const name of [ADA, BORA]) await addOperator(app, UNATTRIBUTED, name, DECIDING)
const shop = await service.merchantWithMoney(5_000_000n)
await setPayoutRules(app, UNATTRIBUTED, shop.merchantId, { approvalThreshold: 50_000n })

async function waiting(): Promise<string> {
  const { transactionId } = accepted(await shop.post('/v1/withdraw', withdrawBody({ amount: 50_000 })), 201)
  await service.work()
  assert.equal(await stageOf(transactionId as string), 'awaiting_approval')
  return transactionId as string
}

const stageOf = async (id: string) => (await mustFind(app, id)).stage

test('an approval is taken back by its giver, and given again; every word stays', async () => {
  const id = await waiting()
  const takeBack = (name: string) => withdrawApproval(app, operatorActor(name), id, 'wrong customer')
  const none = { code: 'INVALID_STATE', why: 'approval_not_given' }
  await assert.rejects(takeBack(ADA), none)
  await approveWithdrawal(app, operatorActor(ADA), id, 'looks right')
  await assert.rejects(takeBack(BORA), none)
  await assert.rejects(withdrawApproval(app, operatorActor(ADA), id, ' no '), { code: 'VALIDATION_ERROR' })
  await takeBack(ADA)
  await assert.rejects(takeBack(ADA), none)
  await approveWithdrawal(app, operatorActor(BORA), id, null)
  await service.work()
  assert.equal(await stageOf(id), 'awaiting_approval', 'what was taken back does not count')
  await approveWithdrawal(app, operatorActor(ADA), id, 'right after all')
  await assert.rejects(takeBack(ADA), { code: 'INVALID_STATE', why: 'withdrawal_awaits_no_approval' })
  await service.work()
  assert.equal(await stageOf(id), 'settled')
  const words = await approvalsOf(app.db, [{ merchantId: shop.merchantId, id }])
  assert.deepEqual(
    words.map(({ operator, decision, note, number }) => [operator, decision, note, number]),
    [
      [ADA, 'approve', 'looks right', 1],
      [ADA, 'withdrawn', 'wrong customer', 2],
      [BORA, 'approve', null, 1],
      [ADA, 'approve', 'right after all', 3],
    ],
  )
  const entries = (await listAudit(app.db, { subject: `withdrawal:${id}` }, 10)).filter(({ actor }) => actor === ADA)
  const reasons = await writtenReasons(app.db, entries)
  assert.deepEqual(
    entries.map(({ action, number }) => [action, reasons.get(number)]),
    [
      ['withdrawal.approve', 'right after all'],
      ['withdrawal.unapprove', 'wrong customer'],
      ['withdrawal.approve', 'looks right'],
    ],
  )
})

test('one approval, taken back and given in SQL, counts for nothing', async () => {
  const id = await waiting()
  await approveWithdrawal(app, operatorActor(ADA), id, null)
  const insert = (operator: string, decision: string, number: number) =>
    app.db.query(sql`
      insert into withdrawal_approvals (merchant_id, withdrawal_id, operator, decision, decided_at, number)
      values (${shop.merchantId}, ${id}, ${operator}, ${decision}, now(), ${number})`)
  await assert.rejects(insert(ADA, 'approve', 2), { code: '23514', constraint: 'withdrawal_approvals_in_turns' })
  await assert.rejects(insert(ADA, 'withdrawn', 3), { code: '23514', constraint: 'withdrawal_approvals_in_turns' })
  await insert(ADA, 'withdrawn', 2)
  await insert(ADA, 'approve', 3)
  await assert.rejects(approveWithdrawal(app, operatorActor(ADA), id, null), { why: 'approval_decided_before' })
  assert.equal(await stageOf(id), 'awaiting_approval')
  await withdrawApproval(app, operatorActor(ADA), id, 'really taken back')
  await approveWithdrawal(app, operatorActor(BORA), id, null)
  assert.equal(await stageOf(id), 'awaiting_approval')
  await rejectWithdrawal(app, operatorActor(ADA), id, 'a test')
})

test('taken back while a second person approves: one of the two wins', async () => {
  const results = { sent: 0, waits: 0 }
  for (let round = 0; round < 20; round++) {
    const id = await waiting()
    await approveWithdrawal(app, operatorActor(ADA), id, null)
    const both = [
      () => withdrawApproval(app, operatorActor(ADA), id, 'wrong customer'),
      () => approveWithdrawal(app, operatorActor(BORA), id, null),
    ]
    const answers = await Promise.allSettled((round % 2 === 0 ? both : both.toReversed()).map((one) => one()))
    const refused = answers.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []))
    if ((await stageOf(id)) === 'awaiting_approval') {
      assert.deepEqual(refused, [], 'both were recorded, and one approval is left')
      await rejectWithdrawal(app, operatorActor(ADA), id, 'a test')
      results.waits++
    } else {
      assert.equal(refused.length, 1)
      assert.match(refused[0] ?? '', /^Refusal: withdrawal_awaits_no_approval /)
      results.sent++
    }
  }
  assert.equal(results.sent + results.waits, 20)
})
