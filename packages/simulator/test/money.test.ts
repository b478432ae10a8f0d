import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isIban, makeIban } from '../src/iban.ts'
import { formatMoney, parseMoney } from '../src/money.ts'

test('amounts as people type them', () => {
  const right = { '1250': 125_000n, '1250,00': 125_000n, '1.250,00': 125_000n, '1.250': 125_000n, '0,5': 50n }
  for (const [text, amount] of Object.entries(right)) assert.equal(parseMoney(text), amount, text)
  for (const text of ['1 250,00 TL', '₺1.250,00']) assert.equal(parseMoney(text), 125_000n, text)
  for (const text of ['', '0', '0,00', '-1', '1,234', '1250.00', '1.25', '12.50,00', '1e3', 'on', '9'.repeat(14)]) {
    assert.equal(parseMoney(text), null, text)
  }
  for (const amount of [1n, 99n, 100n, 123_456_789n]) assert.equal(parseMoney(formatMoney(amount)), amount)
})

test('in English the marks change places; the Turkish notation, which a page may show, is read too', () => {
  for (const text of ['1250', '1250.00', '1,250.00', '1,250', '1250.0', '1250,00', '1.250,00'])
    assert.equal(parseMoney(text, 'en'), 125_000n, text)
  for (const text of ['', '0', '0.00', '-1', '12,50.00', '1,25,000', '1e3'])
    assert.equal(parseMoney(text, 'en'), null, text)
  assert.equal(formatMoney(123_456_789n, 'en'), '1,234,567.89 TL')
  for (const amount of [1n, 99n, 100n, 123_456_789n]) assert.equal(parseMoney(formatMoney(amount, 'en'), 'en'), amount)
})

test('IBANs: published ones hold, a changed digit does not', () => {
  for (const iban of ['TR330006100519786457841326', 'TR470000100100000350930001', 'TR320010009999901234567890']) {
    assert.ok(isIban(iban))
    assert.ok(!isIban(iban.replace(/.$/, (last) => String((Number(last) + 1) % 10))))
  }
  assert.ok(!isIban('TR330003200000000000000001'))
  for (let account = 0; account < 200; account++) assert.ok(isIban(makeIban('0046', String(account * 7919))))
})
