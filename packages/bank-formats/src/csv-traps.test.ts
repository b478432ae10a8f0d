import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BankFileError } from './file-problems.ts'
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
  ['no header', ['a;b', 'c;d'], /^line 1: header_missing {"columns":\["İşlem Tarihi","Açıklama"/],
  [
    'a header without an amount',
    ['x', 'Tarih;Açıklama;Bakiye'],
    /^line 2: header_incomplete {"columns":\[\],"amounts":\[\[/,
  ],
  ['an amount whose sign nothing shows', ['Tarih;Açıklama;Tutar', '01.01.2026;A;5,00'], /"İşlem Tutarı","Bakiye"\]/],
  ['a column twice', ['Tarih;Açıklama;Borç;Alacak;Bakiye;Bakiye'], /^line 1: field_twice {"field":"BAKIYE"}/],
  [
    'a day that is none',
    [HEADER, '31.02.2026;A;;1,00;1,00;1'],
    /^line 2, column 1: value_not_date {"text":"31.02.2026","forms":\["31.01.2026"\]}/,
  ],
  [
    'a month that is none',
    [HEADER, '12/31/2026;A;;1,00;1,00;1'],
    /^line 2, column 1: value_not_date {"text":"12\/31\/2026"/,
  ],
  ['a time that is none', [HEADER, '01.02.2026 25:00;A;;1,00;1,00;1'], /value_not_time {"text":"01.02.2026 25:00"}/],
  [
    'two digits of a year',
    [HEADER, '01.02.26;A;;1,00;1,00;1'],
    /^line 2, column 1: row_without_date {"text":"01.02.26"/,
  ],
  ['a row without a date', [HEADER, ROW, ';A;;1,00;1.101,00;Z2'], /^line 3, column 1: row_without_date {"text":""/],
  [
    'a decimal point',
    [HEADER, '11.01.2026;A;;100.00;1.100,00;1'],
    /^line 2, column 4: value_not_amount {"text":"100.00","form":"1.234,56"}/,
  ],
  [
    'four decimals',
    [HEADER, '11.01.2026;A;;1,0005;1,00;1'],
    /^line 2, column 4: value_decimals {"text":"1,0005","most":2,/,
  ],
  [
    'thousands or decimals',
    [HEADER, '11.01.2026;A;;1,500;1,50;1'],
    /^line 2, column 4: value_ambiguous {"text":"1,500","whole":"1500","decimal":"1.500"}/,
  ],
  [
    'such a balance',
    [HEADER, '11.01.2026;A;;1,50;-12,000 TL;1'],
    /^line 2, column 5: value_ambiguous {"text":"-12,000 TL","whole":"12000"/,
  ],
  ['such a claim', ['Açılış Bakiyesi;1,000', HEADER, ROW], /^line 1, column 1: value_ambiguous {"text":"1,000"/],
  ['two signs', [HEADER, '11.01.2026;A;;-1,00-;1,00;1'], /^line 2, column 4: value_not_amount {"text":"-1,00-"/],
  ['a word as amount', [HEADER, '11.01.2026;A;;yok;1,00;1'], /^line 2, column 4: value_not_amount {"text":"yok"/],
  ['a negative credit', [HEADER, '11.01.2026;A;;-1,00;1,00;1'], /^line 2, column 4: value_signed {"text":"-1,00"}/],
  ['no amount', [HEADER, '11.01.2026;A;;;1,00;1'], /^line 2, column 3: value_missing {"value":"amount"}/],
  ['two amounts', [HEADER, '11.01.2026;A;1,00;1,00;1,00;1'], /^line 2, column 3: debit_and_credit/],
  ['no balance', [HEADER, '11.01.2026;A;;1,00;;1'], /^line 2, column 5: value_missing {"value":"balance"}/],
  [
    'another currency',
    [HEADER, '11.01.2026;A;;1,00 USD;1,00;1'],
    /^line 2, column 4: currency_differs {"found":"USD","expected":"TRY"}/,
  ],
  ['a separator in a text', [HEADER, '11.01.2026;A;B;;1,00;1,00;1'], /^line 2, column 7: row_overfull {"columns":6}/],
  [
    'a row that was cut off',
    [HEADER, ROW, '12.01.2026;A;;1,00;1.101,00'],
    /^line 3: row_incomplete {"found":5,"columns":6}/,
  ],
  ['a quote that is not closed', [HEADER, '11.01.2026;"A;;1,00;1,00;1', ROW], /^line 2: quote_unclosed/],
  [
    'two stray quotes that swallow a row',
    [HEADER, '11.01.2026;"A;;1,00;1,00;1', '12.01.2026;A";;1,00;2,00;2'],
    /^line 2: quote_unclosed/,
  ],
  ['a line below the totals', [HEADER, 'Toplam;;;;;', ROW], /^line 3: row_after_totals {"totals":2}/],
  [
    'a wrong IBAN',
    ['IBAN;TR330003200000000000000001', HEADER],
    /^line 1, column 1: value_not_iban {"account":"TR33…0001"}/,
  ],
  ['a currency that is none', ['Para Birimi;Lira', HEADER], /^line 1, column 1: value_not_currency {"text":"Lira"}/],
  [
    'two currencies',
    ['Para Birimi;USD', 'Tarih;Açıklama;Tutar (TL);Bakiye'],
    /^line 2: currency_differs {"found":"TRY","expected":"USD"}/,
  ],
  [
    'two accounts',
    ['Hesap No;Tarih;Açıklama;Tutar;B/A', '1;01.01.2026;A;1,00;A', '2;01.01.2026;A;1,00;A'],
    /^line 3: account_differs {"found":"2","expected":"1"}/,
  ],
  [
    'a mark that is none',
    ['Tarih;Açıklama;Tutar;B/A', '01.01.2026;A;1,00;X'],
    /^line 2, column 4: code_unknown {"field":"B\/A","text":"X","known":\["B","Borç","-","A","Alacak","\+"\]}/,
  ],
  [
    'a sign against its mark',
    ['Tarih;Açıklama;Tutar;B/A', '01.01.2026;A;-1,00;A'],
    /^line 2, column 3: value_against_mark {"text":"-1,00"}/,
  ],
]

const lira = (amount: number) => ({ minor: `${amount}00`, currency: 'TRY' })

const CONTRADICTING: [string, string[], string][] = [
  [
    'a balance that does not follow',
    [HEADER, ROW, '12.01.2026;A;1,00;;1.100,00;Z2'],
    `line 3: balance_differs ${JSON.stringify({
      ...{ found: lira(1100), expected: lira(1099), before: lira(1100), beforeLine: 2, change: lira(-1) },
    })}`,
  ],
  [
    'a wrong opening balance',
    ['Açılış Bakiyesi;999,00', HEADER, ROW],
    `line 1, column 1: opening_differs ${JSON.stringify({ found: lira(999), expected: lira(1000) })}`,
  ],
  [
    'a wrong closing balance',
    [HEADER, ROW, 'Kapanış Bakiyesi;1,00'],
    `line 3, column 1: closing_differs ${JSON.stringify({ found: lira(1), expected: lira(1100) })}`,
  ],
  [
    'wrong totals',
    [HEADER, ROW, 'TOPLAM;;0,00;99,00;;'],
    `line 3: sum_differs ${JSON.stringify({ field: null, of: 'credit', found: lira(99), expected: lira(100) })}`,
  ],
]

for (const [name, lines, problem] of CONTRADICTING) {
  test(`read, with a problem: ${name}`, async () => assert.deepEqual(problemsOf(await read(...lines)), [problem]))
}

for (const [name, lines, message] of WRONG) {
  test(`refused, with its place: ${name}`, () => assertRefused(utf8(lines.join('\n')), message))
}

test('other formats are named, with what to do', async () => {
  await assertRefused(xlsxOf([['Tarih']]), /^format_differs {"found":"xlsx","expected":"csv"}/)
  await assertRefused(Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1), /^file_is {"kind":"old_excel"}/)
  await assertRefused(utf8('<html><table><tr><td>Tarih'), /^file_is {"kind":"html"}/)
  await assertRefused(new Uint8Array(), /header_missing/)
})

test('a row or a head without end is refused before it fills the memory', async () => {
  await assertRefused(utf8(`${HEADER}\n"${'x'.repeat(300_000)}`), /^line 2: row_endless {"most":100000}/)
  await assertRefused(utf8('x;y\n'.repeat(300)), /header_missing/)
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
  await assert.rejects(
    own('1.500'),
    /^Error: line 2, column 3: value_ambiguous {"text":"1.500","whole":"1500","decimal":"1.500"}/,
  )
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
  await assertRefused(
    bytes,
    /"amounts":\[\["İşlem Tutarı","B\/A"\],\["Borç","Alacak"\],\["İşlem Tutarı","Bakiye"\]\]/,
    'teb',
  )
})

test('texts made to be slow are refused like others', async () => {
  const long = (text: string) => text.repeat(90_000)
  await assertRefused(utf8(`${HEADER}\n11.01.2026;A;;0,${long('0')}1;1,00;1`), /value_not_amount/)
  await assertRefused(utf8(`${long('(')}\n${long('(')}`), /header_missing/)
  await assertRefused(utf8(`${long(';')}\n`.repeat(20)), /header_missing/)
})
