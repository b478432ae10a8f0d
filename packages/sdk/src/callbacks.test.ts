import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { signCallbackForTest, verifyCallback } from './callbacks.ts'
import type { VezneError } from './vezne-error.ts'

const KEY = Buffer.from('a secret of thirty-two bytes, ok')
const SECRET = `whsec_${KEY.toString('base64')}`
const OLD_SECRET = `whsec_${Buffer.from('the secret before the rotation..').toString('base64')}`
const SECONDS = 1_794_726_000
const now = () => new Date(SECONDS * 1000)
const ID = '6af95aef0d2c47b1c2f0a5e3'
const DATA = { transactionId: '6af95a29428d9b71948dc42f', type: 'deposit', processId: 'a/b', name: 'Ayşe & Co' }
const BODY = JSON.stringify({ type: 'deposit.completed', timestamp: '2026-11-15T07:15:48.207Z', data: DATA })
const GOOD = signCallbackForTest({ body: BODY, secrets: SECRET, id: ID, timestamp: SECONDS })

const mac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
const v1 = (text: string, key: string | Buffer = KEY) => `v1,${mac(key, text).toString('base64')}`

/** What is wrong with it; null when it is accepted. */
function problem(headers: object = {}, body: unknown = BODY, secret: string | string[] = SECRET): string | null {
  try {
    verifyCallback({ ...GOOD, ...headers }, body as string, secret, { now })
    return null
  } catch (error) {
    const { code, details } = error as VezneError
    assert.equal(code, 'INVALID_CALLBACK')
    return (details as { problem: string }).problem
  }
}

test('a genuine callback is returned with its id, from text and from bytes, with headers of every kind', () => {
  const expected = { eventId: ID, ...JSON.parse(BODY) }
  const titled = Object.fromEntries(Object.entries(GOOD).map(([name, value]) => [name.toUpperCase(), value]))
  for (const headers of [GOOD, titled, new Headers(GOOD)])
    for (const body of [BODY, Buffer.from(BODY), new TextEncoder().encode(BODY)])
      assert.deepEqual(verifyCallback(headers, body, SECRET, { now }), expected)
})

test('a tolerance or a clock that is no number accepts nothing, and neither does a body that is no event', () => {
  const old = signCallbackForTest({ body: BODY, secrets: SECRET, timestamp: 1_577_836_800 })
  for (const options of [
    { now, toleranceSeconds: Number.NaN },
    { now, toleranceSeconds: '5m' as never },
    { now: () => new Date('x') },
  ])
    assert.throws(() => verifyCallback(old, BODY, SECRET, options), /must be a number/)
  for (const body of ['null', '[]', '"x"', '{}'])
    assert.equal(problem(signCallbackForTest({ body, secrets: SECRET, timestamp: SECONDS }), body), 'body_not_json')
  assert.equal(problem({}, BODY, `whsec_${Buffer.from('x').toString('base64')}`), 'secret_malformed')
})

test('during a rotation either secret is enough, on either side', () => {
  const both = signCallbackForTest({ body: BODY, secrets: [OLD_SECRET, SECRET], id: ID, timestamp: SECONDS })
  assert.equal(problem(both), null)
  assert.equal(problem(both, BODY, OLD_SECRET), null)
  assert.equal(problem({}, BODY, [OLD_SECRET, SECRET]), null)
  assert.equal(problem({}, BODY, []), 'signature_mismatch')
  assert.equal(problem({ 'webhook-signature': `v2,x ${GOOD['webhook-signature']}` }), null)
})

test('the window is five minutes to either side, and can be set', () => {
  for (const [off, expected] of [
    [-300, null],
    [-301, 'timestamp_old'],
    [300, null],
    [301, 'timestamp_future'],
  ] as const)
    assert.equal(problem(signCallbackForTest({ body: BODY, secrets: SECRET, timestamp: SECONDS + off })), expected)
  const early = signCallbackForTest({ body: BODY, secrets: SECRET, timestamp: SECONDS - 11 })
  assert.throws(() => verifyCallback(early, BODY, SECRET, { now, toleranceSeconds: 10 }), /Signed 11 s ago/)
  assert.ok(verifyCallback(signCallbackForTest({ body: BODY, secrets: SECRET }), BODY, SECRET), 'now unless told')
})

