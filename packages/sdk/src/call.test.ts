import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { createServer as createTcpServer } from 'node:net'
import type { TestContext } from 'node:test'
import { test } from 'node:test'
import { signRequest } from './sign-request.ts'
import { vezne } from './vezne.ts'
import { VezneError } from './vezne-error.ts'

const CREDENTIALS = { apiKey: 'vk_1', apiSecret: 'vs_1' }
const NOW = new Date('2026-11-15T07:00:00.400Z')
const SECONDS = Math.floor(NOW.getTime() / 1000)
const BALANCE = { currency: 'TRY', available: 1, held: 0 }

type Answer = (response: ServerResponse, request: IncomingMessage) => void
const json = (status: number, body: object, headers: Record<string, string> = {}): Answer => {
  return (response) => void response.writeHead(status, headers).end(JSON.stringify(body))
}
const success = json(200, { success: true, data: BALANCE, timestamp: SECONDS })
const refusal = (status: number, code: string, headers: Record<string, string> = {}, more: object = {}) =>
  json(
    status,
    { success: false, error: { code, message: 'No.', requestId: 'r-1', ...more }, timestamp: SECONDS },
    headers,
  )

/** A server that answers as told, one after the other, the last for ever; and a client that writes down how long it waits. */
async function open(t: TestContext, answers: Answer[], options: object = {}) {
  const seen: { target: string; headers: Record<string, unknown>; body: string }[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      seen.push({ target: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks).toString() })
      const answer = answers.length > 1 ? answers.shift() : answers[0]
      answer?.(response, request)
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const waits: number[] = []
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const wait = async (milliseconds: number) => void waits.push(milliseconds)
  const client = vezne({ baseUrl, ...CREDENTIALS, now: () => NOW, wait, random: () => 0, ...options })
  return { ...client, baseUrl, seen, waits }
}

const failure = (promise: Promise<unknown>): Promise<VezneError> =>
  promise.then(
    () => assert.fail('it was accepted'),
    (error: VezneError) => error,
  )

test('what is signed is what is sent: path, query and the bytes of the body', async (t) => {
  const { deposits, transactions, seen } = await open(t, [success])
  const customer = { id: 'c-1', name: 'Ayşe "Ş" Yılmaz', username: 'ayse' }
  await deposits.create({ processId: 'a b+c/ş', amount: 125_000, customer, metadata: { note: '\u2028 \u{1F600}' } })
  await transactions.page({ processId: "a b+c/ş'*~(", from: new Date(0), limit: 5 })
  assert.equal(JSON.parse(seen[0]?.body ?? '').customer.name, customer.name)
  assert.equal(
    seen[1]?.target,
    '/v1/transactions?processId=a+b%2Bc%2F%C5%9F%27*%7E%28&from=1970-01-01T00%3A00%3A00.000Z&limit=5',
  )
  for (const [index, method] of ['POST', 'GET'].entries()) {
    const { target, headers, body } = seen[index] ?? assert.fail()
    const signed = signRequest(CREDENTIALS, { method, path: target, body, timestamp: SECONDS })
    assert.equal(headers['x-signature'], signed['X-Signature'])
    assert.equal(headers['content-type'], body === '' ? undefined : 'application/json')
  }
})

test('503, 429 and a proxy are tried again with a growing pause, Retry-After first; each try is signed anew', async (t) => {
  const { deposits, waits, seen } = await open(t, [
    refusal(503, 'SERVICE_UNAVAILABLE'),
    (response) => void response.writeHead(502).end('<h1>Bad gateway</h1>'),
    refusal(429, 'RATE_LIMITED', { 'retry-after': '7' }),
    refusal(503, 'SERVICE_UNAVAILABLE', { 'retry-after': 'Sun, 15 Nov 2026 07:00:03 GMT' }),
    json(201, { success: true, data: { transactionId: '1' } }),
  ])
  const customer = { id: 'c-1', name: 'Ayşe', username: 'ayse' }
  const created = await deposits.create({ processId: '1', amount: 1, customer })
  assert.deepEqual(created, { transactionId: '1', alreadyExisted: false })
  assert.deepEqual(waits, [250, 500, 7000, 3000])
  assert.equal(new Set(seen.map(({ headers }) => headers['x-signature'])).size, 5)
  assert.deepEqual(
    seen.map(({ headers }) => Number(headers['x-timestamp']) - SECONDS),
    [0, 1, 2, 3, 4],
  )
})

test('tries are bounded and spread by chance; the last failure is thrown', async (t) => {
  const { balance, waits, seen } = await open(t, [refusal(503, 'SERVICE_UNAVAILABLE')], { random: () => 1 })
  const { code, status, requestId } = await failure(balance.get())
  assert.deepEqual({ code, status, requestId }, { code: 'SERVICE_UNAVAILABLE', status: 503, requestId: 'r-1' })
  assert.equal(seen.length, 5)
  assert.deepEqual(waits, [313, 625, 1250, 2500])
})

test('a Retry-After that is too long is not waited for, and is told', async (t) => {
  const { balance, waits } = await open(t, [refusal(429, 'RATE_LIMITED', { 'retry-after': '31' })])
  const { code, retryAfterSeconds, message } = await failure(balance.get())
  assert.deepEqual([code, retryAfterSeconds, waits], ['RATE_LIMITED', 31, []])
  assert.match(message, /^GET \/v1\/balance was refused, RATE_LIMITED: No\. Wait for .*\(requestId r-1\)$/)
})

