import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

// A merchant's server that does nothing but count, in a process of its own. It says when the first and the last of a round
// came, so that both senders are measured by the same clock: the receiver's.

let expected = 0
let count = 0
let first = 0
const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => {
    response.writeHead(200, { 'content-length': 2 })
    response.end('ok')
    if (++count === 1) first = performance.now()
    if (count === expected) process.send?.({ seconds: (performance.now() - first) / 1000 })
  })
})
server.listen(0, '127.0.0.1', () => {
  process.send?.({ ready: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callbacks` })
})
process.on('message', (message: { expect: number }) => {
  expected = message.expect
  count = 0
  process.send?.({ expecting: expected })
})
process.once('disconnect', () => process.exit(0))
