import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rowsOf } from './rows.ts'

test('a list becomes one array per column, named after its property', () => {
  const items = [
    { eventId: 'a', tries: 1, nextAt: new Date(0) },
    { eventId: 'b', tries: 2, nextAt: null },
  ]
  const types = { eventId: 'text', tries: 'int', nextAt: 'timestamptz' } as const
  const { text, values } = rowsOf('key', items, types)
  assert.equal(text, 'unnest($1::text[], $2::int[], $3::timestamptz[]) as key (event_id, tries, next_at)')
  assert.deepEqual(values, [
    ['a', 'b'],
    [1, 2],
    ['1970-01-01T00:00:00.000Z', null],
  ])
})
