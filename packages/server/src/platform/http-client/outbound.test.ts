import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import net from 'node:net'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { until } from '../../../../../test/harness/until.ts'
import { listen, openPost as open, serve, serveRaw } from '../../../../../test/harness/outbound.ts'
import type { After, Answer } from './outbound.ts'
import { openOutbound } from './outbound.ts'

const LIMIT = 16 * 1024
const DEADLINE_MS = 500

/** After so many turns of the event loop that send something, what was sent first has arrived. */
const DRIPS = 20

/** A deadline that is over when the test says so, however busy the machine is. */
function manualDeadline() {
  const acts: { ms: number; act: () => void }[] = []
  const after: After = (ms, act) => {
    acts.push({ ms, act })
    return { cancel: () => undefined }
  }
  /** Ends all that began. */
  const pass = () => acts.splice(0).map(({ ms, act }) => (act(), ms))
  return { after, pass }
}

const summary = ({ outcome, status, body }: Answer) => ({ outcome, status, body })

test('accepted: the server has the request as it was given, and asked for no compression', async (t) => {
  const seen: { request: IncomingMessage; body: string }[] = []
  const url = await serve(t, (request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      seen.push({ request, body })
      response.writeHead(202).end('thank you')
    })
  })
  const post = open(t)
  const answer = await post(`${url}/hooks/a%20b?c=d#e`, '{"ş":1}')
  assert.deepEqual(
    { ...answer, connectMs: 0, waitMs: 0, readMs: 0 },
    {
      ...{ outcome: 'accepted', status: 202, problem: null, body: 'thank you', retryAfterSeconds: null },
      ...{ connectMs: 0, waitMs: 0, readMs: 0 },
    },
  )
  for (const ms of [answer.connectMs, answer.waitMs, answer.readMs]) assert.ok(Number.isInteger(ms) && ms >= 0)
  await post(url, Buffer.from([0, 255]))
  const { request, body } = seen[0] ?? assert.fail()
  assert.equal(`${request.method} ${request.url}`, 'POST /hooks/a%20b?c=d')
  assert.equal(body, '{"ş":1}')
  assert.equal(request.headers['accept-encoding'], 'identity')
  assert.equal(request.headers['content-length'], '8')
  assert.equal(request.headers.host, new URL(url).host)
  assert.equal(seen[1]?.request.headers['content-length'], '2')
})

test('the status decides the outcome', async (t) => {
  const url = await serve(t, (request, response) => {
    response.writeHead(Number(request.url?.slice(1)), { location: '/200' }).end('why')
  })
  const post = open(t)
  const outcomes: Record<number, string> = {
    ...{ 200: 'accepted', 201: 'accepted', 204: 'accepted', 299: 'accepted', 300: 'redirect', 304: 'redirect' },
    ...{ 400: '4xx', 404: '4xx', 410: '4xx', 429: '4xx', 499: '4xx', 500: '5xx', 503: '5xx', 599: '5xx' },
    ...{ 600: 'refused', 999: 'refused' },
  }
  for (const [status, outcome] of Object.entries(outcomes)) {
    const answer = await post(`${url}/${status}`)
    assert.equal(answer.outcome, outcome, status)
    assert.equal(answer.status, Number(status))
    assert.equal(answer.problem === null, outcome === 'accepted', status)
    assert.match(answer.problem ?? status, new RegExp(status))
  }
})

test('an interim status is no answer', async (t) => {
  for (const line of [
    '100 Continue',
    '101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade',
    '103 Early Hints',
  ]) {
    const url = await serveRaw(t, (socket) => socket.write(`HTTP/1.1 ${line}\r\n\r\n`))
    assert.equal((await open(t)(url)).outcome, 'refused', line)
  }
})

