import { once } from 'node:events'
import { connect } from 'node:net'

/** Sends half a request: the receiver has begun to read its body when the connection is closed. */
export async function breakOff(url: string): Promise<void> {
  const { hostname, port, pathname } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined)
  const lines = [`POST ${pathname} HTTP/1.1`, 'Host: shop', 'Content-Length: 100', 'Expect: 100-continue', '', '']
  socket.write(lines.join('\r\n'))
  // "100 Continue": it waits for the body.
  await once(socket, 'data')
  socket.write('{')
  socket.destroy()
  await once(socket, 'close')
}
