import assert from 'node:assert/strict'
import { createHmac, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { accepted, refused } from '../harness/envelope.ts'
import { depositBody, withdrawBody } from '../harness/examples.ts'
import { startService } from '../harness/service.ts'

// Decision 1 (amounts) and the traps of JSON: whatever would be stored differently from what was sent is refused.
const service = await startService()
const shop = await service.merchant({ funds: 1_000_000n })
const before = accepted(await shop.get('/v1/balance'), 200)

const PATHS = ['/v1/deposit', '/v1/withdraw'] as const
const template = (path: string) => JSON.stringify(path === '/v1/deposit' ? depositBody() : withdrawBody())

/** The body as text, with the amount written as given. */
const withAmount = (path: string, text: string) => template(path).replace(/"amount":\d+/, `"amount":${text}`)
/** A deposit with more text in front of its closing brace. */
const withMore = (text: string) => template('/v1/deposit').replace(/}$/, `,${text}}`)

for (const path of PATHS) {
  for (const [name, text] of [
    ['a string', '"12"'],
    ['a string that is a number', '"125000"'],
    ['true', 'true'],
    ['null', 'null'],
    ['an array', '[125000]'],
    ['zero', '0'],
    ['minus zero', '-0'],
    ['a negative', '-1'],
    ['a fraction', '0.5'],
    ['a fraction above one', '125000.5'],
    ['a fraction that a double loses', '100.00000000000000001'],
    ['a fraction with an exponent', '125e-1'],
    ['2^53', '9007199254740992'],
    ['2^53 + 1', '9007199254740993'],
    ['twenty digits', '99999999999999999999'],
    ['1e400', '1e400'],
    ['-1e400', '-1e400'],
    ['1e-400', '1e-400'],
    ['NaN', 'NaN'],
    ['Infinity', 'Infinity'],
    ['hexadecimal', '0x10'],
    ['a leading zero', '0125000'],
    ['a plus sign', '+125000'],
    ['a grouped number', '125_000'],
    ['a trailing point', '125000.'],
  ] as const) {
    test(`D1.1 ${path}: ${name} (${text}) as amount: 400 VALIDATION_ERROR`, async () => {
      refused(await shop.post(path, withAmount(path, text)), 400, 'VALIDATION_ERROR')
    })
  }

  for (const text of ['1250.00', '125000.0', '1000.0', '1e3', '1E+3', '100000e-2', '1.0e3', '-1250.00', '125000.5']) {
    test(`D1.2 ${path}: an amount with a point or an exponent (${text}): 400 VALIDATION_ERROR that quotes it`, async () => {
      for (const body of [withAmount(path, text), withAmount(path, ` \n\t${text} `)]) {
        const error = refused(await shop.post(path, body), 400, 'VALIDATION_ERROR')
        const problem = `is written as ${text}; write whole kuruş without a point or an exponent: 125000 for 1.250,00 TL`
        assert.deepEqual(error.details, [{ field: 'amount', problem }])
        assert.equal(error.message, `amount ${problem}`)
      }
    })
  }

  test(`D1.2 ${path}: an amount under an escaped key is read just as strictly`, async () => {
    const body = withAmount(path, '1250.00').replace('"amount"', '"\\u0061mount"')
    assert.match(
      refused(await shop.post(path, body), 400, 'VALIDATION_ERROR').message,
      /^amount is written as 1250\.00/,
    )
  })
}

test('D1.2 numbers with a point or an exponent stay allowed where they are not our amount', async () => {
  const metadata = '{"amount":1250.00,"rate":1e3,"in":{"amount":0.5,"list":[{"amount":1.5}]},"text":"\\"amount\\":1.5"}'
  const odd = withMore(`"metadata":${metadata},"x\\"amount":1.5,"note":"\\"amount\\": 1250.00"`)
  const { status, body } = await shop.post('/v1/deposit', odd)
  assert.equal(status, 201)
  const kept = accepted(await shop.get(`/v1/transactions/${body.data.transactionId}`), 200).metadata
  assert.deepEqual(kept, JSON.parse(metadata))
})

test('D1.3 2^53 − 1 is an amount; only the bank or the balance refuses it', async () => {
  const text = '9007199254740991'
  refused(await shop.post('/v1/deposit', withAmount('/v1/deposit', text)), 400, 'AMOUNT_OUT_OF_RANGE')
  refused(await shop.post('/v1/withdraw', withAmount('/v1/withdraw', text)), 400, 'INSUFFICIENT_BALANCE')
})

const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)