test('a redirect is not followed', async (t) => {
  let hits = 0
  const target = await serve(t, (_, response) => {
    hits++
    response.end()
  })
  const url = await serve(t, (request, response) => {
    response.writeHead(Number(request.url?.slice(1)), { location: target }).end()
  })
  const post = open(t)
  for (const status of [301, 302, 303, 307, 308]) {
    const answer = await post(`${url}/${status}`)
    assert.deepEqual(summary(answer), { outcome: 'redirect', status, body: '' })
    assert.match(answer.problem ?? '', /not followed/)
  }
  assert.equal(hits, 0)
})

test('dns: no such name, no address, a resolver that throws', async (t) => {
  const missing = Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND' })
  for (const [resolve, problem] of [
    [() => Promise.reject(missing), 'hooks.example.com could not be resolved (ENOTFOUND)'],
    [() => Promise.resolve([]), 'hooks.example.com has no address'],
    [
      () => {
        throw missing
      },
      'hooks.example.com could not be resolved (ENOTFOUND)',
    ],
  ] as const) {
    const answer = await open(t, { resolve })('http://hooks.example.com/')
    assert.deepEqual(summary(answer), { outcome: 'dns', status: null, body: '' })
    assert.equal(answer.problem, problem)
  }
})

test('timeout: whatever is slow, the deadline is over all of it', async (t) => {
  const { after, pass } = manualDeadline()
  const post = open(t, { deadlineMs: DEADLINE_MS, after, resolve: () => new Promise(() => {}) })
  const greeted: Buffer[] = []
  const silent = await listen(
    t,
    net.createServer((socket) => void socket.once('data', (bytes) => greeted.push(bytes))),
  )
  let drips = 0
  const dripping = await serveRaw(t, (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nx: ')
    const drip = setInterval(() => void (socket.write('y'), drips++), 5)
    socket.on('close', () => clearInterval(drip))
  })
  const cases = {
    'http://never-resolved.example/': 'no connection within 0.5 s',
    // The server receives the TLS greeting and sends nothing.
    [silent.replace('http:', 'https:')]: 'no connection within 0.5 s',
    [silent]: 'no response within 0.5 s',
    [dripping]: 'no response within 0.5 s',
  }
  const asked = Object.keys(cases).map((url) => post(url))
  const heard = (least: number) =>
    until(
      async () => drips,
      (sent) => greeted.length === 2 && sent >= least,
    )
  // The TLS greeting, both requests, and then a part of a header.
  await heard(1)
  const began = performance.now()
  await heard(1 + DRIPS)
  const passedMs = performance.now() - began
  assert.deepEqual(pass(), Array(4).fill(DEADLINE_MS))
  const answers = await Promise.all(asked)
  assert.deepEqual(
    answers.map(({ outcome, problem }) => `${outcome}: ${problem}`),
    Object.values(cases).map((problem) => `timeout: ${problem}`),
  )
  for (const { connectMs, waitMs, readMs } of answers) {
    // What was before all had been heard is left out.
    assert.ok(connectMs + waitMs >= passedMs, 'the time is accounted for')
    assert.equal(readMs, 0)
  }
})

test('accepted with a body that drips: read until the deadline, then the connection is dropped', async (t) => {
  const closed = Promise.withResolvers<void>()
  const { after, pass } = manualDeadline()
  let drips = 0
  const url = await serve(t, (_, response) => {
    response.write('first ')
    const drip = setInterval(() => void (response.write('.'), drips++), 5)
    response.on('close', () => {
      clearInterval(drip)
      closed.resolve()
    })
  })
  const asked = open(t, { deadlineMs: DEADLINE_MS, after })(url)
  await until(
    async () => drips,
    (sent) => sent >= DRIPS,
  )
  assert.deepEqual(pass(), [DEADLINE_MS])
  const answer = await asked
  assert.equal(answer.outcome, 'accepted')
  assert.match(answer.body, /^first \.+$/)
  assert.ok(answer.readMs > 0)
  await closed.promise
})

