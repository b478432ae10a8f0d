import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, test } from 'node:test'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { findDrift } from '../../packages/server/src/domain/ledger/index.ts'
import { freezeMerchant, unfreezeMerchant } from '../../packages/server/src/domain/merchants/index.ts'
import { matchPayoutLines } from '../../packages/server/src/domain/matching/index.ts'
import {
  cancelBatch,
  cutBatches,
  decideDoubt,
  findBatch,
  findPayout,
  listBatches,
  releaseBatches,
  selectBatchItems,
  callsOf,
} from '../../packages/server/src/domain/withdrawals/index.ts'
import { note } from '../../packages/server/src/kernel/refusals/note.ts'
import type { Refusal, Said } from '../../packages/server/src/platform/refusal.ts'
import { withMark } from '../../packages/server/src/domain/withdrawals/payouts/payout-mark.ts'
import type { Sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { laterBy } from '../harness/crash.ts'
import { mustFind } from '../harness/history.ts'
import { debitOf, startOrders, waitingPayouts } from '../harness/order-files.ts'
import { ingest } from '../harness/payments.ts'

const { service, app, files, shop, ada, bora } = await startOrders()
/** Nothing of it can be written. */
const HIDDEN = '\u2060\u2060\u2060'
const WHY = { reason: 'wrong day', holdMinutes: 0 }

afterEach(async () => {
  while ((await releaseBatches(app, [files.connection])) > 0);
  files.fetch()
  while ((await releaseBatches(app, [files.connection])) > 0);
  assert.deepEqual(await findDrift(app.db), [])
})

const wait = (count: number, changes?: object) => waitingPayouts(app, shop, count, changes)
const stateOf = async (id: string) => (await findPayout(app.db, id))?.state
const idsIn = (texts: string[]) =>
  texts.flatMap((text) => [...text.matchAll(/<EndToEndId>(.*?)</g)].map(([, id]) => String(id)))
const livesOf = (id: string) =>
  app.db.query<{ id: string }>(
    sql`select batch_id as id from payout_batch_items where withdrawal_id = ${id} and not cancelled`,
  )

test('payouts that wait leave in one file for their account; its bytes are those of the batch', async () => {
  const ids = await wait(3)
  await files.send()
  const batch = await files.newest()
  assert.deepEqual([batch.state, batch.orders, batch.amount], ['released', 3, 30_003n])
  assert.deepEqual(files.outbox(), [batch.fileName])
  const [text = ''] = files.fetch()
  assert.equal(createHash('sha256').update(text).digest('hex'), batch.sha256)
  assert.deepEqual(idsIn([text]).toSorted(), ids.toSorted())
  for (const id of ids) assert.match(text, new RegExp(`<Ustrd>Para cekme ${id}</Ustrd>`))
  for (const id of ids) {
    assert.deepEqual([await stateOf(id), (await mustFind(app, id)).state], ['asking', 'sending'])
    const [call] = await callsOf(app.db, shop.merchantId, id)
    assert.deepEqual(
      [call?.kind, call?.outcome, call?.detail],
      ['submit', 'pending', note('call_in_order_file', { batch: batch.id })],
    )
  }
  await releaseBatches(app, [files.connection])
  assert.equal((await findBatch(app.db, batch.id))?.state, 'fetched')
  assert.deepEqual(files.staging(), [])
})

/** As if it had been asked for so. */
async function markAgain(id: string): Promise<void> {
  const { mark } = await withMark(app, (await findPayout(app.db, id)) ?? assert.fail('no payout'))
  await app.db.query(sql`update payouts set mark = ${mark} where withdrawal_id = ${id}`)
}

test('a batch is cut at its minute, and only if something waits', async () => {
  const minute = new Date(Math.ceil(app.clock.now().getTime() / 300_000) * 300_000)
  const at = (seconds: number) => laterBy(app, (minute.getTime() - app.clock.now().getTime()) / 1000 + seconds)
  assert.equal(await cutBatches(at(1), [files.connection]), 0)
  const [id = ''] = await wait(1)
  await app.db.query(sql`update payouts set next_at = ${minute} where withdrawal_id = ${id}`)
  assert.equal(await cutBatches(at(290), [files.connection]), 1)
  const [second = ''] = await wait(1)
  await app.db.query(sql`update payouts set next_at = ${at(10).clock.now()} where withdrawal_id = ${second}`)
  assert.equal(await cutBatches(at(290), [files.connection]), 0)
  assert.equal(await cutBatches(at(301), [files.connection]), 1)
})

test('more payouts than a file may have: several files, each payout in one', async () => {
  const ids = await wait(5)
  const small = { ...files.connection, profile: { ...files.connection.profile, maxOrders: 2 } }
  while ((await cutBatches(laterBy(app, 300), [small])) > 0);
  await files.send()
  const texts = files.fetch()
  assert.equal(texts.length, 3)
  assert.deepEqual(idsIn(texts).toSorted(), ids.toSorted())
})

test('a frozen merchant, a payout named on a statement, one unlike its withdrawal, one to our own account: not in the file', async () => {
  const frozenShop = await service.merchant({ funds: 100_000n })
  const [frozen = ''] = await waitingPayouts(app, frozenShop, 1)
  await freezeMerchant(app, ada, frozenShop.merchantId, 'a test')
  const [named = '', forged = '', ours = '', good = ''] = await wait(4)
  await ingest(app, [await debitOf(app, named, { amount: 1n })], 'files')
  while ((await matchPayoutLines(app)) > 0);
  await app.db.query(sql`alter table payouts disable trigger payouts_terms_fixed`)
  await app.db.query(sql`update payouts set amount = amount + 1 where withdrawal_id = ${forged}`)
  const [{ iban } = { iban: '' }] = await app.banks.accounts()
  await app.db.query(sql`update payouts set iban = ${iban} where withdrawal_id = ${ours}`)
  await app.db.query(sql`alter table withdrawals disable trigger withdrawals_terms_fixed`)
  await app.db.query(sql`update withdrawals set iban = ${iban} where id = ${ours}`)
  await markAgain(ours)
  await app.db.query(sql`alter table withdrawals enable trigger withdrawals_terms_fixed`)
  await files.send()
  assert.deepEqual(idsIn(files.fetch()), [good])
  assert.equal(await stateOf(frozen), 'ready')
  for (const id of [named, forged, ours])
    assert.deepEqual([await stateOf(id), (await mustFind(app, id)).state], ['asking', 'unknown'], id)
  const calls = await callsOf(app.db, shop.merchantId, ours)
  assert.deepEqual(calls.at(-1)?.detail, note('call_not_sent', { problem: note('unsent_recipient_ours') }))
  await app.db.query(sql`update payouts set amount = amount - 1 where withdrawal_id = ${forged}`)
  await app.db.query(sql`alter table payouts enable trigger payouts_terms_fixed`)
  await unfreezeMerchant(app, ada, frozenShop.merchantId, 'a test')
  await files.send()
  assert.deepEqual(idsIn(files.fetch()), [frozen])
})

test('an order that cannot be written keeps no other from leaving, and is in doubt with the reason', async () => {
  const [bad = '', good = ''] = await wait(2)
  for (const trigger of ['off', 'on']) {
    const change = trigger === 'off' ? sql`disable` : sql`enable`
    await app.db.query(sql`alter table payouts ${change} trigger payouts_terms_fixed`)
    await app.db.query(sql`alter table withdrawals ${change} trigger withdrawals_terms_fixed`)
    if (trigger === 'on') break
    await app.db.query(sql`update payouts set account_name = ${HIDDEN} where withdrawal_id = ${bad}`)
    await app.db.query(sql`update withdrawals set account_name = ${HIDDEN} where id = ${bad}`)
    await markAgain(bad)
  }
  await files.send()
  assert.deepEqual(idsIn(files.fetch()), [good])
  assert.equal((await mustFind(app, bad)).state, 'unknown')
  const calls = await callsOf(app.db, shop.merchantId, bad)
  assert.match(JSON.stringify(calls.at(-1)?.detail), /"unsent_not_writable".*"order_name_unwritable"/)
})

test('two processes at once: every payout is in one batch, every file is written once', async () => {
  const ids = await wait(12)
  const small = { ...files.connection, profile: { ...files.connection.profile, maxOrders: 4 } }
  const later = laterBy(app, 300)
  await Promise.all(Array.from({ length: 6 }, () => cutBatches(later, [small])))
  await Promise.all(Array.from({ length: 6 }, () => releaseBatches(app, [small])))
  await Promise.all(Array.from({ length: 6 }, () => releaseBatches(app, [small])))
  const first = files.fetch()
  await Promise.all(Array.from({ length: 6 }, () => releaseBatches(app, [small])))
  assert.deepEqual(files.outbox(), [])
  assert.deepEqual(idsIn(first).toSorted(), ids.toSorted())
  for (const id of ids) assert.equal((await livesOf(id)).length, 1)
})

// The database keeps the bytes of a batch as they are; the folder is written by others too.
test('a file whose IBAN was changed in staging/ does not leave; cancelled, its payouts leave in another', async () => {
  const [one = '', other = ''] = await wait(2)
  const { iban = '' } = (await findPayout(app.db, one)) ?? {}
  const evil = 'TR330006100519786457841326'
  while ((await cutBatches(laterBy(app, 300), [files.connection])) > 0);
  const { id } = await files.newest()
  // One step: from the database to staging/.
  await releaseBatches(app, [files.connection])
  const staged = join(files.folder, 'staging', (await findBatch(app.db, id))?.stagedName ?? '')
  writeFileSync(staged, readFileSync(staged, 'utf8').replaceAll(iban, evil))
  while ((await releaseBatches(app, [files.connection])) > 0);
  const held = await findBatch(app.db, id)
  assert.deepEqual([held?.state, files.outbox()], ['staged', []])
  assert.notEqual(held?.problem, null)

  await cancelBatch(app, ada, id, WHY)
  await files.send()
  assert.equal((await files.newest()).state, 'released')
  const text = files.fetch().join('')
  assert.deepEqual([text.includes(one), text.includes(other), text.includes(evil)], [true, true, false])
})

test('a payout whose IBAN was changed in SQL after it was cut, in the bytes of its file too: the file does not leave', async () => {
  const [id = ''] = await wait(1)
  while ((await cutBatches(laterBy(app, 300), [files.connection])) > 0);
  const { id: batch } = await files.newest()
  const { iban = '' } = (await findPayout(app.db, id)) ?? {}
  const write = (to: string, from: string) =>
    app.db.transaction(async (tx) => {
      await tx.query(sql`set local session_replication_role = replica`)
      await tx.query(sql`update payouts set iban = ${to} where withdrawal_id = ${id}`)
      await tx.query(sql`update withdrawals set iban = ${to} where id = ${id}`)
      await tx.query(sql`
        update payout_batches set content = convert_to(replace(convert_from(content, 'UTF8'), ${from}, ${to}), 'UTF8') where id = ${batch}`)
    })
  const evil = 'TR330006100519786457841326'
  await write(evil, iban)
  while ((await releaseBatches(app, [files.connection])) > 0);
  const held = await findBatch(app.db, batch)
  assert.deepEqual([held?.state, files.outbox()], ['cut', []])
  assert.match(JSON.stringify(held?.problem), /"order_payout_in_doubt".*"differs_from_withdrawal"/)
  await write(iban, evil)
  await files.send()
  assert.deepEqual(idsIn(files.fetch()), [id])
})

test('a batch whose folder or bytes were changed in SQL after it was cut: no file is written', async () => {
  const [id = ''] = await wait(1)
  while ((await cutBatches(laterBy(app, 300), [files.connection])) > 0);
  const { id: batch } = await files.newest()
  const write = (change: Sql) =>
    app.db.transaction(async (tx) => {
      await tx.query(sql`set local session_replication_role = replica`)
      await tx.query(sql`update payout_batches set ${change} where id = ${batch}`)
    })
  for (const [forged, genuine] of [
    [sql`folder = folder || '/outbox'`, sql`folder = ${files.folder}`],
    [sql`content = content || ' '::bytea`, sql`content = substr(content, 1, length(content) - 1)`],
  ] as const) {
    await write(forged)
    while ((await releaseBatches(app, [files.connection])) > 0);
    const held = await findBatch(app.db, batch)
    assert.deepEqual([held?.state, files.staging(), files.outbox()], ['cut', [], []])
    assert.match(JSON.stringify(held?.problem), /"order_batch_forged"/)
    await write(genuine)
  }
  await files.send()
  assert.deepEqual(idsIn(files.fetch()), [id])
})

test('cancelled before it was fetched: the payouts wait again, and leave in another batch', async () => {
  const [id = ''] = await wait(1)
  await files.send()
  const batch = await files.newest()
  await assert.rejects(cancelBatch(app, UNATTRIBUTED, batch.id, WHY), { code: 'VALIDATION_ERROR' })
  const cancelled = await cancelBatch(app, ada, batch.id, WHY)
  assert.deepEqual(
    [cancelled.state, cancelled.cancelledBy, files.outbox(), files.staging()],
    ['cancelled', 'ada.aksoy', [], []],
  )
  assert.equal(await stateOf(id), 'ready')
  await assert.rejects(cancelBatch(app, ada, batch.id, WHY), { code: 'INVALID_STATE' })
  await files.send()
  assert.notEqual((await files.newest()).id, batch.id)
  assert.deepEqual(idsIn(files.fetch()), [id])
})

test('cancelled in every state before it is fetched', async () => {
  for (const steps of [0, 1, 2]) {
    const [id = ''] = await wait(1)
    await cutBatches(laterBy(app, 300), [files.connection])
    for (let step = 0; step < steps; step++) await releaseBatches(app, [files.connection])
    const batch = await files.newest()
    assert.equal(batch.state, ['cut', 'staged', 'released'][steps])
    await cancelBatch(app, ada, batch.id, { ...WHY, holdMinutes: 60 })
    assert.deepEqual([await stateOf(id), files.outbox(), files.staging()], ['ready', [], []])
    await files.send()
    assert.deepEqual(files.outbox(), [], 'held for an hour')
    await files.send(laterBy(app, 3600))
    assert.deepEqual(idsIn(files.fetch()), [id])
  }
})

test('fetched before it is cancelled: refused, the payouts stay as they are', async () => {
  const [id = ''] = await wait(1)
  await files.send()
  const batch = await files.newest()
  files.fetch()
  await assert.rejects(cancelBatch(app, ada, batch.id, WHY), { code: 'INVALID_STATE', why: 'order_file_fetched' })
  assert.deepEqual([(await findBatch(app.db, batch.id))?.state, await stateOf(id)], ['fetched', 'asking'])
})

test('a person cannot say "not sent" while the file waits to be fetched', async () => {
  const [id = ''] = await wait(1)
  await files.send()
  const batch = await files.newest()
  const say = (actor: typeof ada) => decideDoubt(app, actor, id, { verdict: 'not_found', evidence: 'not on the list' })
  await assert.rejects(say(ada), {
    code: 'INVALID_STATE',
    said: { why: 'payout_in_order_file', facts: { file: batch.fileName, batch: batch.id, isBack: false } },
  })
  await cancelBatch(app, ada, batch.id, { ...WHY, holdMinutes: 60 })
  await say(ada)
  assert.equal(await say(bora), 'failed')
  await files.send(laterBy(app, 7200))
  assert.deepEqual(files.outbox(), [])
})

test('without its folder nothing is concluded: the batch shows why it waits', async () => {
  await wait(1)
  await files.send()
  const batch = await files.newest()
  renameSync(join(files.folder, 'outbox'), join(files.folder, 'away'))
  await releaseBatches(app, [files.connection])
  const held = await findBatch(app.db, batch.id)
  assert.equal(held?.state, 'released')
  assert.equal(held?.problem?.why, 'order_folder_unusable')
  await assert.rejects(cancelBatch(app, ada, batch.id, WHY), (error: Refusal) => {
    assert.deepEqual([error.code, error.why], ['INVALID_STATE', 'order_file_cancelling'])
    const problem = error.said?.facts['problem'] as Said | undefined
    assert.equal(problem?.why, 'order_folder_unusable')
    return true
  })
  renameSync(join(files.folder, 'away'), join(files.folder, 'outbox'))
  await releaseBatches(app, [files.connection])
  assert.equal((await findBatch(app.db, batch.id))?.state, 'cancelled')
})

test('the statement settles payouts of a file by their text, or by the end-to-end id in it', async () => {
  const ids = await wait(2)
  await files.send()
  files.fetch()
  const [byText = '', byReference = ''] = ids
  await ingest(
    app,
    [await debitOf(app, byText), await debitOf(app, byReference, { narrative: `EFT ${byReference}` })],
    'files',
  )
  while ((await matchPayoutLines(app)) > 0);
  for (const id of ids) assert.deepEqual([await stateOf(id), (await mustFind(app, id)).state], ['sent', 'sent'])
})

test('after a restore nothing is released that was stored before it', async () => {
  await wait(1)
  await cutBatches(laterBy(app, 300), [files.connection])
  const batch = await files.newest()
  const at = app.clock.now()
  await app.db.query(sql`
    insert into restores (number, restored_to, marked_by, marked_at, released_by, released_at)
    values (1, ${at}, 'x', ${laterBy(app, 600).clock.now()}, 'x', ${at})`)
  await releaseBatches(app, [files.connection])
  assert.deepEqual([(await findBatch(app.db, batch.id))?.state, files.outbox()], ['cut', []])
  assert.ok((await listBatches(app.db, 'cut', 10)).some(({ id }) => id === batch.id))
  assert.equal((await selectBatchItems(app.db, batch.id)).length, 1)
})
