import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { pruneEvents, pruneStream, resendEvent } from '../../packages/server/src/domain/webhooks/index.ts'
import { deleteEvents, selectOldEvents } from '../../packages/server/src/domain/webhooks/store.ts'
import type { Tx } from '../../packages/server/src/platform/postgres/db.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { setCallbackUrl, addEvents, runCallbacksOnce } from '../harness/callbacks.ts'
import { accepted, refused } from '../harness/envelope.ts'
import { planOf } from '../harness/plans.ts'
import { answer, ok, startReceiver } from '../harness/receiver.ts'
import { startService } from '../harness/service.ts'

const service = await startService()
const { app, databaseUrl } = service
const receiver = await startReceiver()

async function shopWithEndpoint() {
  const shop = await service.merchant()
  return { ...shop, endpoint: await setCallbackUrl(app, shop.merchantId, receiver.url) }
}

type Row = { id: string; sequence: number }
const eventsOf = (transactionId: string) =>
  app.db.query<Row>(sql`select id, sequence from events where transaction_id = ${transactionId} order by sequence`)
const sequencesOf = async (transactionId: string) => (await eventsOf(transactionId)).map(({ sequence }) => sequence)
const attemptsOf = async (transactionId: string) =>
  (
    await app.db.query(sql`
      select 1 from delivery_attempts a join events e on e.merchant_id = a.merchant_id and e.id = a.event_id
      where e.transaction_id = ${transactionId}`)
  ).length

/** So many events that were told two years and a month ago. */
async function old(merchantId: string, count: number): Promise<string> {
  const transactionId = await addEvents(app, merchantId, { count })
  for (let sent = 0; sent < count; sent++) await runCallbacksOnce(app)
  await age(transactionId)
  return transactionId
}

async function age(transactionId: string): Promise<void> {
  await app.db.query(sql`
    update events set created_at = created_at - interval '760 days' where transaction_id = ${transactionId}`)
}

async function prune(...merchantIds: string[]): Promise<void> {
  while ((await pruneEvents(app, merchantIds)) > 0);
}

const quiet = { onProgress: () => undefined }

test('old events and their attempts go; the newest of each transaction stays, and so does what is younger', async () => {
  receiver.behave(ok)
  const { merchantId, ...shop } = await shopWithEndpoint()
  const past = await old(merchantId, 3)
  const young = await addEvents(app, merchantId, { count: 2 })
  await runCallbacksOnce(app)
  await runCallbacksOnce(app)
  const [first] = await eventsOf(past)
  const counted = await pruneStream(app, merchantId, { dryRun: true, ...quiet })
  assert.deepEqual(counted, { judged: 3, pruned: 2 })
  assert.deepEqual(await sequencesOf(past), [1, 2, 3])

  await prune(merchantId)
  assert.deepEqual(await sequencesOf(past), [3])
  assert.equal(await attemptsOf(past), 1)
  const [orphans] = await app.db.query<{ count: number }>(sql`
    select count(*)::int from delivery_attempts where merchant_id = ${merchantId} and event_id = ${first?.id ?? ''}`)
  assert.equal(orphans?.count, 0)
  assert.deepEqual(await sequencesOf(young), [1, 2])
  refused(await shop.get(`/v1/events/${first?.id}`), 404, 'NOT_FOUND')
  refused(await shop.post(`/v1/events/${first?.id}/resend`, undefined), 404, 'NOT_FOUND')
  // The stream is read on from any place, also from one that is gone.
  const { events } = accepted(await shop.get('/v1/events?after=0'), 200)
  assert.deepEqual(
    (events as { sequence: number }[]).map(({ sequence }) => sequence),
    [3, 1, 2],
  )
  // Numbers go on.
  await addEvents(app, merchantId, { transactionId: past, from: 4 })
  assert.deepEqual(await sequencesOf(past), [3, 4])
})

