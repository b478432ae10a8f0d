import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays, istanbul } from '../../kernel/istanbul.ts'
import {
  businessDaysAgo,
  DEFAULT_FAST_CAPS,
  eftArrival,
  eftOpen,
  eftOpening,
  fastCapOn,
  nextEftDay,
  railNote,
} from './rail-calendar.ts'

const HOLIDAYS = [
  { day: '2026-10-28', name: 'Cumhuriyet Bayramı arifesi', halfDay: true },
  { day: '2026-10-29', name: 'Cumhuriyet Bayramı', halfDay: false },
  { day: '2027-01-01', name: 'Yılbaşı', halfDay: false },
]
const at = (text: string) => istanbul(new Date(`${text.replace(' ', 'T')}+03:00`))

test('Istanbul is three hours ahead of UTC in winter and summer, also across midnight and the year', () => {
  assert.deepEqual(istanbul(new Date('2026-01-12T05:00:00Z')), { day: '2026-01-12', minutes: 480 })
  assert.deepEqual(istanbul(new Date('2026-07-13T05:00:59Z')), { day: '2026-07-13', minutes: 480 })
  assert.deepEqual(istanbul(new Date('2026-12-31T20:59:59Z')), { day: '2026-12-31', minutes: 1439 })
  assert.deepEqual(istanbul(new Date('2026-12-31T21:00:00Z')), { day: '2027-01-01', minutes: 0 })
})

test('EFT is open from 08:00 to before 17:30 on full days, to before 13:00 on half days', () => {
  const open = ['2026-10-27 08:00', '2026-10-27 17:29', '2026-10-28 08:00', '2026-10-28 12:59', '2026-10-30 12:00']
  const shut = ['2026-10-27 07:59', '2026-10-27 17:30', '2026-10-28 13:00', '2026-10-29 12:00', '2026-10-31 12:00']
  for (const time of open) assert.ok(eftOpen(at(time), HOLIDAYS), time)
  for (const time of shut) assert.ok(!eftOpen(at(time), HOLIDAYS), time)
})

test('a caller may keep earlier closing times', () => {
  const closing = { fullDay: 600, halfDay: 540 }
  const open = (time: string) => eftOpen(at(time), HOLIDAYS, closing)
  assert.deepEqual(['2026-10-27 09:59', '2026-10-27 10:00'].map(open), [true, false])
  assert.deepEqual(['2026-10-28 08:59', '2026-10-28 09:00'].map(open), [true, false])
})

test('so many whole business days ago: weekends and holidays do not count, half days do, today does not', () => {
  const cases = {
    '2026-10-27': '2026-10-23',
    '2026-10-30': '2026-10-27',
    '2026-11-01': '2026-10-28',
    '2026-11-03': '2026-10-30',
  }
  for (const [day, expected] of Object.entries(cases)) {
    const midnight = new Date(`${expected}T00:00:00+03:00`)
    assert.deepEqual(businessDaysAgo(new Date(`${day}T00:00:00+03:00`), 2, HOLIDAYS), midnight, day)
    assert.deepEqual(businessDaysAgo(new Date(`${day}T23:59:59+03:00`), 2, HOLIDAYS), midnight, day)
  }
})

test('the next EFT day is today before 08:00, else the next day that is neither weekend nor holiday', () => {
  const cases = {
    '2026-10-27 07:59': '2026-10-27',
    '2026-10-27 08:00': '2026-10-28',
    '2026-10-28 12:00': '2026-10-30',
    '2026-10-29 07:00': '2026-10-30',
    '2026-10-30 18:00': '2026-11-02',
    '2026-12-31 18:00': '2027-01-04',
  }
  for (const [now, day] of Object.entries(cases)) assert.equal(nextEftDay(at(now), HOLIDAYS), day, now)
})

test('a month of holidays is looked past', () => {
  const month = Array.from({ length: 31 }, (_, index) => addDays('2026-07-01', index))
  const holidays = month.map((day) => ({ day, name: 'Tatil', halfDay: false }))
  assert.equal(nextEftDay(at('2026-07-01 12:00'), holidays), '2026-08-03')
  const note = railNote(2n, 1n, new Date('2026-07-01T09:00:00Z'), holidays)
  assert.deepEqual(note, { rail: 'eft_closed', opens: '2026-07-01' }, 'a customer is shown no date so far away')
})

test('EFT opens at 08:00 in Istanbul, 05:00 UTC', () => {
  assert.equal(eftOpening('2026-01-12').toISOString(), '2026-01-12T05:00:00.000Z')
  assert.equal(eftOpening('2026-07-13').toISOString(), '2026-07-13T05:00:00.000Z')
})

test('EFT that is sent while it is closed, or about to close, arrives some hours after the next opening', () => {
  const arrival = (time: string) =>
    eftArrival(new Date(`${time.replace(' ', 'T')}+03:00`), 30 * 60_000, 4, HOLIDAYS)?.toISOString()
  assert.equal(arrival('2026-10-27 12:00'), undefined)
  assert.equal(arrival('2026-10-27 16:59'), undefined)
  assert.equal(arrival('2026-10-27 17:00'), '2026-10-28T09:00:00.000Z')
  assert.equal(arrival('2026-10-27 07:45'), '2026-10-27T09:00:00.000Z')
  assert.equal(arrival('2026-10-28 14:00'), '2026-10-30T09:00:00.000Z')
})

test('the FAST cap is the last that began, whatever the order of the list; there is none before the first', () => {
  const cap = (day: string) => fastCapOn(day, DEFAULT_FAST_CAPS)
  assert.deepEqual(['2021-01-07', '2021-01-08', '2021-01-28'].map(cap), [null, 50_00n, 50_00n])
  assert.deepEqual(['2024-04-03', '2024-04-04', '2099-01-01'].map(cap), [50_000_00n, 100_000_00n, 100_000_00n])
  assert.equal(fastCapOn('2023-01-01', DEFAULT_FAST_CAPS.toReversed()), 5_000_00n)
  assert.equal(fastCapOn('2026-01-01', []), null)
  const corrected = [...DEFAULT_FAST_CAPS, { from: '2024-04-04', amount: 7n }]
  assert.equal(fastCapOn('2024-04-04', corrected), 7n, 'of two for one day the later listed')
})

test('customers are told the hours of EFT itself, not the cut-off of our payouts', () => {
  const note = (time: string) => railNote(2n, 1n, new Date(`${time.replace(' ', 'T')}+03:00`), HOLIDAYS)
  assert.deepEqual(railNote(1n, 1n, new Date('2026-10-31T00:00:00Z'), HOLIDAYS), { rail: 'fast' })
  assert.deepEqual(note('2026-10-27 17:29'), { rail: 'eft_open' })
  assert.deepEqual(note('2026-10-27 07:00'), { rail: 'eft_closed', opens: '2026-10-27' })
  assert.deepEqual(note('2026-10-28 13:00'), { rail: 'eft_closed', opens: '2026-10-30' })
})
