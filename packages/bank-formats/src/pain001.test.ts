import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { XmlDocument, XsdValidator } from 'libxml2-wasm'
import { OrderError, readOrdersProfile, writeOrders } from './index.ts'
import type { Order, OrderBatch } from './index.ts'
import { plainText, toSepa } from './orders-text.ts'
import { readPain001 } from '../test/read-pain001.ts'

const order = (changes: Partial<Order> = {}): Order => ({
  ...{ endToEndId: '6565c0de0001000000000001', amount: 123_456n, currency: 'TRY', iban: 'TR620006200029500006291296' },
  ...{ name: 'Ayşe Yılmaz', text: 'Para cekme 6565c0de0001000000000001', purpose: '06', rail: '' },
  ...changes,
})
const batchOf = (...orders: Order[]): OrderBatch => ({
  ...{ id: '6565c0de0001000000000000', createdAt: '2026-01-31T09:30:00+03:00', executeOn: '2026-02-02' },
  ...{ debtor: { name: 'Vezne Ödeme A.Ş.', iban: 'TR330006100519786457841326' }, orders },
})
const VERSIONS = ['pain.001.001.03', 'pain.001.001.09'] as const
const fileOf = (batch: OrderBatch, profile: object) =>
  Buffer.from(writeOrders(batch, readOrdersProfile(profile))).toString()

test('the two versions differ in the execution date and in the name of the BIC', () => {
  const [third, ninth] = VERSIONS.map((format) => fileOf(batchOf(order()), { format, bic: 'TGBATRIS' })) as [
    string,
    string,
  ]
  assert.match(third, /<ReqdExctnDt>2026-02-02<\/ReqdExctnDt>[\s\S]*<BIC>TGBATRIS<\/BIC>/)
  assert.match(ninth, /<ReqdExctnDt><Dt>2026-02-02<\/Dt><\/ReqdExctnDt>[\s\S]*<BICFI>TGBATRIS<\/BICFI>/)
})

test('the SEPA set writes Turkish letters without marks, the full set as they are', () => {
  const name = 'Çağrı İĞÜŞÖ & "Co" <ß>'
  const write = (characters: string) => fileOf(batchOf(order({ name })), { format: VERSIONS[0], characters })
  assert.match(write('sepa'), /<Nm>Cagri IGUSO \+ 'Co' \.ss\.<\/Nm>/)
  assert.match(write('utf-8'), /<Nm>Çağrı İĞÜŞÖ &amp; "Co" &lt;ß&gt;<\/Nm>/)
})

test('a long name is cut, a long text is an error: the reference is in it', () => {
  const profile = { format: VERSIONS[1], nameLength: 10, textLength: 35 }
  assert.match(fileOf(batchOf(order({ name: 'Ayşenur Yılmazoğlu' })), profile), /<Nm>Aysenur Yi<\/Nm>/)
  const long = order({ text: `${'x'.repeat(11)} 6565c0de0001000000000001` })
  assert.throws(() => fileOf(batchOf(long), profile), OrderError)
})

const WRONG: [string, OrderBatch, RegExp][] = [
  ['no order', batchOf(), /order_count_unfit {"orders":0,/],
  ['two of one reference', batchOf(order(), order()), /order_twice/],
  [
    'two currencies',
    batchOf(order(), order({ endToEndId: 'b', currency: 'EUR' })),
    /order_currency_mixed {"currency":"EUR","others":"TRY"}/,
  ],
  ['no amount', batchOf(order({ amount: 0n })), /order_amount_missing/],
  ['a reference that banks change', batchOf(order({ endToEndId: 'a/b' })), /order_id_unwritable/],
  ['no name', batchOf(order({ name: ' \u0000 ' })), /order_name_unwritable/],
]
for (const [name, batch, message] of WRONG)
  test(`${name}: an error that names the order`, () =>
    assert.throws(() => fileOf(batch, { format: VERSIONS[0] }), message))

test('a profile with mistakes names each of them', () => {
  const wrong = { format: VERSIONS[0], characters: 'latin', textLength: 20, bic: 'x', columns: [] }
  assert.throws(() => readOrdersProfile(wrong), /"textLength".*"characters".*layout_form_wrong {"at":"bic"/)
  assert.throws(() => readOrdersProfile(wrong), /columns/)
  assert.throws(() => readOrdersProfile('pain'), /layout_not_object/)
})

const anyText = (length: number) =>
  fc
    .string({
      unit: fc.oneof(
        fc.constantFrom(...'ABCçğıİöşü&<>"\'/ -;].'.split('')),
        fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
      ),
      maxLength: length,
    })
    .map((text) => `x${text}`)
const anyOrders = fc
  .array(fc.record({ name: anyText(60), text: anyText(90), amount: fc.bigInt({ min: 1n, max: 10n ** 14n }) }), {
    minLength: 1,
    maxLength: 5,
  })
  .map((list) =>
    list.map((one, index) => order({ ...one, endToEndId: `id-${index}`, text: `id-${index} ${one.text}` })),
  )
const anyProfile = fc.record({
  format: fc.constantFrom(...VERSIONS),
  batchBooking: fc.boolean(),
  characters: fc.constantFrom('sepa', 'utf-8'),
  purpose: fc.constantFrom('code', 'proprietary'),
  chargeBearer: fc.constantFrom(null, 'SLEV'),
  serviceLevel: fc.constantFrom(null, 'URGP'),
  customerId: fc.constantFrom(null, '12345678'),
  bic: fc.constantFrom(null, 'TGBATRIS', 'TGBATRISXXX'),
  nameLength: fc.constant(140),
})

test('parse(write(x)) = x, with names and texts as the character set has them', async () => {
  await fc.assert(
    fc.asyncProperty(anyOrders, anyProfile, async (orders, profile) => {
      const write = profile.characters === 'sepa' ? toSepa : plainText
      const batch = batchOf(...orders)
      const { count, sum, ...found } = await readPain001(writeOrders(batch, readOrdersProfile(profile)))
      const expected = batchOf(...orders.map((one) => ({ ...one, name: write(one.name), text: write(one.text) })))
      assert.deepEqual(found, { ...expected, debtor: { ...batch.debtor, name: write(batch.debtor.name) } })
      assert.deepEqual([count, sum], [orders.length, orders.reduce((total, { amount }) => total + amount, 0n)])
    }),
    { numRuns: 150, seed: 1 },
  )
})

const FOLDER = join(process.env['VEZNE_SAMPLES'] ?? join(import.meta.dirname, '../../../../shared/samples'), 'xsd')
const skip = existsSync(FOLDER) ? false : `skipped: there are no ISO 20022 schemas (${FOLDER}, or set VEZNE_SAMPLES)`

for (const format of VERSIONS)
  test(`${format} is valid by its schema, whatever the texts and the profile`, { skip }, () => {
    const schema = XmlDocument.fromString(
      readFileSync(join(FOLDER, `sebastienrousseau_pain001__${format}.xsd`), 'utf8'),
    )
    const validator = XsdValidator.fromDoc(schema)
    const validate = (file: Uint8Array) => {
      const document = XmlDocument.fromBuffer(file)
      try {
        validator.validate(document)
      } finally {
        document.dispose()
      }
    }
    assert.throws(() => validate(Buffer.from(`<Document xmlns="urn:iso:std:iso:20022:tech:xsd:${format}"/>`)))
    fc.assert(
      fc.property(anyOrders, anyProfile, (orders, profile) =>
        validate(writeOrders(batchOf(...orders), readOrdersProfile({ ...profile, format }))),
      ),
      { numRuns: 100, seed: 1 },
    )
    validator.dispose()
    schema.dispose()
  })
