import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listAudit } from '../../packages/server/src/domain/audit/index.ts'
import { manualConnection } from '../../packages/server/src/domain/connections/index.ts'
import { freezeMerchant, unfreezeMerchant } from '../../packages/server/src/domain/merchants/index.ts'
import { todaysWork } from '../../packages/server/src/domain/overview/index.ts'
import {
  dispatchWithdrawals,
  findPayout,
  releaseTake,
  submitPayouts,
  takeToSend,
  callsOf,
  findOpenRestore,
} from '../../packages/server/src/domain/withdrawals/index.ts'
import { operatorActor } from '../../packages/server/src/kernel/actor.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { isSound } from '../e2e/is-sound.ts'
import { openBrowser, openPage } from '../harness/browser.ts'
import { withdrawBody } from '../harness/examples.ts'
import { addPerson, PASSWORD, visitor } from '../harness/operator-console.ts'
import { refusalIn, visibleText } from '../harness/page-text.ts'
import { over } from '../harness/payout-subjects.ts'
import { startService } from '../harness/service.ts'
import { travelTo } from '../harness/until.ts'

// Payouts of an account without a bank's API: a person sends them, and records the bank's reference.
const service = await startService()
const { app } = service
const shop = await service.merchant({ funds: 5_000_000n, name: 'Mürekkep Kitabevi' })
await addPerson(service, 'deniz.admin', ['admin'])
for (const name of ['kasa.bir', 'kasa.iki']) await addPerson(service, name, ['cashier'], 'deniz.admin')
await addPerson(service, 'destek.bir', ['support'], 'deniz.admin')
const PAGE = '/payouts/by-hand'
const [NAME, IBAN] = ['Ayşe Yılmaz', 'TR62 0006 2000 2950 0006 2912 96']

async function toSend(amount = 125_050): Promise<string> {
  const { transactionId } = (await shop.post('/v1/withdraw', withdrawBody({ amount }))).body.data
  const byHand = over(app, manualConnection)
  while ((await dispatchWithdrawals(byHand)) + (await submitPayouts(byHand)) > 0);
  assert.equal((await findPayout(app.db, transactionId))?.state, 'asking')
  return transactionId
}

async function enter(name: string) {
  const person = visitor(service)
  await person.logIn(name)
  return { ...person, token: await person.csrf('/payouts') }
}

const cardOf = (text: string, id: string) => (text.split(`data-item="${id}"`)[1] ?? '').split('</article>')[0] ?? ''
const countOf = async (name: string) => (await todaysWork(app)).find((one) => one.name === name)?.count

test('the list has what is typed into the bank, in full for who has taken it, and the first page leads there', async () => {
  const id = await toSend()
  assert.deepEqual([await countOf('payouts_to_send'), await countOf('unknown_payouts')], [1, 0])
  const cashier = await enter('kasa.bir')
  assert.match((await cashier.request('')).text, /href="\/operator\/payouts\/by-hand"/)
  assert.match(visibleText((await cashier.request('/payouts')).text), /Elle gönderilecekler \(1\).*Sonucu bilinmeyen/)
  const hidden = (text: string) => !text.includes(NAME) && !text.includes('data-copy') && !text.includes('2950 0006')
  assert.ok(hidden(cardOf((await cashier.request(PAGE)).text, id)))
  await cashier.request(`${PAGE}/${id}/take`, { csrf: cashier.token })
  const card = cardOf((await cashier.request(PAGE)).text, id)
  const text = visibleText(`<body>${card}`)
  for (const part of [NAME, IBAN, '1.250,50', `Para cekme ${id}`, 'FAST', 'Mürekkep Kitabevi'])
    assert.ok(text.includes(part), part)
  for (const copied of [NAME, IBAN.replaceAll(' ', ''), '1250,50', `Para cekme ${id}`])
    assert.ok(card.includes(`data-copy="${copied}"`), copied)
  const timeline = visibleText((await cashier.request(`/transactions/${id}`)).text)
  assert.match(timeline, /Elle gönderilecek: bir kişi bankanın ekranından gönderir/)
  assert.match(timeline, /elle gönderilmeyi bekliyor/)
  assert.doesNotMatch(timeline, /banka aldı|Bankaya (soruldu|gönderildi)|bankaya iletildi/)
  const support = cardOf((await (await enter('destek.bir')).request(PAGE)).text, id)
  assert.ok(hidden(support))
  assert.match(support, /disabled/)
})

