import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operatorActor } from '../../packages/server/src/kernel/actor.ts'
import { todaysWork } from '../../packages/server/src/domain/overview/index.ts'
import type { HealthFilter } from '../../packages/server/src/domain/webhooks/index.ts'
import {
  disableEndpoint,
  listEndpoints,
  listEvents,
  selectHealth,
} from '../../packages/server/src/domain/webhooks/index.ts'
import { maskedBody, maskedText } from '../../packages/server/src/edges/operator-console/callbacks/masked-body.ts'
import { isSound, takePictures } from '../e2e/is-sound.ts'
import { openBrowser, openPage } from '../harness/browser.ts'
import { addEvents, runCallbacksOnce, setCallbackUrl } from '../harness/callbacks.ts'
import { ingest, lineFor, matchAll, someDeposits } from '../harness/payments.ts'
import { addPerson, PASSWORD, visitor } from '../harness/operator-console.ts'
import { answer, startReceiver } from '../harness/receiver.ts'
import { startService } from '../harness/service.ts'

// Support looks after the callbacks of all merchants in the console.
const service = await startService()
const { app, baseUrl } = service
const browser = await openBrowser()
const [good, broken] = [await startReceiver(), await startReceiver(answer(503))]
await addPerson(service, 'ayse.yilmaz')
await addPerson(service, 'selim.su', ['support'], 'ayse.yilmaz')

const shop = await service.merchant({ name: 'Mürekkep Kitabevi' })
const other = await service.merchant({ name: 'Kahve Durağı' })
await setCallbackUrl(app, shop.merchantId, good.url)
const { id: brokenId } = await setCallbackUrl(app, other.merchantId, broken.url)

async function enter(options = {}) {
  const opened = await openPage(browser, baseUrl, options)
  await opened.page.goto('/operator')
  await opened.page.getByLabel('Ad', { exact: true }).fill('selim.su')
  await opened.page.getByLabel('Parola').fill(PASSWORD)
  await opened.page.getByRole('button', { name: 'Giriş yap' }).click()
  await opened.page.getByRole('heading', { name: 'Bugün', level: 1 }).waitFor()
  return opened
}

const health = (filter: Partial<HealthFilter> = {}) => selectHealth(app.db.pages, { limit: 50, ...filter })

test('the health of all endpoints: state, what waits, the oldest, how the last attempt ended', async () => {
  const [deposit] = await someDeposits(app, shop.merchantId, 1, 84_000n)
  if (!deposit) return assert.fail('no deposit')
  await ingest(app, [await lineFor(app, deposit)])
  await matchAll(app)
  await addEvents(app, other.merchantId, { count: 2 })
  await addEvents(app, other.merchantId)
  await runCallbacksOnce(app)
  const rows = new Map((await health()).map((row) => [row.merchantId, row]))
  const [well, ill] = [rows.get(shop.merchantId), rows.get(other.merchantId)]
  assert.deepEqual([well?.waiting, well?.oldest, well?.failingSince, well?.isUsed], [0, null, null, true])
  assert.deepEqual([ill?.waiting, ill?.lastOutcome, ill?.lastStatus], [3, '5xx', 503])
  assert.ok(ill?.failingSince && ill.oldest)
  assert.deepEqual(
    (await health({ only: 'failing' })).map(({ id }) => id),
    [brokenId],
  )
  assert.deepEqual(
    (await health({ only: 'waiting' })).map(({ id }) => id),
    [brokenId],
  )
  assert.deepEqual(await health({ only: 'disabled' }), [])
})

test('the first page has a tile for endpoints that fail: red only after an hour', async () => {
  const pile = async (clock = app.clock) =>
    (await todaysWork({ ...app, clock })).find(({ name }) => name === 'failing_endpoints')
  const now = await pile()
  assert.deepEqual([now?.group, now?.count, now?.events, now?.isCalm], ['broken', 1, 3, true])
  assert.ok(now?.oldest)
  const later = { ...app.clock, now: () => new Date(app.clock.now().getTime() + 3_700_000) }
  assert.equal((await pile(later))?.isCalm, false)
  const person = visitor(service)
  await person.logIn('selim.su')
  const { text } = await person.request('')
  assert.match(text, /<a class="tile " href="\/operator\/callbacks\?only=failing">[^]*?3 olay bekliyor/)
})

test('pages follow each other without a gap', async () => {
  const all = await health()
  assert.ok(all.length >= 2)
  const seen = []
  let after: HealthFilter['after']
  for (;;) {
    const [row] = await health({ after, limit: 1 })
    if (!row) break
    seen.push(row.id)
    after = row
  }
  assert.deepEqual(
    seen,
    all.map(({ id }) => id),
  )
})

