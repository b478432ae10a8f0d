import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { UNATTRIBUTED, operatorActor } from '../../packages/server/src/kernel/actor.ts'
import { balanceOf, findDrift } from '../../packages/server/src/domain/ledger/index.ts'
import { addOperator, DECIDING, disableOperator } from '../../packages/server/src/domain/people/index.ts'
import {
  queryPayoutStatus,
  decideDoubt,
  dispatchWithdrawals,
  findPayout,
  submitPayouts,
  callsOf,
} from '../../packages/server/src/domain/withdrawals/index.ts'
import { aWeekLater, endLeases } from '../harness/crash.ts'
import { withdrawBody } from '../harness/examples.ts'
import { startWithBank } from '../harness/payouts.ts'
import { mustFind, checkHistory } from '../harness/history.ts'
import { travelTo } from '../harness/until.ts'

const service = await startWithBank()
const { app } = service
const [ADA, BORA, CEM, GONE] = ['ada.aksoy', 'bora.boz', 'cem.can', 'gone.gul'] as const
for (const name of [ADA, BORA, CEM, GONE]) await addOperator(app, UNATTRIBUTED, name, DECIDING)
await disableOperator(app, UNATTRIBUTED, GONE)
const shop = await service.merchantWithMoney(5_000_000n, { withdrawFee: { bps: 100 } })
const MINUTE = 60

afterEach(async () => {
  await service.call('DELETE', 'faults')
  await travelTo(app, 0)
})

const faults = (...kinds: string[]) => service.call('PUT', 'faults', { kinds, delayMs: 5 })
const balance = () => balanceOf(app.db, shop.merchantId, 'TRY')
const sentTimes = async (id: string) => (await service.witness()).filter(({ reference }) => reference === id).length

/** Workers without the statement, which would end the doubt. */
async function turn(): Promise<void> {
  while ((await dispatchWithdrawals(app)) + (await submitPayouts(app)) + (await queryPayoutStatus(app)) > 0);
}

async function inDoubt(...kinds: string[]): Promise<string> {
  await faults(...kinds)
  const { transactionId: id } = (await shop.post('/v1/withdraw', withdrawBody())).body.data
  await turn()
  const { status, state } = await mustFind(app, id)
  assert.deepEqual([status, state], ['processing', 'unknown'])
  return id
}

async function payoutOf(id: string) {
  const payout = await findPayout(app.db, id)
  assert.ok(payout)
  return payout
}

/** Brings what a test left open to its end. */
async function finish(id: string): Promise<void> {
  await service.call('DELETE', 'faults')
  await travelTo(app, 100 * 3600)
  await service.work()
  assert.equal((await mustFind(app, id)).status, 'completed')
}

test('in doubt it is asked about after 1, 5 and 15 minutes, then hourly, and never sent again', async () => {
  const id = await inDoubt('error_before', 'find_error')
  let offset = 0
  for (const [queries, minutes] of [1, 5, 15, 60, 60, 60].entries()) {
    const payout = await payoutOf(id)
    assert.deepEqual([payout.state, payout.queries, payout.submits], ['asking', queries, 1])
    const wait = (payout.nextAt.getTime() - app.clock.now().getTime()) / 1000
    assert.ok(Math.abs(wait - minutes * MINUTE) < 5, `query ${queries + 1} is due in ${wait} s`)
    await travelTo(app, offset + minutes * MINUTE - 10)
    await turn()
    assert.equal((await payoutOf(id)).queries, queries, 'not before its time')
    offset += minutes * MINUTE + 1
    await travelTo(app, offset)
    await turn()
  }
  assert.deepEqual([(await mustFind(app, id)).state, (await payoutOf(id)).submits], ['unknown', 1])
  assert.equal(await sentTimes(id), 0)
  assert.deepEqual(await checkHistory(app, id), ['processing'])
  const { held } = await balance()
  assert.equal(held, 0n)
  await finish(id)
  assert.equal(await sentTimes(id), 1)
  assert.equal((await payoutOf(id)).submits, 2)
})

for (const fault of ['timeout_before', 'reset_before', 'error_before']) {
  test(`${fault}: sent again only after the bank has said that it never saw it`, async () => {
    const id = await inDoubt(fault)
    assert.equal(await sentTimes(id), 0)
    await service.call('DELETE', 'faults')
    await turn()
    assert.equal(await sentTimes(id), 0)
    await travelTo(app, 2 * MINUTE)
    await service.work()
    assert.equal((await mustFind(app, id)).status, 'completed')
    assert.equal(await sentTimes(id), 1)
    const calls = await callsOf(app.db, shop.merchantId, id)
    assert.deepEqual(
      calls.slice(0, 3).map(({ kind, outcome }) => `${kind} ${outcome}`),
      ['submit unknown', 'find never_seen', 'submit accepted'],
    )
  })
}

for (const fault of ['timeout_after', 'reset_after', 'error_after', 'late_status']) {
  test(`${fault}: found by asking, sent once`, async () => {
    await faults(fault)
    const { transactionId: id } = (await shop.post('/v1/withdraw', withdrawBody())).body.data
    await turn()
    assert.equal((await mustFind(app, id)).state, fault === 'late_status' ? 'sending' : 'unknown')
    await travelTo(app, 2 * MINUTE)
    await turn()
    assert.equal((await mustFind(app, id)).state, 'sent')
    assert.deepEqual([(await payoutOf(id)).submits, await sentTimes(id)], [1, 1])
    assert.deepEqual(await checkHistory(app, id), ['processing', 'completed'])
    await service.work()
  })
}

