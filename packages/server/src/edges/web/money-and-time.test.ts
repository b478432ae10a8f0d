import assert from 'node:assert/strict'
import { test } from 'node:test'
import { minuteIn, moneyIn } from './money-and-time.ts'

test('times are those of Istanbul, in the language of the page', () => {
  assert.equal(minuteIn('tr', new Date('2026-11-15T11:32:59Z')), '15.11.2026 14:32')
  assert.equal(minuteIn('tr', new Date('2026-12-31T21:05:00Z')), '01.01.2027 00:05')
  assert.equal(minuteIn('en', new Date('2026-12-31T21:05:00Z')), '1 Jan 2027, 00:05')
})

test('amounts are written in the language of the page', () => {
  assert.equal(moneyIn('tr', 125_000_000n, 'TRY'), '1.250.000,00 TL')
  assert.equal(moneyIn('en', 125_000_000n, 'TRY'), '1,250,000.00 TL')
  assert.equal(moneyIn('en', 5n, 'EUR'), '0.05 EUR')
})
