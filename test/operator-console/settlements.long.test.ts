import assert from 'node:assert/strict'
import { test } from 'node:test'
import { balanceOf, findDrift } from '../../packages/server/src/domain/ledger/index.ts'
import { findSchedule, freezeMerchant, unfreezeMerchant } from '../../packages/server/src/domain/merchants/index.ts'
import { lastSettlements } from '../../packages/server/src/domain/withdrawals/index.ts'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { groupedIban, makeIban } from '../../packages/server/src/kernel/iban.ts'
import { addPerson, visitor } from '../harness/operator-console.ts'
import { hiddenIn, refusalIn, visibleText } from '../harness/page-text.ts'
import { startService } from '../harness/service.ts'
import { formOf, fund, OWN_ACCOUNT, registerAccount } from '../harness/settlements.ts'

const service = await startService()
const { app } = service
await addPerson(service, 'ayse.yilmaz')
await addPerson(service, 'mehmet.kaya', undefined, 'ayse.yilmaz')
for (const role of ['viewer', 'cashier', 'admin']) await addPerson(service, `only.${role}`, [role], 'ayse.yilmaz')

async function enter(name: string, merchantId: string) {
  const person = visitor(service)
  await person.logIn(name)
  const csrf = await person.csrf()
  const page = `/merchants/${merchantId}`
  return {
    shown: async () => visibleText((await person.request(page)).text),
    inEnglish: async () => {
      const { text } = await person.request(`${page}?lang=en`)
      await person.request(`${page}?lang=tr`)
      return visibleText(text)
    },
    form: async () => formOf(hiddenIn((await person.request(page)).text, `/operator${page}/settle`)),
    hasForm: async () => hiddenIn((await person.request(page)).text, `/operator${page}/settle`).length > 0,
    settle: (form: Record<string, string>) => person.request(`${page}/settle`, { ...form, csrf }),
    schedule: async (form: Record<string, string>) => {
      const shown = hiddenIn((await person.request(page)).text, `/operator${page}/settlement-schedule`)
      return person.request(`${page}/settlement-schedule`, { ...Object.fromEntries(shown), ...form, csrf })
    },
    text: async () => (await person.request(page)).text,
  }
}

async function shopWith(funds: bigint): Promise<string> {
  const { merchantId } = await service.merchant({ funds })
  await registerAccount(app, ['ayse.yilmaz', 'mehmet.kaya'], merchantId)
  return merchantId
}

const WEEKLY = { every: 'week', weekday: '5', at: '10:30', minimum: '1.250,00' }
const amounts = async (id: string) => (await lastSettlements(app.db, id, 50)).map(({ amount }) => amount)

test('without an account the page says that nothing can be settled, and has neither form', async () => {
  const { merchantId } = await service.merchant({ funds: 5000n })
  const ayse = await enter('ayse.yilmaz', merchantId)
  const page = await ayse.shown()
  assert.match(page, /Kayıtlı hesap yok: hakediş gönderilemez/)
  assert.match(page, /Henüz hakediş gönderilmedi/)
  assert.doesNotMatch(await ayse.text(), /\/settle"|settlement-schedule"/)
  const form = { amount: '5000', seen: 'x' }
  assert.match(refusalIn((await ayse.settle(form)).text), /Gördüğünüzden farklı/)
  assert.match(refusalIn((await ayse.schedule(WEEKLY)).text), /hakediş hesabı yok/)
})

test('the schedule is changed in a form, shown in words with the next time, and refused if it is none', async () => {
  const merchantId = await shopWith(5000n)
  const ayse = await enter('ayse.yilmaz', merchantId)
  assert.match(await ayse.shown(), /Otomatik gönderim kapalı/)
  assert.match((await ayse.schedule(WEEKLY)).location ?? '', /said=scheduleSet/)
  assert.deepEqual(await findSchedule(app.db, merchantId), {
    ...{ every: 'week', weekday: 5, minute: 630, minimum: 125_000n },
  })
  assert.match(await ayse.shown(), /her cuma, saat 10:30, en az 1\.250,00 TL varsa Sıradaki \d\d\.\d\d\.\d{4} 10:30/)
  assert.match(await ayse.inEnglish(), /every Friday at 10:30, if there is at least 1\.250,00 TL Next/)
  const wrong: [Record<string, string>, RegExp][] = [
    [{ at: '25:00' }, /Saat \(İstanbul\): 09:30 gibi yazılmalı/],
    [{ at: '' }, /Saat/],
    [{ minimum: '1.250' }, /En az tutar: 350 veya 1\.250,00 gibi yazılmalı/],
    [{ minimum: '0' }, /En az tutar/],
    [{ every: 'month' }, /değişti/],
    [{ weekday: '8' }, /değişti/],
  ]
  for (const [change, why] of wrong) {
    const refused = await ayse.schedule({ ...WEEKLY, ...change })
    assert.equal(refused.status, 409)
    assert.match(refusalIn(refused.text), why)
  }
  const stale = await ayse.schedule({ ...WEEKLY, at: '11:30', seen: '' })
  assert.match(refusalIn(stale.text), /siz baktıktan sonra değişti/)
  assert.equal((await findSchedule(app.db, merchantId))?.minute, 630)
  await ayse.schedule({ every: 'day', weekday: '3', at: '09:00', minimum: '0,01' })
  assert.match(await ayse.shown(), /her gün, saat 09:00 Sıradaki/)
  assert.deepEqual((await findSchedule(app.db, merchantId))?.weekday, null)
  await ayse.schedule({ ...WEEKLY, every: 'off' })
  assert.match(await ayse.shown(), /Otomatik gönderim kapalı/)
  assert.doesNotMatch(await ayse.shown(), /Sıradaki/)
  const audit = visitor(service)
  await audit.logIn('ayse.yilmaz')
  const told = visibleText((await audit.request(`/audit?subject=merchant:${merchantId}`)).text)
  assert.match(told, /sıklık: Her gün → Kapalı/)
  assert.match(told, /saat: 10:30 → 09:00/)
})