for (const [name, body] of [
  ['a key twice', withMore('"amount":125000')],
  ['a key twice, once escaped', withMore('"\\u0061mount":1')],
  ['a key twice in a nested object', withMore('"metadata":{"a":1,"a":2}')],
  ['a key twice in an object within an array', withMore('"metadata":{"a":[{"b":1,"b":1}]}')],
  // The object itself and metadata are two levels.
  ['17 levels', withMore(`"metadata":{"a":${deep(15)}}`)],
  ['17 levels in a field that nobody reads', withMore(`"extra":${deep(16)}`)],
  ['1000 levels', withMore(`"metadata":{"a":${deep(1000)}}`)],
  ['half of a surrogate pair', withMore('"metadata":{"a":"\\ud83e"}')],
  ['the other half', withMore('"metadata":{"a":"\\udd8a"}')],
  ['the halves in the wrong order', withMore('"metadata":{"a":"\\udd8a\\ud83e"}')],
  ['half of a surrogate pair in a key', withMore('"metadata":{"\\ud83e":1}')],
  ['NUL in a string', withMore('"metadata":{"a":"x\\u0000y"}')],
  ['NUL in a key', withMore('"metadata":{"\\u0000":1}')],
  ['a number that a double cannot hold', withMore('"metadata":{"a":9007199254740993}')],
  ['a number beyond every double', withMore('"metadata":{"a":1e400}')],
  ['the key __proto__', withMore('"metadata":{"__proto__":{"a":1}}')],
  ['a comment', withMore('"metadata":{}/* */')],
  ['a trailing comma', withMore('"metadata":{},')],
  ['single quotes', "{'processId':'1'}"],
  ['two objects', template('/v1/deposit') + template('/v1/deposit')],
  ['an unfinished object', template('/v1/deposit').slice(0, -1)],
  ['a raw line break in a string', template('/v1/deposit').replace('ayse', 'ay\nse')],
  ['a raw NUL at the end', `${template('/v1/deposit')}\0`],
  ['an unknown escape', template('/v1/deposit').replace('ayse', '\\x41')],
] as const) {
  test(`D1.4 JSON with ${name}: 400 VALIDATION_ERROR`, async () => {
    const error = refused(await shop.post('/v1/deposit', body), 400, 'VALIDATION_ERROR')
    assert.equal(error.details[0].field, 'body')
  })
}

for (const [name, bytes] of [
  ['a lone continuation byte', [0x80]],
  ['an overlong slash', [0xc0, 0xaf]],
  ['a surrogate half', [0xed, 0xa0, 0xbe]],
  ['a cut sequence', [0xc5]],
  ['beyond U+10FFFF', [0xf4, 0x90, 0x80, 0x80]],
  ['Latin-1 letters', [0xfe, 0xfd]],
] as const) {
  test(`D1.5 a body that is not UTF-8 (${name}): 400 VALIDATION_ERROR`, async () => {
    const [head = '', tail = ''] = template('/v1/deposit').split('ayse')
    const body = Buffer.concat([Buffer.from(head), Buffer.from(bytes), Buffer.from(tail)])
    const { signature, timestamp } = signed(body)
    refused(await shop.post('/v1/deposit', body, { signature, timestamp }), 400, 'VALIDATION_ERROR')
  })
}

/** Over the bytes: as text they would be other bytes. */
function signed(body: Buffer) {
  const timestamp = String(Math.floor(Date.now() / 1000))
  const hmac = createHmac('sha256', shop.apiSecret).update(`${timestamp}POST/v1/deposit`).update(body)
  return { timestamp, signature: hmac.digest('hex') }
}

test('D1.6 16 levels, a whole surrogate pair, U+FFFF and equal keys in different objects are in order', async () => {
  const metadata = `{"a":${deep(14)},"b":"\\ud83e\\udd8a\\uffff","c":{"a":{"a":[{"a":1},{"a":1}]}}}`
  const { transactionId } = accepted(await shop.post('/v1/deposit', withMore(`"metadata":${metadata}`)), 201)
  const kept = accepted(await shop.get(`/v1/transactions/${transactionId}`), 200).metadata
  assert.deepEqual(kept, JSON.parse(metadata))
})

test('D1.7 keys that mean something to JavaScript are only keys', async () => {
  const metadata = { constructor: 1, toString: 'x', hasOwnProperty: null, prototype: {} }
  const { transactionId } = accepted(await shop.post('/v1/deposit', depositBody({ metadata })), 201)
  assert.deepEqual(accepted(await shop.get(`/v1/transactions/${transactionId}`), 200).metadata, metadata)
  const { code, body } = await shop.post('/v1/deposit', { constructor: {}, toString: 1, processId: randomUUID() })
  assert.equal(code, 'VALIDATION_ERROR')
  assert.deepEqual(
    body.warnings.map(({ field }: { field: string }) => field),
    ['constructor', 'toString'],
  )
})

test('D1.8 letters that look alike are different processIds', async () => {
  // é as one character and as two; PostgreSQL and we compare code points, not looks.
  for (const processId of ['caf\u00e9', 'cafe\u0301', 'CAF\u00c9'])
    accepted(await shop.post('/v1/deposit', depositBody({ processId })), 201)
  refused(await shop.post('/v1/deposit', depositBody({ processId: 'caf\u00e9' })), 400, 'DUPLICATE_TRANSACTION')
})

test('D1.9 a refused withdrawal moved nothing: the balance moved by the accepted ones alone', async () => {
  const now = accepted(await shop.get('/v1/balance'), 200)
  const { transactions } = accepted(await shop.get('/v1/transactions?type=withdrawal&limit=100'), 200)
  const sum = transactions.reduce((total: number, { amount }: { amount: number }) => total + amount, 0)
  assert.deepEqual(now, { currency: 'TRY', available: before.available - sum, held: sum })
})
