import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { connect } from 'node:net'
import { after, test } from 'node:test'
import { until } from '../../../../../test/harness/until.ts'
import type { ConnectionLimits, Excess } from './bound-connections.ts'
import { boundConnections, boundPipelining } from './bound-connections.ts'
import type { Network } from './ip.ts'
import { parseNetwork } from './ip.ts'

const GET = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n'
const READ_WITHIN_MS = 10_000
/** Real time: the clock that looks compare stands still until a test moves it. */
const LOOK_EVERY_MS = 10
const LOOPBACK = parseNetwork('127.0.0.0/8') as Network

async function serve(answer: RequestListener, limits: Partial<ConnectionLimits> = {}) {
  const excess: string[] = []
  const note = (reason: Excess, address: unknown) => void excess.push(`${reason} ${String(address)}`)
  const clock = { ms: 0, looks: 0 }
  const now = () => {
    clock.looks++
    return clock.ms
  }
  const patience = { readWithinMs: READ_WITHIN_MS, lookEveryMs: LOOK_EVERY_MS, now }
  const server = createServer(boundPipelining(answer, note))
  boundConnections(server, { total: 100, perAddress: 100, exempt: [], ...limits }, note, patience)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const sockets: Socket[] = []
  const open = async (localAddress = '127.0.0.1') => {
    const socket = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', localAddress })
    sockets.push(socket)
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    return socket
  }
  after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  /** Two, because the first may have begun before. */
  const looked = (after = clock.looks) =>
    until(
      async () => clock.looks,
      (looks) => looks >= after + 2,
    )
  return { server, open, excess, clock, looked }
}

const done: RequestListener = (_request, response) => void response.end('done')

async function answers(socket: Socket, count: number): Promise<string> {
  let text = ''
  socket.on('data', (part: Buffer) => (text += String(part)))
  await until(
    async () => text.split('HTTP/1.1 200').length - 1,
    (seen) => seen === count,
  )
  return text
}

test('connections past the limit of one address are closed at once; other addresses are not affected', async () => {
  const { open, excess } = await serve(done, { perAddress: 3 })
  const mine = [await open(), await open(), await open()]
  const fourth = await open()
  await once(fourth.resume(), 'close')
  assert.deepEqual(excess, ['address 127.0.0.1'])
  const other = await open('127.0.0.2')
  other.write(GET)
  await answers(other, 1)
  // A closed connection frees its slot.
  mine[0]?.destroy()
  await until(
    async () => {
      const next = await open()
      next.write(GET)
      return Promise.race([once(next, 'data').then(() => true), once(next, 'close').then(() => false)])
    },
    (served) => served,
  )
})

test('trusted proxies have no limit of their own', async () => {
  const { open, excess } = await serve(done, { perAddress: 1, exempt: [LOOPBACK] })
  for (const socket of [await open(), await open(), await open()]) {
    socket.write(GET)
    await answers(socket, 1)
  }
  assert.deepEqual(excess, [])
})

test('connections past the limit in all are closed at once if every other one has a request in progress', async () => {
  let handled = 0
  const { open, excess } = await serve(() => void handled++, { total: 2 })
  for (const address of ['127.0.0.1', '127.0.0.2']) (await open(address)).write(GET)
  await until(
    async () => handled,
    (requests) => requests === 2,
  )
  await once((await open('127.0.0.3')).resume(), 'close')
  assert.deepEqual(excess, ['total 127.0.0.3'])
})

test('at the limit in all, the connection that was idle for the longest time makes room for a new one', async () => {
  const { open, excess } = await serve(done, { total: 3 })
  const sockets = [await open('127.0.0.1'), await open('127.0.0.2'), await open('127.0.0.3')]
  for (const socket of [sockets[1], sockets[0], sockets[2]]) {
    socket?.write(GET)
    await answers(socket as Socket, 1)
  }
  const closed = once((sockets[1] as Socket).resume(), 'close')
  const next = await open('127.0.0.4')
  next.write(GET)
  await answers(next, 1)
  await closed
  assert.deepEqual(excess, ['total 127.0.0.2'])
  sockets[0]?.write(GET)
  await answers(sockets[0] as Socket, 1)
})

