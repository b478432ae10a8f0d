import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSearch } from './search.ts'

const AMOUNTS: [text: string, amounts: bigint[]][] = [
  ['1250', [125000n, 1250n]],
  ['1.250', [125000n]],
  ['1.250,50', [125050n]],
  ['1250,5', [125050n]],
  ['1250.50 TL', [125050n]],
  ['₺840', [84000n, 840n]],
  ['₺ 1.250,50', [125050n]],
  ['0', []],
  ['1.25.50', []],
  ['12,505', []],
  ['99999999999999999999', []],
]

for (const [text, amounts] of AMOUNTS)
  test(`${text} is ${amounts.length === 0 ? 'no amount' : `the amounts ${amounts.join(' and ')}`}`, () => {
    assert.deepEqual(readSearch(text).amounts, amounts)
  })

test('an IBAN, or its end, becomes a range of reversed IBANs', () => {
  assert.equal(
    readSearch('tr33 0006 1005 1978 6457 8413 26').iban?.from,
    '6231487546879150016000 33RT'.replace(' ', ''),
  )
  assert.equal(readSearch('1326').iban?.from, '6231')
  assert.equal(readSearch('326').iban, null)
  assert.ok(readSearch('841326').iban)
  for (const part of [
    '7841326',
    '0006100519786457841326',
    '33 0006 1005 1978 6457 8413 26',
    'R330006100519786457841326',
  ])
    assert.equal(readSearch(part).iban, null, part)
  assert.equal(readSearch('ayse yilmaz').iban, null)
})

test('a transaction id in either case, and a code with its separators', () => {
  assert.equal(readSearch(' 6920F0AA17C3E5B2D4968F01 ').id, '6920f0aa17c3e5b2d4968f01')
  assert.equal(readSearch('6920f0aa').id, null)
  assert.equal(readSearch('abcd-ef23').code, 'ABCDEF23')
})

test('a name and an amount in either order; two amounts, or no name, are neither', () => {
  const named = { words: 'mehmet ozturk', amounts: [84000n, 840n] }
  for (const text of ['mehmet ozturk 840', '840 mehmet ozturk', 'mehmet 840 ozturk', 'mehmet ozturk ₺840'])
    assert.deepEqual(readSearch(text).named, named, text)
  assert.deepEqual(readSearch('840,00 TL Mehmet').named, { words: 'Mehmet', amounts: [84000n] })
  for (const text of ['840', '840 TL', 'mehmet', 'mehmet 840 900', '840 - 900'])
    assert.equal(readSearch(text).named, null)
})

test('a name with an amount as people write it is no name; an integer may be the id of a customer', () => {
  for (const text of ['mehmet 840,00', '1.250 Mehmet', 'mehmet ozturk 12.5']) assert.equal(readSearch(text).words, null)
  for (const text of ['mehmet 840', 'mehmet', '840,00', 'ali.23']) assert.equal(readSearch(text).words, text)
})
