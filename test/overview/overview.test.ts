import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  listTransactions,
  todaysMoney,
  todaysWork,
  transactionTimeline,
} from '../../packages/server/src/domain/overview/index.ts'
import { istanbul } from '../../packages/server/src/kernel/istanbul.ts'
import { accepted } from '../harness/envelope.ts'
import { withdrawBody } from '../harness/examples.ts'
import { ingest, lineFor, matchAll, someDeposits } from '../harness/payments.ts'
import { startWithBank } from '../harness/payouts.ts'

const service = await startWithBank()
const { app } = service
const shop = await service.merchantWithMoney(5_000_000n)
const other = await service.merchant()
const today = istanbul(app.clock.now()).day

test('transactions of all merchants, newest first, page by page, by status and merchant', async () => {
  const mine = await someDeposits(app, shop.merchantId, 5)
  const theirs = await someDeposits(app, other.merchantId, 4)
  const ids = [...mine, ...theirs]
    .map(({ id }) => id)
    .toSorted()
    .toReversed()
  const wanted = { kind: 'deposit' as const, merchantId: null, from: today, to: today, status: 'pending', limit: 4 }
  const seen: string[] = []
  for (let before: string | undefined; ; before = seen.at(-1)) {
    const page = await listTransactions(app.db, { ...wanted, before })
    seen.push(...page.slice(0, 4).map(({ id }) => id))
    if (page.length <= 4) break
  }
  assert.deepEqual(seen, ids)
  const one = await listTransactions(app.db, { ...wanted, merchantId: other.merchantId, limit: 50 })
  assert.deepEqual(one.map(({ id }) => id).toSorted(), theirs.map(({ id }) => id).toSorted())
  assert.deepEqual(await listTransactions(app.db, { ...wanted, status: 'completed', merchantId: other.merchantId }), [])
  assert.deepEqual(await listTransactions(app.db, { ...wanted, from: '2020-01-01', to: '2020-01-02' }), [])
})

test('the timeline of a deposit: created, bank line, decision, status, ledger, callback, in this order', async () => {
  const [deposit] = await someDeposits(app, shop.merchantId, 1)
  if (!deposit) return assert.fail('no deposit')
  await ingest(app, [await lineFor(app, deposit)])
  await matchAll(app)
  const timeline = await transactionTimeline(app, app.db, deposit.id, null)
  if (timeline?.kind !== 'deposit') return assert.fail('no deposit')
  const kinds = timeline.moments.map(({ kind }) => kind)
  assert.equal(kinds[0], 'created')
  for (const kind of ['line', 'decision', 'status', 'booked']) assert.ok(kinds.includes(kind as never), kind)
  const times = timeline.moments.map(({ at }) => at.getTime())
  assert.deepEqual(
    times,
    times.toSorted((a, b) => a - b),
  )
  assert.equal(await transactionTimeline(app, app.db, 'f'.repeat(24), null), null)
})

test('a withdrawal: calls of the bank and its booking', async () => {
  const { transactionId } = accepted(await shop.post('/v1/withdraw', withdrawBody()), 201)
  await service.work()
  const timeline = await transactionTimeline(app, app.db, transactionId as string, null)
  if (timeline?.kind !== 'withdrawal') return assert.fail('no withdrawal')
  const kinds = new Set<string>(timeline.moments.map(({ kind }) => kind))
  for (const kind of ['created', 'status', 'call', 'booked']) assert.ok(kinds.has(kind), kind)
})

test('what waits for people, and the money of the day', async () => {
  const before = (await todaysWork(app)).find(({ name }) => name === 'suspense') ?? assert.fail('no such pile')
  const [deposit] = await someDeposits(app, shop.merchantId, 1)
  if (!deposit) return assert.fail('no deposit')
  const [money] = await todaysMoney(app)
  await ingest(app, [await lineFor(app, deposit, { narrative: 'kira', amount: 77_700n })])
  await matchAll(app)
  const after = (await todaysWork(app)).find(({ name }) => name === 'suspense') ?? assert.fail('no such pile')
  assert.equal(after.count, before.count + 1)
  assert.ok(after.oldest)
  assert.equal((await todaysMoney(app))[0].credits, money.credits + 77_700n)
})
