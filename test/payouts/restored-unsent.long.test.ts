import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { findDrift } from '../../packages/server/src/domain/ledger/index.ts'
import { freezeMerchant, setPayoutRules, unfreezeMerchant } from '../../packages/server/src/domain/merchants/index.ts'
import type { Connection } from '../../packages/server/src/domain/connections/index.ts'
import { manualConnection } from '../../packages/server/src/domain/connections/index.ts'
import { debitByHand } from '../../packages/server/src/domain/matching/index.ts'
import { decideDoubt, rejectWithdrawal, stopWithdrawal } from '../../packages/server/src/domain/withdrawals/index.ts'
import {
  checkRestored,
  doubtLost,
  markRestored,
  recordUnsent,
} from '../../packages/server/src/domain/restores/index.ts'
import { makeIban } from '../../packages/server/src/kernel/iban.ts'
import { accepted, refused } from '../harness/envelope.ts'
import { mustFind, checkHistory } from '../harness/history.ts'
import {
  ADA,
  app,
  ask,
  available,
  BORA,
  cancel,
  from,
  intent,
  mark,
  openOf,
  connection,
  release,
  sentBefore,
  sentTimes,
  service,
  shop,
  statesOf,
  unreadable,
} from './restored-scope.ts'

test('restored: what the bank has never seen is listed, and can be cancelled, stopped and rejected before the release', async () => {
  await setPayoutRules(app, UNATTRIBUTED, shop.merchantId, { approvalThreshold: 20_000n })
  const [toReject, written] = [await ask(20_000), await intent()]
  await setPayoutRules(app, UNATTRIBUTED, shop.merchantId, {})
  const [toCancel, toStop, toSend] = [await ask(), await ask(), await ask()]
  await mark()
  const reject = () => rejectWithdrawal(app, ADA, toReject, 'not ours')
  await assert.rejects(reject(), { code: 'INVALID_STATE' })

  const check = await checkRestored(app, ADA)
  const { merchantId, accountName, iban } = await mustFind(app, toSend)
  assert.partialDeepStrictEqual(
    check.open.find(({ withdrawalId }) => withdrawalId === toSend),
    { merchantId, amount: 10_000n, currency: 'TRY', iban, accountName },
  )
  const unseen = ['never_seen', 'is sent']
  const approval = ['never_seen', 'waits for approval']
  assert.deepEqual(openOf(check), {
    [toReject]: approval,
    [written]: unseen,
    [toCancel]: unseen,
    [toStop]: unseen,
    [toSend]: unseen,
  })
  accepted(await cancel(toCancel), 200)
  await stopWithdrawal(app, ADA, toStop, 'fraud suspected')
  await reject()
  await freezeMerchant(app, ADA, shop.merchantId, 'restored')
  const again = await checkRestored(app, ADA)
  await unfreezeMerchant(app, ADA, shop.merchantId, 'restored')
  assert.deepEqual(openOf(again), {
    [written]: ['never_seen', 'waits: merchant frozen'],
    [toSend]: ['never_seen', 'waits: merchant frozen'],
  })
  await release(again)
  await service.work()
  assert.deepEqual(await Promise.all([toCancel, toStop, toReject, written, toSend].map(sentTimes)), [0, 0, 0, 1, 1])
  assert.deepEqual(await findDrift(app.db), [])
})

test('restored: what the bank has refused fails with its reason, gives its money back, and is not sent again', async () => {
  const before = await available()
  const id = await ask()
  await sentBefore(id, { toIban: makeIban('0062', '90000001'), says: 'rejected' })
  await mark()
  const unread = await checkRestored({ ...app, connections: [unreadable] }, ADA)
  assert.deepEqual([openOf(unread), unread.refused], [{ [id]: ['rejected', 'fails once the statement is read'] }, []])
  const check = await checkRestored(app, ADA)
  assert.deepEqual([check.refused.map((one) => one.id), check.open], [[id], []])
  const { status, failureReason } = await mustFind(app, id)
  assert.deepEqual([status, failureReason, await available()], ['failed', 'account_closed', before])
  assert.deepEqual(await checkHistory(app, id), ['failed'])
  await release(check)
  await service.work()
  assert.equal(await sentTimes(id), 0)
  assert.deepEqual(await findDrift(app.db), [])
})

