import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { assertCostsNoMore, assertLinear } from '../../../../test/harness/linear-time.ts'
import { foldText, nameTokens, sameName } from './fold.ts'
import { ERASED, ERASED_IBAN } from './erased.ts'
import { makeIban } from './iban.ts'
import { sameParty } from './party.ts'

test('every spelling of a Turkish text gives one key', () => {
  for (const text of [
    'ŞEYMA IŞIK ÇAĞLAYANGİL ÖZGÜR',
    'Şeyma Işık Çağlayangil Özgür',
    'şeyma ışık çağlayangil özgür',
    'SEYMA ISIK CAGLAYANGIL OZGUR',
    'seyma isik caglayangil ozgur',
    'S\u0327EYMA  IS\u0327IK\tC\u0327AG\u0306LAYANGI\u0307L O\u0308ZGU\u0308R',
    'ŞEYMA/IŞIK-ÇAĞLAYANGİL.ÖZGÜR.',
    'şeyma ışık çağlayangi\u0307l özgür', // result of toLowerCase for İ
    'ＳＥＹＭＡ ISIK CAGLAYANGIL OZGUR',
  ]) {
    assert.equal(foldText(text), 'SEYMA ISIK CAGLAYANGIL OZGUR', text)
  }
  assert.equal(foldText(' -- '), '')
})

test('folding a folded text changes nothing, and leaves only letters, digits and single spaces', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const folded = foldText(text)
      assert.match(folded, /^(?:[\p{L}\p{N}]+(?: [\p{L}\p{N}]+)*)?$/u)
      assert.equal(foldText(folded), folded)
    }),
    { numRuns: 2000 },
  )
})

test('tokens leave out what only says that it is a company', () => {
  for (const [name, tokens] of [
    ['Yıldız Gıda San. ve Tic. Ltd. Şti.', ['YILDIZ', 'GIDA']],
    ['YILDIZ GIDA SANAYİ VE TİCARET ANONİM ŞİRKETİ', ['YILDIZ', 'GIDA']],
    ['Yıldız Gıda A.Ş.', ['YILDIZ', 'GIDA']],
    ['YILDIZ GIDA AŞ', ['YILDIZ', 'GIDA']],
    ['YILDIZ LTD', ['YILDIZ']],
    ['AYŞE SAN', ['AYSE', 'SAN']], // a surname
    ['AYŞE NUR SAN', ['AYSE', 'NUR', 'SAN']],
    ['AYŞE AS', ['AYSE', 'AS']],
    ['LTD ŞTİ', ['LTD', 'STI']],
    ['', []],
  ] as const) {
    assert.deepEqual(nameTokens(name), tokens, name)
  }
})

const SAME: [string, string][] = [
  ['AYŞE YILMAZ', 'ayse yilmaz'],
  ['AYŞE YILMAZ', 'Yılmaz, Ayşe'],
  ['AYŞE NUR YILMAZ', 'AYŞE YILMAZ'],
  ['AYŞE YILMAZ KAYA', 'AYŞE YILMAZ'],
  ['A YILMAZ', 'AYŞE YILMAZ'],
  ['AYŞE N. YILMAZ', 'AYŞE NUR YILMAZ'],
  ['AYŞE YILM', 'AYŞE YILMAZ'],
  ['AYŞE NUR YIL', 'YILMAZ AYŞE NUR'],
  ['A A YILMAZ', 'ALİ AHMET YILMAZ'],
  ['A AHMET KAYA', 'ALİ A KAYA'], // each initial must go to the right word
  ['AYÞE GÜLÞAH ÇAÐLAR', 'Ayşe Gülşah Çağlar'],
  ['ÝBRAHÝM IÞIK', 'İbrahim Işık'],
  ['Ibrahim Iþýk', 'İBRAHİM IŞIK'],
  ['YILMAZ', 'AYŞE YILMAZ'],
  ['ACME GIDA SAN. TİC. LTD. ŞTİ.', 'Acme Gıda Sanayi ve Ticaret A.Ş.'],
  ['ACME GIDA SAN TİC', 'ACME GIDA LİMİTED ŞİRKETİ'],
  ['ACME LTD ŞTİ', 'ACME LİMİTED'],
]

