import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Zip, ZipDeflate, zipSync } from 'fflate'
import { BANK_PROFILES } from './bank-profiles.ts'
import { joinBytes } from './pieces.ts'
import { problemsOf } from '../test/bytes-of.ts'
import { readOne, utf8, xlsxOf, xlsxParts } from '../test/sheets.ts'
import type { TestCell, XlsxOptions } from '../test/sheets.ts'
import { isDateFormat, plainDecimal, serialDate } from './xlsx-numbers.ts'
import { readXlsx } from './xlsx.ts'

const HEADER: TestCell[] = ['Tarih', 'Açıklama', 'Etiket', 'Tutar', 'Bakiye', 'Dekont No']
const ABOVE: TestCell[][] = [
  ['Türkiye Garanti Bankası A.Ş.'],
  ['IBAN', null, 'TR62 0006 2000 2950 0006 2912 96'],
  [],
  ['Açılış Bakiyesi', { number: '0' }],
]
/** 1 and 2 March 2026. */
const ROWS: TestCell[][] = [
  [
    { serial: '46082' },
    'EFT & <ALACAK> ŞÜKRÜ',
    null,
    { number: '1234.5599999999999' },
    { number: '1234.56' },
    { number: '9007199254740993' },
  ],
  [
    { serial: '46083.604861111111' },
    { inline: 'POS\nHARCAMA' },
    'Market',
    { number: '-1.2345600000000001E3' },
    { formula: '0' },
    "'000G2",
  ],
]

const read = (rows: TestCell[][], options?: XlsxOptions) =>
  readOne(readXlsx(BANK_PROFILES.garanti), xlsxOf(rows, options), 1000)

test('numbers, dates, formulas and texts of a sheet are read exactly, empty cells by their place', async () => {
  const statement = await read([...ABOVE, HEADER, ...ROWS, ['Toplam']])
  assert.equal(statement.format, 'xlsx')
  assert.equal(statement.account.iban, 'TR620006200029500006291296')
  assert.deepEqual(statement.opening, { amount: 0n, currency: 'TRY', on: '2026-03-01' })
  assert.deepEqual(
    statement.entries.map((line) => [
      line.position,
      line.bookedOn,
      line.direction,
      line.amount,
      line.bankReference,
      line.narrative,
    ]),
    [
      [{ sheet: 'Hareketler', line: 6 }, '2026-03-01', 'credit', 123_456n, '9007199254740993', 'EFT & <ALACAK> ŞÜKRÜ'],
      [{ sheet: 'Hareketler', line: 7 }, '2026-03-02', 'debit', 123_456n, '000G2', 'POS HARCAMA'],
    ],
  )
})

test('the same table is read from texts, with prefixes of namespaces, and with days since 1904', async () => {
  const texts: TestCell[] = ['02.03.2026 10:00', 'A', null, '-1.000,00 TL', '0,00', 'G1']
  assert.equal((await read([HEADER, texts])).debits, 100_000n)
  const prefixed = await read([HEADER, ...ROWS], { prefix: 'x' })
  assert.equal(prefixed.lines, 2)
  const row: TestCell[] = [{ serial: '44620' }, 'A', null, { number: '1' }, { number: '1' }]
  const since1904 = await read([HEADER, row], { from1904: true, dateFormat: 'yyyy/m/d;@' })
  assert.equal(since1904.entries[0]?.bookedOn, '2026-03-01')
  const noon = await read([HEADER, [{ serial: '46082.5' }, ...row.slice(1)]])
  assert.deepEqual(
    [since1904, noon].map(({ entries }) => entries[0]?.bookedAt),
    [null, '2026-03-01T12:00:00+03:00'],
  )
})

