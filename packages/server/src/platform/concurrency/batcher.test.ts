import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { until } from '../../../../../test/harness/until.ts'
import { batcher } from './batcher.ts'
import { Refusal } from '../refusal.ts'

/** Work that records its batches and is completed by the test, one batch at a time. */
function manualWork() {
  const batches: number[][] = []
  const finish: ((outcomes?: (string | Refusal)[]) => void)[] = []
  const fail: ((error: unknown) => void)[] = []
  const work = (items: number[]) => {
    batches.push(items)
    return new Promise<(string | Refusal)[]>((resolve, reject) => {
      finish.push((outcomes = items.map(String)) => resolve(outcomes))
      fail.push(reject)
    })
  }
  return { batches, work, finish: (index: number) => finish[index]?.(), finishWith: finish, fail }
}

/** Two turns of the event loop: the first processes finished work, the second starts what follows. */
const twoTurns = async () => {
  await new Promise(setImmediate)
  await new Promise(setImmediate)
}
const sqlError = (code: string) => Object.assign(new Error(`sqlstate ${code}`), { code })

test('a lone item is a list of one, at work when this turn of the event loop ends', async () => {
  const { batches, work, finish } = manualWork()
  const one = batcher(work)
  const answer = one(7)
  await twoTurns()
  assert.deepEqual(batches, [[7]])
  finish(0)
  assert.equal(await answer, '7')
})

test('what comes in the same turn goes together; while a list is at work the next gathers, in order, up to maxList', async () => {
  const { batches, work, finish } = manualWork()
  const sizes: number[] = []
  const one = batcher(work, { maxBatchSize: 3, onBatch: (size) => sizes.push(size) })
  const answers = [one(1)]
  await twoTurns()
  answers.push(...[2, 3, 4, 5, 6].map((item) => one(item)))
  await twoTurns()
  assert.deepEqual(batches, [[1]])
  for (const [index, expected] of [[1], [2, 3, 4], [5, 6]].entries()) {
    assert.deepEqual(batches[index], expected)
    finish(index)
    await twoTurns()
  }
  assert.deepEqual(await Promise.all(answers), ['1', '2', '3', '4', '5', '6'])
  assert.deepEqual(sizes, [1, 3, 2])
  const later = [one(8), one(9)]
  await twoTurns()
  assert.deepEqual(batches[3], [8, 9], 'idle again: at once')
  finish(3)
  await Promise.all(later)
})

test('each item gets the outcome at its own place, whatever the interleaving', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ item: fc.integer(), pause: fc.nat({ max: 3 }) }), { maxLength: 60 }),
      fc.integer({ min: 1, max: 7 }),
      async (calls, maxBatchSize) => {
        const one = batcher(
          async (items: number[]) => {
            assert.ok(items.length <= maxBatchSize)
            await Promise.resolve()
            return items.map((item) => (item % 3 === 0 ? new Refusal('NOT_FOUND', String(item)) : `+${item}`))
          },
          { maxBatchSize },
        )
        const answers = []
        for (const { item, pause } of calls) {
          answers.push(one(item).catch((error: Refusal) => `-${error.message}`))
          for (let step = 0; step < pause; step++) await Promise.resolve()
        }
        assert.deepEqual(
          await Promise.all(answers),
          calls.map(({ item }) => (item % 3 === 0 ? `-${item}` : `+${item}`)),
        )
      },
    ),
  )
})

test('a Refusal among the outcomes rejects only its own item', async () => {
  const { work, finishWith } = manualWork()
  const one = batcher(work)
  const rest = [1, 2, 3].map((item) => one(item))
  await twoTurns()
  const refusal = new Refusal('INSUFFICIENT_BALANCE', 'no')
  finishWith[0]?.(['1', refusal, '3'])
  const settled = await Promise.allSettled(rest)
  assert.deepEqual(
    settled.map((one) => (one.status === 'fulfilled' ? one.value : one.reason)),
    ['1', refusal, '3'],
  )
})

