import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { signWebhook } from '../../../../platform/crypto/webhook-signature.ts'
import type { Difference } from './body-differences.ts'
import type { Mistake } from './explain-webhook.ts'
import { explainWebhook } from './explain-webhook.ts'

const SECRET = `whsec_${Buffer.alloc(32, 'vezne').toString('base64')}`
const BASE64 = SECRET.slice(6)
const ANOTHER = `whsec_${Buffer.alloc(32, 'another').toString('base64')}`
const KEY = Buffer.from(BASE64, 'base64')
const ID = '6af95a29428d9b71948dc42f'
const SECONDS = 1_794_726_000
const TIME = String(SECONDS)
const NOW = new Date(SECONDS * 1000)
/** Everything that serialisers treat differently: non-ASCII letters, slashes, an ampersand, an emoji. */
const BODY = JSON.stringify({
  type: 'deposit.completed',
  timestamp: '2026-11-15T07:00:00.000Z',
  data: {
    transactionId: '6af95a29428d9b71948dc42e',
    type: 'deposit',
    processId: 'sipariş/1001',
    amount: 125_000,
    status: 'completed',
    customer: { id: 'c-1', name: 'Ayşe Yılmaz & Oğlu 🎈', username: 'ayse' },
    metadata: { z: 'son', a: 'ilk' },
    sequence: 1,
  },
})
const VALUE = JSON.parse(BODY)

type Given = {
  secret?: string
  id?: string
  timestamp?: string
  signature?: string
  body?: string | Buffer
  at?: number
}

function explain({ secret = SECRET, id = ID, timestamp = TIME, signature, body = BODY, at = 0 }: Given) {
  const right = signWebhook([SECRET], { id: ID, timestamp: TIME, body: BODY })
  const callback = { id, timestamp, signature: signature ?? right, body: Buffer.from(body) }
  return explainWebhook(secret, callback, new Date(NOW.getTime() + at * 1000))
}

const mac = (text: string, key: string | Buffer = KEY) => createHmac('sha256', key).update(text).digest()
/** A signature over another text or with another key. */
const made = (text: string, key?: string | Buffer) => `v1,${mac(text, key).toString('base64')}`
const RIGHT = mac(`${ID}.${TIME}.${BODY}`)
const overBody = (body: string) => made(`${ID}.${TIME}.${body}`)
const sortedKeys = (_key: string, part: unknown) =>
  typeof part === 'object' && part !== null && !Array.isArray(part)
    ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : part
