import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startOfDay } from '../../../kernel/istanbul.ts'
import { render } from '../../web/html.ts'
import { bookedAge, bookedTime } from './booked-time.ts'

const age = { minutes: 'dk', hours: 'sa', days: 'gün', now: 'şimdi' }
const reader = (time: string) => ({ language: 'tr' as const, now: new Date(`${time}+03:00`), words: { age } })
const bookedAt = startOfDay('2026-11-18')

test('a line that the bank gave without a time has its day, no time and no hours', () => {
  const line = { bookedAt, wholeDay: true }
  assert.match(render(bookedTime({ language: 'tr' }, line)), /18\.11\.2026, saati yok/)
  assert.equal(bookedAge(reader('2026-11-18T08:00:00'), line), 'bugün')
  assert.equal(bookedAge(reader('2026-11-19T23:59:00'), line), '1 gün')
  assert.equal(bookedAge(reader('2026-11-24T08:00:00'), line), '6 gün')
})

test('a line that was booked at midnight has its time', () => {
  const line = { bookedAt, wholeDay: false }
  assert.match(render(bookedTime({ language: 'tr' }, line)), /18\.11\.2026 00:00/)
  assert.equal(bookedAge(reader('2026-11-18T08:00:00'), line), '8 sa')
})
