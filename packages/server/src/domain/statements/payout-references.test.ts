import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { makeIban } from '../../kernel/iban.ts'
import { payoutReferences } from './bank-line.ts'

const ID = '6920f0aa17c3e5b2d4968f01'
const OTHER = '6920f1c2a4b8d0e6f1a2b3c4'
const UPPER = ID.toUpperCase()

const CASES: [narrative: string, found: string[]][] = [
  [`Para cekme ${ID} REF:${ID}`, [ID]],
  [`IADE ${ID}`, [ID]],
  [`REF:${UPPER}`, [ID]],
  [`Ref ${UPPER}`, [ID]],
  [`FAST IADE PARA CEKME ${UPPER}`, [ID]],
  [`GÖNDERİLEN FAST İADESİ ${ID}`, [ID]],
  [`Para cekme ${ID}`, [ID]],
  [`ref:${ID},sorgu no:123`, [ID]],
  [`(${ID})`, [ID]],
  [`${ID}/${OTHER}`, [ID, OTHER]],
  [`PARACEKME-${UPPER}-FAST`, [ID]],
  [`${ID.slice(0, 12)} ${ID.slice(12)}`, [ID]],
  [`PARA CEKME ${ID.slice(0, 14)}\n${ID.slice(14)} FAST`, [ID]],
  [`${UPPER.slice(0, 8)}-${UPPER.slice(8, 16)}.${UPPER.slice(16)}`, [ID]],
  [`REF${ID.slice(0, 14)} ${ID.slice(14)}`, [ID]],
  [`${ID.slice(0, 14)} x ${ID.slice(14)}`, []],
  ['20261116 093012 1234567890 0046', []],
  [makeIban('0046', '1000040').replace(/(.{4})/g, '$1 '), []],
  [ID.slice(1), []],
  [makeIban('0046', '1000040'), []],
  [`GONDEREN ${makeIban('0046', '1000040').toLowerCase()} ${UPPER}`, [ID]],
  ['', []],
]

for (const [narrative, found] of CASES) {
  test(`"${narrative}": ${found.length === 0 ? 'none' : found.join(', ')}`, () => {
    assert.deepEqual(payoutReferences(narrative), found)
  })
}

test('glued to hex letters of the words around it, it is among what is found', () => {
  for (const text of [`REF${UPPER}`, `IADE${UPPER}`, `FASTIADE${UPPER}FATURA`, `${UPPER}ACIKLAMA`])
    assert.ok(payoutReferences(text).includes(ID), text)
})

test('whatever stands before and after, in any case: found, and nothing else than 24 hex characters is', () => {
  const id = fc.stringMatching(/^6[0-9a-f]{23}$/)
  const words = fc.string({ unit: 'binary', maxLength: 200 })
  fc.assert(
    fc.property(words, id, words, fc.boolean(), (before, reference, after, upper) => {
      const found = payoutReferences(`${before} ${upper ? reference.toUpperCase() : reference} ${after}`)
      assert.ok(found.includes(reference))
      for (const one of found) assert.match(one, /^[0-9a-f]{24}$/)
    }),
  )
})

test('a text of nothing but hex characters is read in time, and only its first 20,000 characters', () => {
  assert.ok(payoutReferences('ab1'.repeat(100_000)).length <= 19_977)
  assert.deepEqual(payoutReferences(`${'z'.repeat(19_975)} ${ID}`), [ID])
  assert.deepEqual(payoutReferences(`${'z'.repeat(19_990)} ${ID}`), [])
})