test('what has not arrived everywhere stays, waiting or given up, however old; the command looks at it again later', async () => {
  const { merchantId } = await shopWithEndpoint()
  receiver.behave(answer(500))
  const waiting = await addEvents(app, merchantId, { count: 2 })
  const undistributed = app.ids.next()
  await runCallbacksOnce(app)
  await age(waiting)
  await addEvents(app, merchantId, { count: 2, transactionId: undistributed })
  await age(undistributed)
  await prune(merchantId)
  assert.deepEqual(
    [await sequencesOf(waiting), await sequencesOf(undistributed)],
    [
      [1, 2],
      [1, 2],
    ],
  )
  await app.db.query(sql`update deliveries set state = 'given_up' where transaction_id = ${waiting}`)
  await pruneStream(app, merchantId, { dryRun: false, ...quiet })
  assert.deepEqual(await sequencesOf(waiting), [1, 2])
  await app.db.query(sql`delete from deliveries where transaction_id = ${waiting}`)
  await prune(merchantId)
  assert.deepEqual(await sequencesOf(waiting), [1, 2], 'the worker has judged it')
  await pruneStream(app, merchantId, { dryRun: false, ...quiet })
  assert.deepEqual(await sequencesOf(waiting), [2])
})

test('an event that is sent again at this moment is not pruned, and one that is pruned is not sent again', async () => {
  receiver.behave(ok)
  const { merchantId } = await shopWithEndpoint()
  const transaction = await old(merchantId, 40)
  const events = await eventsOf(transaction)
  const resent = await Promise.all([
    ...events.map(({ id }) =>
      resendEvent(app, UNATTRIBUTED, merchantId, id).catch((error: { code: string }) => error.code),
    ),
    prune(merchantId),
  ])
  const left = new Set((await eventsOf(transaction)).map(({ id }) => id))
  for (const [index, { id }] of events.entries()) assert.equal(resent[index], left.has(id) ? 1 : 'NOT_FOUND', id)
  const lost = await app.db.query(sql`
    select d.event_id from deliveries d left join events e on e.merchant_id = d.merchant_id and e.id = d.event_id
    where d.merchant_id = ${merchantId} and e.id is null`)
  assert.deepEqual(lost, [])
})

test('tests of an endpoint go as well, and two processes at once prune each event once', async () => {
  receiver.behave(ok)
  const { merchantId, ...shop } = await shopWithEndpoint()
  const tested = await addEvents(app, merchantId, { type: 'endpoint.test' })
  const many = await old(merchantId, 2)
  await runCallbacksOnce(app)
  await age(tested)
  await Promise.all([prune(merchantId), prune(merchantId), pruneStream(app, merchantId, { dryRun: false, ...quiet })])
  assert.deepEqual([await sequencesOf(tested), await sequencesOf(many)], [[], [2]])
  assert.equal(accepted(await shop.get('/v1/events'), 200).events.length, 1)
})

test('a batch goes by index, also by plans made when the tables were counted and empty', async () => {
  const client = new pg.Client({ connectionString: databaseUrl })
  client.on('error', () => undefined)
  await client.connect()
  const place = { merchantId: 'm', after: '0', before: new Date(), limit: 500 }
  const statements: [(tx: Tx) => Promise<unknown>, RegExp[]][] = [
    [
      (tx) => selectOldEvents(tx, place),
      [
        /events_in_order .*\n\s+Index Cond: .*merchant_id = .*"?position"? > /,
        /events_numbered_once .*\n\s+Index Cond: .*transaction_id = .*sequence > /,
      ],
    ],
    [(tx) => deleteEvents(tx, 'm', ['e']), [/events_pkey/]],
  ]
  for (const prepare of ['select', 'vacuum analyze events']) {
    await client.query(prepare)
    for (const [send, byKey] of statements) {
      const plan = await planOf(client, { inTransaction: true, send })
      for (const expected of byKey) assert.match(plan, expected)
    }
  }
  await client.end()
})
