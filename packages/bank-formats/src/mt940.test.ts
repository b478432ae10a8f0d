import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BankFileError } from './file-problems.ts'
import { readMt940 } from './mt940.ts'
import { problemsOf, readAll, readOne } from '../test/bytes-of.ts'

const read = (file: string) => readOne(readMt940, file)
const refused = (file: string, message: RegExp) =>
  assert.rejects(readAll(readMt940, file), (error) => error instanceof BankFileError && message.test(error.message))

/** A message with these fields between the opening and the closing balance. */
const message = (fields: string[], closing = '1000,', opening = '1000,') =>
  [
    ':20:REF',
    ':25:TR330006100519786457841326',
    ':28C:7/1',
    `:60F:C260130TRY${opening}`,
    ...fields,
    `:62F:C260131TRY${closing}`,
  ].join('\n')

const FULL = message([':61:2601310130C100,50NTRFEREF-1//BANK-1', 'EK BILGI', ':86:AYŞE IŞIK SIPARIS VZ-1'], '1100,50')

test('a message: head, line and foot', async () => {
  const { entries, ...rest } = await read(FULL)
  assert.deepEqual(rest, {
    format: 'mt940',
    id: '7/1',
    account: { iban: 'TR330006100519786457841326', number: null, currency: null },
    from: null,
    to: null,
    opening: { amount: 1000_00n, currency: 'TRY', on: '2026-01-30' },
    closing: { amount: 1100_50n, currency: 'TRY', on: '2026-01-31' },
    lines: 1,
    credits: 100_50n,
    debits: 0n,
    problems: [],
  })
  assert.deepEqual(entries, [
    {
      position: { line: 5 },
      direction: 'credit',
      amount: 100_50n,
      currency: 'TRY',
      bookedOn: '2026-01-30',
      bookedAt: null,
      valueOn: '2026-01-31',
      status: 'booked',
      reversal: false,
      returned: null,
      bankReference: 'BANK-1',
      endToEndReference: 'EREF-1',
      counterpartyName: null,
      counterpartyIban: null,
      narrative: 'AYŞE IŞIK SIPARIS VZ-1 EK BILGI',
      balance: null,
      batch: null,
    },
  ])
})

test('blocks or bare fields, LF or CRLF, an end or none, blank lines and lines before: the same statement', async () => {
  const strip = async (file: string) => {
    const { entries, ...rest } = await read(file)
    return { ...rest, entries: entries.map((line) => ({ ...line, position: null })) }
  }
  const expected = await strip(FULL)
  const blocks = `{1:F01BANKTRISA0000000000000}{2:O9401200260131BANKTRISA000}{3:{108:1}}{4:\n${FULL}\n-}{5:{CHK:1}}`
  for (const file of [
    `${FULL}\n`,
    `${FULL}\n-`,
    `${FULL}\n-\n\n`,
    `\uFEFF\n\nBANKTRIS\n940\n${FULL}\n-`,
    FULL.replaceAll('\n', '\r\n'),
    FULL.replaceAll('\n', '\r'),
    `${FULL}\n-\n`.replaceAll('\n', '\r'),
    blocks.replaceAll('\n', '\r'),
    FULL.replaceAll('\n', '\n\n'),
    blocks,
    blocks.replaceAll('\n', '\r\n'),
    blocks.replaceAll('}{', '}\n{'),
    blocks.replace('{4:\n', '{4:'),
    `${blocks}$`,
    FULL.replace(':62F:', ':NS:22own\n:99X:unknown\nmore\n:62F:'),
    `${FULL}\n:64:C260131TRY1,\n:65:D260201TRY2,\n:86:TEXT OF THE STATEMENT`,
  ])
    assert.deepEqual(await strip(file), expected, file)
})

