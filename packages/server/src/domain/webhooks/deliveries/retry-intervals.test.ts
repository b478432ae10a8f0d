import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { nextTry } from './retry-intervals.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const since = new Date('2026-11-15T07:00:00Z')
const at = (ms: number) => new Date(since.getTime() + ms)

/** Length of the pause after this many failed attempts, the first a moment ago. */
function pauseAfter(tries: number, { chance = 0.5, retryAfterSeconds = null as number | null, now = since } = {}) {
  const next = nextTry({ tries, since, now, retryAfterSeconds, chance })
  return next && next.getTime() - now.getTime()
}

const PAUSES = [
  [1, 5 * SECOND],
  [2, 30 * SECOND],
  [3, 2 * MINUTE],
  [4, 10 * MINUTE],
  [5, 30 * MINUTE],
  [6, HOUR],
  [7, 2 * HOUR],
  [8, 4 * HOUR],
  [9, 8 * HOUR],
  [10, 8 * HOUR],
  [90, 8 * HOUR],
] as const

test('5 s, 30 s, 2 min, 10 min, 30 min, 1 h, 2 h, 4 h, then every 8 h; a fifth to either side', () => {
  for (const [tries, pause] of PAUSES) {
    assert.equal(pauseAfter(tries), pause, `after ${tries}`)
    assert.equal(pauseAfter(tries, { chance: 0 }), pause * 0.8, `after ${tries}, early`)
    assert.equal(pauseAfter(tries, { chance: 1 }), pause * 1.2, `after ${tries}, late`)
  }
})

test('Retry-After lengthens a pause and never shortens one', () => {
  for (const [tries, retryAfterSeconds, pause] of [
    [1, 0, 5 * SECOND],
    [1, 4, 5 * SECOND],
    [1, 6, 6 * SECOND],
    [1, 3600, HOUR],
    [3, 119, 2 * MINUTE],
    [9, 60, 8 * HOUR],
    [9, 86_400, DAY],
  ] as const) {
    assert.equal(pauseAfter(tries, { retryAfterSeconds }), pause, `${retryAfterSeconds} s after ${tries}`)
  }
})

test('thirty days are the end: the last moment is still one, the next is none', () => {
  const late = (now: Date) => nextTry({ tries: 90, since, now, retryAfterSeconds: null, chance: 0.5 })
  assert.deepEqual(late(at(30 * DAY - 8 * HOUR)), at(30 * DAY))
  assert.equal(late(at(30 * DAY - 8 * HOUR + 1)), null)
  assert.equal(late(at(40 * DAY)), null)
})

const tries = fc.integer({ min: 1, max: 200 })
const chance = fc.double({ min: 0, max: 1, noNaN: true })
const elapsed = fc.integer({ min: 0, max: 31 * DAY })
const asked = fc.option(fc.integer({ min: 0, max: 86_400 }))

test('always later than now, never past thirty days, and at least what was asked for', () => {
  fc.assert(
    fc.property(tries, chance, elapsed, asked, (count, chance, ms, retryAfterSeconds) => {
      const now = at(ms)
      const next = nextTry({ tries: count, since, now, retryAfterSeconds, chance })
      const plain = nextTry({ tries: count, since, now, retryAfterSeconds: null, chance })
      if (next === null) return
      assert.ok(next > now && next <= at(30 * DAY))
      assert.ok(next.getTime() - now.getTime() >= (retryAfterSeconds ?? 0) * SECOND)
      assert.ok(plain !== null && next >= plain)
    }),
  )
})

test('the whole schedule: 83 to 120 tries whatever the chances, the last of them in the last ten hours', () => {
  fc.assert(
    fc.property(fc.infiniteStream(chance), (chances) => {
      let [now, count] = [since, 0]
      for (const one of chances) {
        count++
        const next = nextTry({ tries: count, since, now, retryAfterSeconds: null, chance: one })
        if (next === null) break
        now = next
      }
      assert.ok(count >= 83 && count <= 120, `${count} tries`)
      assert.ok(at(30 * DAY).getTime() - now.getTime() <= 9.6 * HOUR)
    }),
  )
})
