import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Outcome } from '../../../platform/http-client/outbound.ts'
import type { Lane } from './lane.ts'
import { afterAnswer, asOf, claimedOn, LEASE_MS, refill, refilledAt, room, settleClaims } from './lane.ts'

const SECOND = 1000
const HOUR = 3600 * SECOND
const DAY = 24 * HOUR
const start = new Date('2026-11-15T07:00:00Z')
const at = (ms: number) => new Date(start.getTime() + ms)

const healthy: Lane = {
  merchantId: 'm',
  endpointId: 'e',
  failures: 0,
  failingSince: null,
  warnedAt: null,
  openUntil: null,
  tokens: 100,
  tokensAt: start,
  wakeAt: null,
  fence: 0,
  claims: [],
}
/** With so many calls under way, by two processes. */
const busy = (lane: Lane, calling: number): Lane => {
  const positions = Array.from({ length: calling }, (_, index) => String(index))
  const [until, half] = [start.getTime() + HOUR, Math.floor(calling / 2)]
  const claims = [positions.slice(0, half), positions.slice(half)].map((part, index) => ({
    fence: index + 1,
    until,
    positions: part,
  }))
  return { ...lane, claims }
}
const failed = { outcome: '5xx', status: 503 } as const
const accepted = { outcome: 'accepted', status: 200 } as const

/** The lane after so many failures, each as soon as the pause before it is over. */
function afterFailures(count: number, from: Lane = healthy): { lane: Lane; now: Date } {
  let [lane, now] = [from, start]
  for (let done = 0; done < count; done++) {
    now = lane.openUntil ?? now
    lane = afterAnswer(lane, failed, now).lane
  }
  return { lane, now }
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
    const { lane, now } = afterFailures(count)
    const pause = lane.openUntil && (lane.openUntil.getTime() - now.getTime()) / SECOND
    assert.deepEqual([lane.failures, pause], [count, pauseSeconds], `${count} failures`)
  }
})

test('calls that had left before the pause do not lengthen it', () => {
  let { lane } = afterFailures(10)
  for (let late = 1; late <= 30; late++) lane = afterAnswer(lane, failed, at(late)).lane
  assert.deepEqual(lane.openUntil, at(5 * SECOND))
  assert.deepEqual(afterAnswer(lane, failed, at(5 * SECOND)).lane.openUntil, at(15 * SECOND))
})

test('while it pauses nothing leaves; then one at a time; the first that is accepted opens it', () => {
  const { lane } = afterFailures(10)
  const places = (of: Lane, calling: number, ms: number) => room(busy(of, calling), { most: 20, now: at(ms) })
  assert.equal(places(lane, 0, 4999), 0)
  assert.equal(places(lane, 0, 5000), 1)
  assert.equal(places(lane, 1, 5000), 0)
  assert.equal(places(lane, 20, 5000), 0)
  const again = afterAnswer(lane, accepted, at(5100)).lane
  assert.deepEqual([again.failures, again.openUntil, places(again, 0, 5100)], [0, null, 20])
})

test('room is what is left of the most, and never below none', () => {
  for (const [calling, most, places] of [
    [0, 10, 10],
    [9, 10, 1],
    [10, 10, 0],
    [15, 10, 0],
  ] as const) {
    assert.equal(room(busy(healthy, calling), { most, now: start }), places)
  }
})

