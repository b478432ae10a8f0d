import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { compose, prepare } from '../../packages/server/src/compose.ts'
import { operatorActor, UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { addOperator, DECIDING } from '../../packages/server/src/domain/people/index.ts'
import { isNewest, findOpenRestore } from '../../packages/server/src/domain/withdrawals/index.ts'
import { checkRestored, recordPaidPairs, releaseRestored } from '../../packages/server/src/domain/restores/index.ts'
import { testConfig } from '../harness/database.ts'
import { accepted } from '../harness/envelope.ts'
import { withdrawBody } from '../harness/examples.ts'
import { startWithBank } from '../harness/payouts.ts'
import { STANDBY_NAME, startReplicated } from '../harness/standby.ts'
import { until } from '../harness/until.ts'

/** The service and its bank on a primary with a standby that has everything so far. */
async function startReplicatedService(ofPrimary: string[], otherStandbys: string[] = []) {
  const folder = mkdtempSync(join(tmpdir(), 'vezne-two-'))
  const servers = await startReplicated(folder, {
    ofAll: ['fsync=off', 'shared_buffers=16MB'],
    ofPrimary,
    otherStandbys,
  })
  const seeded = compose(testConfig(), servers.url)
  await prepare(seeded)
  await seeded.db.end()
  const service = await startWithBank({}, async () => servers.url)
  after(async () => {
    await servers.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  const shop = await service.merchantWithMoney(5_000_000n)
  const withdraw = async (body: object) => accepted(await shop.post('/v1/withdraw', body), 201).transactionId as string
  const paid = async () => (await service.witness()).length
  await withdraw(withdrawBody({ amount: 10_000 }))
  await service.work()
  assert.equal(await paid(), 1)
  await servers.standbyFollows()
  return { servers, service, withdraw, paid }
}

/** The first tries may find connections of before. */
const reconnected = ({ app }: Awaited<ReturnType<typeof startReplicatedService>>['service']) =>
  until(
    () => app.db.transaction(async () => true).catch(() => false),
    (done) => done,
    30_000,
  )

test('a standby that lacks a payout is promoted: the same processId is not paid again, and people release it', async () => {
  const { servers, service, withdraw, paid } = await startReplicatedService([])
  const { app } = service
  await servers.cutStandby()
  const request = withdrawBody({ amount: 20_000 })
  const lost = await withdraw(request)
  await service.work()
  assert.equal(await paid(), 2)
  await servers.promote()
  await reconnected(service)

  const repeated = await withdraw(request)
  assert.notEqual(repeated, lost)
  await service.work()
  assert.equal(await paid(), 2)
  const open = await findOpenRestore(app.db)
  assert.equal(open?.markedBy, 'restore')
  assert.ok(open && open.restoredTo < open.markedAt)

  const ada = operatorActor('ada.aksoy')
  await addOperator(app, UNATTRIBUTED, 'ada.aksoy', DECIDING)
  const check = await checkRestored(app, ada)
  assert.deepEqual(
    check.pairs.map(({ withdrawalId, line }) => [withdrawalId, line.narrative.includes(lost)]),
    [[repeated, true]],
  )
  await assert.rejects(releaseRestored(app, ada, check, 'compared with the list of the merchant'), {
    why: 'restore_pairs_open',
  })
  const pairs = check.pairs.map(({ withdrawalId, line }) => ({ withdrawalId, lineId: line.id }))
  await recordPaidPairs(app, ada, { number: check.restore.number, pairs })
  await releaseRestored(app, ada, await checkRestored(app, ada), null)
  assert.equal(await isNewest(app), true)
  const later = await withdraw(withdrawBody({ amount: 30_000 }))
  await service.work()
  assert.equal((await service.witness()).filter(({ reference }) => reference === repeated).length, 0)
  assert.deepEqual(
    (await service.witness()).filter(({ reference }) => reference === later).map(({ amount }) => amount),
    [30_000],
  )
})

test('the standby that confirmed everything is promoted: payouts go on', async () => {
  const { servers, service, withdraw, paid } = await startReplicatedService([
    `synchronous_standby_names=${STANDBY_NAME}`,
  ])
  const { app } = service
  await servers.promote()
  await reconnected(service)
  await withdraw(withdrawBody({ amount: 20_000 }))
  await service.work()
  assert.equal(await paid(), 2)
  assert.equal(await findOpenRestore(app.db), undefined)
})

test('another standby than the one that confirmed is promoted: processes that know nothing of before send nothing', async () => {
  const { servers, service, withdraw, paid } = await startReplicatedService(
    ['synchronous_standby_names=other'],
    ['other'],
  )
  await servers.cutStandby()
  const request = withdrawBody({ amount: 20_000 })
  await withdraw(request)
  await service.work()
  assert.equal(await paid(), 2)
  await servers.promote()
  await reconnected(service)

  const restarted = compose(testConfig(), servers.url)
  after(() => restarted.db.end())
  assert.equal(await isNewest(restarted), false)
  assert.equal((await findOpenRestore(restarted.db))?.markedBy, 'restore')
  await withdraw(request)
  await service.work()
  assert.equal(await paid(), 2)
})

test('a process that remembers nothing does not take the word of a promoted standby that it had confirmed everything', async () => {
  const { servers, service, withdraw, paid } = await startReplicatedService([
    `synchronous_standby_names=${STANDBY_NAME}`,
  ])
  await servers.promote()
  await reconnected(service)
  const restarted = compose(testConfig(), servers.url)
  after(() => restarted.db.end())
  assert.equal(await isNewest(restarted), false)
  assert.equal((await findOpenRestore(restarted.db))?.markedBy, 'restore')
  await withdraw(withdrawBody({ amount: 20_000 }))
  await service.work()
  assert.equal(await paid(), 1)
})
