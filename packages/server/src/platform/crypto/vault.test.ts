import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { secureRandom } from './random.ts'
import { openVault } from './vault.ts'

const key = randomBytes(32)
const vault = openVault(key, secureRandom())

test('what was sealed for an owner opens for that owner, also in another process with the same key', () => {
  const again = openVault(Buffer.from(key), secureRandom())
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (plain, owner) => {
      const sealed = vault.seal(plain, owner)
      assert.equal(vault.open(sealed, owner), plain)
      assert.equal(again.open(sealed, owner), plain)
    }),
  )
})

test('the same secret sealed twice looks different, and shows nothing of itself', () => {
  const [one, two] = [vault.seal('vs_secret', 'vk_1'), vault.seal('vs_secret', 'vk_1')]
  assert.notEqual(one, two)
  const nonce = (sealed: string) => Buffer.from(sealed.split('.')[2] as string, 'base64url').subarray(0, 12)
  assert.notDeepEqual(nonce(one), nonce(two))
  for (const sealed of [one, two]) {
    assert.ok(!Buffer.from(sealed.split('.')[2] as string, 'base64url').includes('vs_secret'))
    assert.ok(!sealed.includes(key.toString('hex').slice(0, 8)))
  }
})

test('a sealed secret moved to another owner does not open', () => {
  const sealed = vault.seal('vs_secret', 'vk_1')
  for (const owner of ['vk_2', 'vk_', 'vk_11', '']) assert.throws(() => vault.open(sealed, owner), /./, owner)
})

test('one flipped bit, anywhere in nonce, text or tag, and it does not open', () => {
  const [version, keyId, text] = vault.seal('vs_secret', 'vk_1').split('.') as [string, string, string]
  const bytes = Buffer.from(text, 'base64url')
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const flipped = Buffer.from(bytes)
    flipped[bit >> 3] = (flipped[bit >> 3] as number) ^ (1 << (bit & 7))
    assert.throws(() => vault.open([version, keyId, flipped.toString('base64url')].join('.'), 'vk_1'), `bit ${bit}`)
  }
})

test('a sealed secret cut short or lengthened does not open', () => {
  const [version, keyId, text] = vault.seal('vs_secret', 'vk_1').split('.') as [string, string, string]
  const bytes = Buffer.from(text, 'base64url')
  for (let length = 0; length < bytes.length; length++) {
    const cut = bytes.subarray(0, length).toString('base64url')
    assert.throws(() => vault.open([version, keyId, cut].join('.'), 'vk_1'), `length ${length}`)
  }
  const longer = Buffer.concat([bytes, Buffer.alloc(1)]).toString('base64url')
  assert.throws(() => vault.open([version, keyId, longer].join('.'), 'vk_1'))
})

test('what is no sealed secret is named as such, with its owner and without its content', () => {
  for (const text of ['', 'vs_plain', 'v1.aaaaaaaa.AAAA', 'v3.aaaaaaaa.AAAA', 'v2', 'v2.aaaaaaaa']) {
    assert.throws(
      () => vault.open(text, 'vk_1'),
      (error: Error) =>
        /Not a sealed secret/.test(error.message) && error.message.includes('vk_1') && !error.message.includes('plain'),
      text,
    )
  }
})

test('under another master key the error names both keys and the remedy', () => {
  const other = openVault(randomBytes(32), secureRandom())
  const sealed = vault.seal('vs_secret', 'vk_1')
  assert.throws(
    () => other.open(sealed, 'vk_1'),
    (error: Error) => {
      assert.match(error.message, /VEZNE_MASTER_KEY/)
      assert.match(error.message, /vk_1/)
      assert.ok(error.message.includes(sealed.split('.')[1] as string))
      assert.ok(error.message.includes(other.seal('', '').split('.')[1] as string))
      return true
    },
  )
})

test('during a rotation both keys open, and only the new one seals', () => {
  const next = openVault(randomBytes(32), secureRandom(), key)
  const sealed = vault.seal('vs_secret', 'vk_1')
  assert.equal(next.open(sealed, 'vk_1'), 'vs_secret')
  const anew = next.seal('vs_secret', 'vk_1')
  assert.ok(anew.startsWith(next.prefix) && !sealed.startsWith(next.prefix))
  assert.equal(next.open(anew, 'vk_1'), 'vs_secret')
  assert.throws(() => vault.open(anew, 'vk_1'), /VEZNE_MASTER_KEY_OLD/)
})
