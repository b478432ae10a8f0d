import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listAudit } from '../../packages/server/src/domain/audit/index.ts'
import { listProposals, showProposal } from '../../packages/server/src/domain/proposals/index.ts'
import { setRoles } from '../../packages/server/src/domain/people/index.ts'
import { listEntered } from '../../packages/server/src/domain/statements/index.ts'
import { operatorActor } from '../../packages/server/src/kernel/actor.ts'
import { groupedIban, makeIban } from '../../packages/server/src/kernel/iban.ts'
import { addDays, startOfDay } from '../../packages/server/src/kernel/istanbul.ts'
import { isSound } from '../e2e/is-sound.ts'
import { openBrowser, openPage } from '../harness/browser.ts'
import { openOutage } from '../harness/entered-lines.ts'
import { liveConsole } from '../harness/live-console.ts'
import { addPerson, PASSWORD, visitor } from '../harness/operator-console.ts'
import { attributeIn, hiddenIn, refusalIn, visibleText } from '../harness/page-text.ts'
import { startService } from '../harness/service.ts'

const service = await startService()
const { app, baseUrl } = service
const browser = await openBrowser()
await addPerson(service, 'ayse.yilmaz', ['cashier', 'admin'])
await addPerson(service, 'mehmet.kaya', ['cashier'], 'ayse.yilmaz')
await addPerson(service, 'elif.onay', ['approver'], 'ayse.yilmaz')
await addPerson(service, 'selin.destek', ['support'], 'ayse.yilmaz')
await addPerson(service, 'ali.izleyen', ['viewer'], 'ayse.yilmaz')
const SENDER = { name: 'Hüseyin Karataş', iban: makeIban('0010', '123') }

async function enter(name: string) {
  const person = visitor(service)
  await person.logIn(name)
  return person
}
const [ayse, mehmet] = [await enter('ayse.yilmaz'), await enter('mehmet.kaya')]
const mehmetsCsrf = await mehmet.csrf('/statements/enter')
type Person = typeof ayse

const typed = (iban: string, day: string, changes: Record<string, string> = {}) => ({
  ...{ account: iban, direction: 'credit', amount: '1.250,00', day, name: 'Veli Can', iban: '', text: 'odeme' },
  ...{ why: 'banka kapalı', ...changes },
})

/** Previews the line and sends what the preview gave. */
async function propose(person: Person, fields: Record<string, string>) {
  const csrf = await person.csrf('/statements/enter')
  const preview = await person.request('/statements/enter/preview', { ...fields, csrf })
  const hidden = Object.fromEntries(hiddenIn(preview.text, '/operator/statements/enter/preview'))
  return { preview, sent: await person.request('/statements/enter', { ...fields, ...hidden }) }
}

/** The card, as the person sees it now. */
async function cardOf(person: Person, id: string) {
  const [, from = ''] = (await person.request('/approvals')).text.split(`data-item="${id}"`)
  const card = from.split('</article>')[0] ?? ''
  return { card, words: visibleText(`<body>${card}`) }
}

async function decide(person: Person, id: string, act: string, why = '') {
  const page = (await person.request('/approvals')).text
  return person.request(`/proposals/${id}/${act}`, {
    ...Object.fromEntries(hiddenIn(page, `/operator/proposals/${id}/${act}`)),
    why,
  })
}

const newest = async () => (await listProposals(app, 1))[0] ?? assert.fail('nothing was proposed')

