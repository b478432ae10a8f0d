import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Actor } from '../../packages/server/src/kernel/actor.ts'
import { merchantUserActor, operatorActor, UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { listAudit } from '../../packages/server/src/domain/audit/index.ts'
import type { KindName, TermsOf } from '../../packages/server/src/domain/proposals/index.ts'
import {
  approveProposal,
  expireProposals,
  findProposal,
  listProposals,
  openProposals,
  rejectProposal,
  makeProposal,
  showProposal,
} from '../../packages/server/src/domain/proposals/index.ts'
import {
  callbackNetworks,
  changeNetworks,
  findMerchant,
  forgedNetworks,
  showMerchant,
} from '../../packages/server/src/domain/merchants/index.ts'
import {
  addOperator,
  DECIDING,
  disableOperator,
  heldSubjects,
  setRoles,
} from '../../packages/server/src/domain/people/index.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { startSecondProcess, startService } from '../harness/service.ts'
import { travelTo } from '../harness/until.ts'

// As in live; the sandbox's clock can be moved.
const service = await startService()
const app = { ...service.app, sandbox: false }
const names = ['ada.aksoy', 'bora.boz', 'cem.can'] as const
for (const name of names) await addOperator(service.app, UNATTRIBUTED, name, DECIDING)
const [ada, bora, cem] = names.map(operatorActor) as [Actor, Actor, Actor]
const { merchantId } = await service.merchant({ allowedNetworks: [] })

const networks = async () => (await showMerchant(app, merchantId)).networks

async function propose<Name extends KindName>(kind: Name, terms: TermsOf<Name>, actor = ada) {
  const asked = await makeProposal(app, actor, kind, terms, { reason: 'asked for in ticket 14' })
  return asked.state === 'open' ? asked.proposal : assert.fail(`it is ${asked.state}`)
}

const add = (network: string, actor?: Actor) => propose('merchant.networks', { merchantId, add: [network] }, actor)

test('a change is proposed by one, shown with before and after, and applied by another who saw it; each audited once', async () => {
  const request = await add('203.0.113.7')
  assert.deepEqual(await networks(), [], 'nothing changes yet')
  const shown = await showProposal(app, request.id)
  assert.deepEqual(shown.rows, [{ field: 'networks', as: 'list', before: [], after: ['203.0.113.7'] }])
  assert.deepEqual(
    [shown.proposedBy, shown.reason, shown.state, shown.isStale],
    [names[0], 'asked for in ticket 14', 'open', false],
  )
  await approveProposal(app, bora, request.id, shown.seenSha256)
  assert.deepEqual(await networks(), ['203.0.113.7'])
  assert.deepEqual(
    [(await showProposal(app, request.id)).state, (await showProposal(app, request.id)).decidedBy],
    ['applied', names[1]],
  )
  const about = async (subject: string) =>
    (await listAudit(app.db, { subject }, 10)).map(({ action, actor }) => [action, actor])
  assert.deepEqual(await about(`proposal:${request.id}`), [
    ['proposal.approve', names[1]],
    ['merchant.networks', names[0]],
  ])
  assert.deepEqual((await about(`merchant:${merchantId}`))[0], ['merchant.networks', names[1]])
})

test('who proposed it does not approve it, nor does someone without the right, nor anyone without a name', async () => {
  const request = await add('203.0.113.9')
  const approve = (actor: Actor) => approveProposal(app, actor, request.id, request.seenSha256)
  await assert.rejects(approve(ada), { why: 'proposal_own' })
  await addOperator(service.app, ada, 'kasa.kaya', ['cashier'])
  await assert.rejects(approve(operatorActor('kasa.kaya')), {
    said: {
      why: 'operator_without_right',
      facts: { name: 'kasa.kaya', action: 'merchant.networks', needs: ['admin'] },
    },
  })
  await assert.rejects(approve(UNATTRIBUTED), { why: 'decider_missing' })
  await assert.rejects(approveProposal(service.app, UNATTRIBUTED, request.id, request.seenSha256), {
    why: 'decider_missing',
  })
  assert.deepEqual((await networks()).includes('203.0.113.9'), false)
  assert.equal((await rejectProposal(app, ada, request.id, 'a typing error')).state, 'withdrawn')
})

test('the approval is of what was seen: another hash is refused, and so is a state that has changed since', async () => {
  const request = await add('203.0.113.10')
  const other = request.seenSha256.replace(/^./, (first) => (first === '0' ? '1' : '0'))
  for (const seen of [other, '', request.seenSha256.slice(0, 8)])
    await assert.rejects(approveProposal(app, bora, request.id, seen), { why: 'proposal_outdated' })
  await changeNetworks(service.app, cem, merchantId, { add: ['198.51.100.1'] })
  assert.equal((await showProposal(app, request.id)).isStale, true)
  await assert.rejects(approveProposal(app, bora, request.id, request.seenSha256), { why: 'proposal_outdated' })
  assert.equal((await networks()).includes('203.0.113.10'), false)
  await rejectProposal(app, bora, request.id, 'propose it again')
  const again = await add('203.0.113.10')
  await approveProposal(app, bora, again.id, again.seenSha256.slice(0, 16))
  assert.equal((await networks()).includes('203.0.113.10'), true)
})

test('of two who approve at once, in two processes, one does; the change is made once', async () => {
  const second = { ...(await startSecondProcess(service)), sandbox: false }
  const request = await propose('merchant.fees', { merchantId, deposit: { bps: 77 } })
  const before = (await findMerchant(app, merchantId)).fees.length
  const outcomes = await Promise.allSettled([
    approveProposal(app, bora, request.id, request.seenSha256),
    approveProposal(second, cem, request.id, request.seenSha256),
  ])
  assert.deepEqual(outcomes.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
  assert.equal((await findMerchant(app, merchantId)).fees.length, before + 1)
  await assert.rejects(rejectProposal(app, cem, request.id, 'too late'), {
    why: 'proposal_decided',
    message: /"state":"applied","by":"\w/,
  })
})

test('one open request per target and kind; of two who propose different ones at once, one does', async () => {
  const outcomes = await Promise.allSettled([
    propose('merchant.open_deposits', { merchantId, max: 2005 }, ada),
    propose('merchant.open_deposits', { merchantId, max: 2006 }, bora),
  ])
  assert.deepEqual(outcomes.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
  const [open] = await openProposals(app, app.db, 10)
  await rejectProposal(app, cem, open?.id ?? '', 'not now')
})

test('a request expires after seven days: it is not listed as open, not approved, and makes room', async () => {
  const request = await propose('merchant.open_deposits', { merchantId, max: 2009 })
  await travelTo(service.app, 7 * 86_400 + 60)
  assert.deepEqual(await openProposals(app, app.db, 10), [])
  assert.equal((await showProposal(app, request.id)).state, 'expired')
  assert.equal((await listProposals(app, 1))[0]?.state, 'expired')
  await assert.rejects(approveProposal(app, bora, request.id, request.seenSha256), { why: 'proposal_expired' })
  const next = await propose('merchant.open_deposits', { merchantId, max: 2010 }, bora)
  await rejectProposal(app, bora, next.id, 'only to see')
  await travelTo(service.app, 0)
  assert.equal((await showProposal(app, request.id)).state, 'expired', 'it stays so')
})

test('what no one decided about for a week is expired by a worker, and what it is about is free', async () => {
  const request = await propose('merchant.open_deposits', { merchantId, max: 2012 })
  const subject = `merchant.open_deposits merchant:${merchantId}`
  assert.deepEqual([await expireProposals(app), (await heldSubjects(app, app.db, [subject])).size], [0, 1])
  const later = { ...app, clock: { now: () => new Date(app.clock.now().getTime() + (7 * 86_400 + 60) * 1000) } }
  assert.equal(await expireProposals(later), 1)
  assert.equal((await findProposal(app.db, request.id))?.state, 'expired')
  const rows = await app.db.query(sql`select 1 from proposal_subjects where subject = ${subject}`)
  assert.equal(rows.length, 0)
})

test('a proposal of a person who was disabled since is not applied', async () => {
  await addOperator(service.app, ada, 'gone.soon', DECIDING)
  const request = await propose('merchant.open_deposits', { merchantId, max: 2011 }, operatorActor('gone.soon'))
  await disableOperator(service.app, ada, 'gone.soon')
  await assert.rejects(approveProposal(app, bora, request.id, request.seenSha256), {
    why: 'proposer_without_right',
  })
  await rejectProposal(app, bora, request.id, 'its person has left')
})

test('a proposal of a person who has lost the right to propose it is not applied, nor repeated by another', async () => {
  await addOperator(service.app, ada, 'other.work', DECIDING)
  const terms = { merchantId, max: 2012 }
  const request = await propose('merchant.open_deposits', terms, operatorActor('other.work'))
  // Both roles may approve changes, but not propose this one.
  await setRoles(service.app, ada, 'other.work', ['cashier', 'approver'])
  const gone = { why: 'proposer_without_right', message: /other\.work/ }
  await assert.rejects(approveProposal(app, bora, request.id, request.seenSha256), gone)
  await assert.rejects(makeProposal(app, bora, 'merchant.open_deposits', terms), gone)
  await rejectProposal(app, bora, request.id, 'its person does other work')
})

test('what was proposed cannot be altered, removed or opened again', async () => {
  const request = await add('203.0.113.11')
  await assert.rejects(app.db.query(sql`update proposals set payload = '{}' where id = ${request.id}`))
  await assert.rejects(app.db.query(sql`delete from proposals`))
  await assert.rejects(
    app.db.query(
      sql`update proposals set state = 'open', decided_at = null, decided_by = null where state = 'rejected'`,
    ),
  )
  await rejectProposal(app, bora, request.id, 'only to see')
})

test("a merchant's user proposes for its own merchant; the staff or another user of it with the right approves", async () => {
  const user = (login: string, role: string, of = merchantId) => merchantUserActor(of, login.repeat(24), role)
  const request = await add('203.0.113.20', user('a', 'developer'))
  const approve = (actor: Actor) => approveProposal(app, actor, request.id, request.seenSha256)
  const { merchantId: foreign } = await service.merchant()
  for (const [who, actor] of [
    ['support', user('b', 'support')],
    ['finance', user('b', 'finance')],
    ['of another merchant', user('b', 'owner', foreign)],
  ] as const) {
    await assert.rejects(approve(actor), { code: 'NOT_FOUND' }, who)
    await assert.rejects(rejectProposal(app, actor, request.id, 'a test'), { code: 'NOT_FOUND' }, who)
  }
  await assert.rejects(approve(user('a', 'developer')), { why: 'proposal_own' })
  await assert.rejects(
    approve(user('b', 'owner')),
    { why: 'proposer_without_right' },
    'the login of who proposed it is none',
  )
  const fees = await propose('merchant.fees', { merchantId, deposit: { bps: 1 } })
  await assert.rejects(approveProposal(app, user('b', 'owner'), fees.id, fees.seenSha256), { code: 'NOT_FOUND' })
  await assert.rejects(rejectProposal(app, user('b', 'owner'), fees.id, 'too dear'), { code: 'NOT_FOUND' })
  for (const { id } of [request, fees]) await rejectProposal(app, bora, id, 'only to see')
})

test('a private network for callbacks of a merchant is allowed by two people and taken back by one; loopback and metadata addresses are never proposed', async () => {
  for (const network of ['127.0.0.1', '169.254.169.254', '0.0.0.0/0', 'fd00:ec2::254'])
    await assert.rejects(
      makeProposal(app, ada, 'endpoint.networks', { merchantId, add: [network] }, { reason: 'a test of it' }),
    )
  const { id, seenSha256 } = await propose('endpoint.networks', { merchantId, add: ['10.20.0.0/16'] })
  await approveProposal(app, bora, id, seenSha256)
  assert.deepEqual(await callbackNetworks(app, merchantId), ['10.20.0.0/16'])
  const other = (await service.merchant()).merchantId
  assert.deepEqual(await callbackNetworks(app, other), [])
  const asked = await makeProposal(app, ada, 'endpoint.networks', { merchantId, remove: ['10.20.0.0/16'] }, {})
  assert.equal(asked.state, 'applied')
  assert.deepEqual(await callbackNetworks(app, merchantId), [])
})

test('a private network that was written in SQL is allowed for no one, with the mark of another one too; two people can allow it', async () => {
  const allow = async (network: string) => {
    const { id, seenSha256 } = await propose('endpoint.networks', { merchantId, add: [network] })
    await approveProposal(app, bora, id, seenSha256)
  }
  await allow('10.30.0.0/16')
  const { merchantId: other } = await service.merchant()
  for (const [of, network] of [
    [other, '10.30.0.0/16'],
    [merchantId, '10.0.0.0/8'],
  ] as const)
    await app.db.query(sql`
      update merchants m set callback_networks = m.callback_networks
        || jsonb_build_object(${network}::text, o.callback_networks -> '10.30.0.0/16')
      from merchants o where m.id = ${of} and o.id = ${merchantId}`)
  assert.deepEqual(await callbackNetworks(app, other), [])
  assert.deepEqual(await callbackNetworks(app, merchantId), ['10.30.0.0/16'])
  assert.deepEqual((await forgedNetworks(app)).toSorted(), [`10.0.0.0/8 of ${merchantId}`, `10.30.0.0/16 of ${other}`])
  await allow('10.0.0.0/8')
  assert.deepEqual(await callbackNetworks(app, merchantId), ['10.0.0.0/8', '10.30.0.0/16'])
  assert.deepEqual(await forgedNetworks(app), [`10.30.0.0/16 of ${other}`])
})
