import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findDrift } from '../../packages/server/src/domain/ledger/index.ts'
import { manualConnection } from '../../packages/server/src/domain/connections/index.ts'
import { dispatchWithdrawals } from '../../packages/server/src/domain/payouts/index.ts'
import { checkRestored, doubtLost, markRestored } from '../../packages/server/src/domain/restores/index.ts'
import { findOpenRestore, stopWithdrawal } from '../../packages/server/src/domain/withdrawals/index.ts'
import { accepted, refused } from '../harness/envelope.ts'
import { mustFind, checkHistory } from '../harness/history.ts'
import {
  ADA,
  app,
  ask,
  cancel,
  from,
  intent,
  mark,
  noLines,
  connection,
  release,
  sentBefore,
  sentTimes,
  service,
  silent,
  stagesOf,
} from './restored-scope.ts'

test('restored: what the bank has paid is settled and not paid again; the rest is sent once it is released', async () => {
  const [intentPaid, intentUnpaid] = [await intent(), await intent()]
  const [queuedPaid, queuedUnpaid] = [await ask(), await ask()]
  await sentBefore(intentPaid)
  await sentBefore(queuedPaid)
  await mark()
  await service.work()
  assert.deepEqual(await stagesOf(intentPaid, intentUnpaid), ['settled', 'submitted'])
  assert.deepEqual(await stagesOf(queuedPaid, queuedUnpaid), ['queued', 'queued'])
  assert.equal(await sentTimes(intentUnpaid), 0)

  const check = await checkRestored(app, ADA)
  assert.deepEqual([check.incomplete, check.uncertain, check.byHand, check.debits], [[], [], [], []])
  assert.deepEqual(check.settled, [queuedPaid])
  assert.deepEqual(await checkHistory(app, queuedPaid), ['processing', 'completed'])
  await release(check)
  assert.equal(await findOpenRestore(app.db), undefined)
  await service.work()
  for (const id of [intentPaid, intentUnpaid, queuedPaid, queuedUnpaid]) {
    assert.equal(await sentTimes(id), 1, id)
    assert.deepEqual(await stagesOf(id), ['settled'])
  }
  assert.deepEqual(await findDrift(app.db), [])
})

test('restored: a withdrawal of before is neither cancelled nor stopped, because the bank may have paid it; a new one is', async () => {
  const [paid, unpaid] = [await ask(), await ask()]
  await sentBefore(paid)
  await mark()
  for (const id of [paid, unpaid]) {
    refused(await cancel(id), 409, 'INVALID_STATE')
    await assert.rejects(stopWithdrawal(app, ADA, id, 'fraud suspected'), { code: 'INVALID_STATE' })
  }
  accepted(await cancel(await ask()), 200)
  await release(await checkRestored(app, ADA))
  assert.deepEqual(await stagesOf(paid), ['settled'])
  accepted(await cancel(unpaid), 200)
})

test('restored: without the bank nothing is released', async () => {
  const id = await ask()
  await mark()
  const check = await checkRestored({ ...app, connections: [silent] }, ADA)
  assert.deepEqual([check.incomplete, check.uncertain.map(({ said }) => said)], [[connection.name], ['unknown']])
  await assert.rejects(release(check), { code: 'INVALID_STATE' })
  assert.ok(await findOpenRestore(app.db))
  await service.work()
  assert.equal(await sentTimes(id), 0)
  await release(await checkRestored(app, ADA))
  await service.work()
  assert.equal(await sentTimes(id), 1)
})

test('restored: paid, and no line shows it: it waits, or a person names the account, and it is not paid again', async () => {
  const id = await ask()
  await sentBefore(id)
  await mark()
  const blind = { ...app, connections: [noLines] }
  const check = await checkRestored(blind, ADA)
  assert.deepEqual(
    check.uncertain.map(({ withdrawal, said }) => [withdrawal.id, said]),
    [[id, 'accepted']],
  )
  await assert.rejects(release(check), { code: 'INVALID_STATE' })
  await doubtLost(blind, ADA, await mustFind(app, id), from)
  const again = await checkRestored(blind, ADA)
  assert.deepEqual([again.uncertain, await stagesOf(id)], [[], ['settled']])
  await release(again)
  await service.work()
  assert.equal(await sentTimes(id), 1)
  assert.deepEqual(await findDrift(app.db), [])
})

test('restored: a debit of which nothing is left here, and payouts by hand, need the word of a person', async () => {
  const lost = app.ids.next()
  const byHand = await ask()
  await dispatchWithdrawals({ ...app, connections: [manualConnection] })
  await mark()
  await sentBefore(lost)
  const check = await checkRestored(app, ADA)
  assert.deepEqual(
    check.debits.map(({ narrative }) => narrative.includes(lost)),
    [true],
  )
  assert.deepEqual(
    check.byHand.map((one) => 'withdrawalId' in one && one.withdrawalId),
    [byHand],
  )
  await assert.rejects(release(check), { code: 'INVALID_STATE', message: /only people can check/ })
  await release(check, 'compared with the bank of 16 November')
})

test('restored: marked again before it is checked, the earlier moment stands; a moment to come is refused', async () => {
  await mark()
  const before = await findOpenRestore(app.db)
  await markRestored(app, ADA, app.clock.now())
  const after = await findOpenRestore(app.db)
  assert.deepEqual([after?.restoredTo, after?.markedBy], [before?.restoredTo, 'ada.aksoy'])
  await release(await checkRestored(app, ADA), 'all of it is known')
  const tomorrow = new Date(app.clock.now().getTime() + 86_400_000)
  await assert.rejects(markRestored(app, ADA, tomorrow), { code: 'VALIDATION_ERROR' })
})