for (const [status, code] of [
  [400, 'VALIDATION_ERROR'],
  [401, 'INVALID_SIGNATURE'],
  [409, 'INVALID_STATE'],
  [500, 'INTERNAL_ERROR'],
  [418, 'A_NEW_CODE'],
] as const)
  test(`${code} is thrown at once, with all that the service says`, async (t) => {
    const details = [{ field: 'amount', problem: 'must be a number' }]
    const { balance, seen } = await open(t, [refusal(status, code, {}, { details })])
    const error = await failure(balance.get())
    assert.ok(error instanceof VezneError)
    assert.deepEqual(
      [error.name, error.code, error.status, error.requestId, error.details, error.retryAfterSeconds],
      ['VezneError', code, status, 'r-1', details, null],
    )
    assert.equal(seen.length, 1)
  })

test('a clock that is off: by how much, from the time of the answer', async (t) => {
  const answer = (ahead: number) =>
    json(401, { success: false, error: { code: 'TIMESTAMP_EXPIRED', message: 'Check.' }, timestamp: SECONDS - ahead })
  const { balance } = await open(t, [answer(412), answer(-3600), refusal(401, 'TIMESTAMP_EXPIRED')])
  const ahead = await failure(balance.get())
  assert.deepEqual(ahead.details, { clockAheadSeconds: 412 })
  assert.match(ahead.message, /clock is 412 s ahead of the server's/)
  assert.match((await failure(balance.get())).message, /clock is 3600 s behind the server's/)
})

test('what is not Vezne is said to be something else, a redirect with its address', async (t) => {
  const { balance, seen } = await open(t, [
    (response) => void response.end('<h1>Welcome</h1>'),
    json(200, { hello: 'world' }),
    json(404, { error: 'not found' }),
    (response) => void response.writeHead(308, { location: 'https://www.pay.example/v1/balance' }).end(),
  ])
  for (const words of [
    /answered 200, and not as Vezne does/,
    /answered 200/,
    /answered 404.*Check baseUrl/,
    /308.*redirects to https:\/\/www\.pay/,
  ]) {
    const { code, message } = await failure(balance.get())
    assert.equal(code, 'UNREADABLE_ANSWER')
    assert.match(message, words)
  }
  assert.equal(seen.length, 4)
})

test('an answer that does not come in time is like none', async (t) => {
  const { balance, seen } = await open(t, [() => undefined, success], { timeoutMs: 300, maxTries: 30 })
  assert.deepEqual(await balance.get(), BALANCE)
  assert.ok(seen.length >= 2)
})

test('a connection that is refused, or reset each time: UNREACHABLE, with the reason and what to do', async (t) => {
  const sockets: Socket[] = []
  const server = createTcpServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => undefined)
    socket.on('data', () => socket.resetAndDestroy())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const settings = { baseUrl: `http://127.0.0.1:${port}`, ...CREDENTIALS, maxTries: 3, wait: async () => undefined }
  const { deposits } = vezne(settings)
  const cancelled = await failure(deposits.cancel('6af95a29428d9b71948dc42f'))
  assert.equal(sockets.length, 3)
  assert.deepEqual([cancelled.code, cancelled.status], ['UNREACHABLE', null])
  assert.match(cancelled.message, /attempt 3 of POST .*may still have taken effect.*repeating the same call is safe/)
  t.after(() => server.close())
  const { message } = await failure(vezne({ ...settings, baseUrl: 'http://127.0.0.1:1' }).balance.get())
  assert.match(message, /127\.0\.0\.1:1 does not answer \(.+; attempt 3 of GET \/v1\/balance\)\. Check baseUrl/)
})

const warned = json(200, {
  success: true,
  data: BALANCE,
  warnings: [{ field: 'colour', message: 'colour is not a documented field and was ignored.' }],
})

test('a warning of the sandbox is handed on with its call; by default each text is printed once', async (t) => {
  const given: unknown[] = []
  const { balance } = await open(t, [warned], { onWarning: (...args: unknown[]) => given.push(args) })
  await balance.get()
  const [warning, call] = [
    { field: 'colour', message: 'colour is not a documented field and was ignored.' },
    { method: 'GET', path: '/v1/balance' },
  ]
  assert.deepEqual(given, [[warning, call]])
  const print = t.mock.method(console, 'warn', () => undefined)
  const byDefault = await open(t, [warned])
  await byDefault.balance.get()
  await byDefault.balance.get()
  assert.deepEqual(
    print.mock.calls.map(({ arguments: [line] }) => line as unknown),
    [`Vezne, GET /v1/balance: ${warning?.message}`],
  )
})

test('a refusal has warnings too', async (t) => {
  const given: unknown[] = []
  const warnings = [{ field: 'ammount', message: 'did you mean amount?' }]
  const error = { code: 'VALIDATION_ERROR', message: 'amount is required' }
  const { balance } = await open(t, [json(400, { success: false, error, warnings })], {
    onWarning: (warning: unknown) => given.push(warning),
  })
  await failure(balance.get())
  assert.deepEqual(given, warnings)
})

test('what cannot be written as JSON or into a query is INVALID_OPTIONS, and nothing is sent', async (t) => {
  const { deposits, transactions, seen } = await open(t, [success])
  const customer = { id: 'c-1', name: 'Ayşe', username: 'ayse' }
  const circular: Record<string, unknown> = {}
  circular['self'] = circular
  for (const call of [
    () => deposits.create({ processId: '1', amount: 1n as never, customer }),
    () => deposits.create({ processId: '1', amount: 1, customer, metadata: circular }),
    () => transactions.page({ from: new Date('never') }),
  ]) {
    const { code, message, name } = await failure(call())
    assert.deepEqual([name, code], ['VezneError', 'INVALID_OPTIONS'])
    assert.match(message, /^(POST \/v1\/deposit|GET \/v1\/transactions): .+\. Nothing was sent\.$/)
  }
  assert.equal(seen.length, 0)
})
