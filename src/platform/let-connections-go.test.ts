import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { RequestListener } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { connect } from 'node:net'
import { test } from 'node:test'
import { letConnectionsGo } from './let-connections-go.ts'

const LONG = 60_000

async function serve(answer: RequestListener) {
  const server = createServer(answer)
  const letGo = letConnectionsGo(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const open = async (text = ''): Promise<Socket> => {
    const accepted = once(server, 'connection')
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1', () => socket.write(text))
    socket.on('error', () => undefined)
    await accepted
    return socket
  }
  const close = (patienceMs: number) => {
    letGo(patienceMs)
    const closed = once(server, 'close')
    server.close()
    return closed
  }
  return { server, open, close }
}

async function textFrom(socket: Socket): Promise<string> {
  let text = ''
  socket.setEncoding('utf8').on('data', (part: string) => (text += part))
  await once(socket, 'close')
  return text
}

test('connections that never asked anything, and those that were answered, do not hold a closing server', async () => {
  const { open, close } = await serve((_, response) => response.end('done'))
  const silent = await open()
  const answered = await open('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  await once(answered, 'data')
  await Promise.all([close(LONG), once(silent, 'close'), once(answered, 'close')])
})

test('a request that is on its way is answered first', async () => {
  const { server, open, close } = await serve((request, response) => {
    request.resume().once('end', () => response.end('done'))
  })
  const socket = await open('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 4\r\n\r\nha')
  await once(server, 'request')
  const closed = close(LONG)
  const answer = textFrom(socket)
  socket.write('lf')
  assert.match(await answer, /done$/)
  await closed
})

test('one that never arrives whole ends with the patience', async () => {
  const { open, close } = await serve((_, response) => response.end('done'))
  const socket = await open('GET / HT')
  await Promise.all([close(100), once(socket, 'close')])
})