test('several messages in a file: each is a statement, with or without an end between them', async () => {
  const first = message([':61:260131C1,NTRFNONREF'], '1001,').replace(':62F:', ':62M:')
  const second = message([':61:260131D1,NTRFNONREF'], '1000,', '1001,').replace(':60F:', ':60M:').replace('7/1', '7/2')
  for (const between of ['\n', '\n-\n', '\n\n-\n\n']) {
    const found = await readAll(readMt940, first + between + second)
    assert.deepEqual(
      found.map(({ id, lines, closing }) => [id, lines, closing?.amount]),
      [
        ['7/1', 1, 1001_00n],
        ['7/2', 1, 1000_00n],
      ],
    )
  }
  const blocks = (text: string) => `{1:F01X}{2:I940Y}{4:\n${text}\n-}`
  assert.equal((await readAll(readMt940, blocks(first) + blocks(second))).length, 2)
})

test('accounts: IBAN or number of the bank, with a currency after it or not', async () => {
  for (const [text, expected] of [
    ['TR330006100519786457841326TRY', { iban: 'TR330006100519786457841326', number: null, currency: 'TRY' }],
    ['TR33 0006 1005 1978 6457 8413 26', { iban: 'TR330006100519786457841326', number: null, currency: null }],
    ['51210600/9223382012EUR', { iban: null, number: '51210600/9223382012', currency: 'EUR' }],
    ['BANKTRIS/12345', { iban: null, number: 'BANKTRIS/12345', currency: null }],
    ['0012345678 TRY', { iban: null, number: '0012345678', currency: 'TRY' }],
    // An IBAN that ends in three letters, which are a currency too.
    ['MT94MALT01100000000000000000EUR', { iban: 'MT94MALT01100000000000000000EUR', number: null, currency: null }],
  ] as const)
    assert.deepEqual((await read(FULL.replace('TR330006100519786457841326', text))).account, expected)
  assert.equal(
    (await read(FULL.replace(':25:', ':25P:').replace(':28C:', 'BANKTRISA00\n:28C:'))).account.iban?.length,
    26,
  )
})

test('marks: RC takes back a credit, RD a debit; EC and ED are expected; a funds code may follow', async () => {
  const marks = ['C', 'D', 'RC', 'RD', 'CR', 'DR', 'RCR', 'DD', 'CD', 'EC', 'ED']
  const lines = marks.map((mark) => `:61:260131${mark}1,NTRFNONREF`)
  const { entries } = await read(message(lines, '1,'))
  assert.deepEqual(
    entries.map(({ direction, reversal, status }, at) => [marks[at], direction, reversal, status].join(' ')),
    [
      'C credit false booked',
      'D debit false booked',
      'RC debit true booked',
      'RD credit true booked',
      'CR credit false booked',
      'DR debit false booked',
      'RCR debit true booked',
      'DD debit false booked',
      'CD credit false booked',
      'EC credit false pending',
      'ED debit false pending',
    ],
  )
})

test('amounts and entry dates in every form', async () => {
  const lines = [
    ['2601310131C0,12NTRF', 12n, '2026-01-31'],
    ['260131C,12NTRF', 12n, '2026-01-31'],
    ['260131    C12,NTRF', 1200n, '2026-01-31'],
    ['2601310201C000000000012,3NTRF', 1230n, '2026-02-01'],
    ['2601011231C0,00NTRF', 0n, '2025-12-31'],
    ['2512310102C1,00N051NONREF', 100n, '2026-01-02'],
    ['2402290229C1FCHGREF', 100n, '2024-02-29'],
    ['260131C1,NOV NONREF', 100n, '2026-01-31'],
    ['2601310131C1,25 NMSCNONREF', 125n, '2026-01-31'],
    ['260131D1,25  FTRFNONREF', 125n, '2026-01-31'],
  ] as const
  const { entries } = await read(
    message(
      lines.map(([text]) => `:61:${text}`),
      '1027,54',
    ),
  )
  assert.deepEqual(
    entries.map(({ amount, bookedOn }) => [amount, bookedOn]),
    lines.map(([, amount, day]) => [amount, day]),
  )
})

test('references of :61:', async () => {
  const texts = ['NONREF', 'A//B', '//B', 'NONREF//', 'A B/C//', '', 'KREF+//B', 'A//B//C']
  const { entries } = await read(message(texts.map((text) => `:61:260131C0,NTRF${text}`)))
  assert.deepEqual(
    entries.map(({ endToEndReference, bankReference }) => [endToEndReference, bankReference]),
    [
      [null, null],
      ['A', 'B'],
      [null, 'B'],
      [null, null],
      ['A B/C', null],
      [null, null],
      [null, 'B'],
      ['A', 'B//C'],
    ],
  )
})

