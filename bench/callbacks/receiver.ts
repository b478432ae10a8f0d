import type { AddressInfo, Socket } from 'node:net'
import { createServer } from 'node:net'
import { wholeMessage } from '../http-message.ts'

// Receiver in its own process: only counts, and times each round by one clock for both senders. Plain sockets keep its
// CPU use low, because it shares two cores with a sender and PostgreSQL.

const RESPONSE = 'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 2\r\nconnection: keep-alive\r\n\r\nok'

let expected = 0
let count = 0
let first = 0
const server = createServer({ noDelay: true }, receive)
server.listen(0, '127.0.0.1', () => {
  process.send?.({ ready: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callbacks` })
})
process.on('message', (message: { expect: number }) => {
  expected = message.expect
  count = 0
  process.send?.({ expecting: expected })
})
process.once('disconnect', () => process.exit(0))

/** A sender waits for each response before its next request, so the buffer holds at most one request. */
function receive(socket: Socket): void {
  let buffered: Buffer | null = null
  // A sender may close its connections between rounds at any time.
  socket.on('error', () => socket.destroy())
  socket.on('data', (chunk) => {
    buffered = buffered ? Buffer.concat([buffered, chunk]) : chunk
    if (!wholeMessage(buffered)) return
    buffered = null
    socket.write(RESPONSE, 'latin1')
    if (++count === 1) first = performance.now()
    if (count === expected) process.send?.({ seconds: (performance.now() - first) / 1000 })
  })
}
