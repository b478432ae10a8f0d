import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { feeOn, formatMoney, NO_FEE, readMoney, readTyped } from './money.ts'

test('basis points are rounded half up to a whole kuruş', () => {
  for (const [amount, bps, fee] of [
    [10_000n, 150, 150n],
    [100n, 150, 2n], // 1.5
    [99n, 150, 1n], // 1.485
    [33n, 150, 0n], // 0.495
    [34n, 150, 1n], // 0.51
    [1n, 5000, 1n], // 0.5
    [1n, 4999, 0n],
    [1n, 10_000, 1n],
    [0n, 10_000, 0n],
    [9_007_199_254_740_991n, 10_000, 9_007_199_254_740_991n],
    [9_007_199_254_740_991n, 1, 900_719_925_474n], // …474.0991
  ] as const) {
    assert.equal(feeOn(amount, { ...NO_FEE, bps }), fee, `${bps} bps of ${amount}`)
  }
})

test('fixed part, minimum and maximum, in this order', () => {
  assert.equal(feeOn(10_000n, NO_FEE), 0n)
  assert.equal(feeOn(10_000n, { bps: 150, fixed: 25n, min: 0n, max: null }), 175n)
  assert.equal(feeOn(10_000n, { bps: 150, fixed: 25n, min: 200n, max: null }), 200n)
  assert.equal(feeOn(10_000n, { bps: 150, fixed: 25n, min: 175n, max: 175n }), 175n)
  assert.equal(feeOn(10_000n, { bps: 150, fixed: 25n, min: 0n, max: 174n }), 174n)
  assert.equal(feeOn(10_000n, { bps: 150, fixed: 25n, min: 0n, max: 0n }), 0n)
  assert.equal(feeOn(10_000n, { bps: 0, fixed: 0n, min: 300n, max: 200n }), 200n)
})

test('a fee never falls when the amount grows, never leaves its bounds, and is off by half a kuruş at most', () => {
  const amount = fc.bigInt({ min: 0n, max: 9_007_199_254_740_991n })
  const small = fc.bigInt({ min: 0n, max: 1_000_000n })
  fc.assert(
    fc.property(
      amount,
      amount,
      fc.nat({ max: 10_000 }),
      small,
      small,
      fc.option(small),
      (a, b, bps, fixed, min, max) => {
        const terms = { bps, fixed, min, max }
        const [low, high] = a < b ? [a, b] : [b, a]
        assert.ok(feeOn(low, terms) <= feeOn(high, terms))
        assert.ok(max === null ? feeOn(a, terms) >= min : feeOn(a, terms) <= max)
        const off = feeOn(a, { ...NO_FEE, bps, fixed }) - fixed
        const twice = 2n * (off * 10_000n - a * BigInt(bps))
        assert.ok(-10_000n < twice && twice <= 10_000n)
      },
    ),
  )
})

test('money is written as people in Turkey write it', () => {
  for (const [amount, text] of [
    [0n, '0,00 TL'],
    [1n, '0,01 TL'],
    [99n, '0,99 TL'],
    [100n, '1,00 TL'],
    [99_999n, '999,99 TL'],
    [100_000n, '1.000,00 TL'],
    [125_000n, '1.250,00 TL'],
    [123_456_789n, '1.234.567,89 TL'],
    [-5n, '-0,05 TL'],
    [-125_000n, '-1.250,00 TL'],
    [9_007_199_254_740_991n, '90.071.992.547.409,91 TL'],
  ] as const) {
    assert.equal(formatMoney(amount), text)
  }
  assert.equal(formatMoney(125_000n, 'EUR'), '1.250,00 EUR')
  assert.equal(formatMoney(1_000n, 'JPY'), '1.000 JPY')
  assert.equal(formatMoney(-5n, 'KWD'), '-0,005 KWD')
})

test('money as people write it: lira with two decimals, and nothing that may mean two amounts', () => {
  fc.assert(
    fc.property(fc.bigInt(0n, 10n ** 15n - 1n), (amount) => {
      assert.equal(readMoney(formatMoney(amount).replace(' TL', '')), amount)
    }),
  )
  assert.equal(readMoney('1250,00'), 125_000n)
  for (const wrong of ['1250', '1.250', '1,250.00', '12.50,00', '1250,5', '-1,00', '1250,00 TL', ''])
    assert.equal(readMoney(wrong), null, wrong)
})

test('an amount that is typed beside its currency may be whole lira', () => {
  const known = { '350': 35_000n, ' 1250 ': 125_000n, '1.250,00': 125_000n, '1,250.00': 125_000n }
  for (const [text, amount] of Object.entries(known)) assert.equal(readTyped(text), amount, text)
  for (const wrong of ['1.250', '1,250', '350,5', '350.5', '-350', '350 TL', '12345678901234', ''])
    assert.equal(readTyped(wrong), null, wrong)
})