test('one person enters a line in the browser, the other approves it: booked once, and recorded', async () => {
  const { iban, today, lines, cash, gives, real, settle } = await openOutage(app)
  await gives(real({ senderName: SENDER.name }), real({ senderName: 'Hasan Su' }))
  const { page, problems } = await openPage(browser, baseUrl)
  const logIn = async (name: string) => {
    await page.goto('/operator/login')
    await page.getByLabel('Ad', { exact: true }).fill(name)
    await page.getByLabel('Parola').fill(PASSWORD)
    await page.getByRole('button', { name: 'Giriş yap' }).click()
    await page.getByRole('heading', { name: 'Bugün', level: 1 }).waitFor()
  }
  await logIn('ayse.yilmaz')
  await page.goto('/operator/statements')
  await page.getByRole('link', { name: 'Satırı elle gir' }).click()
  await page.getByLabel(/^Hesap/).selectOption(iban)
  await page.getByLabel(/^Yön/).selectOption('credit')
  await page.getByLabel(/^Tutar/).fill('1.250,00')
  await page.getByLabel('İşlem günü').fill(today)
  await page.getByLabel(/Karşı tarafın adı/).fill(SENDER.name)
  await page.getByLabel(/Karşı tarafın IBAN/).fill(SENDER.iban)
  await page.getByLabel(/Açıklama/).fill('HAVALE Hüseyin Karataş')
  await page.getByRole('button', { name: 'Önizle' }).click()
  await page.getByText('1.250,00 TL · Gelen para').waitFor()
  await page.getByText('karşı tarafı farklı satır: 1').waitFor()
  await page.getByLabel('Bu satır başka bir ödeme').check()
  await page.getByLabel(/Neden elle giriliyor/).fill('banka saat ondan beri kapalı')
  await isSound(page, 'operator-enter-line')
  await page.getByRole('button', { name: 'Onaya gönder' }).click()
  await page.getByText('Öneri kaydedildi').waitFor()
  const { id } = await newest()
  const own = page.locator(`[data-item="${id}"]`)
  await own.getByRole('button', { name: 'Geri al' }).waitFor()
  assert.equal(await own.getByRole('button', { name: 'Onayla' }).count(), 0)
  assert.deepEqual([await cash(), (await lines()).length], [250_000n, 2])
  await page.getByRole('button', { name: 'Çıkış' }).click()
  await logIn('mehmet.kaya')
  await page.goto('/operator/approvals')
  const card = page.locator(`[data-item="${id}"]`)
  const text = (await card.textContent()) ?? ''
  for (const part of ['1.250,00 TL', 'giren', 'ayse.yilmaz', 'banka saat ondan beri kapalı', 'HAVALE'])
    assert.ok(text.includes(part), part)
  for (const part of [SENDER.name, groupedIban(SENDER.iban)])
    assert.ok(text.includes(part), `${part}: who approves compares it in full`)
  await isSound(page, 'operator-entered-card')
  await card.getByRole('button', { name: 'Onayla' }).click()
  await page.getByText('Onaylandı').waitFor()
  await settle()
  assert.equal(await cash(), 375_000n)
  const line = (await lines()).at(-1)
  assert.deepEqual([line?.amount, line?.senderName, line?.wholeDay], [125_000n, SENDER.name, true])
  const [done] = await listEntered(app.db, 1)
  assert.deepEqual([done?.lineId, done?.proposedBy, done?.decidedBy], [line?.id, 'ayse.yilmaz', 'mehmet.kaya'])
  const [entry] = await listAudit(app.db, { action: 'line.enter', subject: `line:${line?.id}` }, 1)
  assert.deepEqual([entry?.actor, entry?.origin?.edge], ['mehmet.kaya', 'console'])
  assert.deepEqual(problems, [])
})

test('the same amount, day and sender in the books: it must be called another payment; another sender is told', async () => {
  const { iban, today, gives, real, lines, cash, settle } = await openOutage(app)
  await gives(real(), real({ senderName: 'Hasan Su' }))
  const [same, other] = await lines()
  const { preview, sent } = await propose(ayse, typed(iban, today))
  const words = visibleText(preview.text)
  assert.match(words, /aynı hareket olabilir.*Bu satır başka bir ödeme.*karşı tarafı farklı satır: 1/)
  for (const one of [same, other]) assert.ok(preview.text.includes(`/operator/matching/${one?.id}`))
  assert.equal(sent.status, 409)
  assert.match(refusalIn(sent.text), new RegExp(`${same?.id} satırının \\(askıda\\).*benzer satır olarak işaretleyin`))
  assert.match(sent.text, /value="1\.250,00"/)
  const named = await propose(ayse, typed(iban, today, { besides: same?.id ?? '' }))
  assert.equal(named.sent.location, '/operator/approvals?said=proposalMade')
  const { id } = await newest()
  assert.match((await cardOf(mehmet, id)).words, new RegExp(`başka bir ödeme olduğunu söylüyor.*${same?.id}`))
  assert.equal((await decide(mehmet, id, 'approve')).status, 303)
  await settle()
  assert.equal(await cash(), 375_000n)
})