test('what was shown is sent, once; what came in meanwhile stays', async () => {
  const merchantId = await shopWith(1_245_000n)
  const ayse = await enter('ayse.yilmaz', merchantId)
  assert.match(
    await ayse.shown(),
    new RegExp(`12\\.450,00 TL şu hesaba gider: ${groupedIban(OWN_ACCOUNT.iban)} Kitap Evi A\\.Ş\\.`),
  )
  const form = await ayse.form()
  await fund(app, merchantId, 300n)
  assert.match((await ayse.settle(form)).location ?? '', /said=settlementSent/)
  assert.deepEqual(await balanceOf(app.db, merchantId, 'TRY'), { available: 300n, held: 1_245_000n })
  const [made] = await lastSettlements(app.db, merchantId, 1)
  assert.match(await ayse.text(), new RegExp(`href="/operator/transactions/${made?.withdrawalId}">12\\.450,00 TL</a>`))
  assert.match(await ayse.shown(), /12\.450,00 TL bekliyor \d\d\.\d\d\.\d{4} · ayse\.yilmaz/)
  await fund(app, merchantId, 2_000_000n)
  const again = await ayse.settle(form)
  assert.equal(again.status, 409)
  assert.match(refusalIn(again.text), /bu arada bir hakediş gönderildi\. Yeniden bakın/)
  assert.deepEqual(await amounts(merchantId), [1_245_000n], 'the second sending of the form sends nothing')
  assert.match(again.text, /20\.003,00 TL/, 'the page has the new amount')
  await ayse.settle(await ayse.form())
  assert.deepEqual(await amounts(merchantId), [2_000_300n, 1_245_000n])
  assert.deepEqual(await findDrift(app.db), [])
})

test('two people at once, and one form five times at once: one settlement', async () => {
  const merchantId = await shopWith(500_000n)
  const [ayse, mehmet] = [await enter('ayse.yilmaz', merchantId), await enter('mehmet.kaya', merchantId)]
  const forms = [await ayse.form(), await mehmet.form()]
  await fund(app, merchantId, 4_000_000n)
  const people = [ayse, mehmet, ayse, mehmet, ayse, mehmet]
  const answers = await Promise.all(people.map((person, at) => person.settle(forms[at % 2] ?? {})))
  const answered = (code: number) => answers.filter(({ status }) => status === code).length
  assert.deepEqual([answered(303), answered(409)], [1, 5])
  assert.deepEqual(await amounts(merchantId), [500_000n])
})

test('a smaller balance, another account and an amount that is none are refused', async () => {
  const merchantId = await shopWith(100_000n)
  const ayse = await enter('ayse.yilmaz', merchantId)
  const form = await ayse.form()
  for (const amount of ['0', '-5', '100001', '1e5', '', '9999999999999999'])
    assert.match(refusalIn((await ayse.settle({ ...form, amount })).text), /Gördüğünüzden farklı/, amount)
  const other = { iban: makeIban('0062', '778'), title: 'Başka A.Ş.' }
  await registerAccount(app, ['mehmet.kaya', 'ayse.yilmaz'], merchantId, other)
  assert.match(refusalIn((await ayse.settle(form)).text), /hesap değişti/)
  assert.deepEqual(await amounts(merchantId), [])
})

test('why nothing can be sent: nothing available, or a freeze; in both languages', async () => {
  const merchantId = await shopWith(0n)
  const ayse = await enter('ayse.yilmaz', merchantId)
  assert.match(await ayse.shown(), /Şimdi gönderilemez\. Gönderilecek bakiye yok: kullanılabilir bakiye 0,00 TL\./)
  await fund(app, merchantId, 700n)
  const form = await ayse.form()
  await freezeMerchant(app, UNATTRIBUTED, merchantId, 'a test of it')
  assert.match(await ayse.shown(), /Şimdi gönderilemez\. Satıcı dondurulmuşken hakediş gönderilmez\./)
  assert.match(await ayse.inEnglish(), /It cannot be sent now\. Nothing is settled while the merchant is frozen\./)
  assert.equal(await ayse.hasForm(), false)
  assert.match(refusalIn((await ayse.settle(form)).text), /Satıcı dondurulmuşken/)
  await unfreezeMerchant(app, UNATTRIBUTED, merchantId, 'the test ends')
  assert.match((await ayse.settle(form)).location ?? '', /said=settlementSent/)
})

test('a cashier sends and does not schedule, an admin schedules and does not send, a viewer does neither', async () => {
  const merchantId = await shopWith(1000n)
  const [cashier, admin, viewer] = [
    await enter('only.cashier', merchantId),
    await enter('only.admin', merchantId),
    await enter('only.viewer', merchantId),
  ]
  assert.equal((await cashier.schedule(WEEKLY)).status, 403)
  assert.equal((await admin.schedule(WEEKLY)).status, 303)
  assert.equal((await viewer.schedule(WEEKLY)).status, 403)
  assert.equal((await admin.settle(await admin.form())).status, 403)
  assert.equal((await viewer.settle({})).status, 403)
  assert.equal((await cashier.settle(await cashier.form())).status, 303)
})