test('support finds a failing endpoint, disables it with a reason and enables it again; its event is resent', async () => {
  const { page, problems } = await enter()
  await page.getByRole('link', { name: 'Callback’ler' }).click()
  await isSound(page, 'operator-callbacks')
  await page.getByLabel('Durum').selectOption('failing')
  await page.getByRole('button', { name: 'Göster' }).click()
  const row = page.getByRole('row', { name: /Kahve Durağı/ })
  await row.getByText('sunucu hata verdi (503)').waitFor()
  assert.equal(await page.getByRole('row', { name: /Mürekkep/ }).count(), 0)
  await row.getByPlaceholder('Neden').fill('sunucu taşınıyor')
  await row.getByRole('button', { name: 'Kapat' }).click()
  await page.getByText('Adres kapatıldı').waitFor()
  assert.equal((await listEndpoints(app.db, other.merchantId))[0]?.stateReason, 'sunucu taşınıyor')
  await row.getByRole('button', { name: 'Aç' }).click()
  await page.getByText('Adres açıldı').waitFor()
  broken.behave((_, response) => void response.writeHead(200).end('{"name":"Ayşe Yılmaz"}'))
  await row.getByRole('link', { name: 'Olaylar' }).click()
  await isSound(page, 'operator-events')
  await page.locator('article a').first().click()
  await page.getByRole('heading', { name: 'deposit.completed', level: 1 }).waitFor()
  const before = broken.all.length
  await page.getByRole('button', { name: 'Yeniden gönder' }).click()
  await page.getByText('Olay yeniden sıraya alındı').waitFor()
  await runCallbacksOnce(app)
  assert.ok(broken.all.length > before)
  await page.reload()
  await page.locator('.moments').getByText('kabul edildi (200)').first().waitFor()
  await page.locator('.moments').getByText('5xx', { exact: true }).last().waitFor()
  await page.locator('.moments summary').first().click()
  await isSound(page, 'operator-event')
  assert.doesNotMatch((await page.locator('main').textContent()) ?? '', /Ayşe Yılmaz/)
  await page.goto(`${page.url().split('?')[0]}?lang=en`)
  await page.getByRole('heading', { name: 'Attempts' }).waitFor()
  await takePictures(page, 'operator-event-en')
  assert.deepEqual(problems, [])
})

test('an event leads to its merchant and transaction, and a transaction to its events; without JavaScript', async () => {
  const [event] = await listEvents(app.db, shop.merchantId, { limit: 1 })
  const { page } = await enter({ javaScriptEnabled: false })
  await page.goto(`/operator/transactions/${event?.transactionId}`)
  await page
    .getByRole('link', { name: /teslim edildi/ })
    .first()
    .click()
  await page.getByRole('heading', { name: /^deposit\./, level: 1 }).waitFor()
  await page.getByRole('link', { name: event?.transactionId ?? '' }).waitFor()
  await page.locator('main').getByRole('link', { name: 'Mürekkep Kitabevi' }).waitFor()
})

test('an event or endpoint of another merchant is not found; a reason is needed', async () => {
  const person = visitor(service)
  await person.logIn('selim.su')
  const csrf = await person.csrf('/callbacks')
  const [event] = await listEvents(app.db, shop.merchantId, { limit: 1 })
  const at = `/callbacks/${other.merchantId}`
  assert.equal((await person.request(`${at}/events/${event?.id}`)).status, 404)
  assert.equal((await person.request(`${at}/events/${event?.id}/resend`, { csrf })).status, 404)
  assert.equal((await person.request(`/callbacks/${'f'.repeat(24)}`)).status, 404)
  const [own] = await listEndpoints(app.db, shop.merchantId)
  const path = `/callbacks/${other.merchantId}/endpoints/${own?.id}`
  assert.equal((await person.request(`${path}/disable`, { csrf, why: 'a good reason' })).status, 409)
  const right = `/callbacks/${shop.merchantId}/endpoints/${own?.id}`
  assert.equal((await person.request(`${right}/disable`, { csrf, why: 'no' })).status, 409)
  assert.equal((await listEndpoints(app.db, shop.merchantId))[0]?.state, 'enabled')
  assert.equal((await person.request(`${right}/test`, { csrf })).status, 303)
  await disableEndpoint(app, operatorActor('selim.su'), shop.merchantId, own?.id ?? '', 'moves to another server')
  assert.equal((await health({ only: 'disabled' })).length, 1)
})

test('bodies and responses are shown without names, IBANs and what the merchant wrote about its customer', () => {
  const iban = 'TR620006200029500006291296'
  const data = { transactionId: 'a1', customer: { id: 'c-1', name: 'Ayşe Yılmaz', username: 'ayse99' }, iban }
  const shown = maskedBody(JSON.stringify({ id: 'e1', type: 'x', data: { ...data, metadata: { note: 'secret' } } }))
  assert.doesNotMatch(shown, /Yılmaz|ayse99|c-1|secret|000620002/)
  assert.match(shown, /"id": "e1"/)
  assert.match(shown, /"transactionId": "a1"/)
  assert.equal(maskedBody('no json <b>'), 'no json <b>')
  assert.doesNotMatch(maskedText(`got {"accountName": "Ayşe Yılmaz", "iban": "${iban}"} then cut`), /Yılmaz|000620002/)
})
