// Prints the X-Signature of a request. The body comes from standard input, byte for byte as it is sent.
import { createHmac } from 'node:crypto'
import { buffer } from 'node:stream/consumers'

/** `target` is the path with its query; `body` the bytes that are sent, empty for a request without one. */
export function sign(secret, timestamp, method, target, body) {
  return createHmac('sha256', secret)
    .update(timestamp + method + target)
    .update(body)
    .digest('hex')
}

const { SECRET, TIMESTAMP, METHOD, TARGET } = process.env
process.stdout.write(sign(SECRET, TIMESTAMP, METHOD, TARGET, await buffer(process.stdin)) + '\n')
