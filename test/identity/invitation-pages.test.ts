import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Audience } from '../../packages/server/src/domain/identity/index.ts'
import { inviteMerchantUser, inviteOperator } from '../../packages/server/src/domain/identity/index.ts'
import { addOperator, DECIDING } from '../../packages/server/src/domain/people/index.ts'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { PASSWORD, visitor } from '../harness/operator-console.ts'
import { startService } from '../harness/service.ts'
import { travelTo } from '../harness/until.ts'

const service = await startService()
const { app } = service
const shop = await service.merchant()
await addOperator(app, UNATTRIBUTED, 'ada.aksoy', DECIDING)

async function invited(audience: Audience): Promise<{ token: string; name: string }> {
  if (audience === 'operator') return inviteOperator(app, UNATTRIBUTED, 'ada.aksoy')
  return inviteMerchantUser(app, UNATTRIBUTED, shop.merchantId, { email: 'ada+1@shop.example', role: 'owner' })
}

const AUDIENCES: Audience[] = ['operator', 'merchant']
const open = (person: ReturnType<typeof visitor>, token: string) => person.request(`/invitation/${token}`)

for (const audience of AUDIENCES)
  test(`${audience}: after the password is chosen the login says so, with the name, until the person has logged in`, async () => {
    const { token, name } = await invited(audience)
    const person = visitor(service, audience)
    const { location } = await person.request('/invitation', { token, password: PASSWORD })
    assert.equal(location, `/${audience}/login`)
    const { text } = await person.request('/login')
    assert.match(text, /Parolanız kaydedildi; giriş yapın\./)
    assert.ok(text.includes(`value="${name}"`), text)
    assert.doesNotMatch((await person.logIn(name, 'wrong wrong wrong')).text, /kaydedildi/)
    assert.equal((await person.logIn(name)).location, `/${audience}`)
    person.jar.delete(`vezne-${audience}`)
    assert.doesNotMatch((await person.request('/login')).text, /kaydedildi|value="ada/)
  })

for (const [at, audience] of AUDIENCES.entries())
  test(`${audience}: a used, an expired and an unknown invitation get the same page, which says what to do`, async () => {
    const used = (await invited(audience)).token
    await visitor(service, audience).request('/invitation', { token: used, password: PASSWORD })
    const expired = (await invited(audience)).token
    await travelTo(app, (at + 1) * 73 * 3600)
    const person = visitor(service, audience)
    const tokens = [used, expired, 'x'.repeat(43), '', '%00']
    const pages = await Promise.all(tokens.map((token) => open(person, token)))
    const [first = assert.fail()] = pages
    assert.match(
      first.text,
      /Bu davet kullanıldı veya süresi doldu; giriş yapın ya da yöneticinizden yenisini isteyin\./,
    )
    assert.match(first.text, new RegExp(`href="/${audience}/login"`))
    for (const page of pages) assert.deepEqual([page.status, page.text], [404, first.text])
    for (const token of [used, expired, 'x'.repeat(43)]) {
      const sent = await person.request('/invitation', { token, password: PASSWORD })
      assert.deepEqual([sent.status, sent.text], [404, first.text])
    }
  })

test('a name in the cookie that Vezne did not write is not shown', async () => {
  const person = visitor(service)
  for (const value of ['"><b>x</b>', '%E0%A4', '%zz', 'x'.repeat(400)]) {
    person.jar.set('vezne-operator-name', value)
    assert.doesNotMatch((await person.request('/login')).text, /kaydedildi/, value)
  }
})
