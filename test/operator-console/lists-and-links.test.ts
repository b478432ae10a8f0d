import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withdrawBody } from '../harness/examples.ts'
import { openJournal } from '../harness/journal.ts'
import { giveLogin, visitor } from '../harness/operator-console.ts'
import { visibleText } from '../harness/page-text.ts'
import { payDeposit, someDeposits } from '../harness/payments.ts'
import { startService } from '../harness/service.ts'

const service = await startService()
const { app } = service
const shop = await service.merchant({ allowedNetworks: ['203.0.113.7'] })
const journal = await openJournal(app)
for (const name of ['ayse.yilmaz', 'mehmet.kaya']) await giveLogin(service, name)
const person = visitor(service)
await person.logIn('mehmet.kaya')
const page = async (path: string) => (await person.request(path)).text
const said = async (path: string) => visibleText(await page(path))

test('beside the sum of a list of all states is what arrived', async () => {
  const [paid] = await someDeposits(app, shop.merchantId, 3, 84_000n)
  await payDeposit(app, paid ?? assert.fail('no deposit'))
  const list = `/transactions?kind=deposit&merchant=${shop.merchantId}`
  assert.match(await said(list), /3 işlem · 2\.520,00 TL · tamamlanan 840,00 TL/)
  assert.doesNotMatch(await said(`${list}&status=pending`), /tamamlanan \d/)
})

test('money in and out on the first page leads to its lists, without transfers between our accounts', async () => {
  const { here, there } = journal
  const before = /Gelen ([\d.,]+) TL/.exec(await said(''))?.[1]
  const debit = await journal.arrives('debit', 77_700n, { senderIban: there.iban })
  const credit = await journal.arrives('credit', 77_700n, { accountIban: there.iban, senderIban: here.iban })
  await journal.post('own_transfer', { lineIds: [debit, credit] })
  assert.equal(before, '840,00')
  assert.match(await said(''), /Gelen 840,00 TL/)
  assert.match(await said(''), /Giden 0,00 TL/)
  assert.match(await page(''), /href="\/operator\/transactions\?kind=deposit"/)
  assert.match(await page(''), /href="\/operator\/transactions\?kind=withdrawal"/)
})

test('addresses that were refused are on the page of the merchant, and are proposed from there', async () => {
  await shop.post('/v1/withdraw', withdrawBody())
  await app.callLog.flush()
  const path = `/merchants/${shop.merchantId}`
  assert.match(await said(path), /Reddedilen adresler 127\.0\.0\.1 .*1 kez/)
  assert.match(await said(path), /Henüz karara bağlanan değişiklik yok/)
  const fields = { csrf: await person.csrf(), add: '127.0.0.1', why: 'yeni sunucu' }
  assert.equal((await person.request(`${path}/networks`, fields)).status, 303)
  assert.match(await said(path), /Reddedilen adresler 127\.0\.0\.1 .*önerildi/)
})
