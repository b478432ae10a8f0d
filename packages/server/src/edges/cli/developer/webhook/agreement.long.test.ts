import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { signWebhook } from '../../../../platform/crypto/webhook-signature.ts'
import { explainWebhook } from './explain-webhook.ts'

// The reference library uses the wall clock, so these callbacks are dated now.
const seconds = () => Math.floor(Date.now() / 1000)

const secrets = fc
  .uint8Array({ minLength: 24, maxLength: 64 })
  .map((bytes) => `whsec_${Buffer.from(bytes).toString('base64')}`)
const ids = fc.stringMatching(/^[0-9a-f]{24}$/)
const letters = fc.constantFrom(...Array.from('abcçğıiİöşüÇĞIÖŞÜ0189 ."\\/&<>{}[]:,\n\t€ß漢🎈'))
const texts = fc.string({ unit: letters, maxLength: 60 })
const bodies = fc.oneof(
  texts,
  fc
    .record({ type: texts, data: fc.dictionary(texts, fc.oneof(texts, fc.integer())) })
    .map((body) => JSON.stringify(body)),
)

type Callback = { id: string; timestamp: string; signature: string; body: string }

const ours = (secret: string, { body, ...callback }: Callback) =>
  explainWebhook(secret, { ...callback, body: Buffer.from(body) }, new Date()).valid

function theirs(secret: string, { id, timestamp, signature, body }: Callback): boolean {
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature }
  try {
    new Webhook(secret).verify(body, headers, { jsonParse: false })
    return true
  } catch {
    return false
  }
}

test('what the reference library signs, we accept', () => {
  fc.assert(
    fc.property(secrets, ids, bodies, (secret, id, body) => {
      const timestamp = String(seconds())
      const signature = new Webhook(secret).sign(id, new Date(Number(timestamp) * 1000), body)
      assert.ok(ours(secret, { id, timestamp, signature, body }))
    }),
  )
})

test('what we sign, the reference library accepts with either secret', () => {
  fc.assert(
    fc.property(secrets, secrets, ids, bodies, (newer, older, id, body) => {
      const timestamp = String(seconds())
      const signature = signWebhook([newer, older], { id, timestamp, body })
      for (const secret of [newer, older]) {
        assert.ok(theirs(secret, { id, timestamp, signature, body }))
        assert.ok(ours(secret, { id, timestamp, signature, body }))
      }
    }),
  )
})

test('whatever is done to a callback, we and the reference library agree about it', () => {
  const harm = fc.constantFrom<((callback: Callback) => Callback)[]>(
    (callback) => callback,
    (callback) => ({ ...callback, id: '' }),
    (callback) => ({ ...callback, id: `${callback.id}0` }),
    (callback) => ({ ...callback, body: `${callback.body}\n` }),
    (callback) => ({ ...callback, body: callback.body.slice(1) }),
    (callback) => ({ ...callback, timestamp: String(Number(callback.timestamp) + 1) }),
    (callback) => ({ ...callback, timestamp: `${callback.timestamp}000` }),
    (callback) => ({ ...callback, signature: callback.signature.slice(3) }),
    (callback) => ({ ...callback, signature: callback.signature.replace('v1,', 'v2,') }),
    (callback) => ({ ...callback, signature: callback.signature.slice(0, -1) }),
    (callback) => ({ ...callback, signature: callback.signature.replaceAll('+', '-').replaceAll('/', '_') }),
    (callback) => ({ ...callback, signature: `v1,bm90aGluZw== ${callback.signature}` }),
  )
  // Far enough from the edge of the window that one more second does not matter.
  const ages = fc.constantFrom(-4000, -310, -290, 0, 290, 310, 4000)
  fc.assert(
    fc.property(
      secrets,
      secrets,
      ids,
      bodies,
      harm,
      ages,
      fc.boolean(),
      (secret, other, id, body, change, age, swap) => {
        const timestamp = String(seconds() - age)
        const signature = signWebhook([secret], { id, timestamp, body })
        const callback = change({ id, timestamp, signature, body })
        const key = swap ? other : secret
        assert.equal(ours(key, callback), theirs(key, callback))
      },
    ),
  )
})
