import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileText } from './translate.ts'

test('what a statement file lacks or overlaps is said in Turkish, with days as people write them', () => {
  const cases: [found: string, words: string][] = [
    [
      'overlaps 2026-11-13 (file a1), 2026-11-14 to 2026-11-15 (file b2): known lines are not counted again',
      '13.11.2026 (a1 dosyası), 14.11.2026 – 15.11.2026 (b2 dosyası) ile çakışıyor; bilinen satırlar yeniden sayılmaz',
    ],
    [
      '2 stored lines of 2026-11-13 are not in this statement: first line a1, number 77, -5,00 TL',
      '13.11.2026 gününün kayıtlı 2 satırı bu ekstrede yok; ilki a1 satırı (numara 77, -5,00 TL)',
    ],
  ]
  for (const [found, words] of cases) assert.equal(fileText('tr', found), words)
})
