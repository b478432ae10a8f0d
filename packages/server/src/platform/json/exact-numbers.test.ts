import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseExactly, writtenNumber } from './exact-numbers.ts'

for (const source of [
  '90071992547409931',
  '90071992547409933',
  '-90071992547409931',
  '123456789012345680000',
  '1000.0000000000000001',
  '1e400',
  '0.12345678901234567',
]) {
  test(`${source} stays as it is written`, () => {
    for (const json of [`{"a":${source}}`, `{"a": ${source} }`]) {
      const { a } = parseExactly(json) as { a: unknown }
      assert.deepEqual([typeof a, writtenNumber(a)], ['object', source])
      assert.equal(JSON.stringify({ a }), `{"a":${source}}`)
    }
    assert.equal(JSON.stringify(parseExactly(`[${source},[0,${source}]]`)), `[${source},[0,${source}]]`)
  })
}

for (const [source, value] of [
  ['9007199254740991', 9_007_199_254_740_991],
  ['1000.00', 1000],
  ['1000.0000000000000', 1000],
  ['1e3', 1000],
  ['0.1', 0.1],
  ['-0', -0],
] as const) {
  test(`${source} is a number`, () => assert.deepEqual(parseExactly(`{"a":${source}}`), { a: value }))
}

test('what is not a number has no written number, also an object that looks like one', () => {
  for (const json of ['null', '"90071992547409931"', '{}', '[]', '{"rawJSON":"1"}', 'true', '"a: 90071992547409931"'])
    assert.equal(writtenNumber(parseExactly(json)), null)
})
