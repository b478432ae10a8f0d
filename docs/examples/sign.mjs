// Prints the X-Signature of a request. The body comes from standard input, byte for byte as it is sent:
//   printf '%s' "$BODY" | SECRET=vs_… TIMESTAMP=1794726000 METHOD=POST TARGET=/v1/deposit node sign.mjs
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
if (!SECRET || !TIMESTAMP || !METHOD || !TARGET) {
  process.stderr.write('Set SECRET, TIMESTAMP, METHOD and TARGET.\n')
  process.exit(1)
}
process.stdout.write(sign(SECRET, TIMESTAMP, METHOD, TARGET, await buffer(process.stdin)) + '\n')
