import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { connect } from 'node:net'
import { test } from 'node:test'
import { drainConnections } from './drain-connections.ts'

const LONG = 600_000
const GET = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n'
const HALF_A_POST = 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 4\r\n\r\nha'

async function serve(answer: string | Buffer = 'done') {
  const server = createServer((request, response) => request.resume().on('end', () => response.end(answer)))
  // Node alone would wait so long after a response, and for ever for silent connections: a test that waits for that is ended.
  server.keepAliveTimeout = 600_000
  const drain = drainConnections(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const open = async (text = ''): Promise<Socket> => {
    const accepted = once(server, 'connection')
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    socket.on('error', () => undefined)
    await Promise.all([accepted, once(socket, 'connect')])
    socket.write(text)
    return socket
  }
  const close = (timeoutMs: number) => {
    drain(timeoutMs)
    const closed = once(server, 'close')
    server.close()
    return closed
  }
  return { server, open, close }
}

async function answerTo(socket: Socket): Promise<string> {
  return String((await once(socket, 'data'))[0])
}

test('connections that never asked anything, and those that were answered, do not hold a closing server', async () => {
  const { server, open, close } = await serve()
  const silent = await open()
  const answered = await open(GET)
  await answerTo(answered)
  const asking = await open(HALF_A_POST)
  await once(server, 'request')
  const closed = close(LONG)
  asking.write('lf')
  await Promise.all([closed, ...[silent, answered, asking].map((socket) => once(socket.resume(), 'close'))])
})

test('a request that is on its way is answered, and so is the next one on its connection', async () => {
  const { server, open, close } = await serve()
  const socket = await open(HALF_A_POST)
  await once(server, 'request')
  const closed = close(LONG)
  socket.write('lf')
  assert.match(await answerTo(socket), /done$/)
  socket.write(GET)
  assert.match(await answerTo(socket), /done$/)
  await closed
})

test('an answer that takes its time to leave arrives whole', async () => {
  const body = Buffer.alloc(128 * 1024 * 1024, 'x')
  const { server, open, close } = await serve(body)
  const socket = await open(HALF_A_POST)
  await once(server, 'request')
  const closed = close(LONG)
  let received = 0
  socket.on('data', (part: Buffer) => (received += part.length))
  socket.write('lf')
  await once(socket, 'close')
  assert.ok(received > body.length, `${received} of ${body.length}`)
  await closed
})

test('a request that came while the process stood still is answered', async () => {
  const { open, close } = await serve()
  const socket = await open()
  const closed = close(LONG)
  socket.write(GET)
  const standsStillUntil = performance.now() + 80
  while (performance.now() < standsStillUntil);
  assert.match(await answerTo(socket), /done$/)
  await closed
})

test('one that never arrives whole ends with the patience', async () => {
  const { server, open, close } = await serve()
  const socket = await open(HALF_A_POST)
  await once(server, 'request')
  await Promise.all([close(100), once(socket, 'close')])
})
