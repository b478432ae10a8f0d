import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unusuallyWritten } from './written-number.ts'

for (const [json, expected] of [
  ['{"amount":125000}', null],
  ['{"amount":1250.00}', '1250.00'],
  ['{"x":{"amount":1.5},"amount": -1e3 }', '-1e3'],
  ['{"amount":1.0,"x":[{"amount":2.0}]}', '1.0'],
  ['{"\\u0061mount":2E4}', '2E4'],
  ['{"amount":5,"x":{"amount":1.5}}', null],
  ['{"x":{"amount":1.5}}', null],
  ['{"x":[{"amount":1.5}],"amount":"1.5"}', null],
  ['{"x\\"amount":1.5,"amount":7}', null],
  ['{"note":"\\"amount\\": 1.5","amount":7}', null],
  ['{"ş":1.5,"amount":7.0}', '7.0'],
  ['[{"amount":1.5}]', null],
] as const) {
  test(`${json}: ${expected}`, () => assert.equal(unusuallyWritten(Buffer.from(json), 'amount'), expected))
}
