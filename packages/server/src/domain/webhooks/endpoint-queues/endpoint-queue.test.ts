import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Outcome } from '../../../platform/http-client/outbound.ts'
import type { EndpointQueue } from './endpoint-queue.ts'
import { afterResults, freeCalls, limitPause, refill } from './endpoint-queue.ts'

const SECOND = 1000
const HOUR = 3600 * SECOND
const DAY = 24 * HOUR
const start = new Date('2026-11-15T07:00:00Z')
const at = (ms: number) => new Date(start.getTime() + ms)

const healthy: EndpointQueue = {
  merchantId: 'm',
  endpointId: 'e',
  failures: 0,
  failingSince: null,
  warnedAt: null,
  pausedUntil: null,
  tokens: 100,
  tokensAt: start,
  wakeAt: null,
  lastClaim: 0,
}
const failed = { outcome: '5xx', status: 503 } as const
const accepted = { outcome: 'accepted', status: 200 } as const

/** The queue after this many failures, each right after the previous pause. */
function afterFailures(count: number, from: EndpointQueue = healthy): { queue: EndpointQueue; now: Date } {
  let [queue, now] = [from, start]
  for (let done = 0; done < count; done++) {
    now = queue.pausedUntil ?? now
    queue = afterResults(queue, [failed], now).queue
  }
  return { queue, now }
}

test('nine failures in a row change nothing; the tenth opens the breaker, and every one after it doubles the pause', () => {
  for (const [count, pauseSeconds] of [
    [1, null],
    [9, null],
    [10, 5],
    [11, 10],
    [12, 20],
    [13, 40],
    [14, 60],
    [15, 60],
    [2000, 60],
  ] as const) {
    const { queue, now } = afterFailures(count)
    const pause = queue.pausedUntil && (queue.pausedUntil.getTime() - now.getTime()) / SECOND
    assert.deepEqual([queue.failures, pause], [count, pauseSeconds], `${count} failures`)
  }
})

test('calls that had left before the pause do not lengthen it', () => {
  let { queue } = afterFailures(10)
  for (let late = 1; late <= 30; late++) queue = afterResults(queue, [failed], at(late)).queue
  assert.deepEqual(queue.pausedUntil, at(5 * SECOND))
  assert.deepEqual(afterResults(queue, [failed], at(5 * SECOND)).queue.pausedUntil, at(15 * SECOND))
})

test('while it pauses nothing leaves; then one at a time; the first that is accepted opens it', () => {
  const { queue } = afterFailures(10)
  const places = (of: EndpointQueue, calling: number, ms: number) =>
    freeCalls(of, { calling, maxConcurrent: 20, now: at(ms) })
  assert.equal(places(queue, 0, 4999), 0)
  assert.equal(places(queue, 0, 5000), 1)
  assert.equal(places(queue, 1, 5000), 0)
  assert.equal(places(queue, 20, 5000), 0)
  const again = afterResults(queue, [accepted], at(5100)).queue
  assert.deepEqual([again.failures, again.pausedUntil, places(again, 0, 5100)], [0, null, 20])
})

test('free calls are what is left of the most, and never below none', () => {
  for (const [calling, maxConcurrent, places] of [
    [0, 10, 10],
    [9, 10, 1],
    [10, 10, 0],
    [15, 10, 0],
  ] as const) {
    assert.equal(freeCalls(healthy, { calling, maxConcurrent, now: start }), places)
  }
})

test('only failures for a day: one warning; for seven days: disabled; one acceptance starts it all anew', () => {
  let { queue } = afterFailures(1)
  const judge = (ms: number, answer: { outcome: Outcome; status: number } = failed) => {
    const verdict = afterResults(queue, [answer], at(ms))
    queue = verdict.queue
    return [verdict.warn, verdict.disable !== null]
  }
  assert.deepEqual(judge(DAY - 1), [false, false])
  assert.deepEqual(judge(DAY), [true, false])
  assert.deepEqual(judge(DAY + HOUR), [false, false], 'warned once')
  assert.deepEqual(judge(7 * DAY - 1), [false, false])
  assert.deepEqual(judge(7 * DAY), [false, true])
  assert.deepEqual(judge(7 * DAY + 1, accepted), [false, false])
  assert.deepEqual(judge(9 * DAY), [false, false])
  assert.deepEqual(judge(10 * DAY), [true, false])
})