test('restored: an answer with unread statements, of an earlier mark, or against another answer ends nothing', async () => {
  const id = await ask()
  await mark()
  await checkRestored({ ...app, connections: [unreadable] }, ADA)
  refused(await cancel(id), 409, 'INVALID_STATE')
  const has: Connection = { ...connection, find: () => Promise.resolve({ outcome: 'pending' }) }
  await checkRestored(app, ADA)
  await checkRestored({ ...app, connections: [has] }, ADA)
  await checkRestored(app, ADA)
  refused(await cancel(id), 409, 'INVALID_STATE')
  await markRestored(app, ADA, app.clock.now())
  refused(await cancel(id), 409, 'INVALID_STATE')
  const check = await checkRestored(app, ADA)
  accepted(await cancel(id), 200)
  await release(check)
})

test('restored: a debit that names a withdrawal with another amount blocks the release, whatever the bank says of it', async () => {
  const id = await ask()
  await mark()
  await checkRestored(app, ADA)
  await sentBefore(id, { amount: 9_999n })
  await service.readStatement()
  refused(await cancel(id), 409, 'INVALID_STATE')
  const forgetful: Connection = { ...connection, find: () => Promise.resolve({ outcome: 'never_seen' }) }
  const check = await checkRestored({ ...app, connections: [forgetful] }, ADA)
  assert.deepEqual(openOf(check), { [id]: ['on_statement', 'blocks the release'] })
  await assert.rejects(release(check, 'compared with the statement'), { code: 'INVALID_STATE' })
  refused(await cancel(id), 409, 'INVALID_STATE')
  await doubtLost(app, ADA, await mustFind(app, id), from)
  await release(await checkRestored(app, ADA), 'compared with the statement')
  assert.deepEqual(await statesOf(id), ['sent'])
})

test('restored: where there is no bank to ask, a person says which were not sent, and those can be ended', async () => {
  const [unsent, other] = [await ask(), await ask()]
  await mark()
  const manual = { ...app, connections: [manualConnection] }
  const byHand = async () =>
    (await checkRestored(manual, ADA)).byHand.map((one) => ('id' in one ? one.id : '')).toSorted()
  assert.deepEqual(await byHand(), [unsent, other].toSorted())
  const checked = 'looked up in the bank on 16 November'
  await assert.rejects(recordUnsent(app, ADA, await mustFind(app, unsent), checked), { why: 'restore_bank_known' })
  await recordUnsent(manual, ADA, await mustFind(app, unsent), checked)
  assert.deepEqual(await byHand(), [other])
  await stopWithdrawal(app, ADA, unsent, 'fraud suspected')
  refused(await cancel(other), 409, 'INVALID_STATE')
  await release(await checkRestored(app, ADA), 'all of it is known')
  accepted(await cancel(other), 200)
})

test('restored: the retry of a withdrawal that is gone is settled by its debit, and not paid again', async () => {
  const lost = app.ids.next()
  await mark()
  await sentBefore(lost)
  const retry = await ask()
  const { pairs } = await checkRestored(app, ADA)
  const line = pairs.find(({ line: { narrative } }) => narrative.includes(lost))?.line
  await doubtLost(app, ADA, await mustFind(app, retry), from)
  for (const actor of [ADA, BORA])
    await decideDoubt(app, actor, retry, { verdict: 'found', evidence: line?.bankReference ?? '' })
  await debitByHand(app, ADA, line?.id ?? '', retry)
  const check = await checkRestored(app, ADA)
  assert.ok(!check.debits.some(({ id }) => id === line?.id))
  await release(check, 'all of it is known')
  await service.work()
  assert.deepEqual([await statesOf(retry), await sentTimes(retry)], [['sent'], 0])
  assert.deepEqual(await findDrift(app.db), [])
})
