import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { hmacSha256 } from './hmac.ts'

const bytes = (maxLength: number) => fc.uint8Array({ maxLength }).map((array) => Buffer.from(array))
const part = fc.oneof(bytes(200), fc.string({ unit: 'binary', maxLength: 100 }))

test('the same as createHmac, for keys shorter and longer than a block and messages in any number of parts', () => {
  fc.assert(
    fc.property(bytes(200), fc.array(part), fc.constantFrom('hex', 'base64'), (key, parts, encoding) => {
      const expected = createHmac('sha256', key)
      for (const one of parts) expected.update(one)
      assert.equal(hmacSha256(key)(parts, encoding), expected.digest(encoding))
    }),
    { numRuns: 1000 },
  )
})

test('one key for many messages: none leaves anything behind for the next', () => {
  const [mac, other] = [hmacSha256(Buffer.from('key')), hmacSha256(Buffer.alloc(64))]
  const [first, second] = [mac(['one'], 'hex'), mac(['two'], 'hex')]
  assert.notEqual(first, second)
  other(['one'], 'hex')
  assert.equal(mac(['one'], 'hex'), first)
})

test('the key may be overwritten afterwards', () => {
  const key = Buffer.from('key')
  const mac = hmacSha256(key)
  const before = mac(['text'], 'hex')
  key.fill(0)
  assert.equal(mac(['text'], 'hex'), before)
})
