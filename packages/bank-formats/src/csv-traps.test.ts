import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BankFileError } from './bank-file-error.ts'
import { BANK_PROFILES } from './bank-profiles.ts'
import { readMapping } from './column-mapping.ts'
import { readCsv } from './csv.ts'
import { problemsOf } from '../test/bytes-of.ts'
import { readOne, utf8, xlsxOf } from '../test/sheets.ts'

const HEADER = 'Tarih;Açıklama;Borç;Alacak;Bakiye;Dekont No'
const ROW = '11.01.2026;GELEN;;100,00;1.100,00;Z1'

const read = (...lines: string[]) => readOne(readCsv(BANK_PROFILES.ziraat), utf8(lines.join('\n')))

async function assertRefused(bytes: Uint8Array, message: RegExp, bank: keyof typeof BANK_PROFILES = 'ziraat') {
  await assert.rejects(readOne(readCsv(BANK_PROFILES[bank]), bytes), (error) => {
    assert.ok(error instanceof BankFileError, String(error))
    assert.match(error.message, message)
    return true
  })
}

const WRONG: [string, string[], RegExp][] = [
  ['no header', ['a;b', 'c;d'], /^line 1: found no header row; expected İşlem Tarihi, Açıklama/],
  ['a header without an amount', ['x', 'Tarih;Açıklama;Bakiye'], /^line 2: the header lacks a column; expected/],
  ['an amount whose sign nothing shows', ['Tarih;Açıklama;Tutar', '01.01.2026;A;5,00'], /Tutarı and Bakiye/],
  ['a column twice', ['Tarih;Açıklama;Borç;Alacak;Bakiye;Bakiye'], /^line 1: the column "BAKIYE" stands twice/],
  ['a day that is none', [HEADER, '31.02.2026;A;;1,00;1,00;1'], /^line 2, column 1: "31.02.2026" is not a day/],
  ['a month that is none', [HEADER, '12/31/2026;A;;1,00;1,00;1'], /^line 2, column 1: "12\/31\/2026" is not a day/],
  ['a time that is none', [HEADER, '01.02.2026 25:00;A;;1,00;1,00;1'], /is not a time of day/],
  ['two digits of a year', [HEADER, '01.02.26;A;;1,00;1,00;1'], /^line 2, column 1: found "01.02.26"; expected a date/],
  ['a row without a date', [HEADER, ROW, ';A;;1,00;1.101,00;Z2'], /^line 3, column 1: found ""; expected a date/],
  [
    'a decimal point',
    [HEADER, '11.01.2026;A;;100.00;1.100,00;1'],
    /^line 2, column 4: "100.00" is not an amount; expected the form 1.234,56/,
  ],
  ['four decimals', [HEADER, '11.01.2026;A;;1,0005;1,00;1'], /^line 2, column 4: the amount "1,0005" has more than 2/],
  ['thousands or decimals', [HEADER, '11.01.2026;A;;1,500;1,50;1'], /^line 2, column 4: "1,500" may be 1500 or 1.500/],
  ['such a balance', [HEADER, '11.01.2026;A;;1,50;-12,000 TL;1'], /^line 2, column 5: "-12,000 TL" may be 12000 or/],
  ['such a claim', ['Açılış Bakiyesi;1,000', HEADER, ROW], /^line 1, column 1: "1,000" may be 1000 or 1.000/],
  ['two signs', [HEADER, '11.01.2026;A;;-1,00-;1,00;1'], /^line 2, column 4: "-1,00-" is not an amount; expected/],
  ['a word as amount', [HEADER, '11.01.2026;A;;yok;1,00;1'], /^line 2, column 4: "yok" is not an amount/],
  ['a negative credit', [HEADER, '11.01.2026;A;;-1,00;1,00;1'], /^line 2, column 4: "-1,00" has a sign/],
  ['no amount', [HEADER, '11.01.2026;A;;;1,00;1'], /^line 2, column 3: neither a debit nor a credit/],
  ['two amounts', [HEADER, '11.01.2026;A;1,00;1,00;1,00;1'], /^line 2, column 3: both a debit and a credit/],
  ['no balance', [HEADER, '11.01.2026;A;;1,00;;1'], /^line 2, column 5: the balance is missing/],
  [
    'another currency',
    [HEADER, '11.01.2026;A;;1,00 USD;1,00;1'],
    /^line 2, column 4: the amount is in USD; expected TRY/,
  ],
  [
    'a separator in a text',
    [HEADER, '11.01.2026;A;B;;1,00;1,00;1'],
    /^line 2, column 7: found a text right of the 6 columns/,
  ],
  ['a row that was cut off', [HEADER, ROW, '12.01.2026;A;;1,00;1.101,00'], /^line 3: the row has 5 of 6 columns/],
  [
    'a quote that is not closed',
    [HEADER, '11.01.2026;"A;;1,00;1,00;1', ROW],
    /^line 2: a quote is opened and not closed/,
  ],
  [
    'two stray quotes that swallow a row',
    [HEADER, '11.01.2026;"A;;1,00;1,00;1', '12.01.2026;A";;1,00;2,00;2'],
    /^line 2: a text in quotes contains whole rows/,
  ],
  ['a line below the totals', [HEADER, 'Toplam;;;;;', ROW], /^line 3: a line below the totals of line 2/],
  ['a wrong IBAN', ['IBAN;TR330003200000000000000001', HEADER], /^line 1, column 1: "TR33…0001" is not a valid IBAN/],
  ['a currency that is none', ['Para Birimi;Lira', HEADER], /^line 1, column 1: "Lira" is not a currency/],
  [
    'two currencies',
    ['Para Birimi;USD', 'Tarih;Açıklama;Tutar (TL);Bakiye'],
    /^line 2: the header says TRY, a row above it USD/,
  ],
  [
    'two accounts',
    ['Hesap No;Tarih;Açıklama;Tutar;B/A', '1;01.01.2026;A;1,00;A', '2;01.01.2026;A;1,00;A'],
    /^line 3: the line is of account "2", those before of "1"; export each account/,
  ],
  [
    'a mark that is none',
    ['Tarih;Açıklama;Tutar;B/A', '01.01.2026;A;1,00;X'],
    /^line 2, column 4: found "X"; expected one of B, Borç, -, A, Alacak, \+/,
  ],
  [
    'a sign against its mark',
    ['Tarih;Açıklama;Tutar;B/A', '01.01.2026;A;-1,00;A'],
    /^line 2, column 3: the sign of "-1,00"/,
  ],
]

