import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Sql } from 'sql-template-tag'
import { compose } from '../../packages/server/src/compose.ts'
import { findDrift } from '../../packages/server/src/domain/ledger/index.ts'
import { fetchLines, manualConnection } from '../../packages/server/src/domain/connections/index.ts'
import { matchPayoutLines } from '../../packages/server/src/domain/matching/index.ts'
import {
  dispatchWithdrawals,
  isNewest,
  findOpenRestore,
  stopWithdrawal,
} from '../../packages/server/src/domain/withdrawals/index.ts'
import { checkRestored, doubtLost, markRestored } from '../../packages/server/src/domain/restores/index.ts'
import { testConfig } from '../harness/database.ts'
import { accepted, refused } from '../harness/envelope.ts'
import { someDeposits } from '../harness/payments.ts'
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
  shop,
  silent,
  statesOf,
} from './restored-scope.ts'

test('restored: what the bank has paid is settled and not paid again; the rest is sent once it is released', async () => {
  const [intentPaid, intentUnpaid] = [await intent(), await intent()]
  const [queuedPaid, queuedUnpaid] = [await ask(), await ask()]
  await sentBefore(intentPaid)
  await sentBefore(queuedPaid)
  await mark()
  await service.work()
  assert.deepEqual(await statesOf(intentPaid, intentUnpaid), ['sent', 'sending'])
  assert.deepEqual(await statesOf(queuedPaid, queuedUnpaid), ['queued', 'queued'])
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
    assert.deepEqual(await statesOf(id), ['sent'])
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
  assert.deepEqual(await statesOf(paid), ['sent'])
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
  assert.deepEqual([again.uncertain, await statesOf(id)], [[], ['sent']])
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
  await sentBefore(lost, { amount: 7_700n })
  const check = await checkRestored(app, ADA)
  assert.deepEqual(
    check.debits.map(({ narrative }) => narrative.includes(lost)),
    [true],
  )
  assert.deepEqual(
    check.byHand.map((one) => 'withdrawalId' in one && one.withdrawalId),
    [byHand],
  )
  await assert.rejects(release(check), { code: 'INVALID_STATE', why: 'restore_unchecked' })
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

const counted = (change: string) => app.db.transaction((tx) => tx.query(new Sql([`update sending set ${change}`], [])))
const markedBy = async () => (await findOpenRestore(app.db))?.markedBy ?? null
const releaseAll = async () => release(await checkRestored(app, ADA), 'all of it is known')

test('older database: one that lacks a handover that this process has seen sends nothing until it is released', async () => {
  await ask()
  await service.work()
  await counted('number = number - 1')
  const id = await ask()
  await service.work()
  assert.deepEqual([await sentTimes(id), await statesOf(id), await markedBy()], [0, ['queued'], 'restore'])
  await releaseAll()
  await service.work()
  assert.deepEqual([await sentTimes(id), await markedBy()], [1, null])
})

test('older database: another timeline stops sending, unless this server had to confirm the last handover', async () => {
  await counted("timeline = '000000FF', confirmed_by = array['other', current_setting('cluster_name')]")
  const kept = await ask()
  await service.work()
  assert.deepEqual([await sentTimes(kept), await markedBy()], [1, null])
  await counted("timeline = '000000FF', confirmed_by = '{other}'")
  const stopped = await ask()
  await service.work()
  assert.deepEqual([await sentTimes(stopped), await markedBy()], [0, 'restore'])
  await releaseAll()
  await service.work()
  assert.equal(await sentTimes(stopped), 1)
})

test('older database: a restart remembers what this and other processes have handed over', async () => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'vezne-seen-'))
  const restarted = () => {
    const other = compose(testConfig({ dataFolder }), service.databaseUrl)
    after(() => other.db.end())
    return other
  }
  after(() => rmSync(dataFolder, { recursive: true, force: true }))
  await ask()
  await service.work()
  assert.equal(await isNewest(restarted()), true)
  await counted('number = number - 1')
  assert.equal(await isNewest(compose(testConfig(), service.databaseUrl)), true)
  assert.deepEqual([await isNewest(restarted()), await markedBy()], [false, 'restore'])
  await releaseAll()
  assert.deepEqual([await isNewest(restarted()), await isNewest(app), await markedBy()], [true, true, null])
})

test('older database: a debit under a reference of ours that is not here stops sending, once', async () => {
  const [deposit] = await someDeposits(app, shop.merchantId, 1, 10_000n)
  await sentBefore(deposit?.id ?? '')
  await service.readStatement()
  assert.equal(await markedBy(), null)
  const [one, other] = [app.ids.next(), app.ids.next()]
  await sentBefore(one, { amount: 7_700n })
  await service.readStatement()
  assert.equal(await markedBy(), 'restore')
  await releaseAll()
  await sentBefore(other)
  await service.readStatement()
  assert.equal(await markedBy(), null)
})

test('older database: of many debits that are not here one is logged; restore-check lists them all', async () => {
  const lines: string[] = []
  const log = { ...app.log, error: (...said: unknown[]) => void lines.push(String(said[1])) }
  const lost = [app.ids.next(), app.ids.next()]
  for (const id of lost) await sentBefore(id)
  await fetchLines(app, connection)
  while ((await matchPayoutLines({ ...app, log })) > 0);
  const later = app.ids.next()
  await sentBefore(later)
  await fetchLines(app, connection)
  while ((await matchPayoutLines({ ...app, log })) > 0);
  assert.equal(lines.length, 1, lines.join('\n'))
  assert.match(lines[0] ?? '', /a bank has paid a withdrawal that is not here/)
  const { debits } = await checkRestored(app, ADA)
  for (const id of [...lost, later])
    assert.ok(
      debits.some(({ narrative }) => narrative.includes(id)),
      id,
    )
})