test('only failures for a day: one warning; for seven days: disabled; one acceptance starts it all anew', () => {
  let { lane } = afterFailures(1)
  const judge = (ms: number, answer: { outcome: Outcome; status: number } = failed) => {
    const verdict = afterAnswer(lane, answer, at(ms))
    lane = verdict.lane
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
  const { lane, warn, disable } = afterAnswer(healthy, failed, at(365 * DAY))
  assert.deepEqual([lane.failingSince, lane.failures, warn, disable], [at(365 * DAY), 1, false, null])
})

test('410 disables at once, and says why', () => {
  assert.match(afterAnswer(healthy, { outcome: '4xx', status: 410 }, start).disable ?? '', /410/)
  for (const status of [400, 404, 409, 411]) {
    assert.equal(afterAnswer(healthy, { outcome: '4xx', status }, start).disable, null)
  }
})

const outcome = fc.constantFrom<Outcome>('accepted', '4xx', '5xx', 'redirect', 'timeout', 'tls', 'dns', 'refused')
const course = fc.array(fc.record({ outcome, pauseMs: fc.integer({ min: 0, max: 90 * SECOND }) }), { maxLength: 60 })

test('whatever comes: a pause is 60 s at most and needs ten failures in a row; acceptance leaves no trace', () => {
  fc.assert(
    fc.property(course, (steps) => {
      let [lane, now, inRow] = [healthy, start, 0]
      for (const { outcome, pauseMs } of steps) {
        now = new Date(now.getTime() + pauseMs)
        const before = lane
        lane = afterAnswer(lane, { outcome, status: null }, now).lane
        inRow = outcome === 'accepted' ? 0 : inRow + 1
        if (outcome === 'accepted') assert.deepEqual(lane, healthy)
        assert.equal(lane.openUntil !== null, inRow >= 10)
        assert.ok((lane.openUntil?.getTime() ?? 0) - now.getTime() <= 60 * SECOND)
        assert.ok(outcome === 'accepted' || (lane.openUntil ?? now) >= (before.openUntil ?? start))
        assert.equal(lane.failingSince !== null, inRow > 0)
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
    assert.equal(refill({ ...healthy, tokens }, perSecond, at(ms)), now, `${tokens} and ${ms} ms of ${perSecond}`)
  }
})

test('however often it is looked at: in any time no more is taken than a second’s worth and what the time has brought', () => {
  const looks = fc.array(fc.record({ ms: fc.integer({ min: 0, max: 3000 }), wish: fc.nat({ max: 300 }) }))
  fc.assert(
    fc.property(looks, fc.integer({ min: 1, max: 200 }), (list, perSecond) => {
      const lane = { ...healthy, tokens: 1_000_000 }
      let [now, taken] = [start, 0]
      for (const { ms, wish } of list) {
        now = new Date(now.getTime() + ms)
        const tokens = refill(lane, perSecond, now)
        const claimed = Math.min(wish, Math.floor(tokens))
        taken += claimed
        Object.assign(lane, { tokens: tokens - claimed, tokensAt: now })
        const most = perSecond * (1 + (now.getTime() - start.getTime()) / SECOND)
        assert.ok(taken <= most + 1e-6, `${taken} of ${most}`)
      }
    }),
  )
})

const claim = (fence: number, ...positions: string[]) => ({ fence, until: start.getTime() + fence * SECOND, positions })
const answer = (fence: number, position: string) => ({ fence, position })

test('an answer counts under the claim it was made under, once, and leaves the others of that claim', () => {
  const claims = [claim(1, '5', '6'), claim(2, '7')]
  const [mine, twice, other, none] = [answer(1, '5'), answer(1, '5'), answer(2, '7'), answer(3, '8')]
  assert.deepEqual(settleClaims(claims, [mine, twice]), { covered: [mine], left: [claim(1, '6'), claim(2, '7')] })
  assert.deepEqual(settleClaims(claims, [other, none]), { covered: [other], left: [claim(1, '5', '6')] })
  // Claimed again by somebody else: the number is another one.
  assert.deepEqual(settleClaims([claim(4, '5')], [mine]), { covered: [], left: [claim(4, '5')] })
  assert.deepEqual(settleClaims([], [mine]), { covered: [], left: [] })
})

test('a claim ends with its last moment, and what it held counts as called about until it is dropped', () => {
  const claims = [claim(1, '5'), claim(2, '6', '7')]
  const lane = { ...healthy, claims }
  assert.deepEqual(asOf(lane, at(SECOND - 1)), lane)
  assert.deepEqual(asOf(lane, at(SECOND)).claims, [claim(2, '6', '7')])
  assert.deepEqual(
    claimedOn([{ ...healthy, claims }]).map(({ position }) => position),
    ['5', '6', '7'],
  )
})

test('after a clock was set back, claims and pauses last as long as if they had begun now', () => {
  const lane = { ...healthy, openUntil: at(DAY), claims: [{ ...claim(1, '5'), until: at(DAY).getTime() }] }
  const { openUntil, claims } = asOf(lane, start)
  assert.deepEqual(openUntil, at(60 * SECOND))
  assert.deepEqual(claims, [{ ...claim(1, '5'), until: at(LEASE_MS).getTime() }])
})

test('the faster of two clocks says until when a lane is refilled, unless it is wrong by more than ten seconds', () => {
  const refilled = (ms: number) => refilledAt({ ...healthy, tokensAt: at(ms) }, start)
  assert.deepEqual([-HOUR, 0, 10 * SECOND, 10 * SECOND + 1].map(refilled), [start, start, at(10 * SECOND), start])
})

test('whatever is claimed and answered, in any order: nothing is counted twice, and what was not answered stays claimed', () => {
  const numbers = fc.array(fc.record({ fence: fc.integer({ min: 1, max: 4 }), position: fc.nat({ max: 9 }) }))
  fc.assert(
    fc.property(numbers, numbers, (claimed, answered) => {
      const claims = [...Map.groupBy(claimed, ({ fence }) => fence)].map(([fence, list]) =>
        claim(fence, ...new Set(list.map(({ position }) => String(position)))),
      )
      const answers = answered.map(({ fence, position }) => answer(fence, String(position)))
      const { covered, left } = settleClaims(claims, answers)
      const keys = (list: { fence: number; position: string }[]) => list.map((one) => `${one.fence}/${one.position}`)
      const open = (list: typeof claims) =>
        list.flatMap(({ fence, positions }) => keys(positions.map((p) => answer(fence, p))))
      assert.equal(new Set(keys(covered)).size, covered.length)
      assert.deepEqual([...keys(covered), ...open(left)].toSorted(), open(claims).toSorted())
      const asked = new Set(keys(answers))
      assert.ok(open(left).every((key) => !asked.has(key)))
    }),
  )
})