const CONTRADICTING: [string, string[], string][] = [
  [
    'a balance that does not follow',
    [HEADER, ROW, '12.01.2026;A;1,00;;1.100,00;Z2'],
    'line 3: balance after the line 1100.00 TRY, expected 1099.00 TRY, from 1100.00 TRY on line 2 and -1.00 TRY here',
  ],
  [
    'a wrong opening balance',
    ['Açılış Bakiyesi;999,00', HEADER, ROW],
    'line 1, column 1: opening balance 999.00 TRY, expected 1000.00 TRY',
  ],
  [
    'a wrong closing balance',
    [HEADER, ROW, 'Kapanış Bakiyesi;1,00'],
    'line 3, column 1: closing balance 1.00 TRY, expected 1100.00 TRY',
  ],
  ['wrong totals', [HEADER, ROW, 'TOPLAM;;0,00;99,00;;'], 'line 3: sum of credits 99.00 TRY, expected 100.00 TRY'],
]

for (const [name, lines, problem] of CONTRADICTING) {
  test(`read, with a problem: ${name}`, async () => assert.deepEqual(problemsOf(await read(...lines)), [problem]))
}

for (const [name, lines, message] of WRONG) {
  test(`refused, with its place: ${name}`, () => assertRefused(utf8(lines.join('\n')), message))
}

test('other formats are named, with what to do', async () => {
  await assertRefused(
    xlsxOf([['Tarih']]),
    /^line 1: expected a CSV file; this is a zip file with the parts of a spread/,
  )
  await assertRefused(Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1), /an old Excel file \(\.xls\).*save it as \.xlsx/)
  await assertRefused(utf8('<html><table><tr><td>Tarih'), /an HTML page, even if it is named \.xls/)
  await assertRefused(new Uint8Array(), /found no header row/)
})

test('a row or a head without end is refused before it fills the memory', async () => {
  await assertRefused(utf8(`${HEADER}\n"${'x'.repeat(300_000)}`), /^line 2: a row of more than 100000 characters/)
  await assertRefused(utf8('x;y\n'.repeat(300)), /found no header row/)
})

