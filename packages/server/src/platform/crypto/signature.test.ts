import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { sign, signatureMatches } from './signature.ts'

const VECTORS = join(import.meta.dirname, '../../../../../../shared/samples/vectors/hmac_sha256_test.json')
const skip = !existsSync(VECTORS) && `no vectors: ${VECTORS} is not there`

const onlyBody = (body: Buffer | string) => ({ timestamp: '', method: '', target: '', body })
const secret = 'vs_0f1e2d3c4b5a69788796a5b4c3d2e1f0'
const parts = { timestamp: '1760000000', method: 'POST', target: '/v1/deposit', body: '{"amount":125000}' }
const signature = sign(secret, parts)

// RFC 4231, the cases with a full 256-bit tag.
const RFC_4231 = [
  ['0b'.repeat(20), Buffer.from('Hi There'), 'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7'],
  [
    Buffer.from('Jefe').toString('hex'),
    Buffer.from('what do ya want for nothing?'),
    '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  ],
  ['aa'.repeat(20), Buffer.alloc(50, 0xdd), '773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe'],
  [
    '0102030405060708090a0b0c0d0e0f10111213141516171819',
    Buffer.alloc(50, 0xcd),
    '82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b',
  ],
  [
    'aa'.repeat(131),
    Buffer.from('Test Using Larger Than Block-Size Key - Hash Key First'),
    '60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54',
  ],
  [
    'aa'.repeat(131),
    Buffer.from(
      'This is a test using a larger than block-size key and a larger than block-size data. ' +
        'The key needs to be hashed before being used by the HMAC algorithm.',
    ),
    '9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2',
  ],
] as const

test('RFC 4231: the signature is HMAC-SHA256 in lower-case hex', () => {
  for (const [key, message, tag] of RFC_4231) {
    assert.equal(sign(Buffer.from(key, 'hex'), onlyBody(message)), tag)
  }
  assert.ok(signatureMatches('Jefe', onlyBody('what do ya want for nothing?'), RFC_4231[1][2]))
})

type Vector = { tcId: number; key: string; msg: string; tag: string; result: 'valid' | 'invalid' }

test('Wycheproof: every whole tag that is valid is ours, every one that is not differs', { skip }, () => {
  const { testGroups } = JSON.parse(readFileSync(VECTORS, 'utf8')) as {
    testGroups: { tagSize: number; tests: Vector[] }[]
  }
  const whole = testGroups.filter(({ tagSize }) => tagSize === 256).flatMap(({ tests }) => tests)
  assert.ok(whole.length > 50)
  for (const { tcId, key, msg, tag, result } of whole) {
    const bytes = Buffer.from(key, 'hex')
    const message = onlyBody(Buffer.from(msg, 'hex'))
    assert.equal(sign(bytes, message) === tag, result === 'valid', `vector ${tcId}`)
    const asText = bytes.toString('utf8')
    if (Buffer.from(asText).equals(bytes)) {
      assert.equal(signatureMatches(asText, message, tag), result === 'valid', `vector ${tcId}`)
    }
  }
})

test('the parts are joined with nothing in between, the body byte for byte', () => {
  const joined = Buffer.from(parts.timestamp + parts.method + parts.target + parts.body)
  assert.equal(signature, sign(secret, onlyBody(joined)))
  assert.equal(sign(secret, { ...parts, body: Buffer.from(parts.body) }), signature)
  const bytes = Buffer.from([0xff, 0x00, 0x80])
  assert.notEqual(sign(secret, { ...parts, body: bytes }), sign(secret, { ...parts, body: bytes.toString() }))
})

test('a signature matches its own parts and secret', () => {
  const text = fc.string({ unit: 'grapheme' })
  fc.assert(
    fc.property(text, text, text, text, fc.uint8Array(), (key, timestamp, method, target, bytes) => {
      const signed = { timestamp, method, target, body: Buffer.from(bytes) }
      assert.ok(signatureMatches(key, signed, sign(key, signed)))
      assert.ok(!signatureMatches(`${key}x`, signed, sign(key, signed)))
    }),
  )
})

test('every flipped bit of the signature, the secret and each part is refused', () => {
  const flips = (text: string) =>
    Array.from({ length: text.length * 8 }, (_, bit) => {
      const bytes = Buffer.from(text, 'latin1')
      bytes[bit >> 3] = (bytes[bit >> 3] as number) ^ (1 << (bit & 7))
      return bytes.toString('latin1')
    })
  for (const flipped of flips(signature)) assert.ok(!signatureMatches(secret, parts, flipped), flipped)
  for (const flipped of flips(secret)) assert.ok(!signatureMatches(flipped, parts, signature), flipped)
  for (const part of ['timestamp', 'method', 'target', 'body'] as const) {
    for (const flipped of flips(parts[part])) {
      assert.ok(!signatureMatches(secret, { ...parts, [part]: flipped }, signature), `${part} ${flipped}`)
    }
  }
  const raw = Buffer.from(signature, 'hex')
  for (let bit = 0; bit < 256; bit++) {
    const bytes = Buffer.from(raw)
    bytes[bit >> 3] = (bytes[bit >> 3] as number) ^ (1 << (bit & 7))
    assert.ok(!signatureMatches(secret, parts, bytes.toString('hex')))
  }
})

test('wrong lengths, upper case and other shapes are refused without throwing', () => {
  assert.ok(signatureMatches(secret, parts, signature))
  for (const other of [
    '',
    signature.slice(0, 63),
    `${signature}0`,
    signature + signature,
    signature.toUpperCase(),
    ` ${signature}`,
    `${signature}\n`,
    `${signature}zz`,
    `${signature.slice(0, 62)}zz`,
    `0x${signature.slice(2)}`,
    `${signature}, ${signature}`,
    Buffer.from(signature, 'hex').toString('base64'),
    'g'.repeat(64),
    '0'.repeat(64),
    'é'.repeat(64),
  ]) {
    assert.equal(signatureMatches(secret, parts, other), false, JSON.stringify(other))
  }
})
