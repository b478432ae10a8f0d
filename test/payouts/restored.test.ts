import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findDrift } from '../../src/domain/ledger/index.ts'
import type { Rail } from '../../src/domain/rails/index.ts'
import { manualRail } from '../../src/domain/rails/index.ts'
import type { RestoreCheck } from '../../src/domain/withdrawals/index.ts'
import {
  checkRestored,
  dispatchWithdrawals,
  doubtLost,
  findOpenRestore,
  findPayout,
  markRestored,
  releaseRestored,
} from '../../src/domain/withdrawals/index.ts'
import { accepted, refused } from '../harness/envelope.ts'
import { withdrawBody } from '../harness/examples.ts'
import { startWithBank } from '../harness/payouts.ts'
import { mustFind, trailOf } from '../harness/trail.ts'

// What a restored database sees is a bank that knows more than it: here, transfers that the test sends by itself.

const service = await startWithBank()
const { app, rail } = service
const shop = await service.merchantWithMoney(5_000_000n)
const BY = 'operator'

async function ask(amount = 10_000): Promise<string> {
  return accepted(await shop.post('/v1/withdraw', withdrawBody({ amount })), 201).transactionId as string
}

/** A payout that is written down and not yet sent. */
async function intent(): Promise<string> {
  const id = await ask()
  await dispatchWithdrawals(app)
  return id
}

/** The one account that has money. */
const source = await app.banks.account((await findPayout(app.db, await intent()))?.sourceAccountId ?? '')
await service.work()

/** As the service did it after the moment that the database was restored to. */
async function sentBefore(id: string, through: Rail = rail): Promise<void> {
  const { outcome } = await through.submit({
    reference: id,
    fromIban: source?.iban ?? '',
    toIban: 'TR620006200029500006291296',
    toName: 'Ayşe Yılmaz',
    amount: 10_000n,
    currency: 'TRY',
    rail: 'fast',
    description: `Para cekme ${id}`,
    purposeCode: '06',
  })
  assert.equal(outcome, 'accepted')
}

/** A minute ago: the bank's clock is not ours. */
const mark = () => markRestored(app, { to: new Date(app.clock.now().getTime() - 60_000), by: BY })
const release = (check: RestoreCheck, checked: string | null = null) => releaseRestored(app, check, { by: BY, checked })
const sentTimes = async (id: string) => (await service.witness()).filter(({ reference }) => reference === id).length
const stagesOf = (...ids: string[]) => Promise.all(ids.map(async (id) => (await mustFind(app, id)).stage))
/** A bank that says nothing about this reference, and shows no lines. */
const silent: Rail = {
  ...rail,
  find: () => Promise.resolve({ outcome: 'unknown', why: 'busy' }),
  statement: () => Promise.resolve({ outcome: 'unreachable', why: 'busy' }),
}
const noLines: Rail = {
  ...rail,
  statement: (cursor) =>
    Promise.resolve({ outcome: 'read', lines: [], unread: [], cursor: cursor ?? '0', more: false }),
}

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

  const check = await checkRestored(app)
  assert.deepEqual([check.unread, check.uncertain, check.byHand, check.debits], [[], [], [], []])
  assert.deepEqual(check.settled, [queuedPaid])
  assert.deepEqual(await trailOf(app, queuedPaid), ['processing', 'completed'])
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
  const cancel = (id: string) => shop.post(`/v1/transactions/${id}/cancel`, undefined)
  refused(await cancel(paid), 409, 'INVALID_STATE')
  accepted(await cancel(await ask()), 200)
  await release(await checkRestored(app))
  assert.deepEqual(await stagesOf(paid), ['settled'])
  accepted(await cancel(unpaid), 200)
})

test('restored: without the bank nothing is released', async () => {
  const id = await ask()
  await mark()
  const check = await checkRestored({ ...app, rails: [silent] })
  assert.deepEqual([check.unread, check.uncertain.map(({ said }) => said)], [[rail.name], ['unknown']])
  await assert.rejects(release(check), { code: 'INVALID_STATE' })
  assert.ok(await findOpenRestore(app.db))
  await service.work()
  assert.equal(await sentTimes(id), 0)
  await release(await checkRestored(app))
  await service.work()
  assert.equal(await sentTimes(id), 1)
})

test('restored: paid, and no line shows it: it waits, or a person names the account, and it is not paid again', async () => {
  const id = await ask()
  await sentBefore(id)
  await mark()
  const blind = { ...app, rails: [noLines] }
  const check = await checkRestored(blind)
  assert.deepEqual(
    check.uncertain.map(({ withdrawal, said }) => [withdrawal.id, said]),
    [[id, 'accepted']],
  )
  await assert.rejects(release(check), { code: 'INVALID_STATE' })
  const from = { connection: rail.name, accountId: source?.id ?? '', by: BY }
  await doubtLost(blind, await mustFind(app, id), from)
  const again = await checkRestored(blind)
  assert.deepEqual([again.uncertain, await stagesOf(id)], [[], ['settled']])
  await release(again)
  await service.work()
  assert.equal(await sentTimes(id), 1)
  assert.deepEqual(await findDrift(app.db), [])
})

test('restored: a debit of which nothing is left here, and payouts by hand, need the word of a person', async () => {
  const lost = app.ids.next()
  const byHand = await ask()
  await dispatchWithdrawals({ ...app, rails: [manualRail] })
  await mark()
  await sentBefore(lost)
  const check = await checkRestored(app)
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
  await markRestored(app, { to: app.clock.now(), by: 'ada.aksoy' })
  const after = await findOpenRestore(app.db)
  assert.deepEqual([after?.restoredTo, after?.markedBy], [before?.restoredTo, 'ada.aksoy'])
  await release(await checkRestored(app), 'all of it is known')
  const tomorrow = new Date(app.clock.now().getTime() + 86_400_000)
  await assert.rejects(markRestored(app, { to: tomorrow, by: BY }), { code: 'VALIDATION_ERROR' })
})