// The mistakes of docs/callbacks.md, "When it does not match", in its order: none of them is accepted.
const text = `${ID}.${SECONDS}.${BODY}`
const signature = GOOD['webhook-signature'].slice(3)
const b64 = KEY.toString('base64')
const MISTAKES: (readonly [string, () => string | null, string])[] = [
  ['header_missing', () => problem({ 'webhook-id': undefined }), 'header_missing'],
  ['header_missing, empty', () => problem({ 'webhook-timestamp': '' }), 'header_missing'],
  ['header twice', () => problem({ 'webhook-signature': [signature, signature] }), 'header_missing'],
  ['secret_malformed: without prefix', () => problem({}, BODY, b64), 'secret_malformed'],
  ['secret_malformed: cut off', () => problem({}, BODY, SECRET.slice(0, -2)), 'secret_malformed'],
  ['secret_malformed: spaces', () => problem({}, BODY, ` ${SECRET}`), 'secret_malformed'],
  ['secret_malformed: quotes', () => problem({}, BODY, `"${SECRET}"`), 'secret_malformed'],
  ['secret_malformed: of the API', () => problem({}, BODY, 'vs_0f1e2d3c'), 'secret_malformed'],
  ['secret_malformed: nothing behind it', () => problem({}, BODY, 'whsec_'), 'secret_malformed'],
  ['wrong_secret', () => problem({}, BODY, OLD_SECRET), 'signature_mismatch'],
  ['wrong_secret_or_body', () => problem({}, '{}', OLD_SECRET), 'signature_mismatch'],
  ['body_empty', () => problem({}, ''), 'signature_mismatch'],
  ['body_not_json', () => problem({}, '[object Object]'), 'signature_mismatch'],
  ['body parsed already', () => problem({}, JSON.parse(BODY)), 'body_not_raw'],
  ['body missing', () => problem({}, null), 'body_not_raw'],
  ...(
    [
      ['secret_with_prefix', v1(text, SECRET)],
      ['secret_not_decoded', v1(text, b64)],
      ['secret_decoded_with_prefix', v1(text, Buffer.from(SECRET, 'base64'))],
      ['text_without_id', v1(`${SECONDS}.${BODY}`)],
      ['text_without_timestamp', v1(`${ID}.${BODY}`)],
      ['text_body_only', v1(BODY)],
      ['text_without_body', v1(`${ID}.${SECONDS}.`)],
      ['text_swapped', v1(`${SECONDS}.${ID}.${BODY}`)],
      ['text_separator', v1(`${ID}:${SECONDS}:${BODY}`)],
      ['text_milliseconds', v1(`${ID}.${SECONDS}000.${BODY}`)],
      ['text_id_of_body', v1(`${DATA.transactionId}.${SECONDS}.${BODY}`)],
      ['text_timestamp_of_body', v1(`${ID}.2026-11-15T07:15:48.207Z.${BODY}`)],
      ['signature_case', `v1,${signature.toLowerCase()}`],
    ] as const
  ).map(([name, given]) => [name, () => problem({ 'webhook-signature': given }), 'signature_mismatch'] as const),
  ...(
    [
      ['signature_without_version', signature],
      ['signature_version', `v1=${signature}`],
      ['signature_hex', `v1,${mac(KEY, text).toString('hex')}`],
      ['signature_hex_in_base64', `v1,${Buffer.from(mac(KEY, text).toString('hex')).toString('base64')}`],
      ['signature_base64url', `v1,${mac(KEY, text).toString('base64url')}`],
      ['signature_cut_off', `v1,${signature.slice(0, -4)}`],
      ['signature_malformed', 'none'],
    ] as const
  ).map(([name, given]) => [name, () => problem({ 'webhook-signature': given }), 'signature_malformed'] as const),
  ['text_seconds', () => problem({ 'webhook-timestamp': `${SECONDS}000` }), 'timestamp_malformed'],
  ['timestamp_malformed', () => problem({ 'webhook-timestamp': '2026-11-15' }), 'timestamp_malformed'],
  ['timestamp_milliseconds', () => problem({ 'webhook-timestamp': `${SECONDS}123` }), 'timestamp_malformed'],
  ['another id', () => problem({ 'webhook-id': 'x' }), 'signature_mismatch'],
]
for (const [name, check, expected] of MISTAKES)
  test(`not accepted: ${name}`, () => {
    assert.equal(check(), expected)
  })

// body_rewritten, with each of its differences.
const parsed = JSON.parse(BODY) as Record<string, unknown>
for (const [name, body] of Object.entries({
  newline: `${BODY}\n`,
  spaces: JSON.stringify(parsed, null, 2),
  key_order: JSON.stringify(Object.fromEntries(Object.entries(parsed).toReversed())),
  unicode_escapes: BODY.replace('ş', '\\u015f'),
  slash_escapes: BODY.replace('a/b', 'a\\/b'),
  html_escapes: BODY.replace('&', '\\u0026'),
  byte_order_mark: `\uFEFF${BODY}`,
  encoding: Buffer.from(BODY, 'latin1'),
  composition: BODY.normalize('NFD'),
  wrapped: JSON.stringify(BODY),
}))
  test(`not accepted: body_rewritten, ${name}`, () => {
    assert.notDeepEqual(Buffer.from(body), Buffer.from(BODY))
    assert.equal(problem({}, body), 'signature_mismatch')
  })

test('a signed body that is not JSON is an error of the same family', () => {
  assert.equal(
    problem(signCallbackForTest({ body: 'hello', secrets: SECRET, timestamp: SECONDS }), 'hello'),
    'body_not_json',
  )
})
