import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { addTestEndpoint, deliveriesOf, setCallbackUrl, addEvents, runCallbacksOnce } from '../harness/callbacks.ts'
import { accepted, refused, refusedFields } from '../harness/envelope.ts'
import { answer, ok, startReceiver } from '../harness/receiver.ts'
import { startService } from '../harness/service.ts'

// Sending events again, and whose they are. Workers take a turn when a test says so.
const PATH = '/v1/events'
const NEVER = 'f'.repeat(24)
const service = await startService()
const { app } = service

/** A merchant with a receiver, and one event that was delivered there. */
async function shopWithEvent() {
  const shop = await service.merchant()
  const receiver = await startReceiver()
  const endpoint = await setCallbackUrl(app, shop.merchantId, receiver.url)
  const transactionId = await addEvents(app, shop.merchantId)
  await runCallbacksOnce(app)
  const [row] = await deliveriesOf(app, transactionId)
  return { ...shop, receiver, endpoint, transactionId, eventId: row?.eventId ?? assert.fail() }
}

const shop = await shopWithEvent()
const other = await shopWithEvent()

test('D19.8 an event is sent once more, with the same id and body, to all that had it', async () => {
  const one = await shopWithEvent()
  const second = await startReceiver()
  await addTestEndpoint(app, one.merchantId, { url: second.url })
  assert.deepEqual(accepted(await one.post(`${PATH}/${one.eventId}/resend`, undefined), 200), { deliveries: 1 })
  await runCallbacksOnce(app)
  const [first, again] = one.receiver.all
  assert.deepEqual([again?.id, again?.body], [first?.id, first?.body])
  assert.equal(second.all.length, 0, 'it never had it')
  const { attempts, deliveries } = accepted(await one.get(`${PATH}/${one.eventId}`), 200)
  assert.deepEqual([attempts.length, deliveries[0].state, deliveries[0].tries], [2, 'delivered', 2])
})

test('D19.9 with endpointId it is sent to that one only, even if it never had it', async () => {
  const one = await shopWithEvent()
  const second = await startReceiver()
  const { endpoint } = await addTestEndpoint(app, one.merchantId, {
    url: second.url,
    eventTypes: ['withdrawal.failed'],
  })
  const answered = await one.post(`${PATH}/${one.eventId}/resend?endpointId=${endpoint.id}`, undefined)
  assert.deepEqual(accepted(answered, 200), { deliveries: 1 })
  await runCallbacksOnce(app)
  assert.deepEqual([one.receiver.all.length, second.all.length], [1, 1])
  assert.equal(second.all[0]?.id, one.eventId)
})

test('D19.10 no endpoint has an address: 409 INVALID_STATE', async () => {
  const one = await service.merchant()
  await addEvents(app, one.merchantId)
  await runCallbacksOnce(app)
  const [{ eventId }] = accepted(await one.get(PATH), 200).events
  refused(await one.post(`${PATH}/${eventId}/resend`, undefined), 409, 'INVALID_STATE')
  const { endpoint } = await addTestEndpoint(app, one.merchantId, {})
  refused(await one.post(`${PATH}/${eventId}/resend?endpointId=${endpoint.id}`, undefined), 409, 'INVALID_STATE')
})

test('D19.11 what has failed since a moment is sent once more, and nothing else', async () => {
  const one = await shopWithEvent()
  one.receiver.behave(answer(500))
  const failing = await addEvents(app, one.merchantId, { count: 2 })
  await runCallbacksOnce(app)
  const [{ createdAt }] = accepted(await one.get(`${PATH}?transactionId=${failing}`), 200).events
  const at = (ms: number) => new Date(Date.parse(createdAt) + ms).toISOString()
  assert.deepEqual(accepted(await one.post(`${PATH}/resend`, { since: at(60_000) }), 200), { deliveries: 0 })
  assert.deepEqual(accepted(await one.post(`${PATH}/resend`, { since: at(-60_000) }), 200), { deliveries: 1 })
  one.receiver.behave(ok)
  await runCallbacksOnce(app)
  await runCallbacksOnce(app)
  const sequences = one.receiver.all.filter(({ event }) => event.data.transactionId === failing)
  assert.deepEqual(
    sequences.map(({ event }) => event.data.sequence),
    [1, 1, 2],
  )
  assert.deepEqual(accepted(await one.post(`${PATH}/resend`, { since: at(-60_000) }), 200), { deliveries: 0 })
})

for (const since of [
  undefined,
  null,
  '',
  'yesterday',
  '2026-11-15',
  '2026-11-15T09:00:00',
  '2026-13-15T09:00:00Z',
  '2026-11-15T09:00:00.0000Z',
  1_794_726_000,
  ['2026-11-15T09:00:00Z'],
  `2026-11-15T09:00:00Z${' '.repeat(21)}`,
]) {
  test(`D19.12 since ${JSON.stringify(since)}: 400 VALIDATION_ERROR, and it is named`, async () => {
    assert.deepEqual(refusedFields(await shop.post(`${PATH}/resend`, { since })), ['since'])
  })
}

