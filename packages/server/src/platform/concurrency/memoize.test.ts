import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoize } from './memoize.ts'

test('the same text is worked out once, another one by itself', () => {
  const asked: string[] = []
  const length = memoize((text) => asked.push(text) && text.length)
  assert.deepEqual([length('a'), length('bb'), length('a'), length('')], [1, 2, 1, 0])
  assert.deepEqual([length(''), asked], [0, ['a', 'bb', '']])
})

test('past ten thousand texts all are forgotten, and still right', () => {
  let asked = 0
  const upper = memoize((text) => {
    asked++
    return text.toUpperCase()
  })
  for (let count = 0; count < 10_001; count++) upper(`t${count}`)
  assert.equal(asked, 10_001)
  assert.equal(upper('t10000'), 'T10000')
  assert.equal(asked, 10_001, 'the last is known')
  assert.equal(upper('t0'), 'T0')
  assert.equal(asked, 10_002, 'the first is not')
})

test('what fails is not remembered', () => {
  let fails = true
  const once = memoize((text) => {
    if (fails) throw new Error('not now')
    return text
  })
  assert.throws(() => once('a'), /not now/)
  fails = false
  assert.equal(once('a'), 'a')
})

test('the most that is kept may be less', () => {
  let asked = 0
  const twice = memoize((text) => {
    asked++
    return text + text
  }, 2)
  assert.deepEqual(['a', 'b', 'a', 'c', 'a'].map(twice), ['aa', 'bb', 'aa', 'cc', 'aa'])
  assert.equal(asked, 4, 'the third text made it forget the first two')
})