const INTERIM = [
  ':20:REF',
  ':25:123456',
  ':28C:7/1',
  ':34F:TRYD0,',
  ':34F:TRYC0,',
  ':13D:2601311200+0300',
  ':61:260131D5,NTRFNONREF',
  ':61:260131C7,NTRFNONREF',
  ':86:GELEN',
  ':90D:1TRY5,',
  ':90C:1TRY7,',
].join('\n')

const inLira = (kurus: number) => ({ minor: String(kurus), currency: 'TRY' })

test('MT942: no balances, totals compared', async () => {
  const { format, opening, closing, credits, debits, entries } = await read(INTERIM)
  assert.deepEqual(
    { format, opening, closing, credits, debits },
    { format: 'mt942', opening: null, closing: null, credits: 700n, debits: 500n },
  )
  assert.equal(entries[1]?.narrative, 'GELEN')
  const contradicts = async (file: string, problem: string) => assert.deepEqual(problemsOf(await read(file)), [problem])
  await contradicts(
    INTERIM.replace('1TRY5,', '2TRY5,'),
    'line 10: count_differs {"field":":90D:","of":"debit","found":2,"expected":1}',
  )
  await contradicts(
    INTERIM.replace('1TRY7,', '1TRY7,01'),
    `line 11: sum_differs ${JSON.stringify({ field: ':90C:', of: 'credit', found: inLira(701), expected: inLira(700) })}`,
  )
  await refused(INTERIM.replace('1TRY7,', '1EUR7,'), /currency_differs {"found":"EUR","expected":"TRY"}/)
  const limited = INTERIM.replace('TRYC0,', 'TRYC5,').replace('1TRY7,', '9TRY17,')
  assert.deepEqual((await read(limited)).problems, [], 'lines below the limit may be in the totals')
  const expected = await read(INTERIM.replace(':90C:', ':61:260131EC9,NTRFNONREF\n:90C:'))
  assert.deepEqual([expected.lines, expected.problems], [3, []], 'expected lines may not count')
})