test('a first failure after a quiet year is a first failure', () => {
  const { queue, warn, disable } = afterResults(healthy, [failed], at(365 * DAY))
  assert.deepEqual([queue.failingSince, queue.failures, warn, disable], [at(365 * DAY), 1, false, null])
})

test('410 disables at once, and says why', () => {
  assert.match(afterResults(healthy, [{ outcome: '4xx', status: 410 }], start).disable ?? '', /410/)
  for (const status of [400, 404, 409, 411]) {
    assert.equal(afterResults(healthy, [{ outcome: '4xx', status }], start).disable, null)
  }
})

const outcome = fc.constantFrom<Outcome>('accepted', '4xx', '5xx', 'redirect', 'timeout', 'tls', 'dns', 'refused')
const course = fc.array(fc.record({ outcome, pauseMs: fc.integer({ min: 0, max: 90 * SECOND }) }), { maxLength: 60 })

test('whatever comes: a pause is 60 s at most and needs ten failures in a row; acceptance leaves no trace', () => {
  fc.assert(
    fc.property(course, (steps) => {
      let [queue, now, inRow] = [healthy, start, 0]
      for (const { outcome, pauseMs } of steps) {
        now = new Date(now.getTime() + pauseMs)
        const before = queue
        queue = afterResults(queue, [{ outcome, status: null }], now).queue
        inRow = outcome === 'accepted' ? 0 : inRow + 1
        if (outcome === 'accepted') assert.deepEqual(queue, healthy)
        assert.equal(queue.pausedUntil !== null, inRow >= 10)
        assert.ok((queue.pausedUntil?.getTime() ?? 0) - now.getTime() <= 60 * SECOND)
        assert.ok(outcome === 'accepted' || (queue.pausedUntil ?? now) >= (before.pausedUntil ?? start))
        assert.equal(queue.failingSince !== null, inRow > 0)
      }
    }),
  )
})

test('tokens: so many a second gather, a second’s worth at most, and a clock that goes back takes none away', () => {
  for (const [tokens, ms, perSecond, now] of [
    [0, 0, 100, 0],
    [0, 10, 100, 1],
    [0, 500, 100, 50],
    [0, 5000, 100, 100],
    [40, 500, 100, 90],
    [0.5, 250, 1, 0.75],
    [1_000_000, 0, 100, 100],
    [40, -5000, 100, 40],
    [100, 0, 20, 20],
  ] as const) {
    assert.equal(
      refill({ ...healthy, tokens }, perSecond, at(ms)).tokens,
      now,
      `${tokens} and ${ms} ms of ${perSecond}`,
    )
  }
})

test('however often it is looked at: in any time no more is taken than a second’s worth and what the time has brought', () => {
  const looks = fc.array(fc.record({ ms: fc.integer({ min: 0, max: 3000 }), wish: fc.nat({ max: 300 }) }))
  fc.assert(
    fc.property(looks, fc.integer({ min: 1, max: 200 }), (list, perSecond) => {
      let [queue, now, taken] = [{ ...healthy, tokens: 1_000_000 }, start, 0]
      for (const { ms, wish } of list) {
        now = new Date(now.getTime() + ms)
        const refilled = refill(queue, perSecond, now)
        const claimed = Math.min(wish, Math.floor(refilled.tokens))
        taken += claimed
        queue = { ...refilled, tokens: refilled.tokens - claimed }
        const most = perSecond * (1 + (now.getTime() - start.getTime()) / SECOND)
        assert.ok(taken <= most + 1e-6, `${taken} of ${most}`)
      }
    }),
  )
})

test('after a clock was set back, a pause lasts as long as if it had begun now', () => {
  assert.deepEqual(limitPause({ ...healthy, pausedUntil: at(DAY) }, start).pausedUntil, at(60 * SECOND))
  for (const pausedUntil of [null, start, at(60 * SECOND)])
    assert.deepEqual(limitPause({ ...healthy, pausedUntil }, start).pausedUntil, pausedUntil)
})

test('the faster of two clocks says until when a queue is refilled, unless it is wrong by more than ten seconds', () => {
  const refilled = (ms: number) => refill({ ...healthy, tokensAt: at(ms) }, 1, start).tokensAt
  assert.deepEqual([-HOUR, 0, 10 * SECOND, 10 * SECOND + 1].map(refilled), [start, start, at(10 * SECOND), start])
})
