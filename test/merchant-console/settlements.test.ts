import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setSettlementSchedule } from '../../packages/server/src/domain/merchants/index.ts'
import { addOperator, DECIDING } from '../../packages/server/src/domain/people/index.ts'
import { lastSettlements, requestSettlement } from '../../packages/server/src/domain/withdrawals/index.ts'
import { operatorActor, UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { cheap, merchantUser, PASSWORD } from '../harness/logins.ts'
import { visitor } from '../harness/operator-console.ts'
import { hiddenIn, refusalIn, visibleText } from '../harness/page-text.ts'
import { startService } from '../harness/service.ts'
import { formOf, fund, OWN_ACCOUNT, registerAccount } from '../harness/settlements.ts'

const service = await startService()
const { app } = service
for (const name of ['ayse.yilmaz', 'mehmet.kaya']) await addOperator(app, UNATTRIBUTED, name, DECIDING)
const ACTION = '/merchant/balance/settle'

async function shopOf(domain: string, funds: bigint): Promise<string> {
  const { merchantId } = await service.merchant({ funds })
  for (const role of ['owner', 'finance', 'support', 'developer'])
    await merchantUser(cheap(app), merchantId, `${role}@${domain}`, role)
  return merchantId
}

async function enter(name: string) {
  const person = visitor(service, 'merchant')
  await person.logIn(name, PASSWORD)
  const csrf = await person.csrf()
  return {
    text: async () => (await person.request('/balance')).text,
    shown: async (language = 'tr') => visibleText((await person.request(`/balance?lang=${language}`)).text),
    form: async () => formOf(hiddenIn((await person.request('/balance')).text, ACTION)),
    settle: (form: Record<string, string>) => person.request('/balance/settle', { ...form, csrf }),
  }
}

const register = (merchantId: string) => registerAccount(app, ['ayse.yilmaz', 'mehmet.kaya'], merchantId)

test('without an account the page says whom to tell', async () => {
  await shopOf('none.example', 5000n)
  const owner = await enter('owner@none.example')
  assert.match(await owner.shown(), /Hakediş hesabınız kayıtlı değil\. Ödeme kuruluşunuza bildirin/)
  assert.match(await owner.shown('en'), /No account of yours is registered/)
  assert.deepEqual(hiddenIn(await owner.text(), ACTION), [])
})

test('finance sees account, schedule and what would leave, asks for it once, and follows it', async () => {
  const merchantId = await shopOf('mine.example', 1_245_000n)
  await register(merchantId)
  await setSettlementSchedule(app, UNATTRIBUTED, merchantId, {
    ...{ every: 'week', weekday: 1, minute: 540, minimum: 100_000n },
  })
  const finance = await enter('finance@mine.example')
  const page = await finance.shown()
  assert.match(page, /her pazartesi, saat 09:00, en az 1\.000,00 TL varsa Sıradaki/)
  const masked = `TR${OWN_ACCOUNT.iban.slice(2, 4)} •••• ${OWN_ACCOUNT.iban.slice(-4)}`
  assert.ok(page.includes(`12.450,00 TL şu hesaba gider: ${masked} Kitap Evi A.Ş.`), page)
  assert.doesNotMatch(await finance.text(), new RegExp(OWN_ACCOUNT.iban))
  const form = await finance.form()
  assert.match((await finance.settle(form)).location ?? '', /\/merchant\/balance\?said=settlementSent/)
  await fund(app, merchantId, 5_000_000n)
  assert.match(refusalIn((await finance.settle(form)).text), /bu arada bir hakediş gönderildi/)
  const [made, ...others] = await lastSettlements(app.db, merchantId, 10)
  assert.deepEqual([made?.amount, others], [1_245_000n, []])
  assert.match(
    await finance.text(),
    new RegExp(`href="/merchant/transactions/${made?.withdrawalId}">12\\.450,00 TL</a>`),
  )
  assert.match(await finance.shown(), /12\.450,00 TL bekliyor \d\d\.\d\d\.\d{4} · finance@mine\.example/)
  await requestSettlement(app, operatorActor('ayse.yilmaz'), merchantId)
  assert.match(await finance.shown(), /50\.000,00 TL bekliyor \d\d\.\d\d\.\d{4} · hizmetin işletmecisi/)
  assert.doesNotMatch(await finance.shown(), /ayse/, 'people of the operator are not named')
})

test('roles without the right read it and have no form', async () => {
  const merchantId = await shopOf('read.example', 9900n)
  await register(merchantId)
  for (const role of ['support', 'developer']) {
    const person = await enter(`${role}@read.example`)
    const page = await person.shown()
    assert.match(page, /Hakediş Hesap TR\d\d •••• \d{4} Kitap Evi/)
    assert.match(page, /Henüz hakediş gönderilmedi/)
    assert.doesNotMatch(page, /şu hesaba gider|Şimdi gönder/)
    assert.equal((await person.settle({ amount: '9900', seen: '' })).status, 403)
  }
  const owner = await enter('owner@read.example')
  assert.equal((await owner.settle(await owner.form())).status, 303)
})

test('the form of one merchant sends nothing of another', async () => {
  const [first, second] = [await shopOf('one.example', 1000n), await shopOf('two.example', 1000n)]
  await register(first)
  await register(second)
  const [one, two] = [await enter('owner@one.example'), await enter('owner@two.example')]
  assert.equal((await two.settle({ ...(await one.form()), merchant: first, merchantId: first })).status, 409)
  for (const merchantId of [first, second]) assert.deepEqual(await lastSettlements(app.db, merchantId, 10), [])
})