test('what was previewed is proposed: another amount is previewed anew; the form sent again is the same proposal, and is told', async () => {
  const { iban, today } = await openOutage(app)
  const csrf = await ayse.csrf('/statements/enter')
  const fields = typed(iban, today)
  const { text } = await ayse.request('/statements/enter/preview', { ...fields, csrf })
  const seen = attributeIn(text.slice(text.indexOf('name="seen"')), 'value')
  const changed = await ayse.request('/statements/enter', { ...fields, amount: '9.250,00', csrf, seen })
  assert.match(refusalIn(changed.text), /Siz baktıktan sonra değişti/)
  assert.match(changed.text, /value="9\.250,00"/)
  assert.equal((await ayse.request('/statements/enter', { ...fields, csrf, seen })).status, 303)
  const { id } = await newest()
  assert.equal((await ayse.request('/statements/enter', { ...fields, csrf, seen })).status, 303)
  assert.equal((await newest()).id, id)
  const again = await mehmet.request('/statements/enter/preview', { ...fields, name: 'V. Can', csrf: mehmetsCsrf })
  assert.match(visibleText(again.text), /elle girilmiş, onay bekliyor/)
  assert.ok(again.text.includes(id))
})

test('a line that came after the second person looked: nothing is booked, and the card says so', async () => {
  const { iban, today, gives, real, cash } = await openOutage(app)
  await propose(ayse, typed(iban, today))
  const { id } = await newest()
  const page = (await mehmet.request('/approvals')).text
  const fields = Object.fromEntries(hiddenIn(page, `/operator/proposals/${id}/approve`))
  await gives(real())
  const late = await mehmet.request(`/proposals/${id}/approve`, fields)
  assert.match(refusalIn(late.text), /aynı hareket olabilir/)
  const { card, words } = await cardOf(mehmet, id)
  assert.match(words, /Bu öneriden sonra bilgiler değişti/)
  assert.doesNotMatch(card, /\/approve"/)
  const rejected = await decide(mehmet, id, 'reject', 'banka satırı verdi')
  assert.equal(rejected.location, '/operator/approvals?said=proposalRejected')
  assert.deepEqual([(await showProposal(app, id)).note, await cash()], ['banka satırı verdi', 125_000n])
  const twice = await mehmet.request(`/proposals/${id}/approve`, fields)
  assert.match(refusalIn(twice.text), /Buna zaten karar verdiniz: reddedildi/)
})

test('a viewer sees which role it takes; personal data only who may approve it', async () => {
  const { propose: byAyse } = await openOutage(app)
  const { id } = await byAyse({ senderName: SENDER.name, senderIban: SENDER.iban, narrative: 'true' })
  const viewer = await enter('ali.izleyen')
  assert.match((await viewer.request('/statements/enter')).text, /<fieldset class="closed/)
  const shown = await cardOf(viewer, id)
  assert.match(shown.card, /disabled/)
  assert.match(shown.words, /1\.250,00 TL/)
  for (const one of [shown, await cardOf(await enter('selin.destek'), id)])
    assert.doesNotMatch(one.words, /Hüseyin|Karataş|TR\d\d .*0123/)
  const { words } = await cardOf(mehmet, id)
  for (const part of [SENDER.name, groupedIban(SENDER.iban), 'true']) assert.ok(words.includes(part), part)
  await setRoles(app, operatorActor('ayse.yilmaz'), 'ayse.yilmaz', ['admin'])
  const lapsed = await cardOf(mehmet, id)
  assert.match(lapsed.words, /artık yetkili değil/)
  assert.doesNotMatch(lapsed.card, /\/approve"/)
  await setRoles(app, operatorActor('ayse.yilmaz'), 'ayse.yilmaz', ['cashier', 'admin'])
})

test('English, and every refusal of the form, without a command', async () => {
  const { iban, today } = await openOutage(app)
  const english = await enter('elif.onay')
  const csrf = await english.csrf('/statements/enter?lang=en')
  const refused = async (changes: Record<string, string>) => {
    const { text, status } = await english.request('/statements/enter/preview', {
      ...typed(iban, today, changes),
      csrf,
    })
    assert.equal(status, 409)
    return refusalIn(text)
  }
  assert.match(await refused({ amount: '125000' }), /two decimals/)
  assert.match(await refused({ name: ' ' }), /missing/)
  assert.match(await refused({ day: '2099-01-01' }), /not in the future/)
  assert.match(await refused({ iban: 'TR00' }), /iban must have 26 characters, has 4/)
  assert.match(await refused({ account: makeIban('0010', '999') }), /There is no collecting account/)
  const { preview } = await propose(english, typed(iban, today))
  assert.match(visibleText(preview.text), /The account has no other line/)
})

test('live: two cashiers with second factors', async () => {
  const { iban, one, two, lines } = await liveConsole()
  const day = '2026-11-16'
  const fields = { ...typed(iban, day), csrf: one.csrf }
  const preview = await one.request('/statements/enter/preview', fields)
  const hidden = Object.fromEntries(hiddenIn(preview.text, '/operator/statements/enter/preview'))
  assert.equal((await one.request('/statements/enter', { ...fields, ...hidden })).status, 303)
  const page = (await two.request('/approvals')).text
  const [, id = ''] = /\/proposals\/([0-9a-f]{24})\/approve/.exec(page) ?? assert.fail('no card')
  const sent = await two.request(
    `/proposals/${id}/approve`,
    Object.fromEntries(hiddenIn(page, `/operator/proposals/${id}/approve`)),
  )
  assert.equal(sent.location, '/operator/approvals?said=proposalApplied')
  assert.deepEqual(
    (await lines()).map(({ amount }) => amount),
    [125_000n],
  )
})

test('a line of the same party some days before is told; a form sent three times at once makes one proposal; a long reason is refused', async () => {
  const { iban, today, gives, real } = await openOutage(app)
  await gives(real({ bookedAt: startOfDay(addDays(today, -3)) }))
  const fields = typed(iban, today)
  const csrf = await ayse.csrf('/statements/enter')
  const { text } = await ayse.request('/statements/enter/preview', { ...fields, csrf })
  assert.match(visibleText(text), /günü farklı bir satır var.*Gün yanlış yazıldıysa/)
  const seen = attributeIn(text.slice(text.indexOf('name="seen"')), 'value')
  const long = await ayse.request('/statements/enter', { ...fields, csrf, seen, why: 'x'.repeat(201) })
  assert.match(refusalIn(long.text), /en çok 200 karakter/)
  const before = (await listProposals(app, 1000)).length
  await Promise.all([1, 2, 3].map(() => ayse.request('/statements/enter', { ...fields, csrf, seen })))
  assert.equal((await listProposals(app, 1000)).length, before + 1)
  const { id } = await newest()
  assert.match((await cardOf(mehmet, id)).words, /günü farklı satırlar/)
})

test('more proposals wait than are shown: Approvals says how many', async () => {
  const { propose: byAyse } = await openOutage(app)
  for (let n = 0; n < 101; n++) await byAyse({ amount: 200_000n + BigInt(n) })
  assert.match(visibleText((await mehmet.request('/approvals')).text), /Bekleyen \d{3} önerinin en eski 100 tanesi/)
})
