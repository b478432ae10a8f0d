import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { batcher } from './batcher.ts'
import { Refusal } from '../refusal.ts'
import { manualWork, twoTurns } from '../../../../../test/harness/manual-work.ts'

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
