import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UNATTRIBUTED, operatorActor } from '../../packages/server/src/kernel/actor.ts'
import { listAudit } from '../../packages/server/src/domain/audit/index.ts'
import { approvalsOf, rejectProposal } from '../../packages/server/src/domain/proposals/index.ts'
import { setPayoutRules } from '../../packages/server/src/domain/merchants/index.ts'
import { writtenReasons } from '../../packages/server/src/domain/overview/index.ts'
import { addOperator, DECIDING } from '../../packages/server/src/domain/people/index.ts'
import { rejectWithdrawal } from '../../packages/server/src/domain/withdrawals/index.ts'
import { approve, endApproval, openApproval } from '../harness/approvals.ts'
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
  assert.equal(await stateOf(transactionId as string), 'awaiting_approval')
  return transactionId as string
}

const stateOf = async (id: string) => (await mustFind(app, id)).state

test('an approval is taken back by its giver, and given again; every word stays, and none of them in the audit', async () => {
  const id = await waiting()
  await approve(app, operatorActor(ADA), id, 'looks right')
  const { id: first } = await openApproval(app, id)
  const takeBack = (why: string) => rejectProposal(app, operatorActor(ADA), first, why)
  await assert.rejects(takeBack(' no '), { code: 'VALIDATION_ERROR' })
  assert.equal((await takeBack('wrong customer')).state, 'withdrawn')
  await assert.rejects(takeBack('wrong customer'), { why: 'proposal_decided' })
  await approve(app, operatorActor(BORA), id)
  await service.work()
  assert.equal(await stateOf(id), 'awaiting_approval', 'what was taken back does not count')
  const { id: second } = await openApproval(app, id)
  await approve(app, operatorActor(ADA), id, 'right after all')
  await assert.rejects(rejectProposal(app, operatorActor(BORA), second, 'wrong customer'), { why: 'proposal_decided' })
  await service.work()
  assert.equal(await stateOf(id), 'sent')
  const { said } = await approvalsOf(app, app.db, await mustFind(app, id))
  assert.deepEqual(
    said.map(({ person, decision, note }) => [person, decision, note]),
    [
      [ADA, 'approve', 'looks right'],
      [ADA, 'withdrawn', 'wrong customer'],
      [BORA, 'approve', null],
      [ADA, 'approve', 'right after all'],
    ],
  )
  const entries = await listAudit(app.db, { subject: `proposal:${first}` }, 10)
  const reasons = await writtenReasons(app.db, entries)
  assert.deepEqual(
    entries.map(({ action, reason, number }) => [action, reason, reasons.get(number)]),
    [
      ['proposal.reject', 'see proposals', 'wrong customer'],
      ['withdrawal.approve', 'see proposals', 'looks right'],
    ],
  )
})

test('another approver ends an approval with a reason: then two others approve', async () => {
  const id = await waiting()
  await approve(app, operatorActor(ADA), id)
  assert.equal((await endApproval(app, operatorActor(BORA), id, 'called, no answer')).state, 'rejected')
  await approve(app, operatorActor(BORA), id)
  assert.equal(await stateOf(id), 'awaiting_approval')
  assert.equal((await approve(app, operatorActor(ADA), id)).state, 'queued')
  const { said } = await approvalsOf(app, app.db, await mustFind(app, id))
  assert.deepEqual([said[1]?.person, said[1]?.decision, said[1]?.note], [BORA, 'rejected', 'called, no answer'])
})

test('taken back while a second person approves: one of the two wins', async () => {
  const results = { sent: 0, waits: 0 }
  for (let round = 0; round < 20; round++) {
    const id = await waiting()
    await approve(app, operatorActor(ADA), id)
    const both = [
      () => endApproval(app, operatorActor(ADA), id, 'wrong customer'),
      () => approve(app, operatorActor(BORA), id),
    ]
    const answers = await Promise.allSettled((round % 2 === 0 ? both : both.toReversed()).map((one) => one()))
    const refused = answers.flatMap((one) => (one.status === 'rejected' ? [one.reason as { why?: string }] : []))
    assert.ok(refused.length <= 1)
    for (const { why } of refused) assert.ok(['proposal_decided', 'proposal_just_ended'].includes(why ?? ''), why)
    if ((await stateOf(id)) === 'awaiting_approval') {
      const { said } = await approvalsOf(app, app.db, await mustFind(app, id))
      assert.equal(said[1]?.decision, 'withdrawn')
      await rejectWithdrawal(app, operatorActor(ADA), id, 'a test')
      results.waits++
    } else {
      assert.equal(refused.length, 1)
      results.sent++
    }
  }
  assert.equal(results.sent + results.waits, 20)
})
