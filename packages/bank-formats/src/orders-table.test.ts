import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OrderError, ordersProblem, readOrdersProfile, writeOrders } from './index.ts'
import type { Order, OrderBatch } from './index.ts'

const ID = '6565c0de0001000000000001'
const order = (changes: Partial<Order> = {}): Order => ({
  ...{ endToEndId: ID, amount: 123_456n, currency: 'TRY', iban: 'TR620006200029500006291296', name: 'Şule Çağ' },
  ...{ text: `Para cekme ${ID}`, purpose: '06', rail: 'fast' },
  ...changes,
})
const batchOf = (...orders: Order[]): OrderBatch => ({
  ...{ id: 'B1', createdAt: '2026-01-31T09:30:00+03:00', executeOn: '2026-02-02' },
  ...{ debtor: { name: 'Vezne A.Ş.', iban: 'TR330006100519786457841326' }, orders },
})
const latin = (bytes: Uint8Array) => new TextDecoder('windows-1254').decode(bytes)

const FIXED = {
  format: 'fixed-width',
  header: [
    { value: 'constant', label: 'H', width: 1 },
    { value: 'executeOn', width: 8, date: 'ddmmyyyy' },
    { value: 'debtorIban', width: 26 },
  ],
  columns: [
    { value: 'constant', label: 'D', width: 1 },
    { value: 'number', width: 4, align: 'right', pad: '0' },
    { value: 'iban', width: 26 },
    { value: 'name', width: 10 },
    { value: 'amount', width: 12, align: 'right', pad: '0', number: 'minor' },
    { value: 'rail', width: 1, codes: { fast: 'F', eft: 'E' } },
    { value: 'text', width: 36 },
  ],
  trailer: [
    { value: 'constant', label: 'T', width: 1 },
    { value: 'count', width: 5, align: 'right', pad: '0' },
    { value: 'sum', width: 12, align: 'right', number: 'comma' },
  ],
}

test('fixed width: header, rows and a trailer with count and sum, in windows-1254', () => {
  const second = order({ endToEndId: 'x', amount: 5n, name: 'Uzun Adlı Müşteri', rail: 'eft', text: 'x' })
  const file = writeOrders(batchOf(order(), second), readOrdersProfile(FIXED))
  assert.equal(
    latin(file),
    [
      'H02022026TR330006100519786457841326',
      `D0001TR620006200029500006291296Şule Çağ  000000123456FPara cekme ${ID} `,
      `D0002TR620006200029500006291296Uzun Adlı 000000000005E${'x'.padEnd(36)}`,
      'T00002     1234,61',
      '',
    ].join('\r\n'),
  )
})

test('fixed width: what does not fit is an error, except a name', () => {
  const long = order({ amount: 10n ** 12n })
  assert.throws(() => writeOrders(batchOf(long), readOrdersProfile(FIXED)), OrderError)
})

const CSV = {
  format: 'csv',
  encoding: 'utf-8',
  titles: true,
  lineEnd: 'lf',
  columns: [
    { value: 'iban', label: 'IBAN' },
    { value: 'name', label: 'Alıcı' },
    { value: 'amount', label: 'Tutar', number: 'comma' },
    { value: 'text', label: 'Açıklama' },
    { value: 'createdOn', label: 'Tarih', date: 'dd.mm.yyyy' },
  ],
}

test('CSV: titles, and no separator or quote in a value, also none that its encoding makes of another letter', () => {
  const file = writeOrders(batchOf(order({ name: 'A; "B"\nC' })), readOrdersProfile(CSV))
  assert.equal(
    Buffer.from(file).toString(),
    `IBAN;Alıcı;Tutar;Açıklama;Tarih\nTR620006200029500006291296;A B C;1234,56;Para cekme ${ID};31.01.2026\n`,
  )
  const wide = writeOrders(batchOf(order({ name: 'A；＂B' })), readOrdersProfile({ ...CSV, encoding: 'ascii' }))
  assert.match(Buffer.from(wide).toString(), /;A B;1234,56;/)
})

const LETTERS: [encoding: string, text: string][] = [
  ['utf-8', 'Şğı € Łódź'],
  ['windows-1254', 'Şğı € Lódz'],
  ['iso-8859-9', 'Şğı EUR Lódz'],
  ['ascii', 'Sgi EUR Lodz'],
]
for (const [encoding, text] of LETTERS)
  test(`letters that ${encoding} lacks are written without their marks`, () => {
    const file = writeOrders(batchOf(order({ name: 'Şğı € Łódź' })), readOrdersProfile({ ...CSV, encoding }))
    assert.match(new TextDecoder(encoding).decode(file), new RegExp(`;${text};`))
  })