const DIFFERENT: [string, string][] = [
  ['AYŞE YILMAZ', 'FATMA YILMAZ'],
  ['AYŞE YILMAZ', 'AYŞE KAYA'],
  ['AYŞE SAN', 'AYŞE KAYA'],
  ['AYŞE AS', 'AYŞE KAYA'],
  ['AYŞE NUR SAN', 'AYŞE NUR KAYA'],
  ['MEHMET ALİ YILMAZ', 'AHMET ALİ YILMAZ'],
  ['AYŞE YILMAZ', 'AYŞEGÜL YILMAZ'], // only the last word may be cut
  ['AYŞE YI', 'AYŞE YILMAZ'],
  ['B YILMAZ', 'AYŞE YILMAZ'],
  ['A Y', 'AYŞE YILMAZ'],
  ['A YILM', 'AYŞE YILMAZ'],
  ['ALİ', 'ALİ KAYA'], // one word of three letters
  ['YILM', 'AYŞE YILMAZ'],
  ['MEHMET MEHMET', 'MEHMET KAYA'], // a word can be paired once
  ['PAPARA ELEKTRONİK PARA A.Ş.', 'AYŞE YILMAZ'],
  ['', 'AYŞE YILMAZ'],
  ['', ''],
]

test('names that can be one person or company', () => {
  for (const [a, b] of SAME) assert.ok(sameName(a, b) && sameName(b, a), `${a} = ${b}`)
})

test('names that are not the same', () => {
  for (const [a, b] of DIFFERENT) assert.ok(!sameName(a, b) && !sameName(b, a), `${a} ≠ ${b}`)
})

test('a name of two long words equals itself in any spelling and order; the comparison has no direction', () => {
  const letter = fc.constantFrom(...Array.from('ABCÇDEFGĞHIİJKLMNOÖPRSŞTUÜVYZ'))
  const word = fc.string({ unit: letter, minLength: 4, maxLength: 9 })
  const name = fc.array(word, { minLength: 2, maxLength: 5 })
  fc.assert(
    fc.property(name, name, (a, b) => {
      assert.ok(sameName(a.join(' '), a.toReversed().join('  ').toLowerCase()))
      assert.ok(sameName(a.join(' '), foldText(a.join(' '))))
      assert.equal(sameName(a.join(' '), b.join(' ')), sameName(b.join(' '), a.join(' ')))
    }),
  )
})

test('a hostile name costs no more than its length', () => {
  assertLinear(
    'words',
    (size) => ['A '.repeat(size), 'AB '.repeat(size)] as const,
    (names) => sameName(...names),
  )
})

test('a name of characters that fold to several words is compared like any other', () => {
  // One character expands to four words; the letter after it makes the names differ.
  const names = (parts: number) => ['\ufdfa a', '\ufdfa b'].map((part) => `${part} `.repeat(parts))
  const compared = ([a = '', b = '']: string[]) => {
    for (let times = 0; times < 100; times++) sameName(a, b)
  }
  const [within, beyond] = [names(4), names(60)]
  assert.equal(nameTokens(within[0] ?? '').length, 20)
  assert.ok(nameTokens(beyond[0] ?? '').length <= 20)
  // Without a limit of words each comparison took half a second.
  const atLimit = () => compared(within)
  assertCostsNoMore('names beyond the limit of words, and at it', () => compared(beyond), atLimit)
})

const [FIRST, SECOND, FOREIGN] = [makeIban('0062', '1'), makeIban('0046', '1'), 'DE89370400440532013000']
const PARTIES: [string, string | null, string, string | null, boolean][] = [
  ['Veli Can', FIRST, 'Veli Can', FIRST, true],
  ['Veli Can', FIRST, 'Ali Kaya', FIRST.replace(/(.{4})/g, '$1 ').toLowerCase(), true],
  ['Veli Can', FIRST, 'Veli Can', SECOND, false],
  ['Veli Can', FIRST, 'Veli Can', FOREIGN, false],
  ['Veli Can', FIRST, 'Veli Can', null, true],
  ['Veli Can', '', 'VELİ CAN', '', true],
  ['Veli Can', FIRST, 'Ali Kaya', null, false],
  ['Veli Can', FIRST, 'Veli Can', `${FIRST.slice(0, 6)}****${FIRST.slice(-4)}`, true],
  ['Veli Can', FIRST, 'Veli Can', ERASED_IBAN, true],
  ['', null, '', null, false],
  ['', FIRST, '', SECOND, false],
  [ERASED, null, ERASED, null, false],
]

test('parties: equal IBANs, or a name where one of the IBANs is missing; a name never outweighs another IBAN', () => {
  for (const [name, iban, otherName, otherIban, isSame] of PARTIES) {
    const [a, b] = [
      { name, iban },
      { name: otherName, iban: otherIban },
    ]
    assert.deepEqual([sameParty(a, b), sameParty(b, a)], [isSame, isSame], `${name} ${iban} ${otherName} ${otherIban}`)
  }
})
