import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maskedIban, maskedName, maskedText, wordsOf } from './masked.ts'

test('of a name the first letters, of an IBAN both ends', () => {
  assert.equal(maskedName('Ayşe  Nur Yılmaz'), 'A••• N••• Y•••')
  assert.equal(maskedName('Ayşe Nur Yılmaz', wordsOf('ayse YILMAZ')), 'Ayşe N••• Yılmaz', 'what was typed is known')
  assert.equal(maskedIban('TR620006200029500006291296'), 'TR62 •••• 1296')
})

test('the text of a line: names, IBANs and numbers of people are masked; codes and words of banks stay', () => {
  const text = 'FAST GELEN AYSE YILMAZ 7KQ4M9XZ TR62 0006 2000 2950 0006 2912 96 TCKN 12345678901 kira Mehmet'
  assert.equal(
    maskedText(text, null),
    'FAST GELEN A••• Y••• 7KQ4M9XZ TR62…1296 T••• •••8901 k••• M•••',
    'for people who decide nothing',
  )
  assert.equal(
    maskedText(text, ['Ayşe Yılmaz']),
    'FAST GELEN A••• Y••• 7KQ4M9XZ TR62…1296 TCKN •••8901 kira Mehmet',
    'for people who decide about lines: the sender only',
  )
  for (const id of ['0190f3a2b4c5d6e7f8091a2b', '123456789012345678', 'HESAP ISLETIM UCRETI 12,50'])
    assert.equal(maskedText(id, null), id)
  assert.equal(maskedText('', null), '')
})
