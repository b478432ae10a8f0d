import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readPositions, writePositions } from './positions.ts'

test('neighbours are a range', () => {
  assert.equal(writePositions(['5', '6', '7', '9']), '5-7,9')
  assert.equal(writePositions(['9', '8', '7']), '9,8,7')
  assert.deepEqual(readPositions('5-7,9'), ['5', '6', '7', '9'])
  assert.deepEqual(readPositions('9007199254740990-9007199254740991'), ['9007199254740990', '9007199254740991'])
})

test('whatever is written is read again, in the same order', () => {
  const position = fc
    .oneof(
      fc.integer({ min: 1, max: 50 }),
      fc.maxSafeNat().filter((one) => one > 0),
    )
    .map(String)
  fc.assert(
    fc.property(fc.array(position), (positions) => {
      assert.deepEqual(readPositions(writePositions(positions)), positions)
    }),
  )
})
