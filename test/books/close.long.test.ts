import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkClosing, closeDay, reopenDay, selectDecisions } from '../../packages/server/src/domain/books/index.ts'
import {
  closedUntil,
  findMixedEntries,
  lockPastDays,
  openAndPost,
  suspenseReceipt,
  updateClosedUntil,
} from '../../packages/server/src/domain/ledger/index.ts'
import { matchLines } from '../../packages/server/src/domain/matching/index.ts'
import { disableOperator, setRoles } from '../../packages/server/src/domain/people/index.ts'
import { operatorActor } from '../../packages/server/src/kernel/actor.ts'
import { addDays, startOfDay } from '../../packages/server/src/kernel/istanbul.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { AYSE, MEHMET, startBooks } from '../harness/books.ts'
import { laterBy } from '../harness/crash.ts'
import { untilOneWaits } from '../harness/lock-waits.ts'
import { ingest, matchAll } from '../harness/payments.ts'
import { startSecondProcess } from '../harness/service.ts'
import { refusal, refusalSaying } from '../harness/refusals.ts'

const books = await startBooks()
const { app } = books
const noon = (day: string) => new Date(startOfDay(day).getTime() + 12 * 3_600_000)

type Dated = { kind: string; day: string; aboutDay: string | null }

function entriesOf(amount: bigint): Promise<Dated[]> {
  return app.db.query<Dated>(sql`
    select kind, to_char(effective_on, 'YYYY-MM-DD') as day, to_char(about_day, 'YYYY-MM-DD') as "aboutDay"
    from transfers where amount = ${amount} order by created_at, kind`)
}

const day = await books.later(1)
const shop = await books.merchant()
await books.deposit(shop.merchantId, 500_000n)
await books.giveBalances(day)

test('a day is closed when it is over, by two people who saw the same figures', async () => {
  await assert.rejects(closeDay(app, AYSE, day, {}), refusal('day_not_over', { day, time: '00:10' }))
  await books.later(1)
  const { state, proof } = await closeDay(app, AYSE, day, {})
  assert.equal(state, 'proposed')
  await assert.rejects(closeDay(app, AYSE, day, { figures: proof.hash }), { why: 'proposal_own' })
  const seen = '0123456789ab'
  await assert.rejects(
    closeDay(app, MEHMET, day, { figures: seen }),
    refusal('day_figures_not_seen', { day, seen, figures: proof.hash }),
  )
  await app.db.query(sql`
    insert into book_decisions (id, day, action, operator, figures_hash, figures, reason, decided_at)
    select ${app.ids.next()}, day, action, 'mehmet.kaya', figures_hash, figures, reason, decided_at + interval '1 second' from book_decisions`)
  await assert.rejects(closeDay(app, AYSE, day, { figures: proof.hash }), {
    said: { why: 'word_not_recorded', facts: { person: 'mehmet.kaya' } },
  })
  await closeDay(laterBy(app, 2), AYSE, day, {})
  assert.equal(await closedUntil(app.db), null)
  assert.equal((await closeDay(app, MEHMET, day, { figures: proof.hash })).state, 'closed')
  assert.equal(await closedUntil(app.db), day)
  await assert.rejects(closeDay(app, MEHMET, day, {}), refusal('day_closed', { day, until: day }))
  await assert.rejects(closeDay(app, MEHMET, addDays(day, 2), {}), refusal('day_not_next', { next: addDays(day, 1) }))
})

test('a line of a closed day is booked on the next open day and says which day it is about', async () => {
  await books.take(await books.lineOf({ amount: 4_321n, bookedAt: noon(day) }))
  const next = addDays(day, 1)
  assert.deepEqual(await entriesOf(4_321n), [{ kind: 'suspense_receipt', day: next, aboutDay: day }])
  await books.giveBalances(day)
  await books.giveBalances(next)
  const found = (await books.prove(day)).accounts.flatMap(({ differences }) => differences)
  assert.deepEqual(
    found.map(({ kind, amount, otherDay }) => [kind, amount, otherDay]),
    [['booked_on_other_day', 4_321n, next]],
  )
  assert.ok((await books.prove(next)).accounts.every(({ differences }) => differences.length === 0))
  assert.deepEqual(await findMixedEntries(app.db), [])
})

