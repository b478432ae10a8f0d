import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { BANK_PROFILES } from './bank-profiles.ts'
import { readMapping } from './column-mapping.ts'
import { MappingError } from './layout-problems.ts'
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
    /line 1: header_incomplete {"columns":\["Kalan"\]/,
  )
})

const WRONG: [string, unknown, RegExp][] = [
  ['no JSON', '{', /^layout_not_json {}/],
  ['no object', [], /^layout_not_object {"at":""}/],
  ['no columns', { ...MAPPING, columns: undefined }, /^layout_not_object {"at":"columns"}/],
  [
    'no date',
    { ...MAPPING, columns: { ...MAPPING.columns, date: undefined } },
    /layout_column_missing {"at":"columns.date","amounts":null}/,
  ],
  [
    'an empty header',
    { ...MAPPING, columns: { ...MAPPING.columns, date: ' ' } },
    /^layout_texts_wrong {"at":"columns.date","most":50}/,
  ],
  [
    'no mark',
    { ...MAPPING, columns: { ...MAPPING.columns, mark: undefined } },
    /layout_column_missing {"at":"columns.mark","amounts":"marked"}/,
  ],
  [
    'one header for two',
    { ...MAPPING, columns: { ...MAPPING.columns, balance: 'MİKTAR' } },
    /^layout_column_twice {"column":"MIKTAR"}$/,
  ],
  [
    'an unknown column',
    { ...MAPPING, columns: { ...MAPPING.columns, dat: 'x' } },
    /^layout_key_unknown {"at":"columns","key":"dat","known":\["date","valueDate"/,
  ],
  [
    'an unknown setting',
    { ...MAPPING, seperator: ';' },
    /^layout_key_unknown {"at":"","key":"seperator","known":\["id"/,
  ],
  [
    'an unknown layout',
    { ...MAPPING, amounts: 'plus' },
    /layout_choices_wrong {"at":"amounts","known":\["\\"signed\\"","\\"split/,
  ],
  [
    'an unknown date',
    { ...MAPPING, dates: ['MM/dd/yyyy'] },
    /layout_choices_wrong {"at":"dates","known":\["\\"dd.MM.yyyy/,
  ],
  [
    'an unknown separator',
    { ...MAPPING, separator: '|' },
    /layout_choice_wrong {"at":"separator","known":\["null","\\";/,
  ],
  ['an unknown style', { ...MAPPING, decimals: 'comma' }, /layout_choice_wrong {"at":"decimals","known":\["\\"turkish/],
  ['a wrong currency', { ...MAPPING, currency: 'TL' }, /layout_form_wrong {"at":"currency","example":"TRY"}/],
  [
    'a wrong rule',
    { ...MAPPING, sender: [{ begins: 'A', separator: '-', parts: -1, name: 'x' }] },
    /layout_number_wrong {"at":"sender\[0\].parts","least":0,"most":20}; .*sender\[0\].name/,
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
    assert.throws(() => readMapping(wrong), /layout_choice_wrong {"at":"bank","known":\["\\"ziraat/)
  assert.throws(() => readMapping({ bank: 'ziraat', decimals: 'point' }), /decimals/)
})