test('an answer that comes after the lease is not recorded by the worker that lost it', async () => {
  const { transactionId: id } = (await shop.post('/v1/withdraw', withdrawBody())).body.data
  await dispatchWithdrawals(app)
  const [gate, reached] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const submit: typeof service.connection.submit = async (order) => {
    const answer = await service.connection.submit(order)
    reached.resolve()
    await gate.promise
    return answer.outcome === 'accepted' ? { outcome: 'rejected', reason: 'a stale word' } : answer
  }
  const slow = submitPayouts({ ...app, connections: [{ ...service.connection, submit }] })
  await reached.promise
  assert.equal(await queryPayoutStatus(app), 0)
  await endLeases(app)
  assert.equal(await queryPayoutStatus(app), 1)
  gate.resolve()
  await slow
  assert.equal((await mustFind(app, id)).state, 'sent')
  assert.equal(await sentTimes(id), 1)
  assert.deepEqual(await checkHistory(app, id), ['processing', 'completed'])
})

test('two people with evidence find it: settled, and the line that comes later changes nothing', async () => {
  const before = await balance()
  const id = await inDoubt('error_after', 'find_error')
  const say = (operator: string, verdict: 'found' | 'not_found', evidence: string) =>
    decideDoubt(aWeekLater(app), operatorActor(operator), id, { verdict, evidence, unproven: true })
  for (const empty of ['', '    ']) await assert.rejects(say(ADA, 'found', empty), { code: 'VALIDATION_ERROR' })
  for (const short of ['', '    ', 'abcd'])
    await assert.rejects(say(ADA, 'not_found', short), { code: 'VALIDATION_ERROR' })
  for (const nobody of ['', 'nobody', GONE]) {
    await assert.rejects(say(nobody, 'found', 'receipt 123'), { code: 'NOT_FOUND' })
  }
  assert.equal(await say(ADA, 'found', '7'), 'waiting for a second person')
  await assert.rejects(say(ADA, 'found', ' 7 '), { code: 'INVALID_STATE' })
  assert.equal(await say(BORA, 'not_found', 'not in the list'), 'opinions differ')
  assert.equal((await mustFind(app, id)).state, 'unknown')
  assert.equal(await say(CEM, 'found', '7'), 'sent')
  await travelTo(app, 2 * 3600)
  await service.work()
  assert.deepEqual(await checkHistory(app, id), ['processing', 'completed'])
  assert.equal(await sentTimes(id), 1)
  assert.deepEqual(await balance(), { available: before.available - 10_100n, held: 0n })
  assert.deepEqual(await findDrift(app.db), [])
  await assert.rejects(say('dora.dal', 'not_found', 'too late'), { code: 'NOT_FOUND' })
  await assert.rejects(say(BORA, 'not_found', 'too late'), { code: 'INVALID_STATE' })
})

test('two people do not find it: failed, the money is back with its fee, and it is never sent', async () => {
  const before = await balance()
  const id = await inDoubt('error_before', 'find_error')
  for (const operator of [ADA, BORA]) {
    const said = { verdict: 'not_found' as const, evidence: 'statement until noon', unproven: true }
    await decideDoubt(aWeekLater(app), operatorActor(operator), id, said)
  }
  const { status, failureReason } = await mustFind(app, id)
  assert.deepEqual([status, failureReason], ['failed', 'not_sent'])
  await service.call('DELETE', 'faults')
  await travelTo(app, 24 * 3600)
  await service.work()
  assert.equal(await sentTimes(id), 0)
  assert.deepEqual(await balance(), before)
  assert.deepEqual(await checkHistory(app, id), ['processing', 'failed'])
  assert.deepEqual(await findDrift(app.db), [])
})

test('what is written down and not sent may be decided about, what has no payout or has ended may not', async () => {
  const { transactionId: id } = (await shop.post('/v1/withdraw', withdrawBody())).body.data
  const say = () => decideDoubt(app, operatorActor(ADA), id, { verdict: 'not_found', evidence: 'not in the list' })
  await assert.rejects(say(), { code: 'NOT_FOUND' })
  await dispatchWithdrawals(app)
  assert.equal(await say(), 'waiting for a second person')
  await service.work()
  await assert.rejects(say(), { code: 'INVALID_STATE' })
  assert.equal((await mustFind(app, id)).status, 'completed')
})

test('what a person said before it was sent again says nothing about the second sending', async () => {
  const id = await inDoubt('error_before', 'find_error')
  const said = { verdict: 'not_found', evidence: 'not on the list', unproven: true } as const
  const say = (operator: string) => decideDoubt(aWeekLater(app), operatorActor(operator), id, said)
  assert.equal(await say(ADA), 'waiting for a second person')
  await faults('error_after')
  await travelTo(app, 2 * MINUTE)
  await turn()
  assert.deepEqual([(await payoutOf(id)).submits, await sentTimes(id)], [2, 1])
  const answer = await say(BORA)
  await finish(id).catch(() => undefined)
  assert.equal(answer, 'waiting for a second person')
})