test('a profile needs the columns of a payment, wide enough for the reference', () => {
  const without = { ...FIXED, columns: [{ value: 'text', width: 20 }] }
  assert.throws(
    () => readOrdersProfile(without),
    /layout_number_wrong {"at":"columns\[.\].width","least":35,.*columns.iban.*columns.name.*columns.amount/,
  )
  assert.throws(
    () => readOrdersProfile({ ...FIXED, header: [{ value: 'iban', width: 26 }] }),
    /layout_choice_wrong {"at":"header\[0\].value"/,
  )
})

const TABLE = {
  format: 'csv',
  separator: ';',
  titles: true,
  columns: [
    { value: 'endToEndId', label: 'Ref' },
    { value: 'iban', label: 'IBAN' },
    { value: 'name', label: 'Ad' },
    { value: 'amount', label: 'Tutar', number: 'comma' },
    { value: 'currency', label: 'Doviz', codes: { TRY: 'TL' } },
    { value: 'text', label: 'Aciklama' },
  ],
}
const EVIL = 'TR330006100519786457841326'
const debtor = { name: 'Vezne A.Ş.', iban: 'TR320010009999901234567890' }
const twoOrders: OrderBatch = {
  ...batchOf(order(), order({ endToEndId: 'x', amount: 5n, name: 'Uzun; Adlı "Müşteri" Şirketi', text: 'Iade x' })),
  debtor,
}

test('a profile that would rewrite recipient, amount or text is refused, and so is one that hides an account', () => {
  const withColumn = (value: string, changes: object) => ({
    ...TABLE,
    columns: TABLE.columns.map((column) => (column.value === value ? { ...column, ...changes } : column)),
  })
  const IBAN = 'TR620006200029500006291296'
  for (const value of ['iban', 'name', 'amount', 'text', 'endToEndId'])
    assert.throws(() => readOrdersProfile(withColumn(value, { codes: { [IBAN]: EVIL } })), /codes/)
  assert.throws(() => readOrdersProfile(withColumn('currency', { codes: { TRY: 'USD' } })), /codes/)
  assert.throws(
    () => readOrdersProfile({ ...TABLE, columns: [...TABLE.columns, { value: 'iban' }] }),
    /layout_column_twice {"column":"iban"}/,
  )
  const constants = ['TR33', '0006', '1005', '1978'].map((label) => ({ value: 'constant', label }))
  assert.throws(() => readOrdersProfile({ ...TABLE, columns: [...constants, ...TABLE.columns] }), /digits/)
  // A bank that knows no titles would pay them.
  const titles = TABLE.columns.map((column) => ({
    ...column,
    label: column.value === 'iban' ? 'TR33 0006 1005 19' : '',
  }))
  assert.throws(() => readOrdersProfile({ ...TABLE, columns: titles }), /digits/)
  // Codes, and digits of other writings, which become ASCII in the file.
  const coded = ['TR74 0001', '0000 0000'].map((code) => ({ value: 'rail', codes: { fast: code } }))
  assert.throws(() => readOrdersProfile({ ...TABLE, columns: [...coded, ...TABLE.columns] }), /digits/)
  const wide = { value: 'constant', label: '１２３４５²³¹⁰' }
  assert.throws(() => readOrdersProfile({ ...TABLE, columns: [wide, ...TABLE.columns] }), /digits/)
  // Zeros behind an amount make it a thousand times as large.
  const columns = FIXED.columns.map((column) => (column.value === 'amount' ? { ...column, align: 'left' } : column))
  assert.throws(() => readOrdersProfile({ ...FIXED, columns }), /pad/)
})

const SMUGGLED = 'x\nTR33 0006 1005 1978 6457 8413 26;Evil;1,00;x'

test('a label or code with a line break, a control character, a separator or a quote is refused', () => {
  for (const label of [SMUGGLED, 'A\rB', 'A\u2028B', 'A\u202eB', 'A;B', 'A"B']) {
    const first = { ...TABLE.columns[0], label }
    const columns = [first, ...TABLE.columns.slice(1)]
    assert.throws(() => readOrdersProfile({ ...TABLE, columns }), /columns\[0\]\.label/, label)
    const header = [{ value: 'constant', label }]
    assert.throws(() => readOrdersProfile({ ...TABLE, header }), /header\[0\]\.label/, label)
    const rail = { value: 'rail', codes: { fast: label.slice(0, 10) } }
    assert.throws(() => readOrdersProfile({ ...TABLE, columns: [...TABLE.columns, rail] }), /codes/, label)
  }
  assert.throws(() => readOrdersProfile({ ...TABLE, separator: ',' }), /columns\[3\]\.number/)
  const header = [{ value: 'constant', label: 'A\nB', width: 3 }]
  assert.throws(() => readOrdersProfile({ ...FIXED, header }), /header\[0\]\.label/)
})

test('another account is found in the file however it is written: in groups, in small letters, over several values', async () => {
  const read = readOrdersProfile(TABLE)
  const text = Buffer.from(writeOrders(twoOrders, read)).toString('latin1')
  assert.equal(await ordersProblem(Buffer.from(text, 'latin1'), twoOrders, read), null)
  const groups = EVIL.match(/.{1,4}/g) ?? []
  for (const hidden of [EVIL, EVIL.toLowerCase(), groups.join(' '), groups.join(';')]) {
    const bytes = Buffer.from(text.replace('Doviz', hidden), 'latin1')
    const found = { code: 'order_iban_foreign', facts: { iban: EVIL } }
    assert.deepEqual(await ordersProblem(bytes, twoOrders, read), found, hidden)
  }
})

test('a row that hides behind another line break is not read back, whoever made the file', async () => {
  const read = readOrdersProfile(TABLE)
  const text = Buffer.from(writeOrders(twoOrders, read)).toString('latin1')
  for (const hidden of [SMUGGLED, 'x\rTR33', '"x']) {
    const bytes = Buffer.from(text.replace('Ref', hidden), 'latin1')
    assert.notEqual(await ordersProblem(bytes, twoOrders, read), null, JSON.stringify(hidden))
  }
  // A line break in ISO 8859, three points in Windows.
  for (const [encoding, problem] of [
    ['windows-1254', null],
    ['iso-8859-9', 'order_unreadable'],
  ] as const) {
    const bytes = Buffer.from(text.replace('Ref', 'x\u0085TR33'), 'latin1')
    const found = await ordersProblem(bytes, twoOrders, readOrdersProfile({ ...TABLE, encoding }))
    assert.equal(found?.code ?? null, problem)
  }
  // The writer alone lets none through either.
  const columns = 'columns' in read ? read.columns.map((column) => ({ ...column, label: SMUGGLED })) : []
  const written = latin(writeOrders(twoOrders, { ...read, columns } as typeof read))
  assert.equal(written.split(/[\r\n]+/).length, twoOrders.orders.length + 2)
  const pain = readOrdersProfile({ format: 'pain.001.001.09', purpose: 'code' })
  const xml = Buffer.from(writeOrders({ ...twoOrders, orders: [order({ purpose: 'A\nB' })] }, pain)).toString()
  assert.match(xml, /<Cd>A B<\/Cd>/)
  const broken = Buffer.from(xml.replace('<Cd>A B', '<Cd>A&#10;B'))
  assert.notEqual(await ordersProblem(broken, { ...twoOrders, orders: [order()] }, pain), null)
})

for (const profile of [FIXED, TABLE, { format: 'pain.001.001.03' }, { format: 'pain.001.001.09', characters: 'utf-8' }])
  test(`${profile.format}: a file is read back as its orders; any change of IBAN, amount, name, text or count is found`, async () => {
    const read = readOrdersProfile(profile)
    const bytes = writeOrders(twoOrders, read)
    assert.equal(await ordersProblem(bytes, twoOrders, read), null)
    const changed = (changes: Partial<Order>) => ({
      ...twoOrders,
      orders: [order(changes), twoOrders.orders[1] as Order],
    })
    for (const changes of [{ iban: EVIL }, { amount: 123_457n }, { name: 'Ayşe Kaya' }, { text: `Para ver ${ID}` }]) {
      assert.notEqual(await ordersProblem(bytes, changed(changes), read), null)
      assert.notEqual(await ordersProblem(writeOrders(changed(changes), read), twoOrders, read), null)
    }
    assert.notEqual(await ordersProblem(bytes, { ...twoOrders, orders: twoOrders.orders.slice(0, 1) }, read), null)
    const other = { ...twoOrders, debtor: { ...debtor, iban: EVIL } }
    if (profile !== TABLE) assert.notEqual(await ordersProblem(writeOrders(other, read), twoOrders, read), null)
  })
