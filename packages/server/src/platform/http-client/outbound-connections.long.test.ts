import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import http from 'node:http'
import type { Socket } from 'node:net'
import net from 'node:net'
import type { TestContext } from 'node:test'
import { test } from 'node:test'
import { listen, openPost, serve, serveRaw } from '../../../../../test/harness/outbound.ts'
import { until } from '../../../../../test/harness/until.ts'
import { openOutbound } from './outbound.ts'

const turn = () => new Promise(setImmediate)

/** A server whose responses the test triggers; counts its connections. */
async function serveManually(t: TestContext) {
  const held: ServerResponse[] = []
  const sockets: Socket[] = []
  const server = http.createServer((_, response) => void held.push(response))
  server.on('connection', (socket: Socket) => void sockets.push(socket))
  const url = await listen(t, server)
  const holds = (count: number) =>
    until(
      () => turn(),
      () => held.length >= count,
    )
  return { url, held, sockets, holds }
}

test('a connection is kept: the second post takes no time to connect', async (t) => {
  const { url, held, sockets, holds } = await serveManually(t)
  const post = openPost(t)
  for (const number of [1, 2, 3]) {
    const answer = post(url)
    await holds(number)
    held.at(-1)?.end('ok')
    const { outcome, connectMs } = await answer
    assert.equal(outcome, 'accepted')
    assert.equal(connectMs > 0, number === 1)
  }
  assert.equal(sockets.length, 1)
})

test('a connection that the server wants closed is not used again', async (t) => {
  let connections = 0
  const server = http.createServer((_, response) => response.writeHead(200, { connection: 'close' }).end())
  server.on('connection', () => connections++)
  const url = await listen(t, server)
  const post = openPost(t)
  for (const number of [1, 2, 3]) {
    assert.ok((await post(url)).connectMs > 0)
    assert.equal(connections, number)
  }
})

test('a body that was not read to its end costs the connection, one of 16 kB does not', async (t) => {
  const server = http.createServer((request, response) => response.end('x'.repeat(Number(request.url?.slice(2)))))
  let connections = 0
  server.on('connection', () => connections++)
  const url = await listen(t, server)
  const post = openPost(t)
  for (const [length, expected] of [
    [16_384, 1],
    [16_384, 1],
    [16_385, 1],
    [1, 2],
    [1, 2],
  ]) {
    await post(`${url}/?${length}`)
    assert.equal(connections, expected)
  }
})

test('an idle connection is dropped after four seconds, whatever the server hints', async (t) => {
  const closings: Promise<unknown>[] = []
  const server = http.createServer((_, response) => response.writeHead(200, { 'keep-alive': 'timeout=600' }).end())
  server.keepAliveTimeout = 600_000
  server.on('connection', (socket: Socket) => closings.push(once(socket, 'close')))
  const url = await listen(t, server)
  await openPost(t)(url)
  const from = performance.now()
  await closings[0]
  const idleMs = performance.now() - from
  // The server would keep it for ten minutes; how soon it goes after the four seconds is up to the machine.
  assert.ok(idleMs > 3000, `${idleMs} ms`)
})

test('one address has so many connections at most; the others wait for their turn', async (t) => {
  const { url, held, sockets, holds } = await serveManually(t)
  const post = openPost(t, { connectionsPerAddress: 2 })
  const answers = [1, 2, 3, 4, 5].map((number) => post(`${url}/?${number}`))
  for (const number of [1, 2, 3, 4, 5]) {
    await holds(Math.min(number + 1, 5))
    assert.equal(held.length, Math.min(number + 1, 5))
    held[number - 1]?.end(`for ${held[number - 1]?.req.url}`)
    assert.equal((await answers[number - 1])?.body, `for /?${number}`)
  }
  assert.equal(sockets.length, 2)
})

test('whoever waits too long is told so, and is not in the way of those who come later', async (t) => {
  const { url, held, sockets } = await serveManually(t)
  const post = openPost(t, { connectionsPerAddress: 2, deadlineMs: 1000 })
  const answers = await Promise.all(Array.from({ length: 50 }, () => post(url)))
  assert.ok(answers.every(({ outcome }) => outcome === 'timeout'))
  assert.ok(answers.some(({ problem }) => problem === 'no connection within 1 s'))
  assert.ok(sockets.length < 50)
  const late = post(`${url}/late`)
  const response = await until(
    async () => (await turn(), held.find(({ req }) => req.url === '/late')),
    (found) => found !== undefined,
  )
  response?.end('late')
  assert.equal((await late).body, 'late')
})

test('a connection that breaks makes room for those that wait', async (t) => {
  let heard = 0
  const url = await serveRaw(t, (socket) => {
    if (++heard % 2) socket.resetAndDestroy()
    else socket.end('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n')
  })
  const post = openPost(t, { connectionsPerAddress: 1 })
  const outcomes = await Promise.all(Array.from({ length: 20 }, async () => (await post(url)).outcome))
  assert.equal(heard, 20)
  assert.equal(outcomes.filter((outcome) => outcome === 'accepted').length, 10)
})

test('a connection that is being made is given up together with its post', async (t) => {
  const closed = Promise.withResolvers<void>()
  // Notices the end although nothing may have been sent: on a busy machine the deadline can come first.
  const server = net.createServer((socket) =>
    socket
      .on('error', () => undefined)
      .once('close', closed.resolve)
      .resume(),
  )
  const url = await listen(t, server)
  const { problem } = await openPost(t, { deadlineMs: 100 })(url.replace('http:', 'https:'))
  assert.equal(problem, 'no connection within 0.1 s')
  await closed.promise
})

test('slow servers do not hold up others', async (t) => {
  const slow = await serveManually(t)
  const fast = await serve(t, (_, response) => void response.end())
  const post = openPost(t, { connectionsPerAddress: 1 })
  const waiting = [post(slow.url), post(slow.url)]
  assert.equal((await post(fast)).outcome, 'accepted')
  await slow.holds(1)
  slow.held[0]?.end()
  await slow.holds(2)
  slow.held[1]?.end()
  await Promise.all(waiting)
})

test('close waits for what is under way, and nothing is sent after it', async (t) => {
  const { url, held, sockets, holds } = await serveManually(t)
  const outbound = openOutbound({ rules: 'loopback-too', connectionsPerAddress: 1 })
  const answers = [outbound.post(url, {}, ''), outbound.post(url, {}, '')]
  await holds(1)
  let closed = false
  const closing = outbound.close().then(() => (closed = true))
  assert.equal((await outbound.post(url, {}, '')).problem, 'sending has stopped')
  held[0]?.end()
  await holds(2)
  assert.equal(closed, false)
  held[1]?.end()
  for (const answer of answers) assert.equal((await answer).outcome, 'accepted')
  await closing
  await outbound.close()
  assert.equal(sockets.length, 1)
  await openOutbound({ rules: 'public' }).close()
})

test('another address on the same server has connections of its own', async (t) => {
  const { url, held, holds } = await serveManually(t)
  const post = openPost(t, { connectionsPerAddress: 1 })
  const hanging = post(`${url}/theirs`)
  await holds(1)
  const other = post(`${url}/ours`)
  await holds(2)
  held[1]?.end('through')
  assert.equal((await other).body, 'through')
  held[0]?.end()
  await hanging
})
