import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkClosing, selectDecisions } from '../../packages/server/src/domain/books/index.ts'
import { approveProposal, rejectProposal } from '../../packages/server/src/domain/proposals/index.ts'
import {
  closedUntil,
  findMixedEntries,
  lockPastDays,
  openAndPost,
  suspenseReceipt,
  updateClosedUntil,
} from '../../packages/server/src/domain/ledger/index.ts'
import { matchLines } from '../../packages/server/src/domain/matching/index.ts'
import { setRoles } from '../../packages/server/src/domain/people/index.ts'
import { addDays, startOfDay } from '../../packages/server/src/kernel/istanbul.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { AYSE, MEHMET, startBooks } from '../harness/books.ts'
import { closeDay, reopenDay } from '../harness/day-proposals.ts'
import { untilOneWaits } from '../harness/lock-waits.ts'
import { ingest, matchAll } from '../harness/payments.ts'
import { startSecondProcess } from '../harness/service.ts'
import { refusal } from '../harness/refusals.ts'

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

/** Of one person. */
async function proposed(day: string, reason?: string) {
  const asked = await closeDay(app, AYSE, day, reason)
  return asked.state === 'open' ? asked.proposal : assert.fail(asked.state)
}

test('a day is closed when it is over, by two people who saw the same figures; both are recorded', async () => {
  await assert.rejects(closeDay(app, AYSE, day), refusal('day_not_over', { day, time: '00:10' }))
  await books.later(1)
  const { id, rows } = await proposed(day)
  const { hash } = await books.prove(day)
  assert.equal(rows.find(({ field }) => field === 'figures')?.after, hash)
  assert.equal((await proposed(day)).id, id, 'the same person again adds nothing')
  assert.equal(await closedUntil(app.db), null)
  assert.equal((await closeDay(app, MEHMET, day)).state, 'applied')
  assert.equal(await closedUntil(app.db), day)
  const decisions = (await selectDecisions(app.db, 10)).map(({ action, proposedBy, operator, figuresHash }) => {
    return [action, proposedBy, operator, figuresHash]
  })
  assert.deepEqual(decisions, [['close', 'ayse.yilmaz', 'mehmet.kaya', hash]])
  await assert.rejects(closeDay(app, MEHMET, day), refusal('day_closed', { day, until: day }))
  await assert.rejects(closeDay(app, MEHMET, addDays(day, 2)), refusal('day_not_next', { next: addDays(day, 1) }))
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

test('figures that change between the two people are refused; then the day is proposed anew', async () => {
  const next = addDays(day, 1)
  await books.later(1)
  const { id, seenSha256 } = await proposed(next)
  await books.take(await books.lineOf({ amount: 99n, bookedAt: noon(next) }))
  await books.giveBalances(next)
  await assert.rejects(closeDay(app, MEHMET, next), refusal('proposal_open', { proposal: id }))
  const { hash: figures } = await books.prove(next)
  await assert.rejects(approveProposal(app, MEHMET, id, seenSha256), refusal('day_figures_not_seen', { figures }))
  assert.equal(await closedUntil(app.db), day)
  await rejectProposal(app, MEHMET, id, 'the figures have changed')
  assert.equal((await books.close(next)).state, 'applied')
})

test('what no one can explain needs a reason, which the second person sees, and is not asked for again', async () => {
  const next = addDays(day, 2)
  await books.take(await books.lineOf({ amount: 10n }))
  await books.giveBalances(next, 77n)
  await books.later(1)
  await assert.rejects(closeDay(app, AYSE, next), { why: 'day_not_explained' })
  await assert.rejects(closeDay(app, AYSE, next, 'no'), { why: 'reason_missing' })
  const { id, seenSha256, reason, rows } = await proposed(next, 'the bank looks into it, case 12')
  assert.equal(reason, 'the bank looks into it, case 12')
  assert.deepEqual(
    rows.filter(({ field }) => field === 'unexplained').map(({ after }) => after),
    ['0,77 TL'],
  )
  await approveProposal(app, MEHMET, id, seenSha256)
  assert.equal((await selectDecisions(app.db, 1))[0]?.reason, reason)
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
  await assert.rejects(reopenDay(app, AYSE, last, ''), { why: 'reason_missing' })
  assert.equal((await reopenDay(app, AYSE, last, 'a mistake of ours')).state, 'open')
  assert.equal((await reopenDay(app, MEHMET, last, 'a mistake of ours')).state, 'applied')
  assert.equal(await closedUntil(app.db), addDays(day, 1))
  await books.take(await books.lineOf({ amount: 5_555n, bookedAt: noon(last) }))
  assert.deepEqual(await entriesOf(5_555n), [{ kind: 'suspense_receipt', day: last, aboutDay: null }])
  const [reopened, closed] = await selectDecisions(app.db, 2)
  assert.deepEqual([reopened?.action, reopened?.takesBack], ['reopen', closed?.id])
})

test('two processes close a day at once: one does, the other is refused', async () => {
  const last = addDays(day, 2)
  const other = await startSecondProcess(books)
  const reason = 'the bank looks into it, case 12'
  await books.giveBalances(last, 77n)
  await proposed(last, reason)
  const outcomes = await Promise.allSettled([app, other].map((one) => closeDay(one, MEHMET, last, reason)))
  assert.deepEqual(outcomes.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
  assert.equal(await closedUntil(app.db), last)
})

test('a close waits for entries of the day that are being written, and then has other figures', async () => {
  const next = addDays(day, 3)
  await books.later(1)
  await books.giveBalances(next, 77n)
  const { id } = await proposed(next)
  const [account] = await app.banks.accounts()
  const money = { id: app.ids.next(), collectingAccountId: account?.id ?? '', currency: 'TRY', amount: 1_234n }
  let closing: Promise<unknown> = Promise.resolve()
  await app.db.transaction(async (tx) => {
    await openAndPost(app, tx, [suspenseReceipt({ ...money, bookedAt: noon(next) })])
    closing = assert.rejects(closeDay(app, MEHMET, next), { why: 'day_figures_not_seen' })
    await untilOneWaits(app.db)
  })
  await closing
  await rejectProposal(app, MEHMET, id, 'the figures have changed')
  const reason = 'a test wrote it without a line'
  assert.equal((await books.close(next, reason)).state, 'applied')
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
  await proposed(next, reason)
  await setRoles(app, MEHMET, 'ayse.yilmaz', ['viewer'])
  await assert.rejects(closeDay(app, MEHMET, next, reason), { why: 'proposer_without_right' })
})
