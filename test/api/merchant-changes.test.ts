import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Actor } from '../../packages/server/src/kernel/actor.ts'
import { operatorActor, UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import {
  addEndpoint,
  changeEndpoint,
  changeNetworks,
  changesOf,
  merchantInForce,
  recentRotations,
  revokeKey,
  rotateKey,
  setBrand,
  setMatching,
  setMaxOpenDeposits,
  setPayoutRules,
  setReturnOrigins,
} from '../../packages/server/src/domain/merchants/index.ts'
import type { PayoutRules } from '../../packages/server/src/domain/merchants/index.ts'
import {
  openProposals,
  rejectProposal,
  makeProposal,
  showProposal,
} from '../../packages/server/src/domain/proposals/index.ts'
import { addOperator, DECIDING, disableOperator } from '../../packages/server/src/domain/people/index.ts'
import { eraseTransaction } from '../../packages/server/src/domain/erasures/index.ts'
import { distributeEvents } from '../../packages/server/src/domain/webhooks/index.ts'
import { stopWithdrawal } from '../../packages/server/src/domain/withdrawals/index.ts'
import { openCommandLineOf } from '../harness/command-line.ts'
import { aWeekLater, laterBy } from '../harness/crash.ts'
import { withdrawBody } from '../harness/examples.ts'
import { startService } from '../harness/service.ts'
import { travelTo } from '../harness/until.ts'

const service = await startService()
const { app } = service
const run = openCommandLineOf(service)
const live = { ...app, sandbox: false }
const [ADA, BORA, CEM] = ['ada.aksoy', 'bora.boz', 'cem.can'] as const
for (const name of [ADA, BORA, CEM]) await addOperator(app, UNATTRIBUTED, name, DECIDING)
const [ada, bora, cem] = [operatorActor(ADA), operatorActor(BORA), operatorActor(CEM)]
const rulesOf = async (id: string) => (await merchantInForce(app, id)).payoutRules

test('rotations of the API secret are told for seven days, the newest first', async () => {
  const { merchantId: id } = await service.merchant()
  for (const actor of [ada, bora]) await rotateKey(app, actor, id)
  await revokeKey(app, ada, id)
  const told = async (at: typeof app) => (await recentRotations(at, id)).map(({ changedBy }) => changedBy)
  assert.deepEqual(await told(laterBy(app, 6 * 86_400)), [BORA, ADA])
  assert.deepEqual(await told(aWeekLater(app)), [])
})

test('every change of a setting is recorded with its author, before and after, and shown', async () => {
  const { merchantId: id } = await service.merchant({ allowedNetworks: [] })
  await setMatching(app, ada, id, { late: 'review' })
  await setPayoutRules(app, ada, id, { approvalThreshold: 5000n })
  await setMaxOpenDeposits(app, bora, id, 7)
  await setBrand(app, bora, id, { displayName: 'Kitap Evi' })
  await setReturnOrigins(app, bora, id, ['https://shop.example'])
  await changeNetworks(app, ada, id, { add: ['203.0.113.7'] })
  await setMaxOpenDeposits(app, bora, id, 7)
  await revokeKey(app, ada, id)
  await rotateKey(app, bora, id)
  const { endpoint } = await addEndpoint(app, ada, id, { url: 'https://shop.example/a' })
  await changeEndpoint(app, bora, id, endpoint.id, { url: 'https://shop.example/b' })
  const changes = await changesOf(app.db, id)
  assert.deepEqual(
    changes.map(({ what, changedBy }) => [what, changedBy]),
    [
      ['merchant.create', 'operator'],
      ['merchant.settings', ADA],
      ['merchant.settings', ADA],
      ['merchant.settings', BORA],
      ['merchant.brand', BORA],
      ['merchant.settings', BORA],
      ['merchant.networks', ADA],
      ['merchant.settings', BORA],
      ['key.revoke', ADA],
      ['key.rotate', BORA],
      ['endpoint.add', ADA],
      ['endpoint.change', BORA],
    ],
  )
  assert.deepEqual([changes[3]?.before, changes[3]?.after], [{ max_open_deposits: 1000 }, { max_open_deposits: 7 }])
  const { output } = await run(['merchant', 'history', id])
  assert.match(
    output,
    new RegExp(`${BORA} +merchant.settings +\\{"max_open_deposits":1000\\} → \\{"max_open_deposits":7\\}`),
  )
})

/** As the command line and the console ask for it. */
const ask = (actor: Actor, merchantId: string, change: Partial<PayoutRules>) =>
  makeProposal(live, actor, 'merchant.payout_rules', { merchantId, ...change })

test('in live a rule is raised or lifted by two people, and made stricter by one', async () => {
  const { merchantId: id } = await service.merchant()
  await setPayoutRules(app, ada, id, { approvalThreshold: 5000n, dailyCount: 10 })
  await ask(ada, id, { approvalThreshold: 4000n })
  const strict = await rulesOf(id)
  assert.deepEqual([strict.approvalThreshold, strict.dailyCount], [4000n, 10], 'stricter: at once')

  for (const looser of [{ approvalThreshold: 5000n }, { approvalThreshold: null }, { dailyCount: null }])
    await assert.rejects(setPayoutRules(live, ada, id, looser), { why: 'two_people_needed' })
  for (let time = 0; time < 2; time++) assert.equal((await ask(ada, id, { approvalThreshold: 5000n })).state, 'open')
  assert.deepEqual(await rulesOf(id), strict, 'one person twice is one person')
  await assert.rejects(ask(bora, id, { approvalThreshold: 6000n }), { why: 'proposal_open' })
  assert.equal(
    (await ask(bora, id, { approvalThreshold: 5000n })).state,
    'applied',
    'who asks for the same approves it',
  )
  assert.equal((await rulesOf(id)).approvalThreshold, 5000n)
})

test('a proposal is valid for a week, until the rules change, and as long as its person may decide', async () => {
  const { merchantId: id } = await service.merchant()
  const lift = { approvalThreshold: null }
  await setPayoutRules(app, ada, id, { approvalThreshold: 5000n, dailyCount: 10 })
  await ask(ada, id, lift)
  await travelTo(app, 8 * 86_400)
  assert.equal((await ask(bora, id, lift)).state, 'open', 'too old: a proposal of its own')
  await travelTo(app, 0)
  assert.equal((await rulesOf(id)).approvalThreshold, 5000n)

  await ask(cem, id, { approvalThreshold: 4000n })
  await assert.rejects(ask(ada, id, lift), { why: 'proposal_outdated' })
  assert.equal((await rulesOf(id)).approvalThreshold, 4000n, 'what was said about other rules does not count')
  const [stale] = await openProposals(live, app.db, 1)
  await rejectProposal(live, bora, stale?.id ?? '', 'the rules have changed')
  await ask(ada, id, lift)
  await disableOperator(app, UNATTRIBUTED, ADA)
  await assert.rejects(ask(bora, id, lift), { why: 'proposer_without_right' })
  assert.equal((await rulesOf(id)).approvalThreshold, 4000n, 'a disabled person does not count')
})

test('in live two people erase a payout within its retention', async () => {
  const shop = await service.merchant({ funds: 50_000n })
  const { transactionId: id } = (await shop.post('/v1/withdraw', withdrawBody())).body.data
  await stopWithdrawal(app, bora, id, 'asked for by the shop')
  while ((await distributeEvents(app)) > 0);
  const subject = { kind: 'withdrawal', merchantId: shop.merchantId, id } as const
  const wish = { askedFor: 'transaction', reason: 'request 2036/14', despiteRetention: true } as const
  const erase = (actor: Actor) => makeProposal(live, actor, 'transaction.erase', { ...subject, ...wish })
  const dry = await eraseTransaction(live, bora, subject, { ...wish, dryRun: true })
  assert.equal(dry.outcome, 'would be erased', 'a dry run decides nothing')
  for (let tries = 0; tries < 2; tries++) assert.equal((await erase(bora)).state, 'open')
  const done = await erase(cem)
  assert.equal(done.state === 'applied' && done.result.outcome, 'erased')
  const again = await eraseTransaction(app, cem, subject, { ...wish, dryRun: true })
  assert.equal(again.outcome, 'nothing left')
  const third = await erase(bora)
  assert.ok(third.state === 'open')
  await assert.rejects(erase(cem), { why: 'erasure_nothing_left' })
  assert.equal((await showProposal(live, third.proposal.id)).state, 'open', 'an approval that changes nothing is none')
})