for (const code of ['23505', '23514', '22P02', '40001', '40P01', '54000', 'P0001', 'XX000', '25P02']) {
  test(`SQLSTATE ${code}: nothing was written, so each item of the list is tried alone and only the spoiler fails`, async () => {
    const batches: number[][] = []
    const one = batcher(async (items: number[]) => {
      batches.push(items)
      await Promise.resolve()
      if (items.includes(2)) throw sqlError(code)
      return items.map(String)
    })
    const answers = await Promise.allSettled([0, 1, 2, 3].map((item) => one(item)))
    assert.deepEqual(batches, [[0, 1, 2, 3], [0], [1], [2], [3]])
    assert.deepEqual(
      answers.map((answer) =>
        answer.status === 'fulfilled' ? answer.value : (answer.reason as { code: string }).code,
      ),
      ['0', '1', code, '3'],
    )
  })
}

test('a deadlock that was made a Refusal: each item is tried alone', async () => {
  const deadlock = new Refusal('SERVICE_UNAVAILABLE', 'in the way', { cause: sqlError('40P01') })
  const one = batcher(async (items: number[]) => {
    await Promise.resolve()
    if (items.length > 1) throw deadlock
    return items.map(String)
  })
  assert.deepEqual(await Promise.all([1, 2].map((item) => one(item))), ['1', '2'])
})

test('who waited too long for a list to leave is refused, with nothing saved', async () => {
  const { batches, work, finish } = manualWork()
  const maxWaitMs = 1000
  const one = batcher(work, { maxWaitMs })
  const first = one(1)
  await twoTurns()
  const late = one(2)
  const since = performance.now()
  await until(
    () => Promise.resolve(performance.now() - since),
    (ms) => ms > maxWaitMs,
  )
  const refused = assert.rejects(late, (error) => {
    assert.ok(error instanceof Refusal)
    assert.equal(error.code, 'SERVICE_UNAVAILABLE')
    assert.equal(error.retryAfterSeconds, 2)
    assert.match(error.message, /Nothing was saved/)
    return true
  })
  const idle = one.idle()
  finish(0)
  assert.equal(await first, '1')
  await refused
  await idle
  assert.deepEqual(batches, [[1]])
})

for (const [name, error] of [
  ['ECONNRESET', sqlError('ECONNRESET')],
  ['55P03 (lock not available)', sqlError('55P03')],
  ['53100 (disk full)', sqlError('53100')],
  ['57P01 (server is shutting down)', sqlError('57P01')],
  ['08006 (connection failure)', sqlError('08006')],
  ['08007 (transaction resolution unknown)', sqlError('08007')],
  ['a terminated connection without a code', new Error('Connection terminated unexpectedly')],
  ['a Refusal that stands for a lost commit', new Refusal('SERVICE_UNAVAILABLE', 'unknown')],
  ['a bug', new TypeError('x is undefined')],
  ['a code that is a number', Object.assign(new Error('odd'), { code: 23_505 })],
] as const) {
  test(`${name}: perhaps it was written, so nothing is tried again and all of the list hear of it`, async () => {
    let runs = 0
    const one = batcher(async (items: number[]) => {
      runs += 1
      await Promise.resolve()
      if (items.length > 1) throw error
      return items.map(String)
    })
    const answers = await Promise.allSettled([1, 2].map((item) => one(item)))
    assert.equal(runs, 1)
    assert.deepEqual(
      answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : answer.reason)),
      [error, error],
    )
    assert.equal(await one(9), '9', 'and the next list runs as ever')
  })
}

test('work that throws before its first await is an answer too', async () => {
  const one = batcher((): Promise<string[]> => {
    throw new Error('at once')
  })
  await assert.rejects(one(1), /at once/)
  await assert.rejects(one(2), /at once/)
})