test('harmless variations: spaces, no-break spaces, blank rows, header again, both line ends', async () => {
  const statement = await read(
    '',
    ' TARİH ; Açıklama ;BORÇ (TL); Alacak\u00a0(TL);Bakiye(TL);DEKONT  NO;;',
    '11.01.2026;\u00a0GELEN\u00a0 PARA ;;\u00a0100,00\u00a0;1100,00 ;\u200bZ1;;\r',
    ' ; ;;;;;;',
    'Tarih;Açıklama;Borç (TL);Alacak (TL);Bakiye(TL);Dekont No;;',
    '12.01.2026;GİDEN;-100,00;;1.000,00;Z2;;',
    '12.01.2026;BİLGİ;;0,00;1.000,00 A;Z3;;',
  )
  assert.deepEqual(
    statement.entries.map(({ narrative, direction, amount, bankReference }) => [
      narrative,
      direction,
      amount,
      bankReference,
    ]),
    [
      ['GELEN PARA', 'credit', 10_000n, 'Z1'],
      ['GİDEN', 'debit', 10_000n, 'Z2'],
      ['BİLGİ', 'credit', 0n, 'Z3'],
    ],
  )
})

test('three digits after the mark are decimals where no spreadsheet groups so, and where the currency has three', async () => {
  const amount = async (text: string, ...above: string[]) =>
    (await read(...above, HEADER.replace(';Bakiye', ''), `11.01.2026;A;;${text};Z1`)).credits
  assert.deepEqual(
    [await amount('0,500'), await amount('1500,000'), await amount('1.234,500'), await amount('1,5000')],
    [50n, 1500_00n, 1234_50n, 1_50n],
  )
  assert.equal(await amount('1,500', 'Para Birimi;KWD'), 1_500n)
  const points = readMapping({
    ...{ id: 'own', name: 'Own', amounts: 'signed', decimals: 'point' },
    columns: { date: 'Day', description: 'Text', amount: 'Sum' },
  })
  const own = (text: string) => readOne(readCsv(points), utf8(`Day;Text;Sum\n2026-01-11;A;${text}`))
  await assert.rejects(own('1.500'), /^Error: line 2, column 3: "1.500" may be 1500 or 1.500/)
  assert.equal((await own('1.50')).credits, 1_50n)
})

test('a time beside the date is the time of booking in Istanbul; midnight is none', async () => {
  const statement = await read(
    HEADER,
    '11.01.2026 09:05;GELEN;;100,00;1.100,00;Z1',
    '11.01.2026 10:15:30;GELEN;;100,00;1.200,00;Z2',
    '12.01.2026 00:00:00;GELEN;;100,00;1.300,00;Z3',
    '13.01.2026;GELEN;;100,00;1.400,00;Z4',
  )
  assert.deepEqual(
    statement.entries.map(({ bookedOn, bookedAt }) => [bookedOn, bookedAt]),
    [
      ['2026-01-11', '2026-01-11T09:05:00+03:00'],
      ['2026-01-11', '2026-01-11T10:15:30+03:00'],
      ['2026-01-12', null],
      ['2026-01-13', null],
    ],
  )
})

test('who paid is taken only from places that the profile names', async () => {
  const names = async (description: string) =>
    (await read(HEADER, `11.01.2026;${description};;100,00;1.100,00;Z1`)).entries[0]?.counterpartyName
  assert.equal(await names('GELEN FAST - AYŞE YILMAZ - KİRA'), 'AYŞE YILMAZ')
  assert.equal(await names('Gönderen: ali veli / açıklama: GELEN'), 'ali veli')
  assert.equal(await names('GELEN FAST-DP7K2M'), null)
  assert.equal(await names('GELEN FAST-0001234-AYŞE YILMAZ'), null)
  assert.equal(await names('AYŞE YILMAZ HAVALE'), null)
})

test('amounts of banks that always write a sign need no balance, those of others do', async () => {
  const bytes = utf8('Tarih;Açıklama;Tutar\n01.01.2026;A;5,00\n02.01.2026;B;-5,00 tl')
  const { credits, debits } = await readOne(readCsv(BANK_PROFILES.garanti), bytes)
  assert.deepEqual([credits, debits], [500n, 500n])
  await assertRefused(bytes, /expected .*Tutarı and B\/A, or Borç and Alacak, or .*Tutarı and Bakiye/, 'teb')
})

test('texts made to be slow are refused like others', async () => {
  const long = (text: string) => text.repeat(90_000)
  await assertRefused(utf8(`${HEADER}\n11.01.2026;A;;0,${long('0')}1;1,00;1`), /is not an amount/)
  await assertRefused(utf8(`${long('(')}\n${long('(')}`), /found no header/)
  await assertRefused(utf8(`${long(';')}\n`.repeat(20)), /found no header/)
})
