import assert from 'node:assert/strict'
import { test } from 'node:test'
import { base32, stepOfCode, totpCode, totpStep } from './totp.ts'

// Appendix B of RFC 6238 has eight digits; the last six are those of six-digit codes.
const SECRET = Buffer.from('12345678901234567890')
const VECTORS: [seconds: number, code: string][] = [
  [59, '287082'],
  [1111111109, '081804'],
  [1111111111, '050471'],
  [1234567890, '005924'],
  [2000000000, '279037'],
  [20000000000, '353130'],
]

test('the codes of RFC 6238', () => {
  for (const [seconds, code] of VECTORS) assert.equal(totpCode(SECRET, totpStep(new Date(seconds * 1000))), code)
})

test('a code counts for its own step, the one before and the one after', () => {
  const now = new Date(1_234_567_890_000)
  const step = totpStep(now)
  const found = [-2, -1, 0, 1, 2].map((away) => stepOfCode(SECRET, totpCode(SECRET, step + away), now))
  assert.deepEqual(found, [null, step - 1, step, step + 1, null])
  for (const wrong of ['', '12345', '1234567', '12345a', '００００００'])
    assert.equal(stepOfCode(SECRET, wrong, now), null)
})

test('base32 as in RFC 4648, without padding', () => {
  const pairs = { f: 'MY', fo: 'MZXQ', foo: 'MZXW6', foob: 'MZXW6YQ', fooba: 'MZXW6YTB', foobar: 'MZXW6YTBOI' }
  for (const [plain, encoded] of Object.entries(pairs)) assert.equal(base32(Buffer.from(plain)), encoded)
})
