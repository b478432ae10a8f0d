import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { operatorActor, UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { findDrift } from '../../packages/server/src/domain/ledger/index.ts'
import { manualConnection } from '../../packages/server/src/domain/connections/index.ts'
import { setPayoutRules } from '../../packages/server/src/domain/merchants/index.ts'
import { addOperator, disableOperator } from '../../packages/server/src/domain/people/index.ts'
import { decideDoubt, dispatchWithdrawals, submitPayouts } from '../../packages/server/src/domain/payouts/index.ts'
import { approveWithdrawal, findWithdrawalById } from '../../packages/server/src/domain/withdrawals/index.ts'
import { openCommandLineOf } from '../harness/command-line.ts'
import { withdrawBody } from '../harness/examples.ts'
import { startService } from '../harness/service.ts'

// Whose word counts when two people must say the same.
const service = await startService()
const { app } = service
app.connections.push(manualConnection)
const shop = await service.merchant({ funds: 1_000_000n })
const run = openCommandLineOf(service)
let people = 0

afterEach(async () => assert.deepEqual(await findDrift(app.db), []))

async function person() {
  const name = `kisi.${++people}`
  await addOperator(app, UNATTRIBUTED, name)
  return { name, actor: operatorActor(name), leaves: () => disableOperator(app, UNATTRIBUTED, name) }
}

async function withdrawal(approveFrom: bigint | null): Promise<string> {
  await setPayoutRules(app, UNATTRIBUTED, shop.merchantId, { approvalThreshold: approveFrom })
  const { transactionId } = (await shop.post('/v1/withdraw', withdrawBody())).body.data
  await dispatchWithdrawals(app)
  return transactionId as string
}

const stageOf = async (id: string) => (await findWithdrawalById(app.db, id))?.stage

test('the approval of a person who was disabled since does not count', async () => {
  const [ada, bora, cem] = [await person(), await person(), await person()]
  const id = await withdrawal(1n)
  await approveWithdrawal(app, ada.actor, id, null)
  await ada.leaves()
  assert.equal((await approveWithdrawal(app, bora.actor, id, null)).stage, 'awaiting_approval')
  await dispatchWithdrawals(app)
  assert.equal(await stageOf(id), 'awaiting_approval')
  assert.equal((await approveWithdrawal(app, cem.actor, id, null)).stage, 'queued')
  await dispatchWithdrawals(app)
  assert.equal(await stageOf(id), 'submitted')
})

test('an approval ends with its person as long as nothing was handed to a bank', async () => {
  const [ada, bora] = [await person(), await person()]
  const id = await withdrawal(1n)
  for (const { actor } of [ada, bora]) await approveWithdrawal(app, actor, id, null)
  assert.equal(await stageOf(id), 'queued')
  await bora.leaves()
  await dispatchWithdrawals(app)
  assert.equal(await stageOf(id), 'awaiting_approval')
})

/** Handed over to be sent by hand: its outcome is unknown until people say it. */
async function inDoubt(): Promise<string> {
  const id = await withdrawal(null)
  await submitPayouts(app)
  return id
}

test('two people who name different references do not agree; every statement is shown', async () => {
  const [ada, bora, cem] = [await person(), await person(), await person()]
  const id = await inDoubt()
  const say = (actor: typeof ada.actor, evidence: string) => decideDoubt(app, actor, id, { verdict: 'found', evidence })
  assert.equal(await say(ada.actor, 'FT-1001'), 'waiting for a second person')
  const second = await run(['withdrawal', 'resolve', id, '--as', bora.name, '--found', 'FT-1002'])
  assert.match(second.output, new RegExp(`opinions differ[\\s\\S]*${ada.name}: found, FT-1001`))
  const { output } = await run(['withdrawal', 'show', id])
  for (const [name, reference] of [
    [ada.name, 'FT-1001'],
    [bora.name, 'FT-1002'],
  ])
    assert.match(output, new RegExp(`stated +\\d{4}-\\S+Z ${name}: found, ${reference}`))
  assert.equal(await say(cem.actor, ' ft-1001 '), 'settled', 'case and spaces do not matter')
  assert.equal((await findWithdrawalById(app.db, id))?.bankReference, 'ft-1001')
})

test('the statement of a person who was disabled since does not count', async () => {
  const [ada, bora, cem] = [await person(), await person(), await person()]
  const id = await inDoubt()
  const say = (actor: typeof ada.actor) =>
    decideDoubt(app, actor, id, { verdict: 'not_found', evidence: 'not listed', unproven: true })
  await say(ada.actor)
  await ada.leaves()
  assert.equal(await say(bora.actor), 'waiting for a second person')
  assert.equal(await say(cem.actor), 'failed')
})
