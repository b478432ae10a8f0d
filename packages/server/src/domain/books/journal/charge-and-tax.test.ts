import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoredLine } from '../../statements/index.ts'
import { amountsBeside, chargeAndTax } from './charge-and-tax.ts'

const debit = (amount: bigint) =>
  ({ amount, direction: 'debit', collectingAccountId: 'a', currency: 'TRY' }) as StoredLine

test('a tax is five percent of the charge, to the nearest kuruş or down; never as large as the charge', () => {
  for (const [charge, tax, isPair] of [
    [1279n, 63n, true],
    [1279n, 64n, true],
    [1279n, 62n, false],
    [1279n, 65n, false],
    [1281n, 64n, true],
    [1281n, 65n, false],
    [2000n, 100n, true],
    [2000n, 99n, false],
    [2000n, 101n, false],
    [10n, 1n, true],
    [9n, 1n, false],
    [1n, 1n, false],
  ] as const) {
    const found = [chargeAndTax(debit(charge), debit(tax)), chargeAndTax(debit(tax), debit(charge))]
    for (const pair of found)
      assert.deepEqual(pair && [pair.charge.amount, pair.tax.amount], isPair ? [charge, tax] : null)
  }
})

test('the amounts that are searched are those of pairs', () => {
  const isSearched = (amount: bigint, other: bigint) =>
    amountsBeside(amount).some(({ least, most }) => other >= least && other <= most)
  for (let charge = 1n; charge <= 400n; charge += 1n)
    for (let tax = 1n; tax <= charge; tax += 1n) {
      const isPair = chargeAndTax(debit(charge), debit(tax)) !== null
      assert.deepEqual([isSearched(charge, tax), isSearched(tax, charge)], [isPair, isPair], `${charge} ${tax}`)
    }
})
