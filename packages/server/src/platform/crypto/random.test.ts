import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secureRandom } from './random.ts'

test('any count is answered exactly, also none, and more than the pool holds', () => {
  const random = secureRandom()
  for (const count of [0, 1, 8, 12, 32, 4095, 4096, 4097, 10_000, 16]) assert.equal(random.bytes(count).length, count)
})

test('no byte is handed out twice: what was given does not change when more is taken', () => {
  const random = secureRandom()
  const given = Array.from({ length: 5000 }, () => random.bytes(8))
  const copies = given.map((bytes) => bytes.toString('hex'))
  assert.equal(new Set(copies).size, given.length)
  given[0]?.fill(0)
  random.bytes(8)
  assert.deepEqual(
    given.slice(1).map((bytes) => bytes.toString('hex')),
    copies.slice(1),
  )
})

test('as text: two characters a byte, and never what was handed out as bytes or as text before', () => {
  const random = secureRandom()
  const given = Array.from({ length: 2500 }, () => [random.hex(8), random.bytes(8).toString('hex')]).flat()
  for (const text of given) assert.match(text, /^[0-9a-f]{16}$/)
  assert.equal(new Set(given).size, given.length)
})

test('two sources, and every bit of one, differ', () => {
  assert.notDeepEqual(secureRandom().bytes(32), secureRandom().bytes(32))
  // Each bit is a fair coin: 80,000 throws stay within ten standard deviations of the mean.
  const bytes = secureRandom().bytes(80_000)
  for (let bit = 0; bit < 8; bit++) {
    const ones = bytes.reduce((sum, byte) => sum + ((byte >> bit) & 1), 0)
    assert.ok(Math.abs(ones - 40_000) < 1415, `bit ${bit}: ${ones}`)
  }
})