test('past maxWaiting: SERVICE_UNAVAILABLE at once, and those who wait are still served', async () => {
  const { batches, work, finish } = manualWork()
  const one = batcher(work, { maxWaiting: 2 })
  const served = [one(1)]
  await twoTurns()
  served.push(one(2), one(3))
  await assert.rejects(one(4), (error) => {
    assert.ok(error instanceof Refusal)
    assert.equal(error.code, 'SERVICE_UNAVAILABLE')
    assert.equal(error.retryAfterSeconds, 1)
    return true
  })
  finish(0)
  await twoTurns()
  finish(1)
  assert.deepEqual(await Promise.all(served), ['1', '2', '3'])
  assert.deepEqual(batches, [[1], [2, 3]])
})

test('idle: at once when nothing is at work, else when everything handed in has its answer', async () => {
  const { work, finish, fail } = manualWork()
  const one = batcher(work)
  await one.idle()
  const first = one(1)
  let idle = false
  const waited = one.idle().then(() => (idle = true))
  await twoTurns()
  const answers = Promise.allSettled([first, one(2)])
  finish(0)
  await twoTurns()
  assert.equal(idle, false)
  fail[1]?.(new Error('lost'))
  await waited
  assert.deepEqual(
    (await answers).map(({ status }) => status),
    ['fulfilled', 'rejected'],
  )
})

const upTo = (count: number, from = 1) => Array.from({ length: count }, (_, index) => from + index)

test('of many at once half leave, the other half follows them; who comes back meanwhile makes up the next half', async () => {
  const { batches, work, finish } = manualWork()
  const one = batcher(work)
  const first = upTo(64).map((item) => one(item))
  await twoTurns()
  assert.deepEqual(batches, [upTo(32)])
  finish(0)
  await first[0]
  assert.deepEqual(batches[1], upTo(32, 33), 'all who wait, and those just answered are the other half')
  const again = upTo(32, 101).map((item) => one(item))
  finish(1)
  await first[63]
  assert.deepEqual(batches[2], upTo(32, 101))
  finish(2)
  await Promise.all([...first, ...again])
})

test('a few at once are one list: two would cost more than they save', async () => {
  const { batches, work, finish } = manualWork()
  const one = batcher(work)
  const answers = upTo(16).map((item) => one(item))
  await twoTurns()
  assert.deepEqual(batches, [upTo(16)])
  finish(0)
  await Promise.all(answers)
})

test('nothing that comes at the end of a list is left lying', async () => {
  const { batches, work, finish } = manualWork()
  const one = batcher(work)
  const answers = [one(1)]
  await twoTurns()
  finish(0)
  // Covers the microtasks around the last check of the queue.
  for (let step = 0; step < 6; step++) {
    answers.push(one(10 + step))
    await Promise.resolve()
  }
  await twoTurns()
  for (let index = 1; index < batches.length; index++) {
    finish(index)
    await twoTurns()
  }
  assert.deepEqual(await Promise.all(answers), ['1', '10', '11', '12', '13', '14', '15'])
})

test('the next list leaves before the answers of the last one are given', async () => {
  const { batches, work, finish } = manualWork()
  const one = batcher(work)
  let batchesWhenSettled = 0
  const first = one(1).then(() => (batchesWhenSettled = batches.length))
  await twoTurns()
  const second = one(2)
  finish(0)
  await first
  assert.equal(batchesWhenSettled, 2)
  finish(1)
  await second
})

test('idle waits until the last answer has been given', async () => {
  const { work, finish } = manualWork()
  const one = batcher(work)
  const told: string[] = []
  for (const item of [1, 2]) {
    void one(item).then((answer) => told.push(answer))
    await twoTurns()
  }
  const idle = one.idle().then(() => told.push('idle'))
  finish(0)
  await twoTurns()
  finish(1)
  await idle
  assert.deepEqual(told, ['1', '2', 'idle'])
  await one.idle()
})
