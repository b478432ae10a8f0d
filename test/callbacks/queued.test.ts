import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { ServerResponse } from 'node:http'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { disableEndpoint, distributeEvents, openDispatcher } from '../../packages/server/src/domain/webhooks/index.ts'
import { openOutbound } from '../../packages/server/src/platform/http-client/outbound.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { calling, setCallbackUrl, addEvents } from '../harness/callbacks.ts'
import { answer, startReceiver } from '../harness/receiver.ts'
import { startService } from '../harness/service.ts'
import { until } from '../harness/until.ts'

// An endpoint that allows more calls at once than there are connections: the others have not left, whatever becomes of them.
const service = await startService()
const { app } = service
// Long enough that a busy machine answers the calls that do leave; those that wait have waited as long before them.
const outbound = openOutbound({ rules: 'loopback-too', deadlineMs: 3000 })
const impatient = { ...app, outbound }
after(() => Promise.all([app.outbound.close(), outbound.close()]))

const CONNECTIONS = 50
const COUNT = CONNECTIONS + 20

/** A receiver that answers nothing by itself, and so many events on their way there at once. */
async function crowded() {
  const held: ServerResponse[] = []
  const receiver = await startReceiver((_, response) => void held.push(response))
  const { merchantId } = await service.merchant()
  const endpoint = await setCallbackUrl(app, merchantId, receiver.url, { maxConcurrent: COUNT, maxPerSecond: 10_000 })
  for (let count = 0; count < COUNT; count++) await addEvents(app, merchantId)
  await distributeEvents(app)
  const holds = () =>
    until(
      () => app.db.query(sql`select 1`),
      () => held.length >= CONNECTIONS,
    )
  return { receiver, merchantId, endpoint, held, holds }
}

async function booksOf(merchantId: string) {
  const [row] = await app.db.query<{ attempts: number; waiting: number; tried: number; calling: number }>(sql`
    select (select count(*)::int from delivery_attempts where merchant_id = ${merchantId}) as attempts,
      (select count(*)::int from deliveries where merchant_id = ${merchantId} and state = 'waiting') as waiting,
      (select count(*)::int from deliveries where merchant_id = ${merchantId} and tries > 0) as tried,
      ${calling} as calling from endpoint_queues l where merchant_id = ${merchantId}`)
  return row
}

test('a call that waits for a connection has all its time when it gets one: what never left is no attempt', async () => {
  const { receiver, merchantId, holds } = await crowded()
  const dispatcher = openDispatcher(impatient, () => undefined)
  await dispatcher.deliver()
  await holds()
  receiver.behave(answer(200))
  await until(
    () => booksOf(merchantId),
    (books) => books?.attempts === COUNT,
  )
  await dispatcher.stop()
  assert.equal(receiver.all.length, COUNT)
  assert.deepEqual(await booksOf(merchantId), {
    attempts: COUNT,
    waiting: CONNECTIONS,
    tried: CONNECTIONS,
    calling: 0,
  })
})

test('a worker that stops leaves what has not left to others, at once and untried', async () => {
  const { receiver, merchantId, held, holds } = await crowded()
  const dispatcher = openDispatcher(app, () => undefined)
  await dispatcher.deliver()
  await holds()
  const stopped = dispatcher.stop()
  for (const response of held) response.end()
  await stopped
  assert.equal(receiver.all.length, CONNECTIONS)
  assert.deepEqual(await booksOf(merchantId), { attempts: CONNECTIONS, waiting: 20, tried: 0, calling: 0 })
  receiver.behave(answer(200))
  const other = openDispatcher(app, () => undefined)
  assert.equal((await other.deliver()).claimed, 20)
  await other.stop()
  assert.deepEqual(await booksOf(merchantId), { attempts: COUNT, waiting: 0, tried: 0, calling: 0 })
})

test('an endpoint that is disabled gets none of the calls that had not left yet', async () => {
  const { receiver, merchantId, endpoint, held, holds } = await crowded()
  const dispatcher = openDispatcher(app, () => undefined)
  await dispatcher.deliver()
  await holds()
  await disableEndpoint(app, UNATTRIBUTED, merchantId, endpoint.id, 'enough')
  for (const response of held) response.end()
  await until(
    () => booksOf(merchantId),
    (books) => books?.calling === 0,
  )
  await dispatcher.stop()
  assert.equal(receiver.all.length, CONNECTIONS)
  assert.deepEqual(await booksOf(merchantId), { attempts: CONNECTIONS, waiting: 20, tried: 0, calling: 0 })
})