test('SQL that writes into a closed day is refused', async () => {
  const write = app.db.transaction((tx) =>
    tx.query(sql`
      insert into transfers (merchant_id, subject_id, id, entry_id, kind, effective_on, actor, from_account, to_account, currency, amount, created_at)
      select merchant_id, subject_id, repeat('a', 24), repeat('a', 24), kind, ${day}::date, actor, from_account, to_account, currency, amount,
        created_at + interval '1 day' from transfers where effective_on is not null limit 1`),
  )
  await assert.rejects(write, (error: Error) => /is closed/.test((error.cause as Error).message))
})

test('figures that change between the two people are refused with what changed', async () => {
  const next = addDays(day, 1)
  await books.later(1)
  const { proof } = await closeDay(app, AYSE, next, {})
  await books.take(await books.lineOf({ amount: 99n, bookedAt: noon(next) }))
  await books.giveBalances(next)
  await assert.rejects(
    closeDay(app, MEHMET, next, { figures: proof.hash }),
    refusalSaying(
      'day_figures_changed',
      /The figures have changed since ayse\.yilmaz proposed them: .*credits: 0,00 TL → 0,99 TL/,
    ),
  )
  assert.equal(await closedUntil(app.db), day)
  assert.equal((await books.close(next)).state, 'closed')
})

test('what no one can explain needs a reason of both, and is not asked for again', async () => {
  const next = addDays(day, 2)
  await books.take(await books.lineOf({ amount: 10n }))
  await books.giveBalances(next, 77n)
  await books.later(1)
  await assert.rejects(
    closeDay(app, AYSE, next, {}),
    refusalSaying('day_not_explained', /Not everything is explained on TR/),
  )
  const { proof } = await closeDay(app, AYSE, next, { reason: 'the bank looks into it, case 12' })
  await assert.rejects(closeDay(app, MEHMET, next, { figures: proof.hash }), { why: 'day_not_explained' })
  await closeDay(app, MEHMET, next, { figures: proof.hash, reason: 'the bank looks into it, case 12' })
  const following = addDays(next, 1)
  await books.take(await books.lineOf({ amount: 20n }))
  await books.giveBalances(following, 77n)
  const found = (await books.prove(following)).accounts.flatMap(({ differences }) => differences)
  assert.deepEqual(
    found.map(({ kind, amount }) => [kind, amount]),
    [['accepted', 77n]],
  )
})

test('two people reopen the last closed day; entries about it are dated to it again', async () => {
  const last = addDays(day, 2)
  await assert.rejects(reopenDay(app, AYSE, day, 'a mistake'), refusal('day_not_last_closed', { last }))
  assert.equal((await reopenDay(app, AYSE, last, 'a mistake of ours')).state, 'proposed')
  await assert.rejects(reopenDay(app, AYSE, last, 'a mistake of ours'), { why: 'proposal_own' })
  assert.equal((await reopenDay(app, MEHMET, last, 'a mistake of ours')).state, 'reopened')
  assert.equal(await closedUntil(app.db), addDays(day, 1))
  await books.take(await books.lineOf({ amount: 5_555n, bookedAt: noon(last) }))
  assert.deepEqual(await entriesOf(5_555n), [{ kind: 'suspense_receipt', day: last, aboutDay: null }])
  const history = (await selectDecisions(app.db, 100)).map(({ action, completes }) => [action, completes !== null])
  assert.deepEqual(history.slice(0, 2), [
    ['reopen', true],
    ['reopen', false],
  ])
  assert.ok(history.length >= 8)
})

