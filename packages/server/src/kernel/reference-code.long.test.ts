import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { assertCostsNoMore } from '../../../../test/harness/linear-time.ts'
import type { Random } from '../platform/crypto/random.ts'
import { findReferenceCodes, isReferenceCode, makeReferenceCode } from './reference-code.ts'

const ALPHABET = Array.from('23456789ABCDEFGHJKMNPQRSTVWXYZ')

/** Deterministic random source. */
function seeded(seed: string): Pick<Random, 'bytes'> {
  let counter = 0
  return { bytes: (count) => createHash('sha256').update(`${seed} ${counter++}`).digest().subarray(0, count) }
}

const random = seeded('codes')
const code = fc.integer().map((seed) => makeReferenceCode(seeded(String(seed))))
const replaced = (text: string, place: number, by: string) => text.slice(0, place) + by + text.slice(place + by.length)

test('a code is 8 characters without look-alikes, with a letter and a digit', () => {
  for (let i = 0; i < 5000; i++) {
    const made = makeReferenceCode(random)
    assert.match(made, /^(?=.*\d)(?=.*[A-Z])[2-9A-HJKMNP-TV-Z]{8}$/)
    assert.ok(isReferenceCode(made))
  }
})

test('what is not a code', () => {
  assert.ok(isReferenceCode('K7QV4TD5'))
  for (const text of [
    '',
    'K7QV4TD',
    'K7QV4TD55',
    'k7qv4td5',
    'K7QV4TD6',
    'K7OV4TD5',
    '22222222',
    'K7QV 4TD5',
    '٢٢٢٢٢٢٢٢',
  ]) {
    assert.ok(!isReferenceCode(text), text)
  }
})

test('no word and no number is a code', () => {
  for (const unit of ['23456789', 'ABCDEFGHJKMNPQRSTVWXYZ']) {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...Array.from(unit)), minLength: 8, maxLength: 8 }), (text) => {
        assert.ok(!isReferenceCode(text))
      }),
      { numRuns: 1000 },
    )
  }
})

test('chance is not bent: letters are equally frequent in every place, and so are digits', () => {
  const SAMPLES = 40_000
  const counts = Array.from({ length: 7 }, () => new Map(ALPHABET.map((character) => [character, 0])))
  const source = seeded('chance')
  for (let i = 0; i < SAMPLES; i++) {
    const made = makeReferenceCode(source)
    counts.forEach((count, place) => count.set(made[place] ?? '', (count.get(made[place] ?? '') ?? 0) + 1))
  }
  for (const count of counts) {
    for (const kind of [/\d/, /[A-Z]/]) {
      const seen = [...count].filter(([character]) => kind.test(character)).map(([, times]) => times)
      const mean = seen.reduce((sum, times) => sum + times, 0) / seen.length
      const chiSquare = seen.reduce((sum, times) => sum + (times - mean) ** 2 / mean, 0)
      // Mean of the distribution + 5 standard deviations.
      assert.ok(chiSquare < seen.length + 5 * Math.sqrt(2 * seen.length), `${kind}: ${chiSquare}`)
    }
  }
})

test('a broken source of chance is an error, not an endless loop', () => {
  for (const byte of [0, 30, 255]) {
    assert.throws(() => makeReferenceCode({ bytes: (count) => Buffer.alloc(count, byte) }), /source of chance/)
  }
})

/** A valid code with the given characters at the given positions, and a letter and a digit at two others. */
function codeWith(places: Record<number, string>): string {
  const free = Array.from({ length: 8 }, (_, place) => place).filter((place) => places[place] === undefined)
  const source = seeded(JSON.stringify(places))
  for (;;) {
    const characters = [...source.bytes(8)].map((byte) => ALPHABET[byte % 30] ?? '')
    for (const [place, character] of Object.entries(places)) characters[Number(place)] = character
    const rest = free.map((place) => characters[place]).join('')
    const text = characters.join('')
    if (/\d/.test(rest) && /[A-Z]/.test(rest) && isReferenceCode(text)) return text
  }
}

test('every single substitution is detected: each character by each other, in each place', () => {
  for (let place = 0; place < 8; place++) {
    for (const from of ALPHABET) {
      const valid = codeWith({ [place]: from })
      for (const to of ALPHABET) assert.equal(isReferenceCode(replaced(valid, place, to)), to === from, valid)
    }
  }
})

test('every swap of two neighbours is detected: each pair of characters, in each place', () => {
  for (let place = 0; place < 7; place++) {
    for (const [index, a] of ALPHABET.entries()) {
      for (const b of ALPHABET.slice(index + 1)) {
        const valid = codeWith({ [place]: a, [place + 1]: b })
        assert.ok(!isReferenceCode(replaced(valid, place, b + a)), valid)
      }
    }
  }
})

