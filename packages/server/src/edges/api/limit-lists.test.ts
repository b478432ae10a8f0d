import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listLimiter } from './limit-lists.ts'

test('four lists of a merchant at once, a fifth is refused; others have their own four; an ended one makes room', async () => {
  const limitLists = listLimiter()
  const { promise, resolve } = Promise.withResolvers<string>()
  const lists = Array.from({ length: 4 }, () => limitLists('a', () => promise))
  const fifth = () => limitLists('a', async () => 'read')
  await assert.rejects(fifth(), { code: 'RATE_LIMITED', retryAfterSeconds: 1 })
  assert.equal(await limitLists('b', async () => 'read'), 'read')
  resolve('read')
  await Promise.all(lists)
  assert.equal(await fifth(), 'read')
  for (let count = 0; count < 8; count++)
    await assert.rejects(
      limitLists('a', async () => Promise.reject(new Error('failed'))),
      /failed/,
    )
})
