import assert from 'node:assert/strict'
import { test } from 'node:test'
import { acceptInvitation, listSessions, listStaff } from '../../packages/server/src/domain/identity/index.ts'
import { listOperators } from '../../packages/server/src/domain/people/index.ts'
import { isSound, takePictures } from '../e2e/is-sound.ts'
import { openBrowser, openPage } from '../harness/browser.ts'
import { cheap } from '../harness/cheap-passwords.ts'
import { addPerson, PASSWORD, visitor } from '../harness/operator-console.ts'
import { startService } from '../harness/service.ts'

// Admins add, change and disable people in the console only.
const service = await startService()
const { app, baseUrl } = service
const browser = await openBrowser()
await addPerson(service, 'ayse.yilmaz')
await addPerson(service, 'mehmet.kaya', undefined, 'ayse.yilmaz')
await addPerson(service, 'gul.gezer', ['viewer', 'auditor'], 'ayse.yilmaz')

async function enter(name: string, options = {}) {
  const opened = await openPage(browser, baseUrl, options)
  await opened.page.goto('/operator')
  await opened.page.getByLabel('Ad', { exact: true }).fill(name)
  await opened.page.getByLabel('Parola').fill(PASSWORD)
  await opened.page.getByRole('button', { name: 'Giriş yap' }).click()
  await opened.page.getByRole('heading', { name: 'Bugün', level: 1 }).waitFor()
  return opened
}

const rolesOf = async (name: string) => (await listOperators(app.db)).find((one) => one.name === name)?.roles

test('an admin adds a person, whose link works once, changes the roles, ends a session and disables the person', async () => {
  const { page, problems } = await enter('ayse.yilmaz')
  await page.getByRole('link', { name: 'Kişiler' }).click()
  await isSound(page, 'operator-people')
  await page.locator('input[name=name]').fill('ece.er')
  await page.getByRole('checkbox', { name: /^destek/ }).check()
  await page.getByRole('button', { name: 'Kişi ekle' }).click()
  await page.getByText('bir daha gösterilmez').waitFor()
  await isSound(page, 'operator-invited')
  const address = (await page.locator('code').first().textContent()) ?? ''
  assert.deepEqual(await rolesOf('ece.er'), ['support'], 'nothing is ticked beforehand')
  await page.getByRole('link', { name: 'Kişilere dön' }).click()
  await page
    .getByRole('row', { name: /ece\.er/ })
    .getByText('davet geçerli')
    .waitFor()
  const token = address.split('/').at(-1) ?? ''
  await acceptInvitation(cheap(app), { token, password: PASSWORD })
  const ece = visitor(service)
  await ece.logIn('ece.er')
  await page.getByRole('link', { name: 'ece.er' }).click()
  await isSound(page, 'operator-person')
  await page.getByRole('checkbox', { name: /^destek/ }).uncheck()
  await page.getByRole('checkbox', { name: /^vezne görevlisi/ }).check()
  await page.getByRole('button', { name: 'Rolleri kaydet' }).click()
  await page.getByText('Roller değişti').waitFor()
  assert.deepEqual(await rolesOf('ece.er'), ['cashier'])
  assert.equal((await ece.request('')).status, 200)
  await page.getByRole('button', { name: 'Bitir' }).click()
  await page.getByText('Oturum bitirildi').waitFor()
  assert.equal((await ece.request('')).status, 303)
  await ece.logIn('ece.er')
  await page.getByText('Devre dışı bırak').first().click()
  await page.getByRole('button', { name: 'Devre dışı bırak' }).click()
  await page.getByText('Kişi devre dışı bırakıldı').waitFor()
  assert.equal((await ece.request('')).status, 303)
  assert.equal(
    await page
      .getByRole('button')
      .filter({ hasText: /kaydet|davet|dışı/ })
      .count(),
    0,
  )
  await page.goto('/operator/people?lang=en')
  await page
    .getByRole('row', { name: /ece\.er/ })
    .getByText('disabled')
    .waitFor()
  await takePictures(page, 'operator-people-en')
  assert.deepEqual(problems, [])
})

