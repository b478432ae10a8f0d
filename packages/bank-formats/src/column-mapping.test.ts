import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { BANK_PROFILES } from './bank-profiles.ts'
import { MappingError, readMapping } from './column-mapping.ts'
import { readCsv } from './csv.ts'
import { readOne, utf8 } from '../test/sheets.ts'

const MAPPING = {
  id: 'denizbank',
  name: 'DenizBank',
  decimals: 'point',
  dates: ['yyyy-MM-dd'],
  separator: ',',
  amounts: 'marked',
  columns: {
    date: 'Muhasebe Tarihi',
    description: ['Detay', 'Hareket Detayı'],
    amount: 'Miktar',
    mark: 'Yön',
    reference: 'Kayıt',
    balance: 'Kalan',
  },
  optional: ['reference'],
  marks: { debit: 'Çıkış', credit: ['Giriş'] },
  metadata: { iban: 'Hesabın IBAN’ı' },
  footer: 'Son',
  sender: [
    { begins: 'TRANSFER', separator: '/', parts: 3, name: 2, iban: 1 },
    { label: 'Kimden=', ends: ['|'] },
  ],
}

test('a saved mapping reads the files of a bank that is not built in', async () => {
  const file = [
    'Hesabın IBAN’ı : TR620006200029500006291296',
    'KAYIT,MUHASEBE TARIHI,HAREKET DETAYI,MIKTAR,YON,KALAN',
    '7,2026-05-01,transfer/TR470000100100000350930001/OYA AK,"1,000.50",Giriş,1000.50',
    '8,2026-05-02,Kimden=X|Y,0.50,ÇIKIŞ,1000',
    '9,2026-05-02,Kimden= CAN EFE |Y,1,giriş,1001',
    'SON',
  ]
  const { account, entries, closing } = await readOne(
    readCsv(readMapping(JSON.stringify(MAPPING))),
    utf8(file.join('\n')),
  )
  assert.equal(account.iban, 'TR620006200029500006291296')
  assert.deepEqual(
    entries.map((line) => [line.direction, line.amount, line.counterpartyName, line.counterpartyIban]),
    [
      ['credit', 100_050n, 'OYA AK', 'TR470000100100000350930001'],
      ['debit', 50n, null, null],
      ['credit', 100n, 'CAN EFE', null],
    ],
  )
  assert.equal(closing?.amount, 100_100n)
})

test('a file must have every column of a mapping that is not optional', async () => {
  const header = 'Muhasebe Tarihi,Detay,Miktar,Yön'
  await assert.rejects(
    readOne(readCsv(readMapping(MAPPING)), utf8(header)),
    /line 1: the header lacks a column; expected Kalan/,
  )
})

const WRONG: [string, unknown, RegExp][] = [
  ['no JSON', '{', /it is not JSON/],
  ['no object', [], /the mapping must be an object/],
  ['no columns', { ...MAPPING, columns: undefined }, /columns must be an object/],
  ['no date', { ...MAPPING, columns: { ...MAPPING.columns, date: undefined } }, /columns.date is missing/],
  ['an empty header', { ...MAPPING, columns: { ...MAPPING.columns, date: ' ' } }, /columns.date must be a text/],
  [
    'no mark',
    { ...MAPPING, columns: { ...MAPPING.columns, mark: undefined } },
    /columns.mark is missing: amounts are marked/,
  ],
  [
    'one header for two',
    { ...MAPPING, columns: { ...MAPPING.columns, balance: 'MİKTAR' } },
    /"MIKTAR" is given for two columns/,
  ],
  [
    'an unknown column',
    { ...MAPPING, columns: { ...MAPPING.columns, dat: 'x' } },
    /columns has "dat"; known are date, valueDate/,
  ],
  ['an unknown setting', { ...MAPPING, seperator: ';' }, /the mapping has "seperator"; known are id/],
  ['an unknown layout', { ...MAPPING, amounts: 'plus' }, /amounts must be a list of "signed", "split", "marked"/],
  ['an unknown date', { ...MAPPING, dates: ['MM/dd/yyyy'] }, /dates must be a list of "dd.MM.yyyy"/],
  ['an unknown separator', { ...MAPPING, separator: '|' }, /separator must be one of null, ";", ",", "\\t"/],
  ['an unknown style', { ...MAPPING, decimals: 'comma' }, /decimals must be one of "turkish", "point"/],
  ['a wrong currency', { ...MAPPING, currency: 'TL' }, /currency must be three letters/],
  [
    'a wrong rule',
    { ...MAPPING, sender: [{ begins: 'A', separator: '-', parts: -1, name: 'x' }] },
    /sender\[0\].parts must be a whole number.*sender\[0\].name/,
  ],
]

for (const [name, json, message] of WRONG) {
  test(`refused: ${name}`, () => {
    assert.throws(
      () => readMapping(json),
      (error) => error instanceof MappingError && message.test(error.message),
    )
  })
}

test('a built-in profile is a mapping, apart from how it is recognised', () => {
  for (const { recognise, ...profile } of Object.values(BANK_PROFILES)) {
    assert.ok(recognise.headers.length > 0)
    const empty = { bankCodes: [], names: [], headers: [] }
    assert.deepEqual(readMapping(JSON.parse(JSON.stringify(profile))), { ...profile, recognise: empty })
  }
})

test('any JSON is a mapping or a list of problems', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (json) => {
      for (const given of [json, { ...MAPPING, sender: json }, { ...MAPPING, columns: json }])
        try {
          readMapping(given)
        } catch (error) {
          assert.ok(error instanceof MappingError, String(error))
        }
    }),
  )
})

test('a mapping may name a built-in bank, and nothing else then', () => {
  assert.equal(readMapping('{ "bank": "ziraat" }'), BANK_PROFILES.ziraat)
  for (const wrong of [{ bank: 'deniz' }, { bank: 1 }, { bank: 'toString' }])
    assert.throws(() => readMapping(wrong), /bank must be one of: ziraat/)
  assert.throws(() => readMapping({ bank: 'ziraat', decimals: 'point' }), /decimals/)
})
