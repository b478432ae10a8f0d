import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCanonical, writeCanonical } from './canonical-json.ts'

test('the same value has one text, whatever the order of its fields, and is read as it was', () => {
  const value = { b: [1n, null], a: { at: new Date(0), text: 'ş' }, gone: undefined }
  const text = writeCanonical(value)
  assert.equal(text, writeCanonical({ a: { text: 'ş', at: new Date(0) }, b: [1n, null] }))
  assert.deepEqual(readCanonical(text), { a: { at: new Date(0), text: 'ş' }, b: [1n, null] })
  assert.notEqual(text, writeCanonical({ ...value, b: ['1', null] }), 'an amount is not a text')
})