test('D19.13 since is an instant in any zone; without a body, or with a list for one, it is refused', async () => {
  for (const since of ['2026-11-15T09:00Z', '2026-11-15T12:00:00+03:00', '1970-01-01T00:00:00.000Z'])
    assert.deepEqual(accepted(await shop.post(`${PATH}/resend`, { since }), 200), { deliveries: 0 })
  refused(await shop.post(`${PATH}/resend`, undefined), 400, 'VALIDATION_ERROR')
  refused(await shop.post(`${PATH}/resend`, []), 400, 'VALIDATION_ERROR')
})

test('D19.14 ids that are none, and parameters that nobody knows: 400 VALIDATION_ERROR', async () => {
  for (const id of ['1', 'F'.repeat(24), 'f'.repeat(23), 'g'.repeat(24)]) {
    refused(await shop.get(`${PATH}/${id}`), 400, 'VALIDATION_ERROR')
    refused(await shop.post(`${PATH}/${id}/resend`, undefined), 400, 'VALIDATION_ERROR')
    refused(await shop.post(`${PATH}/${shop.eventId}/resend?endpointId=${id}`, undefined), 400, 'VALIDATION_ERROR')
  }
  refused(await shop.post(`${PATH}/${shop.eventId}/resend?endpoint=${NEVER}`, undefined), 400, 'VALIDATION_ERROR')
})

/** Everything that a resend would touch. */
const stateOf = (merchantId: string) =>
  app.db.query(sql`
    select l.last_claim, l.wake_at, d.event_id, d.state, d.tries, d.next_at from endpoint_queues l
    left join deliveries d using (merchant_id, endpoint_id) where l.merchant_id = ${merchantId} order by d.event_id`)

test('D19.15 tenant isolation: another merchant’s ids are 404 on every route, and nothing moves', async () => {
  const before = await stateOf(other.merchantId)
  refused(await shop.get(`${PATH}/${other.eventId}`), 404, 'NOT_FOUND')
  refused(await shop.post(`${PATH}/${other.eventId}/resend`, undefined), 404, 'NOT_FOUND')
  const [mine, theirs] = [shop.endpoint.id, other.endpoint.id]
  refused(await shop.post(`${PATH}/${other.eventId}/resend?endpointId=${mine}`, undefined), 404, 'NOT_FOUND')
  refused(await shop.post(`${PATH}/${other.eventId}/resend?endpointId=${theirs}`, undefined), 404, 'NOT_FOUND')
  refused(await shop.post(`${PATH}/${shop.eventId}/resend?endpointId=${theirs}`, undefined), 404, 'NOT_FOUND')
  accepted(await shop.post(`${PATH}/resend`, { since: '1970-01-01T00:00:00Z' }), 200)
  await runCallbacksOnce(app)
  assert.deepEqual(await stateOf(other.merchantId), before)
  assert.equal(other.receiver.all.length, 1)
})

test('D19.16 tenant isolation: lists show nothing of another merchant, whatever the filter or cursor', async () => {
  const theirs = accepted(await other.get(PATH), 200).events[0]
  for (const query of [
    '',
    `?transactionId=${other.transactionId}`,
    `?after=${Number(theirs.cursor) - 1}`,
    `?cursor=${Number(theirs.cursor) + 1}`,
    '?state=waiting',
  ]) {
    const { events } = accepted(await shop.get(PATH + query), 200)
    assert.ok(!events.some(({ eventId }: { eventId: string }) => eventId === other.eventId), query)
  }
})

test('D19.17 tenant isolation: the answer for another merchant’s id is the one for an id that never was', async () => {
  const { eventId } = other
  const told = async (id: string, suffix = '') =>
    (suffix === '' ? await shop.get(`${PATH}/${id}`) : await shop.post(`${PATH}/${id}${suffix}`, undefined)).body.error
      .message
  for (const suffix of ['', '/resend'])
    assert.equal((await told(eventId, suffix)).replace(eventId, NEVER), await told(NEVER, suffix))
})

test('D19.18 every route needs a signature and a listed address', async () => {
  const listed = await service.merchant({ allowedNetworks: ['203.0.113.7'] })
  const routes = [
    ['GET', PATH],
    ['GET', `${PATH}/${NEVER}`],
    ['POST', `${PATH}/${NEVER}/resend`],
    ['POST', `${PATH}/resend`],
  ] as const
  for (const [method, target] of routes) {
    const body = target === `${PATH}/resend` ? { body: { since: '2026-11-15T09:00:00Z' } } : {}
    refused(await shop.call(target, { method, ...body, signature: '0'.repeat(64) }), 401, 'INVALID_SIGNATURE')
    refused(await listed.call(target, { method, ...body }), 403, 'IP_NOT_WHITELISTED')
  }
})
