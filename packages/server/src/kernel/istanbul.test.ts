import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays, daysBetween, daysOfMonth, isDay, isMonth, istanbul, istanbulTime } from './istanbul.ts'

test('a day or a month is one of the calendar from 2001 to 2099', () => {
  for (const day of ['2001-01-01', '2024-02-29', '2099-12-31']) assert.ok(isDay(day), day)
  for (const day of ['2000-12-31', '2100-01-01', '0000-01-01', '9999-12-31', '2026-02-29', '2026-13-01', '2026-1-1'])
    assert.ok(!isDay(day), day)
  for (const text of ['+010000-01', '-000001-01', '99999-01-01', '2026-01-01 ', '2026-01-01T00', ''])
    assert.ok(!isDay(text), text)
  for (const month of ['2001-01', '2099-12']) assert.ok(isMonth(month), month)
  for (const month of ['2000-12', '2100-01', '9999-12', '2026-13', '2026', '2026-01-01'])
    assert.ok(!isMonth(month), month)
})

test('what is computed is a day, or an error: never a text that sorts wrongly', () => {
  assert.equal(addDays('2026-02-28', 1), '2026-03-01')
  assert.equal(addDays('9999-12-30', 1), '9999-12-31')
  assert.equal(addDays('0001-01-02', -1), '0001-01-01')
  assert.throws(() => addDays('9999-12-31', 1), RangeError)
  assert.throws(() => addDays('0001-01-01', -1), RangeError)
  assert.throws(() => addDays('+010000-01', 1), RangeError)
  assert.throws(() => istanbul(new Date('9999-12-31T23:00:00Z')), RangeError)
  assert.throws(() => istanbulTime(new Date('9999-12-31T23:00:00Z')), RangeError)
})

test('days between two days, and of a month', () => {
  assert.deepEqual(daysBetween('2024-02-28', '2024-03-01'), ['2024-02-28', '2024-02-29', '2024-03-01'])
  assert.deepEqual(daysBetween('2024-03-01', '2024-03-01'), ['2024-03-01'])
  assert.deepEqual(daysBetween('2024-03-02', '2024-03-01'), [])
  assert.deepEqual(daysOfMonth('2024-02'), { from: '2024-02-01', to: '2024-02-29' })
  assert.deepEqual(daysOfMonth('2099-12'), { from: '2099-12-01', to: '2099-12-31' })
})
