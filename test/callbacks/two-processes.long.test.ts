import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import type { App } from '../../packages/server/src/compose.ts'
import { distributeEvents, recordEvents } from '../../packages/server/src/domain/webhooks/index.ts'
import { startCallbacks } from '../../packages/server/src/edges/workers/worker-schedules.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { addTestEndpoint, setCallbackUrl, addEvents } from '../harness/callbacks.ts'
import { exampleData } from '../harness/example-events.ts'
import type { Received } from '../harness/receiver.ts'
import { ok, startReceiver } from '../harness/receiver.ts'
import { startSecondProcess, startService } from '../harness/service.ts'
import { until } from '../harness/until.ts'

const service = await startService()
const { app } = service
const apps = [app, await startSecondProcess(service)] as const
after(() => Promise.all(apps.map(({ outbound }) => outbound.close())))

/** The workers of both processes, until the function that is answered stops them. */
function startBoth(): () => Promise<void> {
  const workers = apps.flatMap((one) => startCallbacks(one))
  return async () => void (await Promise.all(workers.map((worker) => worker.stop())))
}

const openCount = async (merchantId: string) => {
  const [row] = await app.db.query<{ open: number }>(sql`
    select (select count(*) from events where merchant_id = ${merchantId} and position is null)::int
      + (select count(*) from deliveries where merchant_id = ${merchantId})::int as open`)
  return row?.open ?? 0
}

const untilThrough = (merchantId: string) =>
  until(
    () => openCount(merchantId),
    (open) => open === 0,
  )

const times = <Value>(count: number, make: (index: number) => Value): Value[] =>
  Array.from({ length: count }, (_, index) => make(index))

function byTransaction(all: Received[]): Map<string, number[]> {
  const groups = Map.groupBy(all, ({ event }) => event.data.transactionId)
  return new Map([...groups].map(([id, list]) => [id, list.map(({ event }) => event.data.sequence)]))
}

test('two dispatchers: every event arrives once at each endpoint, in order within its transaction', async () => {
  const receivers = [await startReceiver(), await startReceiver()]
  const shop = await service.merchant()
  await setCallbackUrl(app, shop.merchantId, receivers[0]?.url ?? '', { maxPerSecond: 10_000 })
  await addTestEndpoint(app, shop.merchantId, { url: receivers[1]?.url ?? '', maxPerSecond: 10_000 })
  const stop = startBoth()
  const told = await Promise.all(
    times(40, (index) => addEvents(apps[index % 2 ? 1 : 0], shop.merchantId, { count: 5 })),
  )
  await untilThrough(shop.merchantId)
  await stop()
  for (const { all } of receivers) {
    const heard = byTransaction(all)
    assert.deepEqual([...heard.keys()].toSorted(), told.toSorted())
    for (const [id, sequences] of heard) assert.deepEqual(sequences, [1, 2, 3, 4, 5], id)
  }
})

/** Two transactions of its own, told alternately; every change is open for a while, and one in five never happens. */
async function write(on: App, merchantId: string, events: number): Promise<void> {
  const ids = [on.ids.next(), on.ids.next()]
  for (let sequence = 1; sequence <= events; sequence++) {
    const list = ids.map((transactionId) => {
      const type = 'deposit.completed'
      return { merchantId, transactionId, sequence, type, data: exampleData(type, { transactionId, sequence }) }
    })
    const change = (fails: boolean) =>
      on.db.transaction(async (tx) => {
        await recordEvents(on, tx, list)
        for (let wait = on.random.bytes(1).readUInt8() % 6; wait > 0; wait--) await tx.query(sql`select 1`)
        if (fails) throw new Error('the change is taken back')
      })
    if (sequence % 5 === 0) await assert.rejects(change(true), /taken back/)
    await change(false)
  }
}

test('four distributors in two processes and eight writers: sequence 2 never stands before 1, and no place is empty', async () => {
  const receiver = await startReceiver()
  const shop = await service.merchant()
  await setCallbackUrl(app, shop.merchantId, receiver.url)
  const [before] = await app.db.query<{ last: bigint }>(sql`select last from event_positions`)
  let writing = true
  const distributed = Promise.all(
    [...apps, ...apps].map(async (one) => {
      let count = 0
      do count += await distributeEvents(one)
      while (writing || (await openEvents(shop.merchantId)) > 0)
      return count
    }),
  )
  await Promise.all(times(8, (index) => write(apps[index % 2 ? 1 : 0], shop.merchantId, 40)))
  writing = false
  const counts = await distributed
  assert.equal(
    counts.reduce((sum, count) => sum + count, 0),
    8 * 2 * 40,
    'each by one of them',
  )
  const rows = await app.db.query<{ transactionId: string; sequence: number; place: number; state: string }>(sql`
    select e.transaction_id as "transactionId", e.sequence, (e.position - ${before?.last ?? 0n})::int as place, d.state
    from events e join deliveries d on d.merchant_id = e.merchant_id and d.event_id = e.id and d.position = e.position
    where e.merchant_id = ${shop.merchantId} order by e.position`)
  assert.deepEqual(
    rows.map(({ place }) => place),
    times(8 * 2 * 40, (index) => index + 1),
  )
  for (const [id, list] of Map.groupBy(rows, ({ transactionId }) => transactionId)) {
    const expected = times(40, (index) => `${index + 1} ${index === 0 ? 'waiting' : 'behind'}`)
    assert.deepEqual(
      list.map(({ sequence, state }) => `${sequence} ${state}`),
      expected,
      id,
    )
  }
})

async function openEvents(merchantId: string): Promise<number> {
  const rows = await app.db.query(sql`select 1 from events where merchant_id = ${merchantId} and position is null`)
  return rows.length
}

test('connections die all the time: nothing is lost, and no event arrives before an earlier one of its transaction', async () => {
  const receiver = await startReceiver()
  const shop = await service.merchant()
  await setCallbackUrl(app, shop.merchantId, receiver.url, { maxPerSecond: 10_000 })
  const told = await Promise.all(times(40, () => addEvents(app, shop.merchantId, { count: 4 })))
  const killer = new pg.Pool({ connectionString: service.databaseUrl, max: 2 })
  // Around the moment at which answers are recorded, and only what is in the middle of something: an idle connection that
  // dies is replaced, and nobody notices.
  receiver.behave((_, response) => {
    response.end('ok')
    if (receiver.all.length % 3 === 0) {
      void killer.query(`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'vezne' and xact_start is not null`)
    }
  })
  for (let phase = 1; phase <= 6; phase++) {
    const enough = receiver.all.length + 10
    const stop = startBoth()
    await until(
      () => killer.query('select 1'),
      () => receiver.all.length >= enough,
    )
    await stop()
    // What was claimed and not recorded comes again when its lease is over.
    await killer.query(`update endpoint_queues set wake_at = '2000-01-01'`)
    await killer.query('delete from delivery_claims')
  }
  receiver.behave(ok)
  await killer.end()
  const stop = startBoth()
  await untilThrough(shop.merchantId)
  await stop()
  const heard = byTransaction(receiver.all)
  assert.deepEqual([...heard.keys()].toSorted(), told.toSorted())
  for (const sequences of heard.values()) assert.match(sequences.join(''), /^1+2+3+4+$/)
  assert.ok(receiver.all.length > 40 * 4, 'some answers were lost on the way to the database')
})
