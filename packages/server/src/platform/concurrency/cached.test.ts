import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { test } from 'node:test'
import { cached } from './cached.ts'

/** Time set by the test: cached values expire by the monotonic clock. */
function manualClock(t: TestContext) {
  let now = 1000
  t.mock.method(performance, 'now', () => now)
  return (ms: number) => (now += ms)
}

function counting() {
  const loads: string[] = []
  return { loads, load: async (key: string) => `${key}${loads.push(key)}` }
}

const settled = () => new Promise((resolve) => void setImmediate(resolve))

test('within the moment it is loaded once; after it, again', async (t) => {
  const pass = manualClock(t)
  const { loads, load } = counting()
  const get = cached(load, { maxAgeMs: 1000 })
  assert.equal(await get('a'), 'a1')
  pass(999)
  assert.equal(await get('a'), 'a1')
  pass(1)
  assert.equal(await get('a'), 'a2')
  assert.deepEqual(loads, ['a', 'a'])
})

test('unless told otherwise the moment is one second', async (t) => {
  const pass = manualClock(t)
  const { load } = counting()
  const get = cached(load)
  await get('a')
  pass(1000)
  assert.equal(await get('a'), 'a2')
})

test('what is asked for is renewed before its moment ends, and nobody waits for it', async (t) => {
  const pass = manualClock(t)
  const answers: ((value: string) => void)[] = []
  const get = cached((_: string) => new Promise<string>((resolve) => void answers.push(resolve)), { maxAgeMs: 1000 })
  const first = get('a')
  answers[0]?.('old')
  assert.equal(await first, 'old')
  pass(799)
  await get('a')
  assert.equal(answers.length, 1)
  pass(1)
  for (let calls = 0; calls < 3; calls++) assert.equal(await get('a'), 'old')
  assert.equal(answers.length, 2, 'one renewal for all who ask')
  answers[1]?.('new')
  await settled()
  assert.equal(await get('a'), 'new')
  pass(999)
  assert.equal(await get('a'), 'new', 'its moment began when its load began')
  pass(1)
  void get('a')
  assert.equal(answers.length, 4, 'and ended with it: the renewal of the line before has not come back')
})

test('what takes long to load is renewed less often, and still before its moment ends', async (t) => {
  const pass = manualClock(t)
  for (const [tookMs, renewedAfterMs] of [
    [10, 2000],
    [100, 5000],
    [10_000, 24_000],
  ] as const) {
    let loads = 0
    const load = async (_: string) => {
      loads++
      pass(tookMs)
    }
    const get = cached(load, { renewAfterMs: 2000, maxAgeMs: 30_000 })
    await get('a')
    pass(renewedAfterMs - tookMs - 1)
    await get('a')
    assert.equal(loads, 1)
    pass(1)
    await get('a')
    assert.equal(loads, 2)
  }
})

test('a hit does not lengthen the moment: a revoked key stops working within it, however often it is used', async (t) => {
  const pass = manualClock(t)
  let now = 0
  const get = cached(async (_: string) => now, { maxAgeMs: 1000 })
  for (; now < 5000; now += 100) {
    const loadedAt = await get('a')
    assert.ok(now - loadedAt < 1000, `${loadedAt} was given out at ${now}`)
    await settled()
    pass(100)
  }
})

test('a renewal that fails leaves what is known until its moment ends, and is tried once', async (t) => {
  const pass = manualClock(t)
  let loads = 0
  const get = cached(
    async (key: string) => {
      if (++loads > 1) throw new Error('gone')
      return key
    },
    { maxAgeMs: 1000 },
  )
  await get('a')
  pass(800)
  for (let calls = 0; calls < 3; calls++) {
    assert.equal(await get('a'), 'a')
    await settled()
  }
  assert.equal(loads, 2)
  pass(200)
  await assert.rejects(get('a'), /gone/)
})

test('a load that comes back late, or fails late, leaves what was loaded after it alone', async (t) => {
  const pass = manualClock(t)
  const loads: PromiseWithResolvers<string>[] = []
  const get = cached(
    (_: string) => {
      const load = Promise.withResolvers<string>()
      loads.push(load)
      return load.promise
    },
    { maxAgeMs: 1000 },
  )
  const first = get('a')
  loads[0]?.resolve('first')
  await first
  pass(800)
  assert.equal(await get('a'), 'first')
  pass(200)
  const third = get('a')
  loads[2]?.resolve('third')
  await third
  loads[1]?.resolve('second, slow')
  await settled()
  assert.equal(await get('a'), 'third')
  pass(1000)
  const failing = get('a')
  pass(1000)
  const fifth = get('a')
  loads[4]?.resolve('fifth')
  await fifth
  loads[3]?.reject(new Error('gone'))
  await assert.rejects(failing, /gone/)
  assert.equal(await get('a'), 'fifth')
  assert.equal(loads.length, 5)
})

test('what has not come yet is not asked for a second time before its moment ends', async (t) => {
  const pass = manualClock(t)
  let loads = 0
  const get = cached(
    (_: string) => {
      loads++
      return new Promise<string>(() => undefined)
    },
    { maxAgeMs: 1000 },
  )
  for (let step = 0; step < 50; step++) {
    void get('a')
    pass(100)
  }
  assert.equal(loads, 5)
})

test('simultaneous askers share one load; keys do not share', async () => {
  const { loads, load } = counting()
  const get = cached(load)
  assert.deepEqual(await Promise.all([get('a'), get('a'), get('b'), get('a')]), ['a1', 'a1', 'b2', 'a1'])
  assert.deepEqual(loads, ['a', 'b'])
})

test('an absent value is remembered as well', async () => {
  let loads = 0
  const get = cached(async (_: string) => {
    loads += 1
    return null
  })
  assert.equal(await get('x'), null)
  assert.equal(await get('x'), null)
  assert.equal(loads, 1)
})

test('a failed load reaches all who asked, and is not remembered', async () => {
  let loads = 0
  const get = cached(async (key: string) => {
    loads += 1
    if (loads === 1) throw new Error('gone')
    return key
  })
  const both = await Promise.allSettled([get('a'), get('a')])
  assert.deepEqual(
    both.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  assert.equal(await get('a'), 'a')
  assert.equal(loads, 2)
})

test('a flood of invented keys empties the memory instead of growing it', async () => {
  const { loads, load } = counting()
  const get = cached(load, { maxEntries: 3 })
  for (const key of ['a', 'b', 'c', 'a']) await get(key)
  assert.equal(loads.length, 3)
  await get('d')
  await get('a')
  assert.deepEqual(loads, ['a', 'b', 'c', 'd', 'a'])
})
