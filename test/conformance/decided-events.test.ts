import assert from 'node:assert/strict'
import { test } from 'node:test'
import { distributeEvents } from '../../packages/server/src/domain/webhooks/index.ts'
import { openOutbound } from '../../packages/server/src/platform/http-client/outbound.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { addTestEndpoint, setCallbackUrl, addEvents, runCallbacksOnce } from '../harness/callbacks.ts'
import { accepted, refused, refusedFields } from '../harness/envelope.ts'
import { answer, startReceiver } from '../harness/receiver.ts'
import { startService } from '../harness/service.ts'

// Reading events and sending them again. Workers take a turn when a test says so.
type Delivery = { endpointId: string; url: string; state: string; tries: number; lastOutcome: string | null }
type Event = {
  eventId: string
  type: string
  transactionId: string
  sequence: number
  cursor: string
  payload: string
  deliveries: Delivery[]
}
type Page = { events: Event[]; nextCursor: string | null }

const PATH = '/v1/events'
const service = await startService()
const { app } = service
const shop = await service.merchant()

const page = async (query = '', of = shop): Promise<Page> => accepted(await of.get(PATH + query), 200)

/** With a deadline that a test can wait for. */
const worker = { ...app, outbound: openOutbound({ rules: 'loopback-too', deadlineMs: 500 }) }

/** Events of a transaction, distributed and, as far as they may leave at once, sent. */
async function told(merchantId: string, options: Parameters<typeof addEvents>[2] = {}): Promise<string> {
  const transactionId = await addEvents(app, merchantId, options)
  for (let count = options.count ?? 1; count > 0; count--) await runCallbacksOnce(worker)
  return transactionId
}

test('D19.1 45 events in pages of 10: each once, newest first, and the last page says so', async () => {
  const one = await service.merchant()
  const transactions = [await told(one.merchantId, { count: 40 }), await told(one.merchantId, { count: 5 })]
  const seen: Event[] = []
  const sizes: number[] = []
  let cursor: string | null = null
  do {
    const { events, nextCursor } = await page(`?limit=10${cursor === null ? '' : `&cursor=${cursor}`}`, one)
    sizes.push(events.length)
    seen.push(...events)
    cursor = nextCursor
  } while (cursor !== null)
  assert.deepEqual(sizes, [10, 10, 10, 10, 5])
  assert.equal(new Set(seen.map(({ eventId }) => eventId)).size, 45)
  const down = (from: number) => Array.from({ length: from }, (_, index) => from - index)
  assert.deepEqual(
    seen.map(({ transactionId, sequence }) => [transactions.indexOf(transactionId), sequence]),
    [...down(5).map((sequence) => [1, sequence]), ...down(40).map((sequence) => [0, sequence])],
  )
  assert.equal((await page('', one)).events.length, 20, 'without a limit')
  assert.equal((await page('?limit=45', one)).nextCursor, null, 'exactly full, and the last')
})

test('D19.2 what an event shows: its parts, its body byte for byte, and where it is on its way', async () => {
  const receiver = await startReceiver()
  const one = await service.merchant()
  const endpoint = await setCallbackUrl(app, one.merchantId, receiver.url)
  const transactionId = await told(one.merchantId)
  const [event] = (await page('', one)).events
  assert.ok(event)
  assert.deepEqual([event.type, event.transactionId, event.sequence], ['deposit.completed', transactionId, 1])
  assert.deepEqual([event.eventId, event.payload], [receiver.all[0]?.id, receiver.all[0]?.body])
  assert.match(event.cursor, /^[1-9]\d*$/)
  const [delivery, ...more] = event.deliveries
  assert.deepEqual(more, [])
  assert.deepEqual(
    { ...delivery, finishedAt: '' },
    {
      endpointId: endpoint.id,
      url: receiver.url,
      state: 'delivered',
      tries: 1,
      finishedAt: '',
      lastOutcome: 'accepted',
      lastStatus: 200,
    },
  )
})

