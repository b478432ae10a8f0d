import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal, refusalAbout, refusalFrom, storedRefusal } from './refusal.ts'

const amount = { minor: '125000', currency: 'TRY' }
const inside = { why: 'iban_wrong', facts: { fault: 'length', characters: 25 } }
const reason = { said: { why: 'line_wrong', facts: { line: 2, amount, inside, known: ['a', 'b'] } } }
const details = { minAmount: 1, maxAmount: 2 }

for (const [what, refusal] of [
  ['a sentence', new Refusal('NOT_FOUND', 'There is nothing here.')],
  ['a sentence with details', new Refusal('AMOUNT_OUT_OF_RANGE', 'Too much.', { details })],
  ['a reason', new Refusal('INVALID_STATE', reason)],
  ['a reason with details', new Refusal('AMOUNT_OUT_OF_RANGE', reason, { details })],
  ['a reason of fields', new Refusal('VALIDATION_ERROR', { ...reason, fields: ['iban', 'name'] })],
  ['a reason about one of several', refusalAbout('F1', new Refusal('INVALID_STATE', reason))],
] as const) {
  test(`${what}, stored as JSON, is the same refusal again`, () => {
    const again = refusalFrom(JSON.parse(JSON.stringify(storedRefusal(refusal))))
    for (const part of ['code', 'message', 'said', 'fields', 'about', 'details'] as const)
      assert.deepEqual(again[part], refusal[part], part)
  })
}
