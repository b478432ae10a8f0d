import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Options } from './month.ts'
import { playMonth } from './month.ts'
import { reportOf } from './report.ts'

// A few days of `npm run prove -- month`: the books are the story, and the same seed has the same digest.

async function proved(options: Options): Promise<string> {
  const said: string[] = []
  const month = await playMonth(options, (text) => said.push(text))
  assert.deepEqual(month.differences, [], said.join('\n'))
  // The first money of the merchants has a day of its own.
  assert.equal(month.closed, options.days + 1)
  assert.match(reportOf(month), /differences +0\n/)
  return month.digest.sha256
}

test('a hard story: rules book what people would, and nothing else changes', async () => {
  const story = { seed: 5, lines: 100, days: 4, kind: 'hard' } as const
  assert.equal(await proved({ ...story, rules: true }), await proved({ ...story, rules: false }))
})

test('an ordinary story: another seed is another month', async () => {
  const story = { lines: 60, days: 3, kind: 'ordinary', rules: true } as const
  assert.notEqual(await proved({ ...story, seed: 5 }), await proved({ ...story, seed: 6 }))
})
