import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rangeFrom, rangeText } from './range.ts'

/** 14:32 in Istanbul. */
const NOW = new Date('2026-11-17T11:32:00Z')
const of = (query: Record<string, unknown>) => {
  const { from, to, last, isCut } = rangeFrom(query, NOW)
  return [from, to, last, isCut]
}

test('today until this hour, unless the address says something else', () => {
  for (const query of [
    {},
    { last: '1' },
    { last: '0' },
    { last: '1e1' },
    { from: 'x', to: '2026-02-30' },
    { from: [] },
  ])
    assert.deepEqual(of(query), ['2026-11-17T00', '2026-11-17T14', 1, false], JSON.stringify(query))
  assert.deepEqual(of({ last: '7' }), ['2026-11-11T00', '2026-11-17T14', 7, false])
})

test('days and hours, both included, never after now, in order', () => {
  assert.deepEqual(of({ from: '2026-11-01', to: '2026-11-03' }), ['2026-11-01T00', '2026-11-03T23', null, false])
  assert.deepEqual(of({ from: '2026-11-17T09', to: '2026-11-17T11' }), ['2026-11-17T09', '2026-11-17T11', null, false])
  assert.deepEqual(of({ from: '2026-11-16', to: '2027-01-01' }), ['2026-11-16T00', '2026-11-17T14', null, false])
  assert.deepEqual(of({ from: '2026-11-16', to: '2026-11-10' }), ['2026-11-10T00', '2026-11-10T23', null, false])
  assert.deepEqual(of({ from: '2026-11-17T24' }), ['2026-11-17T00', '2026-11-17T14', 1, false])
})

test('more than 92 days are cut, the newest stay', () => {
  assert.deepEqual(of({ from: '2020-01-01', to: '2026-11-16' }), ['2026-08-17T00', '2026-11-16T23', null, true])
  assert.deepEqual(of({ last: '93' }), ['2026-08-18T00', '2026-11-17T14', 93, true])
  assert.deepEqual(of({ last: '92' }), ['2026-08-18T00', '2026-11-17T14', 92, false])
})

test('the range in words', () => {
  assert.equal(rangeText({ from: '2026-11-17T00', to: '2026-11-17T14' }), '17.11.2026 00:00 – 14:59')
  assert.equal(rangeText({ from: '2026-11-11T00', to: '2026-11-17T14' }), '11.11.2026 – 17.11.2026')
  assert.equal(rangeText({ from: '2026-11-16T09', to: '2026-11-17T14' }), '16.11.2026 09:00 – 17.11.2026 14:59')
})
