import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { distributeEvents } from '../../packages/server/src/domain/webhooks/index.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { send } from '../harness/client.ts'
import { refused } from '../harness/envelope.ts'
import { depositBody } from '../harness/examples.ts'
import { sendRaw } from '../harness/raw.ts'
import { startService } from '../harness/service.ts'
import { until } from '../harness/until.ts'

// What one request can make the service keep or send is bounded, whoever sends it.
const service = await startService()
const { app, baseUrl, server } = service
const shop = await service.merchant()

test('a caller that does not close after its last answer does not keep its place', async () => {
  const { hostname, port } = new URL(baseUrl)
  const open = () => new Promise<number>((resolve) => server.server.getConnections((_, count) => resolve(count)))
  const before = await open()
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
  socket.on('error', () => undefined)
  socket.write('this is not HTTP\r\n\r\n')
  const [answer] = (await once(socket, 'data')) as [Buffer]
  assert.match(answer.toString(), /^HTTP\/1\.1 400/)
  await until(open, (count) => count <= before)
  socket.destroy()
})

test('a path that no router can read has the headers, the request id and the log line of every other one', async () => {
  const { hostname, port } = new URL(baseUrl)
  for (const path of [
    '/checkout/%ff',
    '/v1/transactions/%zz',
    `/v1/transactions/${'x'.repeat(200)}`,
    '/logos/%c3%28.svg',
  ]) {
    const answer = await send({ hostname, port, path })
    assert.ok(answer.status >= 400 && answer.status < 500, `${path}: ${answer.status}`)
    assert.match(String(answer.headers['x-request-id']), /^[0-9a-f]{24}$/, path)
    assert.equal(answer.headers['x-content-type-options'], 'nosniff', path)
    assert.match(await app.metrics.registry.metrics(), /vezne_http_requests?_.*status="4/)
  }
  refused(await send({ hostname, port, path: '/v1/transactions/%zz' }), 400, 'VALIDATION_ERROR')
})

test('a key that stands twice is quoted in part', async () => {
  const key = 'k'.repeat(20_000)
  const answer = await shop.post('/v1/deposit', `{"${key}":1,"${key}":2}`)
  refused(answer, 400, 'VALIDATION_ERROR')
  assert.ok(answer.text.length < 1000, `${answer.text.length} characters`)
})

test('a long refusal is stored short, and an exact repeat gets the same and is told so', async () => {
  // The refusal quotes the origin twice.
  const body = depositBody({ returnUrl: `https://${'a'.repeat(1900)}.example/` })
  const timestamp = String(Math.floor(Date.now() / 1000))
  const send = async () => {
    const { requestId: _, ...rest } = refused(
      await shop.post('/v1/deposit', body, { timestamp }),
      400,
      'VALIDATION_ERROR',
    )
    return rest
  }
  const first = await send()
  assert.equal(first.details[0].field, 'returnUrl')
  const [row] = await app.db.query<{ longest: number }>(sql`
    select max(length(refusal::text))::int as longest from spent_requests where merchant_id = ${shop.merchantId}`)
  assert.ok(row && row.longest > 0 && row.longest <= 2000, `${row?.longest} characters`)
  const again = await send()
  assert.deepEqual({ ...again, message: first.message }, first)
  assert.equal(
    again.message,
    `${first.message} (This signed request was refused before; sign it again with a new timestamp.)`,
  )
})

test('a thousand unknown parameters: twenty of them are named', async () => {
  const query = Array.from({ length: 1000 }, (_, index) => `p${index}=1`).join('&')
  const { details } = refused(await shop.get(`/v1/transactions?${query}`), 400, 'VALIDATION_ERROR')
  assert.equal(details.length, 20)
})

test('a deeply nested body with a wrong signature is a wrong signature', async () => {
  const body = `{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`
  refused(await shop.post('/v1/deposit', body, { signature: '0'.repeat(64) }), 401, 'INVALID_SIGNATURE')
})

test('a transfer coding other than chunked is refused', async () => {
  for (const coding of ['gzip, chunked', 'identity, chunked', 'x,chunked']) {
    const head = `POST /v1/deposit HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: ${coding}\r\nconnection: close\r\n\r\n0\r\n\r\n`
    assert.equal((await sendRaw(baseUrl, head)).status, 400)
  }
})

test('of many attempts to deliver an event the newest are shown, and of most only the beginning of the answer', async () => {
  const { transactionId } = (await shop.post('/v1/deposit', depositBody())).body.data as { transactionId: string }
  await shop.post(`/v1/transactions/${transactionId}/cancel`, undefined)
  while ((await distributeEvents(app)) > 0);
  const [event] = await app.db.query<{ id: string }>(sql`select id from events where transaction_id = ${transactionId}`)
  await app.db.query(sql`
    insert into delivery_attempts (merchant_id, event_id, endpoint_id, number, at, connect_ms, wait_ms, read_ms, outcome, status, answer)
    select ${shop.merchantId}, ${event?.id}, ${app.ids.next()}, number, '2026-11-16T10:00:00Z'::timestamptz + number * interval '1 second', 0, 0, 0,
      '5xx', 500, number || repeat('x', 16000)
    from generate_series(1, 230) as number`)
  const { attempts } = (await shop.get(`/v1/events/${event?.id}`)).body.data as { attempts: { answer: string }[] }
  assert.deepEqual(
    attempts.map(({ answer }) => Number.parseInt(answer, 10)),
    Array.from({ length: 200 }, (_, index) => index + 31),
  )
  assert.equal(attempts.filter(({ answer }) => answer.length > 200).length, 20)
})
