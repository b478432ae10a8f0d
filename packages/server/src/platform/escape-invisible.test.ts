import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { escapeInvisible, escapeInvisibleInJson } from './escape-invisible.ts'

const anyText = fc.string({ unit: 'binary' })

test('what can be seen stays as it is, in any script', () => {
  for (const text of ['', 'Ayşe Yılmaz', 'İĞÜŞÖÇ ıığüşöç', 'عائشة', '张伟', '₺ 1.250,00', '€', 'a\\b', '😀'])
    assert.equal(escapeInvisible(text), text)
})

test('controls, marks of direction and shapeless characters are written out', () => {
  assert.equal(escapeInvisible('\u001b]0;x\u0007\u009b31m\u007f'), '\\x1b]0;x\\x07\\x9b31m\\x7f')
  assert.equal(escapeInvisible('a\nb\rc\td\0'), 'a\\nb\\rc\\td\\x00')
  assert.equal(escapeInvisible('\u202eTR12\u2066\u2069\u200f\u061c'), '\\u202eTR12\\u2066\\u2069\\u200f\\u061c')
  assert.equal(escapeInvisible('\u200b\ufeff\u2028\u2029\u00ad\u3164'), '\\u200b\\ufeff\\u2028\\u2029\\xad\\u3164')
  assert.equal(escapeInvisible('\u{e0041}\ud83d'), '\\u{e0041}\\ud83d')
})

test('nothing invisible is left of any text, and JSON still says the same', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u
      assert.doesNotMatch(escapeInvisible(text), invisible)
      const json = escapeInvisibleInJson(JSON.stringify({ text }))
      assert.doesNotMatch(json, invisible)
      assert.deepEqual(JSON.parse(json), { text })
    }),
  )
})
