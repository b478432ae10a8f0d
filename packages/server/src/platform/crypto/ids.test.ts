import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { firstIdOfSecond, ID_PATTERN, idsBetween, timeOrderedIds } from './ids.ts'
import { secureRandom } from './random.ts'

const random = secureRandom()
const at = (ms: number) => timeOrderedIds({ clock: { now: () => new Date(ms) }, random }).next()
const LAST_SECOND = 0xffffffff

test('an id is 24 lower-case hex characters that start with its second', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: LAST_SECOND }), fc.nat({ max: 999 }), (second, ms) => {
      const id = at(second * 1000 + ms)
      assert.match(id, new RegExp(ID_PATTERN))
      assert.equal(Number.parseInt(id.slice(0, 8), 16), second)
    }),
  )
})

test('ids of a later second sort after those of an earlier one', () => {
  const second = fc.integer({ min: 0, max: LAST_SECOND })
  fc.assert(
    fc.property(second, second, (a, b) => {
      fc.pre(a !== b)
      assert.equal(at(a * 1000) < at(b * 1000), a < b)
    }),
  )
})

test('ids of a later millisecond sort after those of an earlier one, and 64 of one millisecond in their order', () => {
  fc.assert(
    fc.property(fc.nat({ max: LAST_SECOND * 1000 - 10_000 }), fc.integer({ min: 1, max: 5000 }), (ms, later) => {
      assert.ok(at(ms) < at(ms + later))
    }),
  )
  const ids = timeOrderedIds({ clock: { now: () => new Date(1_700_000_000_999) }, random })
  const made = Array.from({ length: 64 }, () => ids.next())
  assert.deepEqual(made.toSorted(), made)
})

test('firstIdOfSecond bounds every id of its second from below and of the second before from above', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: LAST_SECOND }), (second) => {
      const first = firstIdOfSecond(second)
      assert.match(first, new RegExp(ID_PATTERN))
      assert.ok(first <= at(second * 1000))
      assert.ok(at(second * 1000 - 1) < first)
    }),
  )
})

test('seconds outside of four bytes stay within the shape, at the ends of the order', () => {
  assert.equal(firstIdOfSecond(-1), '0'.repeat(24))
  assert.equal(firstIdOfSecond(LAST_SECOND + 1), `ffffffff${'0'.repeat(16)}`)
  assert.match(at(8.64e15), new RegExp(ID_PATTERN))
})

test('100,000 ids of one second are all different', () => {
  const ids = timeOrderedIds({ clock: { now: () => new Date(0) }, random })
  assert.equal(new Set(Array.from({ length: 100_000 }, () => ids.next())).size, 100_000)
})

test('idsBetween holds every id of a row of that time, also one made a few seconds later, and not the rest of the day', () => {
  const hour = 3_600_000
  const [from, to] = [new Date(10 * hour), new Date(11 * hour)]
  const { notBefore, before } = idsBetween(from, to)
  const holds = (ms: number) => at(ms) >= notBefore && at(ms) < before
  for (const ms of [10 * hour, 10.5 * hour, 11 * hour - 1, 11 * hour + 5000]) assert.ok(holds(ms), String(ms))
  for (const ms of [9.9 * hour, 11.1 * hour]) assert.ok(!holds(ms), String(ms))
})