test('the list says who has a second factor and who logged in when; a login that was not completed is none', async () => {
  const staff = async () => new Map((await listStaff(app)).map((person) => [person.name, person]))
  assert.equal((await staff()).get('gul.gezer')?.login?.lastLoginAt, null)
  await visitor(service).logIn('gul.gezer', 'not the password of anyone')
  assert.equal((await staff()).get('gul.gezer')?.login?.lastLoginAt, null)
  const before = app.clock.now()
  await visitor(service).logIn('gul.gezer')
  const { login } = (await staff()).get('gul.gezer') ?? assert.fail('no such person')
  assert.ok(login?.lastLoginAt && login.lastLoginAt >= before)
  assert.equal(login.hasFactor, false)
  const live = (await listStaff({ ...app, sandbox: false })).find(({ name }) => name === 'gul.gezer')
  assert.equal(live?.login?.lastLoginAt, null, 'in live the password alone is no login')
})

test('one’s own roles and login are changed by another admin; what is shown is what is changed', async () => {
  const person = visitor(service)
  await person.logIn('ayse.yilmaz')
  const csrf = await person.csrf('/people')
  for (const path of ['roles', 'invite', 'disable']) {
    const { status, text } = await person.request(`/people/ayse.yilmaz/${path}`, { csrf, role: 'viewer' })
    assert.equal(status, 409, path)
    assert.match(text, /başka bir yönetici değiştirir/)
  }
  const stale = await person.request('/people/gul.gezer/roles', { csrf, seen: 'viewer', role: 'cashier' })
  assert.equal(stale.status, 409)
  assert.deepEqual(await rolesOf('gul.gezer'), ['viewer', 'auditor'])
  assert.equal((await person.request('/people/no.one')).status, 404)
  const [other] = await listSessions(app, { audience: 'operator', name: 'gul.gezer' })
  const foreign = await person.request(`/people/mehmet.kaya/sessions/${other?.id}/end`, { csrf })
  assert.equal(foreign.status, 404, 'a session of someone else than the page is about')
})

test('every role sees and ends its own sessions, and only those; without JavaScript', async () => {
  const phone = visitor(service)
  await phone.logIn('gul.gezer')
  const { page } = await enter('gul.gezer', { javaScriptEnabled: false })
  await page.getByRole('link', { name: 'gul.gezer' }).click()
  await page.getByRole('heading', { name: 'Girişiniz' }).waitFor()
  await page.getByText('bu oturum', { exact: true }).waitFor()
  while ((await page.getByRole('button', { name: 'Bitir' }).count()) > 0) {
    await page.getByRole('button', { name: 'Bitir' }).first().click()
    await page.getByText('Oturum bitirildi').waitFor()
  }
  assert.equal((await phone.request('')).status, 303)
  await page.goto('/operator/people/ayse.yilmaz')
  assert.equal(await page.getByRole('button', { name: 'Rolleri kaydet' }).isDisabled(), true)
  const csrf = (await page.locator('input[name=csrf]').first().getAttribute('value')) ?? ''
  const [session] = await listSessions(app, { audience: 'operator', name: 'ayse.yilmaz' })
  const cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ')
  const refused = await fetch(`${baseUrl}/operator/own/sessions/${session?.id}/end`, {
    method: 'POST',
    headers: { cookie },
    body: new URLSearchParams({ csrf }),
  })
  assert.equal(refused.status, 404)
})

test('one’s own page: another password ends the other sessions; a second factor is set up and confirmed', async () => {
  const { page, problems } = await enter('mehmet.kaya')
  const phone = visitor(service)
  await phone.logIn('mehmet.kaya')
  await page.goto('/operator/own')
  await isSound(page, 'operator-own')
  await page.getByLabel('Şimdiki parola').fill(PASSWORD)
  await page.getByLabel('Yeni parola').fill(`${PASSWORD} again`)
  await page.getByRole('button', { name: 'Parolayı değiştir' }).click()
  await page.getByText('Parola değişti').waitFor()
  assert.equal((await phone.request('')).status, 303)
  await page.getByRole('button', { name: 'İkinci adımı kur' }).click()
  await page.getByRole('heading', { name: 'İkinci adımı kurun' }).waitFor()
  await isSound(page, 'operator-factor')
  assert.deepEqual(problems, [])
})
