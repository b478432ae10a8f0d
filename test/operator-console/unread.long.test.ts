import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openCollectingAccount } from '../../packages/server/src/domain/banks/index.ts'
import { keepUnread, listLines, listUnread } from '../../packages/server/src/domain/statements/index.ts'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { makeIban } from '../../packages/server/src/kernel/iban.ts'
import { istanbul } from '../../packages/server/src/kernel/istanbul.ts'
import { isSound } from '../e2e/is-sound.ts'
import { openBrowser, openPage } from '../harness/browser.ts'
import { addPerson, PASSWORD, visitor } from '../harness/operator-console.ts'
import { startService } from '../harness/service.ts'
import { note } from '../../packages/server/src/kernel/refusals/note.ts'
import type { Said } from '../../packages/server/src/platform/refusal.ts'

const service = await startService()
const { app, baseUrl } = service
const browser = await openBrowser()
await addPerson(service, 'ayse.yilmaz')
await addPerson(service, 'ali.izleyen', ['viewer'], 'ayse.yilmaz')
const IBAN = makeIban('0046', '7700021')

function keep(changes: object, why: Said): Promise<void> {
  const now = app.clock.now()
  const times = { bookedAt: now.toISOString(), valueDate: istanbul(now).day }
  const sender = { senderName: 'Hüseyin Karataş', senderIban: makeIban('0010', '123') }
  const line = { account: IBAN, reference: app.ids.next(), amount: 110_518, direction: 'credit', ...times, ...sender }
  const raw = JSON.stringify({ ...line, narrative: 'HAVALE Hüseyin Karataş', ...changes })
  return app.db.transaction((tx) => keepUnread(app, tx, 'bank-api:deniz', [{ raw, why }]))
}

test('the red tile leads to the lines: account, amount, reason in words, source, and what to do', async () => {
  await keep({}, note('unread_not_ours'))
  await keep({ amount: 'çok' }, note('unread_amount_wrong'))
  const { page, problems } = await openPage(browser, baseUrl)
  await page.goto('/operator')
  await page.getByLabel('Ad', { exact: true }).fill('ayse.yilmaz')
  await page.getByLabel('Parola').fill(PASSWORD)
  await page.getByRole('button', { name: 'Giriş yap' }).click()
  await page.getByRole('link', { name: /Okunamayan satır/ }).click()
  await page.getByRole('heading', { name: 'Okunamayan satırlar', level: 1 }).waitFor()
  const card = page.getByRole('article').filter({ hasText: '1.105,18 TL' })
  const text = (await card.textContent()) ?? ''
  for (const part of ['hesap bizim değil', `•••• ${IBAN.slice(-4)}`, 'bank-api:deniz', 'Bankalar'])
    assert.ok(text.includes(part), part)
  assert.doesNotMatch(text, /Hüseyin|Karataş/)
  await page.getByText('tutar okunamıyor').waitFor()
  await isSound(page, 'operator-unread')
  await page.getByRole('article').filter({ hasText: 'çok' }).getByLabel(/Neden/).fill('banka düzeltip yeniden verdi')
  await page.getByRole('article').filter({ hasText: 'çok' }).getByRole('button', { name: 'Kapat' }).click()
  await page.getByText('Satır kapatıldı; kayıtlı kalır.').waitFor()
  await page.getByText('Kapatılanlar (1)').click()
  await page.getByText('ayse.yilmaz: banka düzeltip yeniden verdi').waitFor()
  await page.getByRole('button', { name: 'Yeniden aç' }).click()
  await page.getByText('Satır yeniden açıldı.').waitFor()
  assert.equal((await listUnread(app.db)).length, 2)
  assert.deepEqual(problems, [])
})

test('after the account is opened the line is taken in; without the right every button is disabled', async () => {
  const viewer = visitor(service)
  await viewer.logIn('ali.izleyen')
  const { text } = await viewer.request('/unread')
  assert.match(text, /1\.105,18 TL/)
  assert.doesNotMatch(text, /<button class="button small plain"\s*>/)
  const person = visitor(service)
  await person.logIn('ayse.yilmaz')
  const csrf = await person.csrf('/unread')
  assert.match((await person.request('/unread/retry', { csrf })).location ?? '', /unreadNotTaken/)
  await openCollectingAccount(app, UNATTRIBUTED, { iban: IBAN, title: 'Yeni Hesap A.Ş.', currency: 'TRY' })
  assert.match((await person.request('/unread/retry', { csrf })).location ?? '', /unreadTaken/)
  assert.ok((await listLines(app.db, undefined, 100)).some(({ amount }) => amount === 110_518n))
  const { hash = '' } = (await listUnread(app.db))[0] ?? {}
  const short = await person.request('/unread/close', { csrf, line: hash, why: 'x' })
  assert.match(short.text, /Neden: en az beş karakter yazın/)
  assert.equal((await person.request('/unread/close', { csrf, line: hash.slice(0, 12), why: 'yeterli' })).status, 404)
})
