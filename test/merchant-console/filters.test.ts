import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SECTIONS } from '../../packages/server/src/edges/merchant-console/routes.ts'
import { cheap, merchantUser, PASSWORD } from '../harness/logins.ts'
import { visitor } from '../harness/operator-console.ts'
import { startService } from '../harness/service.ts'

const service = await startService()
const { merchantId } = await service.merchant()
await merchantUser(cheap(service.app), merchantId, 'owner@mine.example')
const person = visitor(service, 'merchant')
await person.logIn('owner@mine.example', PASSWORD)

test('a NUL in any filter is no error', async () => {
  const names = [
    'q',
    'before',
    'after',
    'from',
    'to',
    'day',
    'kind',
    'state',
    'status',
    'name',
    'customer',
    'iban',
    'currency',
  ]
  const lists = SECTIONS.flatMap(({ views }) => views).filter(({ path }) => !path.includes(':'))
  assert.ok(lists.length > 10)
  for (const { path } of lists)
    for (const value of ['%00', 'a%00b']) {
      const { status } = await person.request(`${path}?${names.map((name) => `${name}=${value}`).join('&')}`)
      assert.ok(status < 500, `${path}: ${status}`)
    }
})

test('an address that is not allowed is refused in the language of the page', async () => {
  const csrf = await person.csrf()
  const { text } = await person.request('/developer/endpoints', { csrf, url: 'http://169.254.169.254/' })
  const said = /class="say bad"[^>]*>([^<]*)/.exec(text)?.[1]
  assert.equal(said, 'Kabul edilmedi: Adres: 169.254.169.254 herkese açık bir adres değil')
})