test('of two at once one takes it; the other sees who, reports nothing meanwhile, and records what was sent', async () => {
  const id = await toSend()
  const people = [await enter('kasa.bir'), await enter('kasa.iki')]
  const take = (person: (typeof people)[number]) => person.request(`${PAGE}/${id}/take`, { csrf: person.token })
  const taken = await Promise.all(people.map(take))
  assert.deepEqual(
    taken.map(({ status }) => status).toSorted((a, b) => a - b),
    [303, 409],
  )
  const names = taken[0]?.status === 303 ? ['kasa.bir', 'kasa.iki'] : ['kasa.iki', 'kasa.bir']
  const [name = ''] = names
  const inOrder = async () => Promise.all([enter(names[0] ?? ''), enter(names[1] ?? '')])
  let [holder, other] = await inOrder()
  const seen = async (person: typeof other) => cardOf((await person.request(PAGE)).text, id)
  assert.ok((await seen(holder)).includes('data-copy') && !(await seen(other)).includes('data-copy'))
  assert.match(visibleText(`<body>${await seen(other)}`), new RegExp(`${name} gönderiyor`))
  const report = { csrf: other.token, evidence: 'IBAN kapalı', unproven: 'yes' }
  assert.equal((await other.request(`${PAGE}/${id}/not-found`, report)).status, 409)
  await holder.request(`${PAGE}/${id}/release`, { csrf: holder.token })
  assert.doesNotMatch(visibleText(`<body>${await seen(other)}`), new RegExp(name))
  await take(holder)
  await travelTo(app, 15 * 60)
  ;[holder, other] = await inOrder()
  assert.ok(!(await seen(holder)).includes('data-copy'), 'its time is over')
  assert.equal((await take(other)).status, 303)
  const card = await seen(other)
  assert.ok(card.includes('data-copy'))
  assert.match(visibleText(`<body>${card}`), new RegExp(`${name} bu bilgileri açtı .* önce bankaya bakın`))
  assert.equal((await take(holder)).status, 409)
  const late = { csrf: holder.token, reference: 'FT-77' }
  assert.equal((await holder.request(`${PAGE}/${id}/sent`, late)).status, 303, 'who has sent it records it')
  const actions = (await listAudit(app.db, { subjects: [`withdrawal:${id}`] }, 10)).map(({ action }) => action)
  assert.deepEqual(new Set(actions), new Set(['payout.sent']))
  assert.equal(actions.length, 5)
})