test('a few pipelined requests are answered in order; many close the connection and are not handled', async () => {
  let handled = 0
  const { open, excess } = await serve((_request, response) => {
    const number = ++handled
    setImmediate(() => response.end(`answer ${number};`))
  })
  const polite = await open()
  polite.write(GET.repeat(5))
  assert.deepEqual(
    (await answers(polite, 5)).match(/answer \d/g),
    [1, 2, 3, 4, 5].map((n) => `answer ${n}`),
  )
  polite.write(GET.repeat(5))
  await answers(polite, 5)
  const rude = await open()
  rude.write(GET.repeat(1000))
  await once(rude.resume(), 'close')
  assert.deepEqual(excess, ['pipelined 127.0.0.1'])
  // Of these, the one that no other was before.
  assert.equal(handled, 11)
})

test('requests of one connection are handled one after the other', async () => {
  const working: string[] = []
  const { open } = await serve((request, response) => {
    working.push(`begin ${String(request.url)}`)
    setImmediate(() => {
      working.push(`end ${String(request.url)}`)
      response.end('done')
    })
  })
  const socket = await open()
  socket.write(['/1', '/2', '/3'].map((path) => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`).join(''))
  await answers(socket, 3)
  assert.deepEqual(working, ['begin /1', 'end /1', 'begin /2', 'end /2', 'begin /3', 'end /3'])
})

test('a request that waits on a connection that is closed is not handled', async () => {
  const held: (() => void)[] = []
  const { server, open } = await serve((_request, response) => void held.push(() => response.end('done')))
  const opened = once(server, 'connection')
  const socket = await open()
  const [seen] = (await opened) as [Socket]
  socket.write(GET.repeat(3))
  const handled = (count: number) =>
    until(
      async () => held.length,
      (now) => now === count,
    )
  await handled(1)
  socket.destroy()
  await once(seen, 'close')
  held[0]?.()
  const another = await open()
  another.write(GET)
  await handled(2)
})

test('an answer that no one reads closes its connection when its time is over', async () => {
  const { server, open, excess, clock, looked } = await serve(
    (_request, response) => void response.end(Buffer.alloc(32 * 2 ** 20)),
  )
  const socket = await open()
  socket.pause().write(GET)
  const [served] = (await once(server, 'request')) as [{ socket: Socket }]
  await until(
    async () => served.socket.writableLength,
    (waiting) => waiting > 0,
  )
  await looked()
  clock.ms += READ_WITHIN_MS - 1
  await looked()
  assert.deepEqual([served.socket.destroyed, excess], [false, []], 'a millisecond before')
  clock.ms += 1
  await until(
    async () => served.socket.destroyed,
    (destroyed) => destroyed,
  )
  assert.deepEqual(excess, ['unread 127.0.0.1'])
})

test('a slow reader of many answers and a quiet stream are left alone', async () => {
  const { open, excess, clock, looked } = await serve((request, response) => {
    if (request.url === '/events') response.write('data: 1\n\n')
    else response.end(Buffer.alloc(2 ** 20))
  })
  const stream = await open()
  stream.write(GET.replace('/', '/events'))
  await once(stream, 'data')
  const slow = await open()
  let received = 0
  slow.on('data', (part: Buffer) => {
    received += part.length
    slow.pause()
    setImmediate(() => slow.resume())
  })
  while (clock.ms < 4 * READ_WITHIN_MS) {
    const enough = received + 2 ** 20
    slow.write(GET)
    await until(
      async () => received,
      (bytes) => bytes > enough,
    )
    clock.ms += READ_WITHIN_MS / 5
    await looked()
  }
  assert.deepEqual([stream.destroyed, slow.destroyed, excess], [false, false, []])
})