test('two processes close a day at once: one does, the other is refused', async () => {
  const last = addDays(day, 2)
  const other = await startSecondProcess(books)
  const reason = 'the bank looks into it, case 12'
  await books.giveBalances(last, 77n)
  const { proof } = await closeDay(app, AYSE, last, { reason })
  const outcomes = await Promise.allSettled(
    [app, other].map((one) => closeDay(one, MEHMET, last, { figures: proof.hash, reason })),
  )
  assert.deepEqual(outcomes.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
  assert.equal(await closedUntil(app.db), last)
})

test('a close waits for entries of the day that are being written, and then has other figures', async () => {
  const next = addDays(day, 3)
  await books.later(1)
  await books.giveBalances(next, 77n)
  const { proof } = await closeDay(app, AYSE, next, {})
  const [account] = await app.banks.accounts()
  const money = { id: app.ids.next(), collectingAccountId: account?.id ?? '', currency: 'TRY', amount: 1_234n }
  let closing: Promise<unknown> = Promise.resolve()
  await app.db.transaction(async (tx) => {
    await openAndPost(app, tx, [suspenseReceipt({ ...money, bookedAt: noon(next) })])
    closing = assert.rejects(closeDay(app, MEHMET, next, { figures: proof.hash }), { why: 'day_not_explained' })
    await untilOneWaits(app.db)
  })
  await closing
  const reason = 'a test wrote it without a line'
  assert.equal((await books.close(next, reason)).state, 'closed')
})

test('an entry that was dated before the day was closed is refused, and dated anew when it is tried again', async () => {
  const next = addDays(day, 4)
  await books.later(1)
  let taking: Promise<unknown> = Promise.resolve()
  await ingest(app, [await books.lineOf({ amount: 6_789n, bookedAt: noon(next) })], app.connections[0]?.name)
  await app.db.transaction(async (tx) => {
    await lockPastDays(tx)
    taking = assert.rejects(matchLines(app), { code: 'SERVICE_UNAVAILABLE' })
    await untilOneWaits(app.db)
    await updateClosedUntil(tx, next)
  })
  await taking
  await matchAll(app)
  assert.deepEqual(await entriesOf(6_789n), [{ kind: 'suspense_receipt', day: addDays(next, 1), aboutDay: next }])
  await app.db.transaction((tx) => updateClosedUntil(tx, addDays(day, 3)))
})

test('the balances stored with a close are compared with the entries up to its day', async () => {
  const before = await checkClosing(app)
  assert.deepEqual(before, { day: addDays(day, 3), wrong: 0 })
  await app.db.transaction(async (tx) => {
    await tx.query(sql`alter table book_balances disable trigger book_balances_append_only`)
    await tx.query(sql`
      update book_balances set balance = balance + 1 where (decision_id, account_id) = (
        select decision_id, account_id from book_balances order by decision_id desc, account_id limit 1)`)
    await tx.query(sql`alter table book_balances enable trigger book_balances_append_only`)
  })
  assert.equal((await checkClosing(app))?.wrong, 1)
})

test('the proposal of someone who may not decide any more does not count', async () => {
  const next = addDays((await closedUntil(app.db)) ?? '', 1)
  await books.later(1)
  const reason = 'the bank gave no balance yet'
  const { proof } = await closeDay(app, AYSE, next, { reason })
  const lapsed = refusal('day_proposer_not_entitled', { day: next, proposedBy: 'ayse.yilmaz' })
  await setRoles(app, MEHMET, 'ayse.yilmaz', ['viewer'])
  await assert.rejects(closeDay(app, MEHMET, next, { figures: proof.hash, reason }), lapsed)
  await disableOperator(app, MEHMET, 'ayse.yilmaz')
  await assert.rejects(closeDay(app, MEHMET, next, { figures: proof.hash, reason }), lapsed)
  await assert.rejects(closeDay(app, operatorActor('ayse.yilmaz'), next, {}), { why: 'operator_disabled' })
})
