import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { operatorActor, UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { findDrift } from '../../packages/server/src/domain/ledger/index.ts'
import { manualConnection } from '../../packages/server/src/domain/connections/index.ts'
import { setPayoutRules } from '../../packages/server/src/domain/merchants/index.ts'
import { addOperator, DECIDING, disableOperator, setRoles } from '../../packages/server/src/domain/people/index.ts'
import {
  decideDoubt,
  dispatchWithdrawals,
  submitPayouts,
  findWithdrawalById,
} from '../../packages/server/src/domain/withdrawals/index.ts'
import { within } from '../../packages/server/src/platform/postgres/within.ts'
import { approve, approveTwice, endApproval } from '../harness/approvals.ts'
import { openCommandLineOf } from '../harness/command-line.ts'
import { withdrawBody } from '../harness/examples.ts'
import { untilOneWaits } from '../harness/lock-waits.ts'
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
  await addOperator(app, UNATTRIBUTED, name, DECIDING)
  const has = (...roles: string[]) => setRoles(app, UNATTRIBUTED, name, roles)
  return { name, actor: operatorActor(name), has, leaves: () => disableOperator(app, UNATTRIBUTED, name) }
}

type Person = Awaited<ReturnType<typeof person>>
const WAYS: [string, (one: Person) => Promise<void>][] = [
  ['was disabled', (one) => one.leaves()],
  ['lost the role', (one) => one.has('viewer', 'admin')],
]

async function withdrawal(approveFrom: bigint | null): Promise<string> {
  await setPayoutRules(app, UNATTRIBUTED, shop.merchantId, { approvalThreshold: approveFrom })
  const { transactionId } = (await shop.post('/v1/withdraw', withdrawBody())).body.data
  await dispatchWithdrawals(app)
  return transactionId as string
}

const stateOf = async (id: string) => (await findWithdrawalById(app.db, id))?.state

const LAPSED = { why: 'proposer_without_right' }

for (const [what, ends] of WAYS)
  test(`the approval of a person who ${what} since does not count`, async () => {
    const [ada, bora, cem] = [await person(), await person(), await person()]
    const id = await withdrawal(1n)
    await approve(app, ada.actor, id)
    await ends(ada)
    await assert.rejects(approve(app, bora.actor, id), LAPSED)
    await dispatchWithdrawals(app)
    assert.equal(await stateOf(id), 'awaiting_approval')
    await endApproval(app, bora.actor, id, 'no longer entitled')
    assert.equal((await approve(app, bora.actor, id)).state, 'awaiting_approval')
    assert.equal((await approve(app, cem.actor, id)).state, 'queued')
    await dispatchWithdrawals(app)
    assert.equal(await stateOf(id), 'sending')
  })

for (const [what, ends] of WAYS)
  test(`two who could decide when they approved: it is sent, though one of them ${what} since`, async () => {
    const [ada, bora] = [await person(), await person()]
    const id = await withdrawal(1n)
    await approveTwice(app, [ada.actor, bora.actor], id)
    assert.equal(await stateOf(id), 'queued')
    await ends(bora)
    await dispatchWithdrawals(app)
    assert.equal(await stateOf(id), 'sending')
  })

test('who gets the role back has approved', async () => {
  const [ada, bora] = [await person(), await person()]
  const id = await withdrawal(1n)
  await approve(app, ada.actor, id)
  await ada.has('cashier')
  await assert.rejects(approve(app, bora.actor, id), LAPSED)
  await ada.has('approver')
  assert.equal((await approve(app, bora.actor, id)).state, 'queued')
})

test('a second approval while the first person loses the role: one waits for the other', async () => {
  for (let round = 0; round < 6; round++) {
    const [ada, bora] = [await person(), await person()]
    const id = await withdrawal(1n)
    await approve(app, ada.actor, id)
    const both = [() => ada.has('viewer'), () => approve(app, bora.actor, id)]
    const answers = await Promise.allSettled((round % 2 === 0 ? both : both.toReversed()).map((one) => one()))
    const refused = answers.flatMap((one) => (one.status === 'rejected' ? [one.reason as { why?: string }] : []))
    const { approvedBy } = (await findWithdrawalById(app.db, id)) ?? assert.fail('no withdrawal')
    assert.deepEqual(
      refused.map(({ why }) => why),
      approvedBy ? [] : [LAPSED.why],
      'approved in full, or not at all',
    )
    await dispatchWithdrawals(app)
    assert.equal(await stateOf(id), approvedBy ? 'sending' : 'awaiting_approval')
  }
})

test('a role that is being removed counts no more: the second approval waits for it', async () => {
  const [ada, bora] = [await person(), await person()]
  const id = await withdrawal(1n)
  await approve(app, ada.actor, id)
  let second: Promise<unknown> | undefined
  await app.db.transaction(async (tx) => {
    await setRoles({ ...app, db: within(app.db, tx) }, UNATTRIBUTED, ada.name, ['viewer'])
    second = assert.rejects(approve(app, bora.actor, id), LAPSED)
    await untilOneWaits(app.db)
  })
  await second
  assert.equal(await stateOf(id), 'awaiting_approval')
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
  const { output } = await run(['withdrawal', 'show', id, '--as', ada.name])
  for (const [name, reference] of [
    [ada.name, 'FT-1001'],
    [bora.name, 'FT-1002'],
  ])
    assert.match(output, new RegExp(`stated +\\d{4}-\\S+Z ${name}: found, ${reference}`))
  assert.equal(await say(cem.actor, ' ft-1001 '), 'sent', 'case and spaces do not matter')
  assert.equal((await findWithdrawalById(app.db, id))?.bankReference, 'ft-1001')
})

for (const [what, ends] of WAYS)
  test(`the statement of a person who ${what} since does not count`, async () => {
    const [ada, bora, cem] = [await person(), await person(), await person()]
    const id = await inDoubt()
    const say = (actor: typeof ada.actor) =>
      decideDoubt(app, actor, id, { verdict: 'not_found', evidence: 'not listed', unproven: true })
    await say(ada.actor)
    await ends(ada)
    assert.equal(await say(bora.actor), 'waiting for a second person')
    assert.equal(await say(cem.actor), 'failed')
  })