const WRONG: [string, TestCell[][], RegExp][] = [
  [
    'a number as date',
    [HEADER, [{ number: '46082' }, 'A', null, { number: '1' }, { number: '1' }]],
    /^sheet "Hareketler", line 2, column 1: row_without_date {"text":"46082"/,
  ],
  [
    'a date as amount',
    [HEADER, [{ serial: '46082' }, 'A', null, { serial: '46082' }, { number: '1' }]],
    /line 2, column 4: value_not_amount {"text":"2026-03-01"/,
  ],
  [
    'three decimals',
    [HEADER, [{ serial: '46082' }, 'A', null, { number: '1.005' }, { number: '1' }]],
    /line 2, column 4: value_decimals {"text":"1.005","most":2/,
  ],
  ['no header', [['a'], ['b']], /^sheet "Hareketler", line 1: header_missing/],
]

for (const [name, rows, message] of WRONG) {
  test(`refused, with sheet and row: ${name}`, () =>
    assert.rejects(read(rows), (error: Error) => message.test(error.message) || assert.fail(error.message)))
}

test('a balance that does not follow is a problem with sheet and row', async () => {
  const rows = ROWS.toReversed().map((row, index) => (index === 0 ? [...row.slice(0, 4), { number: '5' }] : row))
  const [problem] = problemsOf(await read([HEADER, ...rows]))
  assert.match(
    problem ?? '',
    /^sheet "Hareketler", line 2: balance_differs {"found":{"minor":"500","currency":"TRY"},"expected":{"minor":"0"/,
  )
})

test('a workbook whose lengths stand behind its parts, as Java programs write them, is read', async () => {
  const chunks: Uint8Array[] = []
  const zip = new Zip((_, chunk) => void chunks.push(chunk))
  for (const [name, bytes] of Object.entries(xlsxParts([HEADER, ...ROWS]))) {
    const part = new ZipDeflate(name)
    zip.add(part)
    part.push(bytes, true)
  }
  zip.end()
  assert.equal((await readOne(readXlsx(BANK_PROFILES.garanti), joinBytes(chunks))).lines, 2)
})

test('a second sheet with values is refused, an empty or hidden one is not', async () => {
  const parts = xlsxParts([HEADER, ...ROWS])
  const sheet = '<sheet name="Hareketler" sheetId="1" id="s1"/>'
  const withSecond = (state: string, cells: string) => ({
    ...parts,
    'xl/workbook.xml': utf8(
      `<workbook><sheets>${sheet}<sheet name="İki" state="${state}" id="s9"/></sheets></workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': utf8(
      new TextDecoder()
        .decode(parts['xl/_rels/workbook.xml.rels'])
        .replace('</Relationships>', '<Relationship Id="s9" Type="x/worksheet" Target="worksheets/two.xml"/>$&'),
    ),
    'xl/worksheets/two.xml': utf8(`<worksheet><sheetData><row r="3">${cells}</row></sheetData></worksheet>`),
  })
  const value = '<c r="B3"><v>1</v></c>'
  const load = (state: string, cells: string) =>
    readOne(readXlsx(BANK_PROFILES.garanti), zipSync(withSecond(state, cells)))
  await assert.rejects(load('visible', value), /sheet "İki", line 3: sheet_second/)
  assert.equal((await load('visible', '<c r="B3" s="1"/>')).lines, 2)
  assert.equal((await load('hidden', value)).lines, 2)
})

test('rich text is one text, without how it is read aloud; line feeds of Excel are spaces', async () => {
  const parts = xlsxParts([HEADER, ['01.03.2026', 'MARK', null, '1,00', '1,00']])
  const texts = new TextDecoder()
    .decode(parts['xl/sharedStrings.xml'])
    .replace(/<t[^>]*>MARK<\/t>/, '<r><t>AYŞE</t></r><r><rPr/><t>_x000A_YILMAZ</t></r><rPh><t>SES</t></rPh>')
  const bytes = zipSync({ ...parts, 'xl/sharedStrings.xml': utf8(texts) })
  const { entries } = await readOne(readXlsx(BANK_PROFILES.garanti), bytes)
  assert.equal(entries[0]?.narrative, 'AYŞE YILMAZ')
})

test('numbers are written out exactly; only what arithmetic left behind is rounded', () => {
  for (const [stored, plain] of [
    ['0', '0'],
    ['-12.50', '-12.5'],
    ['1E2', '100'],
    ['1.5E-2', '0.015'],
    ['1234567890123456.78', '1234567890123456.78'],
    ['1234.5599999999999', '1234.56'],
    ['0.30000000000000004', '0.3'],
    ['1288.0000000000002', '1288'],
    ['1e99', null],
    ['1,5', null],
    ['', null],
    ['-', null],
    ['NaN', null],
  ] as const)
    assert.equal(plainDecimal(stored), plain, stored)
})

test('days and formats of dates', () => {
  assert.deepEqual(serialDate(46_082, false), { text: '2026-03-01', kind: 'date' })
  assert.deepEqual(serialDate(46_082.999999, false), { text: '2026-03-02', kind: 'date' })
  assert.deepEqual(serialDate(0.5, false), { text: '12:00:00', kind: 'date' })
  assert.equal(serialDate(-1, false), null)
  assert.equal(serialDate(Number.NaN, false), null)
  for (const code of ['dd.mm.yyyy', 'yyyy-mm-dd hh:mm', '[$-41F]d mmmm yyyy;@', '[h]:mm'])
    assert.ok(isDateFormat(code), code)
  for (const code of ['General', '#,##0.00', '#,##0.00 "TL day"', '0.00\\d', '[Red]-0.00', '_-* #,##0.00\\ _₺_-', '@'])
    assert.ok(!isDateFormat(code), code)
})