const ascii = (json: string) =>
  json.replace(/[\u0080-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Exhaustive by type: a mistake without a case here does not compile. */
const CASES: Record<Mistake, Given[]> = {
  header_missing: [{ id: '' }, { timestamp: '' }, { signature: '' }, { id: '', timestamp: '', signature: '  ' }],
  secret_malformed: [
    { secret: 'vs_0f1e2d3c4b5a69788796a5b4c3d2e1f0' },
    { secret: SECRET.slice(0, -1) },
    { secret: `${SECRET} ` },
    { secret: `"${SECRET}"` },
    { secret: 'whsec_' },
  ],
  wrong_secret: [{ secret: ANOTHER }, { body: BODY.replace('125000', '925000') }, { id: `${ID}0` }],
  wrong_secret_or_body: [
    { secret: ANOTHER, body: `${BODY}\n` },
    { body: JSON.stringify({ ...VALUE, data: 1 }, null, 2) },
  ],
  body_rewritten: [{ body: JSON.stringify(VALUE, null, 2) }],
  body_empty: [{ body: '' }],
  body_not_json: [{ body: '[object Object]' }, { body: 'type=deposit.completed' }],
  signature_malformed: [{ signature: 'v1,' }, { signature: 'v1,abc' }, { signature: 'v1a,K5oZfzN95Z9UVu1EsfQmfVNQ' }],
  signature_without_version: [{ signature: RIGHT.toString('base64') }],
  signature_version: [
    { signature: `v1=${RIGHT.toString('base64')}` },
    { signature: `V1,${RIGHT.toString('base64')}` },
    { signature: `v2,${RIGHT.toString('base64')}` },
    { signature: `sha256=${RIGHT.toString('base64')}` },
  ],
  signature_hex: [
    { signature: RIGHT.toString('hex') },
    { signature: `v1,${RIGHT.toString('hex')}` },
    { signature: `sha256=${RIGHT.toString('hex').toUpperCase()}` },
  ],
  signature_hex_in_base64: [{ signature: `v1,${Buffer.from(RIGHT.toString('hex')).toString('base64')}` }],
  signature_base64url: [{ signature: `v1,${RIGHT.toString('base64url')}` }, { signature: RIGHT.toString('base64url') }],
  signature_case: [{ signature: `v1,${RIGHT.toString('base64').toLowerCase()}` }],
  signature_cut_off: [
    { signature: `v1,${RIGHT.toString('base64').slice(0, -1)}` },
    { signature: `v1,${RIGHT.toString('base64').slice(0, 20)}` },
    { signature: RIGHT.toString('hex').slice(0, 32) },
  ],
  secret_with_prefix: [{ signature: made(`${ID}.${TIME}.${BODY}`, SECRET) }],
  secret_not_decoded: [{ signature: made(`${ID}.${TIME}.${BODY}`, BASE64) }],
  secret_decoded_with_prefix: [
    { signature: made(`${ID}.${TIME}.${BODY}`, Buffer.from(SECRET, 'base64')) },
    { signature: made(`${ID}.${TIME}.${BODY}`, Buffer.from(`whsec${BASE64}`, 'base64')) },
  ],
  text_without_id: [{ signature: made(`${TIME}.${BODY}`) }],
  text_without_timestamp: [{ signature: made(`${ID}.${BODY}`) }],
  text_body_only: [{ signature: made(BODY) }],
  text_without_body: [{ signature: made(`${ID}.${TIME}.`) }, { signature: made(`${ID}.${TIME}`) }],
  text_swapped: [{ signature: made(`${TIME}.${ID}.${BODY}`) }],
  text_separator: ['', '\n', ':', '|', ',', '-', ' '].map((separator) => ({
    signature: made([ID, TIME, BODY].join(separator)),
  })),
  text_milliseconds: [{ signature: made(`${ID}.${TIME}000.${BODY}`) }],
  text_seconds: [{ timestamp: `${TIME}000` }, { timestamp: `${TIME}123` }],
  text_id_of_body: [{ signature: made(`${VALUE.data.transactionId}.${TIME}.${BODY}`) }],
  text_timestamp_of_body: [{ signature: made(`${ID}.${VALUE.timestamp}.${BODY}`) }],
  timestamp_malformed: [
    { timestamp: '2026-11-15T07:00:00Z', signature: made(`${ID}.2026-11-15T07:00:00Z.${BODY}`) },
    { timestamp: `${TIME}.5`, signature: made(`${ID}.${TIME}.5.${BODY}`) },
  ],
  timestamp_milliseconds: [{ timestamp: `${TIME}000`, signature: made(`${ID}.${TIME}000.${BODY}`) }],
  timestamp_old: [{ at: 301 }, { at: 30 * 86_400 }],
  timestamp_future: [{ at: -301 }],
}

for (const [mistake, cases] of Object.entries(CASES)) {
  test(`named: ${mistake}`, () => {
    for (const given of cases) {
      const { valid, mistakes } = explain(given)
      assert.equal(valid, false)
      const names = new Set(mistakes.map(({ mistake: name }) => name))
      // A timestamp header in milliseconds is also reported as a separate mistake.
      if (mistake === 'text_seconds') assert.ok(names.delete('timestamp_milliseconds'))
      assert.deepEqual([...names], [mistake], JSON.stringify(given))
      for (const { explanation } of mistakes) assert.match(explanation, /\.$/)
    }
  })
}

/** Bodies that were changed before verification, each with the expected differences. */
const CHANGED: [differences: Difference[], body: string | Buffer][] = [
  [['newline'], `${BODY}\n`],
  [['newline'], `${BODY}\r\n`],
  [['byte_order_mark'], `\ufeff${BODY}`],
  [['spaces'], JSON.stringify(VALUE, null, 2)],
  [['spaces'], JSON.stringify(VALUE, null, '\t')],
  [['spaces'], JSON.stringify(VALUE, null, 1).replace(/\n\s*/g, ' ')],
  [['newline', 'spaces'], `${JSON.stringify(VALUE, null, 4)}\n`],
  [['unicode_escapes'], ascii(BODY)],
  [['unicode_escapes'], ascii(BODY).replace(/\\u[0-9a-f]{4}/g, (one) => `\\u${one.slice(2).toUpperCase()}`)],
  [['slash_escapes'], BODY.replaceAll('/', '\\/')],
  [['unicode_escapes', 'slash_escapes'], ascii(BODY).replaceAll('/', '\\/')],
  [['html_escapes'], BODY.replaceAll('&', '\\u0026')],
  [['key_order'], JSON.stringify({ data: VALUE.data, timestamp: VALUE.timestamp, type: VALUE.type })],
  [
    ['spaces', 'key_order'],
    JSON.stringify({ data: VALUE.data, timestamp: VALUE.timestamp, type: VALUE.type }, null, 2),
  ],
  [['other'], BODY.replace('125000', '1.25e5')],
  [['wrapped'], JSON.stringify(BODY)],
  [['wrapped'], Buffer.from(BODY).toString('base64')],
  [['wrapped'], JSON.stringify({ httpMethod: 'POST', body: BODY })],
  [['encoding'], Buffer.concat([Buffer.of(0xff, 0xfe), Buffer.from(BODY, 'utf16le')])],
  [['encoding'], Buffer.from(BODY).toString('latin1')],
  [['encoding'], new TextDecoder('windows-1254').decode(Buffer.from(BODY))],
  [['encoding'], BODY.normalize('NFD')],
]

for (const [index, [differences, body]] of CHANGED.entries()) {
  test(`a changed body, ${index + 1}: ${differences.join(', ')}`, () => {
    const { mistakes } = explain({ body })
    assert.deepEqual(
      mistakes.map(({ mistake, differences: found }) => [mistake, found]),
      [['body_rewritten', differences]],
    )
  })
}

test('a body that was saved in a Turkish encoding of one byte a letter', () => {
  const plain = BODY.replace(' 🎈', '')
  const bytes = Buffer.from(Array.from(plain, (c) => ({ ş: 0xfe, ı: 0xfd, ğ: 0xf0 })[c] ?? c.charCodeAt(0)))
  const [found] = explain({ body: bytes, signature: overBody(plain) }).mistakes
  assert.deepEqual([found?.mistake, found?.differences], ['body_rewritten', ['encoding']])
})

/** The reverse: the body is unchanged, and the signature was made over something else. */
const SIGNED_INSTEAD: [differences: Difference[], body: string][] = [
  [['newline'], `${BODY}\n`],
  [['spaces'], JSON.stringify(VALUE, null, 2)],
  [['unicode_escapes'], ascii(BODY)],
  [['slash_escapes'], BODY.replaceAll('/', '\\/')],
  [['key_order'], JSON.stringify(VALUE, sortedKeys)],
  [['newline', 'html_escapes'], `${BODY.replaceAll('&', '\\u0026')}\n`],
]

for (const [differences, signed] of SIGNED_INSTEAD) {
  test(`another body was signed: ${differences.join(', ')}`, () => {
    const { mistakes } = explain({ signature: overBody(signed) })
    assert.deepEqual(
      mistakes.map(({ mistake, differences: found }) => [mistake, found]),
      [['body_rewritten', differences]],
    )
  })
}

test('the place of the first difference is shown', () => {
  const [found] = explain({ body: JSON.stringify(VALUE, null, 1) }).mistakes
  assert.match(found?.explanation ?? '', /at character 1: /)
})

test('two mistakes at once are both named, and lateness besides', () => {
  const names = (given: Given) => explain(given).mistakes.map(({ mistake }) => mistake)
  assert.deepEqual(names({ signature: mac(`${TIME}.${BODY}`, SECRET).toString('hex'), at: 400 }), [
    'secret_with_prefix',
    'text_without_id',
    'signature_hex',
    'timestamp_old',
  ])
  assert.deepEqual(names({ signature: made(`${TIME}.${BODY}`), body: `${BODY}\n` }), [
    'text_without_id',
    'body_rewritten',
  ])
})

test('right and stale: both are said', () => {
  const { valid, signatureRight, ageSeconds, mistakes } = explain({ at: 3600 })
  assert.deepEqual([valid, signatureRight, ageSeconds], [false, true, 3600])
  assert.deepEqual(
    mistakes.map(({ mistake }) => mistake),
    ['timestamp_old'],
  )
})

test('the window is five minutes to either side, inclusive', () => {
  assert.deepEqual(
    [-301, -300, 0, 300, 301].map((at) => explain({ at }).valid),
    [false, true, true, true, false],
  )
})

test('rotation: it says which of the signatures was made with this secret', () => {
  const signature = signWebhook([ANOTHER, SECRET], { id: ID, timestamp: TIME, body: BODY })
  const newer = explain({ signature, secret: ANOTHER })
  const older = explain({ signature })
  assert.deepEqual([newer.valid, newer.matched, newer.signatures], [true, 1, 2])
  assert.deepEqual([older.valid, older.matched, older.signatures], [true, 2, 2])
})

test('a secret without its prefix is taken as Standard Webhooks libraries take it', () => {
  assert.equal(explain({ secret: BASE64 }).valid, true)
})

test('docs/callbacks.md: every mistake and every difference has its row, and there is no other', () => {
  const file = join(import.meta.dirname, '../../../../../../../docs/callbacks.md')
  const [, section = ''] = readFileSync(file, 'utf8').split('\n## When it does not match\n')
  const rows = [...section.matchAll(/^\| `([a-z0-9_]+)` \|/gm)].map(([, name]) => name as string)
  const differences = new Set([...CHANGED, ...SIGNED_INSTEAD].flatMap(([names]) => names))
  assert.deepEqual(rows.toSorted(), [...Object.keys(CASES), ...differences].toSorted())
})