test('balances that do not fit the lines are a problem', async () => {
  assert.deepEqual(problemsOf(await read(FULL)), [])
  assert.deepEqual(problemsOf(await read(message([':61:260131C1,NTRFNONREF']))), [
    `line 6: closing_differs ${JSON.stringify({ found: inLira(100_000), expected: inLira(100_100) })}`,
  ])
  await refused(FULL.replace('62F:C260131TRY', '62F:C260131EUR'), /currency_differs {"found":"EUR","expected":"TRY"}/)
  assert.match(
    problemsOf(await read(FULL.replace('62F:C', '62F:D'))).join(),
    /closing_differs {"found":{"minor":"-110050"/,
  )
})

test('a message that is not whole is refused', async () => {
  await refused(FULL.replace(/:62F:.*/, ''), /message_unfinished {"end":\[":62F:",":62M:"\]}/)
  await refused(`${FULL.replace(/:62F:.*/, '')}${FULL}`, /message_unfinished {"end":\[":62F:",":62M:"\]}/)
  await refused(FULL.replace(/:60F:.*\n/, ''), /field_missing {"fields":\[":60F:",":60M:"\]/)
  await refused(FULL.replace(/:25:.*\n/, ''), /field_missing {"fields":\[":25:"\]/)
  await refused(`{1:F01X}{2:I940Y}{4:\n${FULL}\n`, /message_unfinished {"end":\["-}"\]}/)
  await refused(`{1:F01X}{2:I940Y}{4:\n${FULL}\n{1:F01X}{2:I940Y}{4:`, /message_unfinished {"end":\["-}"\]}/)
  await refused(
    `{1:F01X}{2:I103Y}{4:\n${FULL}\n-}`,
    /message_unexpected {"found":"MT103","expected":\["MT940","MT942"\]}/,
  )
  await refused(INTERIM.replaceAll(/:34F:.*\n/g, ''), /field_missing {"fields":\[":60F:"/)
  for (const file of ['', '\n', 'Tarih;Açıklama;Tutar\n', '{1:F01X}{2:I940Y}'])
    await refused(file, /^message_unexpected {"found":null/)
})

test('known fields that are malformed are refused with line, what was found and what was expected', async () => {
  const line = (text: string) => message([`:61:${text}`])
  for (const [file, expected] of [
    [line('2601310131X1,NTRFNONREF'), /^line 5: field_wrong {"field":":61:","text":"2601310131X1,NTRFNONREF"/],
    [line('260231C1,NTRFNONREF'), /^line 5: value_not_date {"text":"260231","forms":\["260131"\]}/],
    [line('2601310230C1,NTRFNONREF'), /value_not_date {"text":"0230","forms":\["0131"\]}/],
    [line('260131C1.00NTRFNONREF'), /^line 5: field_wrong {"field":":61:"/],
    [line('260131C1,005NTRFNONREF'), /^line 5: value_decimals {"text":"1,005","most":2,"currency":"TRY"}/],
    [line('260131CNTRFNONREF'), /^line 5: value_not_amount {"text":""/],
    [line(`260131C${'1'.repeat(5000)}`), /^line 5: field_wrong {"field":":61:"/],
    [line(''), /^line 5: field_wrong {"field":":61:","text":""/],
    [FULL.replace(':60F:C', ':60F:X'), /^line 4: field_wrong {"field":":60F:","text":"X260130TRY1000,"/],
    [`${FULL}\n:64:1,00`, /^line 9: field_wrong {"field":":64:","text":"1,00"/],
    [INTERIM.replace('1TRY5,', 'TRY5,'), /field_wrong {"field":":90D:","text":"TRY5,"/],
    [INTERIM.replace('TRYD0,', '0,'), /field_wrong {"field":":34F:","text":"0,"/],
    [FULL.replace(/:25:.*/, ':25:'), /^line 2: field_wrong {"field":":25:","text":""/],
    [FULL.replace(':28C:', ':25:1\n:28C:'), /field_twice {"field":":25:"}/],
    [FULL.replace(':86:', ':25:'), /^line 7: field_misplaced {"field":":25:","before":\[":61:"/],
    [`${FULL}\n${FULL.split('\n')[4]}`, /^line 9: field_misplaced {"field":":61:","before":\[":62F:"\]}/],
    [`${FULL}\n${FULL.split('\n').at(-1)}`, /field_twice {"field":":62F:"}/],
    [`{1:F01X}{2:I940Y}{4:\ntext\n${FULL}\n-}`, /^line 2: message_unexpected {"found":"text"/],
    [FULL.replace(':62F:', ':86:x\n'.repeat(1001).concat(':62F:')), /too_many {"what":"information"/],
    [FULL.replace(':62F:', `:86:${'x'.repeat(8000)}\n`.repeat(9).concat(':62F:')), /too_many {"what":"information"/],
    [`${INTERIM}\n:90C:1TRY7,`, /field_twice {"field":":90C:"}/],
    [FULL.replace('VZ-1', 'VZ\0'), /^line 7: zero_byte/],
    [FULL.replace('VZ-1', 'x'.repeat(70_000)), /^line 7: too_long {"what":"line","most":65536}/],
    [FULL.replace('VZ-1', '\nmore text'.repeat(2000)), /^line 7: too_long {"what":"field","most":8192}/],
  ] as [string, RegExp][])
    await refused(file, expected)
})

test('Turkish text in UTF-8 or in windows-1254, which no field announces', async () => {
  const letters: Record<string, number> = { İ: 0xdd, ı: 0xfd, Ğ: 0xd0, ğ: 0xf0, Ş: 0xde, ş: 0xfe }
  const file = FULL.replace('AYŞE IŞIK', 'İĞÜŞÖÇ ığüşöç')
  const bytes = Buffer.from(Array.from(file).map((letter) => letters[letter] ?? letter.charCodeAt(0)))
  for (const each of [Buffer.from(file), bytes])
    assert.match((await readOne(readMt940, each)).entries[0]?.narrative ?? '', /^İĞÜŞÖÇ ığüşöç SIPARIS/)
})
