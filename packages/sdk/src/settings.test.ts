import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { VezneError } from './vezne-error.ts'
import { vezne } from './vezne.ts'

const OPTIONS = { baseUrl: 'https://pay.example', apiKey: 'vk_1', apiSecret: 'vs_1' }

for (const [what, changes, words] of [
  ['no key', { apiKey: '' }, /apiKey is missing/],
  ['a secret with a line break', { apiSecret: 'vs_1\n' }, /apiSecret .* line breaks/],
  ['a key that was shortened for a page', { apiKey: 'vk_…' }, /apiKey .*Copy all of it/],
  ['a secret that is not set', { apiSecret: undefined }, /apiSecret is missing/],
  ['an address without a protocol', { baseUrl: 'pay.example' }, /baseUrl .*not "pay\.example"/],
  ['an address with a path', { baseUrl: 'https://pay.example/v1' }, /such as https:\/\/pay\.example/],
  ['another protocol', { baseUrl: 'ftp://pay.example' }, /baseUrl/],
  ['no try at all', { maxTries: 0 }, /maxTries/],
  ['a timeout that is none', { timeoutMs: NaN }, /timeoutMs/],
] as [string, object, RegExp][]) {
  test(`refused at once: ${what}`, () => {
    assert.throws(() => vezne({ ...OPTIONS, ...changes }), { code: 'INVALID_OPTIONS', status: null, message: words })
  })
}

test('a closing slash is fine; an id that would make another path is not', async () => {
  const { transactions, deposits, events } = vezne({ ...OPTIONS, baseUrl: 'https://pay.example/' })
  for (const id of ['', '.', '..', '6af9/cancel', 'a b', undefined as unknown as string]) {
    await assert.rejects(transactions.get(id), { code: 'INVALID_OPTIONS' }, id)
    await assert.rejects(deposits.cancel(id), { code: 'INVALID_OPTIONS' }, id)
    await assert.rejects(events.resend(id), { code: 'INVALID_OPTIONS' }, id)
  }
})

test('an error is printed without the fields that it does not have', () => {
  assert.doesNotMatch(inspect(new VezneError('INVALID_OPTIONS', 'no')), /undefined/)
  const error = new VezneError('UNREACHABLE', 'no', { details: { problem: 'x' }, cause: new Error('reset') })
  assert.match(inspect(error), /details: \{ problem: 'x' \}/)
  assert.match(inspect(error), /\[cause\]: Error: reset/)
})