test('an endless body: 16 kB are kept, and the server cannot send much more', async (t) => {
  for (const head of [
    '',
    'content-encoding: gzip\r\ncontent-length: 1073741824\r\n',
    'transfer-encoding: chunked\r\n',
  ]) {
    const closed = Promise.withResolvers<number>()
    const piece = head.includes('chunked') ? `1000\r\n${'x'.repeat(4096)}\r\n` : 'x'.repeat(4096)
    const url = await serveRaw(t, (socket) => {
      socket.write(`HTTP/1.1 200 OK\r\n${head}\r\n`)
      const flood = () => {
        while (!socket.destroyed && socket.write(piece));
      }
      socket.on('drain', flood).on('close', () => closed.resolve(socket.bytesWritten))
      flood()
    })
    const answer = await open(t)(url)
    assert.deepEqual(summary(answer), { outcome: 'accepted', status: 200, body: 'x'.repeat(LIMIT) })
    // What two socket buffers hold; otherwise a gigabyte would have been read.
    assert.ok((await closed.promise) < 32 * 1024 * 1024)
  }
})

test('a small body that would unpack to a thousand times its size stays packed', async (t) => {
  const packed = gzipSync(Buffer.alloc(10 * 1024 * 1024))
  const url = await serve(t, (_, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed)
  })
  const { outcome, body } = await open(t)(url)
  assert.equal(outcome, 'accepted')
  assert.equal(body, packed.toString().replaceAll('\0', '\u{FFFD}'))
})

test('refused: floods of headers, broken HTTP, resets, silence, nobody there', async (t) => {
  const cases: [problem: RegExp, speak: (socket: Socket) => void][] = [
    [/headers .* too long/, (socket) => socket.write(`HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(20_000)}`)],
    [/headers .* too long/, (socket) => socket.write(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(1_000_000)}`)],
    [/HTTP/, (socket) => socket.write('220 mail.example.com ESMTP\r\n')],
    [/HTTP/, (socket) => socket.write('HTTP/1.1 2000 OK\r\n\r\n')],
    [/HTTP/, (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n')],
    [/reset before a response/, (socket) => socket.resetAndDestroy()],
    [/closed before a response/, (socket) => socket.end()],
    [/closed before a response/, (socket) => socket.end('HTTP/1.1 200 OK\r\n')],
  ]
  const post = open(t)
  for (const [problem, speak] of cases) {
    const answer = await post(await serveRaw(t, speak))
    assert.deepEqual(summary(answer), { outcome: 'refused', status: null, body: '' })
    assert.match(answer.problem ?? '', problem)
  }
  const server = net.createServer()
  const gone = await listen(t, server)
  server.close()
  await once(server, 'close')
  const answer = await post(gone)
  assert.deepEqual([answer.outcome, answer.problem], ['refused', 'the connection was refused'])
  assert.equal((await openOutbound({ rules: 'public' }).post(gone, {}, '')).problem, 'must be https')
})

test('what happens to the body does not change the outcome', async (t) => {
  for (const [status, outcome] of [
    [200, 'accepted'],
    [500, '5xx'],
  ] as const) {
    const url = await serveRaw(t, (socket) => {
      socket.write(`HTTP/1.1 ${status} Well\r\ncontent-length: 100\r\n\r\nhalf`, () => socket.end())
    })
    assert.deepEqual(summary(await open(t)(url)), { outcome, status, body: 'half' })
  }
})

test('a mistake of the caller becomes an answer too', async (t) => {
  const url = await serve(t, (_, response) => void response.end())
  const outbound = openOutbound({ rules: 'loopback-too' })
  const answer = await outbound.post(url, { 'x-broken': 'a\r\nb' }, '')
  assert.equal(answer.outcome, 'refused')
  assert.match(answer.problem ?? '', /x-broken/)
  assert.equal((await outbound.post(url, {}, '')).outcome, 'accepted')
  await outbound.close()
})
