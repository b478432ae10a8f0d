import type { AddressInfo, Socket } from 'node:net'
import { createServer } from 'node:net'
import { wholeMessage } from '../http-message.ts'

// A merchant's server that does nothing but count, in a process of its own. It says when the first and the last of a round
// came, so that both senders are measured by the same clock: the receiver's. Plain sockets: it shares two cores with a sender and
// with PostgreSQL, and what it costs is missing there.

const ANSWER = 'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 2\r\nconnection: keep-alive\r\n\r\nok'

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

/** A sender waits for each answer before its next request: whatever has come is the beginning of one, or one. */
function receive(socket: Socket): void {
  let gathered: Buffer | null = null
  // A sender that closes its connections between rounds may do so at any moment.
  socket.on('error', () => socket.destroy())
  socket.on('data', (chunk) => {
    gathered = gathered ? Buffer.concat([gathered, chunk]) : chunk
    if (!wholeMessage(gathered)) return
    gathered = null
    socket.write(ANSWER, 'latin1')
    if (++count === 1) first = performance.now()
    if (count === expected) process.send?.({ seconds: (performance.now() - first) / 1000 })
  })
}
