import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tokenBuckets } from './token-buckets.ts'

// So slow that no token comes while the test runs.
const slow = { perSecond: 0.001, burst: 2 }

test('a burst passes, then the wait is told; others have buckets of their own', () => {
  const take = tokenBuckets()
  assert.deepEqual([take('a', slow), take('a', slow)], [0, 0])
  const wait = take('a', slow)
  assert.ok(wait > 900 && wait <= 1000, `${wait}`)
  assert.equal(take('b', slow), 0)
})

test('of ten thousand buckets the least recently used is dropped for a new one', () => {
  const take = tokenBuckets()
  for (let index = 0; index < 10_000; index++) for (let times = 0; times < 2; times++) take(`${index}`, slow)
  assert.ok(take('0', slow) > 0, 'used again, still empty')
  take('new', slow)
  assert.ok(take('0', slow) > 0)
  assert.equal(take('1', slow), 0, 'dropped, so full again')
})
