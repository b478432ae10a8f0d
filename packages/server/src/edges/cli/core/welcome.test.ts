import assert from 'node:assert/strict'
import { test } from 'node:test'
import { welcome } from './welcome.ts'

const facts = {
  baseUrl: 'http://127.0.0.1:8080',
  databaseUrl: 'postgres://localhost/vezne',
  merchant: { merchantId: 'm', apiKey: 'vk_1', apiSecret: 'vs_1', callbackSecret: 'whsec_1' },
}
const shown = (changes = {}) =>
  welcome(facts, { requestsLogged: true, offsetSeconds: 0, factsFile: '.vezne/sandbox.json', ...changes })

test('says where to find the credentials later', () => {
  assert.match(shown(), /sandbox\.json/)
})

test('shows the logins of both consoles', () => {
  const logins = [
    { audience: 'operator' as const, name: 'demo.operator', password: 'secret-one' },
    { audience: 'merchant' as const, name: 'demo@shop.example', password: 'secret-two' },
  ]
  const text = welcome({ ...facts, logins }, { requestsLogged: true, offsetSeconds: 0, factsFile: 'sandbox.json' })
  assert.match(text, /operator +http:\/\/127\.0\.0\.1:8080\/operator {2}demo\.operator {2}secret-one\n/)
  assert.match(text, /merchant +http:\/\/127\.0\.0\.1:8080\/merchant {2}demo@shop\.example {2}secret-two\n/)
})

test('says when the clock of the sandbox was moved, and how to reset it', () => {
  assert.doesNotMatch(shown(), /clock/)
  assert.match(shown({ offsetSeconds: 1860 }), /clock is 1860 s ahead .*npx vezne sim clock reset/)
})

test('commands of a sandbox in another folder name that folder', () => {
  assert.doesNotMatch(shown(), /VEZNE_DATA/)
  const elsewhere = shown({ offsetSeconds: 5, chosenFolder: '/tmp/my shop' })
  const commands = elsewhere.match(/(\S+ )?npx vezne .*/g) ?? []
  assert.ok(commands.length > 5)
  for (const line of commands) assert.match(elsewhere, /VEZNE_DATA='\/tmp\/my shop' npx vezne/, line)
  assert.doesNotMatch(elsewhere, /(?<!VEZNE_DATA='\/tmp\/my shop') npx vezne/)
})