test('so are swaps over a distance, and the same pair wrong twice', () => {
  fc.assert(
    fc.property(code, fc.nat(7), fc.nat(7), fc.constantFrom(...ALPHABET), (valid, i, j, other) => {
      fc.pre(i !== j)
      const [a = '', b = ''] = [valid[i], valid[j]]
      if (a !== b) assert.ok(!isReferenceCode(replaced(replaced(valid, i, b), j, a)))
      else if (other !== a) assert.ok(!isReferenceCode(replaced(replaced(valid, i, other), j, other)))
    }),
    { numRuns: 5000 },
  )
})

test('weights, their differences and their sums are never 0 modulo 31: the proof of the two tests above', () => {
  const weights = [8, 7, 6, 5, 4, 3, 2, 1]
  for (const [i, a] of weights.entries()) {
    assert.notEqual(a % 31, 0)
    for (const b of weights.slice(i + 1)) assert.ok((a - b) % 31 !== 0 && (a + b) % 31 !== 0)
  }
})

const word = (...codes: string[]) => codes.map((code) => ({ code, how: 'word' }))
const embedded = (...codes: string[]) => codes.map((code) => ({ code, how: 'embedded' }))

const TEXTS: [string, { code: string; how: string }[]][] = [
  ['K7QV4TD5', word('K7QV4TD5')],
  ['k7qv4td5', word('K7QV4TD5')],
  ['Şcğ4zken', word('SCG4ZKEN')],
  ['FAST GELEN K7QV4TD5 AYSE YILMAZ', word('K7QV4TD5')],
  ['açıklama:K7QV4TD5;sorgu no:123', word('K7QV4TD5')],
  ['K7QV-4TD5', word('K7QV4TD5')],
  ['ref K7QV 4TD5 kira', word('K7QV4TD5')],
  ['K7 QV4TD5', word('K7QV4TD5')],
  ['K7QV4TD5 K7QV4TD5', word('K7QV4TD5')],
  ['K7QV4TD5, EFGH567S', word('K7QV4TD5', 'EFGH567S')],
  ['K7QV4TD5 FASTEFGH567SREF', word('K7QV4TD5')], // a whole word wins
  ['EFTK7QV4TD5REF', embedded('K7QV4TD5')],
  ['K7.QV.4T.D5', embedded('K7QV4TD5')],
  ['xK7QV4\nTD5x', embedded('K7QV4TD5')], // broken over two lines of a file
  ['K70V4TD5', embedded('K7QV4TD5')], // Q read as 0
  ['K7OV-4TD5', embedded('K7QV4TD5')],
  ['K7QU4TD5', embedded('K7QV4TD5')],
  ['KLQV4TD5', embedded('K7QV4TD5')],
  ['k7qv4ıd5', embedded('K7QV4TD5')],
  ['K7QV410S', []], // two look-alikes
  ['K7OU4TD5', []],
  ['FASTK70V4TD5REF', []], // a look-alike that does not stand alone
  ['K7QV4TD', []], // cut
  ['7QV4TD5', []],
  ['K7QV4TD6', []],
  ['KİRA ÖDEMESİ MART 2026', []],
  ['15.03.2026 154233 0062', []],
  ['', []],
]

test('codes in narratives', () => {
  for (const [text, expected] of TEXTS) assert.deepEqual(findReferenceCodes(text), expected, text)
})

test('a code is found alone between any two words, and inside of any text that is glued to it', () => {
  const noise = fc.string({ unit: fc.constantFrom(...Array.from('AEILMNORTUŞÇĞ 019.-/:')), maxLength: 40 })
  fc.assert(
    fc.property(code, noise, noise, (made, before, after) => {
      assert.ok(findReferenceCodes(`${before} ${made} ${after}`).some((f) => f.code === made && f.how === 'word'))
      const glued = findReferenceCodes(`${before}O${Array.from(made).join('.')}O${after}`)
      assert.ok(glued.every((f) => f.how === 'word') || glued.some((f) => f.code === made))
    }),
  )
})

test('any text: at most 8 valid codes, no doubles, one kind, and at once', () => {
  fc.assert(
    fc.property(fc.array(code, { maxLength: 20 }), fc.string({ unit: 'binary' }), (codes, text) => {
      const found = findReferenceCodes(codes.join(' ') + text)
      assert.ok(found.length <= 8 && found.length >= Math.min(new Set(codes).size - 1, 8))
      assert.ok(found.every((f) => isReferenceCode(f.code)))
      assert.equal(new Set(found.map((f) => f.code)).size, found.length)
      assert.ok(new Set(found.map((f) => f.how)).size <= 1)
    }),
  )
  // Only the beginning is read: seven million characters cost no more than a few texts of seven thousand.
  const [short, long] = [1000, 1_000_000].map((times) => 'K7QV4TD'.repeat(times))
  const few = () => Array.from({ length: 16 }, () => findReferenceCodes(short ?? ''))
  assertCostsNoMore('a text without end', () => findReferenceCodes(long ?? ''), few)
  assert.deepEqual(findReferenceCodes(`${'.'.repeat(500)}K7QV4TD5`), [])
})
