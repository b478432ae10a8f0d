import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addPerson, PASSWORD, visitor } from '../harness/operator-console.ts'
import { startService } from '../harness/service.ts'

const service = await startService()
await addPerson(service, 'ayse.yilmaz')
const PLACE = 'vezne-operator-place'

/** A person whose session has ended at the server; the browser still has its cookie. */
async function expired() {
  const person = visitor(service)
  await person.logIn('ayse.yilmaz')
  person.jar.set('vezne-operator', 'x'.repeat(43))
  return person
}

test('a form after the session has ended: the login says so, and leads back to the page of the form, once', async () => {
  const person = await expired()
  const id = 'a'.repeat(24)
  const sent = await person.request(`/matching/${id}/suspend`, { csrf: 'x', why: 'uzun bir neden' })
  assert.deepEqual([sent.status, sent.location], [303, '/operator/login'])
  assert.match((await person.request('/login')).text, /Oturumunuzun süresi doldu; son gönderdiğiniz form işlenmedi/)
  assert.match((await person.logIn('ayse.yilmaz', 'wrong wrong wrong')).text, /Oturumunuzun süresi doldu/)
  assert.equal((await person.logIn('ayse.yilmaz')).location, `/operator/matching/${id}`)
  assert.equal((await person.logIn('ayse.yilmaz')).location, '/operator', 'only once')
})

test('a page after the session has ended: back with its filter; at a first visit nothing is said', async () => {
  const person = await expired()
  await person.request('/transactions?kind=deposit&status=completed')
  const { text } = await person.request('/login')
  assert.match(text, /Oturumunuzun süresi doldu\./)
  assert.doesNotMatch(text, /işlenmedi/, 'no form was sent')
  assert.equal((await person.logIn('ayse.yilmaz')).location, '/operator/transactions?kind=deposit&status=completed')
  const first = visitor(service)
  await first.request('/transactions')
  assert.doesNotMatch((await first.request('/login')).text, /Oturumunuzun süresi doldu/)
  assert.equal((await first.logIn('ayse.yilmaz')).location, '/operator')
})

test('the way back leads to no other host, whatever the address or the cookie says', async () => {
  const evil = [
    '//evil.example',
    '/\\\\evil.example',
    'https://evil.example',
    '/x//evil.example',
    '/../..//evil.example',
    '@evil.example',
    '.evil.example',
    '/%2f%2fevil.example',
    '/x?u=https://evil.example',
    'form://evil.example',
    'form:https://evil.example',
  ]
  for (const place of evil) {
    const person = await expired()
    person.jar.set(PLACE, place)
    assert.equal((await person.logIn('ayse.yilmaz')).location, '/operator', place)
  }
  const person = visitor(service)
  for (const name of ['back', 'next', 'place', 'return']) {
    const query = `?${name}=https://evil.example`
    assert.equal(
      (await person.request(`/login${query}`, { name: 'ayse.yilmaz', password: PASSWORD })).location,
      '/operator',
    )
  }
})
