import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { bankCodeOf, ibanProblem, makeIban, normaliseIban } from './iban.ts'

const SAMPLES = join(import.meta.dirname, '../../../../../shared/samples/iban')
const skip = !existsSync(SAMPLES) && `no samples: ${SAMPLES} is not there`

const digits = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'.split('')), minLength: length, maxLength: length })
const account = fc.string({ unit: fc.constantFrom(...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('')), maxLength: 16 })

test('published examples are valid, those of closed banks too', () => {
  for (const iban of [
    'TR330006100519786457841326',
    'TR470000100100000350930001',
    'TR320010009999901234567890',
    'TR620006200029500006291296',
  ]) {
    assert.equal(ibanProblem(iban), null, iban)
  }
  assert.equal(bankCodeOf('TR330006100519786457841326'), '0061')
})

test('each kind of mistake is named', () => {
  for (const [iban, problem] of [
    ['TR330003200000000000000001', /check digits/],
    ['TR630006200029500006291296', /check digits/],
    ['DE89370400440532013000', /starting with TR/],
    ['GB82WEST12345698765432', /starting with TR/],
    ['', /starting with TR/],
    ['TR62000620002950000629129', /26 characters, has 25/],
    ['TR6200062000295000062912960', /26 characters, has 27/],
    ['TR62 006200029500006291296', /16 letters or digits/],
    ['TR620006210029500006291296', /16 letters or digits/], // reserve digit
    ['TRA20006200029500006291296', /16 letters or digits/],
    ['TR62000620002950000629129ı', /16 letters or digits/],
    ['TR6200062000295000062912９6', /16 letters or digits/],
    ['tr620006200029500006291296', /starting with TR/], // not normalised
    ['TR62000620002950000629129\n', /16 letters or digits/],
  ] as const) {
    assert.match(ibanProblem(iban) ?? 'none', problem, JSON.stringify(iban))
  }
})

test('check digits 00, 01 and 99 are never issued (ISO 13616: 02 to 98): one account has one IBAN', () => {
  const aliases: Record<string, string> = { '97': '00', '98': '01', '02': '99' }
  const seen = new Set<string>()
  for (let number = 0; seen.size < 3; number++) {
    const iban = makeIban('0062', String(number))
    const alias = aliases[iban.slice(2, 4)]
    if (alias === undefined) continue
    seen.add(alias)
    assert.match(ibanProblem(`TR${alias}${iban.slice(4)}`) ?? 'none', /check digits|must be/, `TR${alias} for ${iban}`)
  }
})

test('spaces of every kind and lower case are how people write it', () => {
  for (const text of [
    'TR62 0006 2000 2950 0006 2912 96',
    ' tr62 0006\u00a02000\u202f2950\t0006 2912 96\n',
    'tr620006200029500006291296',
  ]) {
    assert.equal(normaliseIban(text), 'TR620006200029500006291296')
  }
})

test('makeIban is always valid, carries its bank code, and survives being written in groups', () => {
  fc.assert(
    fc.property(digits(4), account, (code, number) => {
      // All zeros is the marker of an erased IBAN, which is refused.
      fc.pre(!/^0*$/.test(code + number))
      const iban = makeIban(code, number)
      assert.equal(ibanProblem(iban), null, iban)
      assert.equal(bankCodeOf(iban), code)
      assert.equal(normaliseIban(iban.replace(/.{4}/g, '$& ').toLowerCase()), iban)
    }),
    { numRuns: 1000 },
  )
})

test('any single changed digit, and any two swapped neighbours, make it invalid', () => {
  fc.assert(
    fc.property(digits(4), digits(16), (code, number) => {
      const iban = makeIban(code, number)
      for (let place = 2; place < iban.length; place++) {
        for (const digit of '0123456789') {
          const changed = iban.slice(0, place) + digit + iban.slice(place + 1)
          if (changed !== iban) assert.notEqual(ibanProblem(changed), null, changed)
        }
        const swapped =
          iban.slice(0, place) +
          iban
            .slice(place, place + 2)
            .split('')
            .toReversed()
            .join('') +
          iban.slice(place + 2)
        if (swapped !== iban) assert.notEqual(ibanProblem(swapped), null, swapped)
      }
    }),
    { numRuns: 50 },
  )
})

function samples(name: string): { iban: string; rawCode?: string; reason?: string }[] {
  return JSON.parse(readFileSync(join(SAMPLES, `trugurpala_turkiye-iban__${name}.synthetic.json`), 'utf8'))
}

test('the samples that are valid', { skip }, () => {
  const list = samples('valid')
  assert.ok(list.length > 0)
  for (const { iban, rawCode } of list) {
    assert.equal(ibanProblem(iban), null, iban)
    assert.equal(bankCodeOf(iban), rawCode)
  }
})

test('the samples that are invalid', { skip }, () => {
  const list = samples('invalid')
  assert.ok(list.length > 0)
  for (const { iban, reason } of list) assert.notEqual(ibanProblem(iban), null, `${iban}: ${reason}`)
})