test('D19.3 a reader that goes on from `after` misses none and sees none twice, while eight writers write', async () => {
  const one = await service.merchant()
  let writing = true
  const written = Promise.all(
    Array.from({ length: 8 }, async () => {
      const ids = [
        await addEvents(app, one.merchantId, { count: 10 }),
        await addEvents(app, one.merchantId, { count: 10 }),
      ]
      return ids
    }),
  ).finally(() => (writing = false))
  const distributed = (async () => {
    while (writing) await distributeEvents(app)
    while ((await distributeEvents(app)) > 0);
  })()
  const seen: Event[] = []
  let [after, complete] = ['0', false]
  do {
    complete = !writing && (await distributed, true)
    const { events, nextCursor } = await page(`?after=${after}&limit=7`, one)
    seen.push(...events)
    assert.notEqual(nextCursor, null, 'there is always a place to go on from')
    if (nextCursor !== after) complete = false
    after = nextCursor ?? after
  } while (!complete)
  const transactions = (await written).flat()
  assert.equal(seen.length, 160)
  assert.equal(new Set(seen.map(({ eventId }) => eventId)).size, 160)
  for (const id of transactions) {
    const sequences = seen.filter(({ transactionId }) => transactionId === id).map(({ sequence }) => sequence)
    assert.deepEqual(sequences, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  }
})

test('D19.4 filters: type, transactionId, state, and all of them together', async () => {
  const receiver = await startReceiver()
  const one = await service.merchant()
  await setCallbackUrl(app, one.merchantId, receiver.url)
  const deposit = await told(one.merchantId, { count: 2 })
  receiver.behave(answer(500))
  const failing = await told(one.merchantId, { type: 'withdrawal.failed', count: 2 })
  const hopeless = await addEvents(app, one.merchantId, { type: 'withdrawal.failed' })
  while ((await distributeEvents(app)) > 0);
  await app.db.query(sql`
    update deliveries set since = since - interval '31 days' where transaction_id = ${hopeless}`)
  await runCallbacksOnce(worker)
  const found = async (query: string) =>
    (await page(query, one)).events.map(({ transactionId, sequence }) => {
      const names = new Map([
        [deposit, 'deposit'],
        [failing, 'failing'],
        [hopeless, 'hopeless'],
      ])
      return `${names.get(transactionId)} ${sequence}`
    })
  assert.deepEqual(await found('?type=deposit.completed'), ['deposit 2', 'deposit 1'])
  assert.deepEqual(await found('?type=deposit.cancelled'), [])
  assert.deepEqual(await found(`?transactionId=${failing}`), ['failing 2', 'failing 1'])
  assert.deepEqual(await found('?state=waiting'), ['failing 2', 'failing 1'])
  assert.deepEqual(await found('?state=given_up'), ['hopeless 1'])
  assert.deepEqual(await found(`?state=waiting&transactionId=${failing}&type=withdrawal.failed&limit=1`), ['failing 2'])
  assert.deepEqual(await found('?state=waiting&after=0'), ['failing 1', 'failing 2'])
  const { nextCursor } = await page('?state=waiting&limit=1', one)
  assert.deepEqual(await found(`?state=waiting&limit=1&cursor=${nextCursor}`), ['failing 1'])
  const shown = (await page('?state=waiting', one)).events.map(({ deliveries }) => deliveries[0]?.state)
  assert.deepEqual(shown, ['waiting', 'waiting'], 'why it waits inside is ours')
})

for (const query of [
  'type=',
  'type=deposit',
  'type=Deposit.completed',
  `type=${'a'.repeat(40)}.b`,
  'type=deposit.completed&type=deposit.failed',
  'transactionId=1',
  `transactionId=${'F'.repeat(24)}`,
  'state=delivered',
  'state=behind',
  'state=',
  'cursor=',
  'cursor=-1',
  'cursor=01',
  'cursor=1.5',
  `cursor=${'9'.repeat(19)}`,
  'after=x',
  'after=1&cursor=1',
  'limit=0',
  'limit=101',
  'limit=1e1',
  'since=2026-11-15T07:00:00Z',
  'State=waiting',
]) {
  test(`D19.5 the filter ${query}: 400 VALIDATION_ERROR`, async () => {
    refused(await shop.get(`${PATH}?${query}`), 400, 'VALIDATION_ERROR')
  })
}

test('D19.6 a misspelt filter is named, and so is a cursor beside after', async () => {
  assert.deepEqual(refusedFields(await shop.get(`${PATH}?stat=waiting`)), ['stat'])
  assert.deepEqual(refusedFields(await shop.get(`${PATH}?after=1&cursor=1`)), ['after'])
})

/** A server that closes every connection, so that its port is closed too, and nothing listens. */
const DEAD = 'http://127.0.0.1:1/'

test('D19.7 every attempt is shown: outcome, status, the problem in words, how long each part took, what was answered', async () => {
  const silent = await startReceiver(() => undefined)
  const saying = async (status: number) => (await startReceiver(answer(status, { location: '/elsewhere' }))).url
  const expected: [string, string, number | null][] = [
    ['accepted', await saying(204), 204],
    ['4xx', await saying(404), 404],
    ['5xx', await saying(503), 503],
    ['redirect', await saying(302), 302],
    ['timeout', silent.url, null],
    ['tls', silent.url.replace('http:', 'https:'), null],
    ['dns', 'http://nowhere.invalid/', null],
    ['refused', DEAD, null],
  ]
  const one = await service.merchant()
  await setCallbackUrl(app, one.merchantId, expected[0]?.[1] ?? '')
  for (const [, url] of expected.slice(1)) await addTestEndpoint(app, one.merchantId, { url })
  await told(one.merchantId)
  const [{ eventId } = { eventId: '' }] = (await page('', one)).events
  const { attempts, deliveries } = accepted(await one.get(`${PATH}/${eventId}`), 200)
  const urls = new Map((deliveries as Delivery[]).map(({ endpointId, url }) => [endpointId, url]))
  for (const [outcome, url, status] of expected) {
    const attempt = attempts.find((each: { endpointId: string }) => urls.get(each.endpointId) === url)
    assert.deepEqual([attempt.outcome, attempt.status], [outcome, status], attempt.problem)
    assert.equal(attempt.problem === null, outcome === 'accepted')
    assert.equal(attempt.answer, status === null || status === 204 ? '' : `status ${status}`)
    assert.deepEqual(Object.keys(attempt.durationMs), ['connect', 'wait', 'read'])
    for (const ms of Object.values(attempt.durationMs)) assert.ok(Number.isInteger(ms) && (ms as number) >= 0)
    assert.ok(Math.abs(Date.parse(attempt.at) - Date.now()) < 60_000)
  }
  assert.equal(attempts.length, 8)
})