test('recorded once: the second person is told to ask the bank, and nothing changes', async () => {
  const id = await toSend()
  const [one, two] = [await enter('kasa.bir'), await enter('kasa.iki')]
  const empty = await one.request(`${PAGE}/${id}/sent`, { csrf: one.token, reference: ' ' })
  assert.deepEqual(
    [empty.status, refusalIn(empty.text)],
    [409, 'Kabul edilmedi: Banka referansı: bankanın transfer için verdiği referansı yazın'],
  )
  const sent = await one.request(`${PAGE}/${id}/sent`, { csrf: one.token, reference: ' FT-1042 ' })
  assert.deepEqual([sent.status, sent.location], [303, '/operator/payouts/by-hand?said=sentByHand'])
  const payout = await findPayout(app.db, id)
  assert.deepEqual([payout?.state, payout?.bankReference], ['sent', 'FT-1042'])
  const late = await two.request(`${PAGE}/${id}/sent`, { csrf: two.token, reference: 'FT-2000' })
  assert.equal(late.status, 409)
  assert.match(refusalIn(late.text), /zaten FT-1042 referansıyla tamamlandı.*iki kez.*hemen bankayı/)
  assert.equal(cardOf(late.text, id), '')
  await two.request('/payouts?lang=en')
  const english = await two.request(`${PAGE}/${id}/sent`, { csrf: two.token, reference: 'FT-2000' })
  assert.match(refusalIn(english.text), /already completed, with the bank's reference FT-1042.*paid twice/)
  assert.equal((await findPayout(app.db, id))?.bankReference, 'FT-1042')
})

test('one that cannot be sent: two people report it, the money is back, and who sends it late is told', async () => {
  const id = await toSend()
  const [one, two] = [await enter('kasa.bir'), await enter('kasa.iki')]
  const report = { evidence: 'IBAN kapalı', unproven: 'yes' }
  const first = await one.request(`${PAGE}/${id}/not-found`, { csrf: one.token, ...report })
  assert.equal(first.location, '/operator/payouts/by-hand?said=yourOpinion')
  const card = visibleText(`<body>${cardOf((await two.request(PAGE)).text, id)}`)
  assert.match(card, /görüş bildiren var: göndermeden önce/)
  assert.doesNotMatch(card, /IBAN kapalı/)
  await two.request(`${PAGE}/${id}/not-found`, { csrf: two.token, ...report })
  assert.equal((await findPayout(app.db, id))?.state, 'failed')
  const late = await one.request(`${PAGE}/${id}/sent`, { csrf: one.token, reference: 'FT-3' })
  assert.match(refusalIn(late.text), /gönderilmedi diye kapatıldı.*hemen bankayı/)
})

test('of a frozen merchant: it says that it must not be sent, and hides name and IBAN', async () => {
  const id = await toSend()
  const actor = operatorActor('kasa.bir')
  await freezeMerchant(app, actor, shop.merchantId, 'a test of it')
  const cashier = await enter('kasa.bir')
  const card = cardOf((await cashier.request(PAGE)).text, id)
  assert.match(visibleText(`<body>${card}`), /Göndermeyin: satıcı dondurulmuş/)
  assert.ok(!card.includes(NAME) && !card.includes('data-copy'))
  await unfreezeMerchant(app, actor, shop.merchantId, 'a test of it')
})

test('the page is sound in both languages; copy buttons work, also after a live change', async () => {
  const { page, problems } = await openPage(await openBrowser(), service.baseUrl)
  await page.goto('/operator')
  await page.getByLabel('Ad', { exact: true }).fill('kasa.bir')
  await page.getByLabel('Parola').fill(PASSWORD)
  await page.getByRole('button', { name: 'Giriş yap' }).click()
  await page.getByRole('heading', { name: 'Bugün', level: 1 }).waitFor()
  await page.goto(`/operator${PAGE}`)
  const added = await toSend(99_900)
  const card = page.locator(`[data-item="${added}"]`)
  await card.getByRole('button', { name: 'Ben gönderiyorum' }).click()
  await card.getByRole('button', { name: 'Kopyala: Alıcı IBAN’ı' }).waitFor()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await card.getByRole('button', { name: 'Kopyala: Tutar' }).click()
  await card.getByText('Kopyalandı').waitFor()
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), '999,00')
  await isSound(page, 'operator-by-hand')
  const reporting = await enter('kasa.iki')
  await card.getByRole('button', { name: 'Göndermedim, bırak' }).click()
  await page.getByText('Bırakıldı').waitFor()
  await reporting.request(`${PAGE}/${added}/not-found`, {
    csrf: reporting.token,
    evidence: 'IBAN kapalı',
    unproven: 'yes',
  })
  await page.goto(`/operator${PAGE}?lang=en`)
  await isSound(page, 'operator-by-hand-en')
  await page.goto('/operator/payouts?lang=tr')
  await isSound(page, 'operator-payouts-links')
  assert.deepEqual(problems, [])
})

test('who takes a payout is handed it like a bank: never of an older database or unlike its withdrawal', async () => {
  const ids = [await toSend(), await toSend(), await toSend()] as const
  const [other, money, older] = ids
  const cashier = operatorActor('kasa.bir')
  const refused = (id: string, by: string) =>
    assert.rejects(takeToSend(app, cashier, id), { code: 'INVALID_STATE', said: { why: 'payout_held', facts: { by } } })
  const handovers = async () =>
    (await app.db.query<{ number: string }>(sql`select number::text from sending`))[0]?.number

  await app.db.query(sql`alter table payouts disable trigger payouts_terms_fixed`)
  await app.db.query(sql`update payouts set amount = amount + 1 where withdrawal_id = ${other}`)
  await app.db.query(sql`alter table payouts enable trigger payouts_terms_fixed`)
  await refused(other, 'differs_from_withdrawal')
  const before = Number(await handovers())
  await takeToSend(app, cashier, money)
  assert.equal(Number(await handovers()), before + 1, 'a hand-over is counted')
  await releaseTake(app, cashier, money)

  const [sending] = await app.db.query<{ id: string }>(sql`select id::text from sending`)
  assert.ok(sending)
  app.seen.raise(sending.id, before + 1000)
  await refused(older, 'restored')
  assert.equal((await findOpenRestore(app.db))?.markedBy, 'restore')
  assert.ok(!(await callsOf(app.db, shop.merchantId, older)).some(({ outcome }) => outcome === 'taken'))
})
