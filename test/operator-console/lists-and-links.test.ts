import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keepUnread } from '../../packages/server/src/domain/statements/index.ts'
import { depositBody, withdrawBody } from '../harness/examples.ts'
import { openJournal } from '../harness/journal.ts'
import { addPerson, giveLogin, visitor } from '../harness/operator-console.ts'
import { visibleText } from '../harness/page-text.ts'
import { payDeposit, someDeposits } from '../harness/payments.ts'
import { startService } from '../harness/service.ts'
import { note } from '../../packages/server/src/kernel/refusals/note.ts'

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
  assert.match(await said(list), /3 işlem · 2\.520,00 TL · tamamlanan 1 işlem, 840,00 TL/)
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
  assert.match(await said(path), /Henüz karara bağlanan öneri yok/)
  const fields = { csrf: await person.csrf(), add: '127.0.0.1', why: 'yeni sunucu' }
  assert.equal((await person.request(`${path}/networks`, fields)).status, 303)
  assert.match(await said(path), /Reddedilen adresler 127\.0\.0\.1 .*önerildi/)
})

test('a line that could not be read is one thing to do, not two', async () => {
  const toDo = async (isKept: boolean) => {
    const fresh = await startService()
    await addPerson(fresh, 'ayse.yilmaz')
    const unread = [{ raw: '{}', why: note('unread_not_ours') }]
    if (isKept) await fresh.app.db.transaction((tx) => keepUnread(fresh.app, tx, 'bank-api:deniz', unread))
    const one = visitor(fresh)
    await one.logIn('ayse.yilmaz')
    return Number(/(\d+) konuyla/.exec(visibleText((await one.request('/system')).text))?.[1] ?? 0)
  }
  assert.equal(await toDo(true), (await toDo(false)) + 1)
})

test('after a change of state the account is named', async () => {
  const { here } = journal
  const csrf = await person.csrf('/accounts')
  const changed = await person.request(`/accounts/${here.id}/paused`, { csrf, state: 'active' })
  const shown = visibleText((await person.request((changed.location ?? '').replace('/operator', ''))).text)
  assert.match(shown, new RegExp(`${here.bankName} · TR[\\d ]+ : duraklatıldı`))
  await person.request(`/accounts/${here.id}/active`, { csrf, state: 'paused' })
})

test('after a proposal the line before says that it waits; the keys M and S always find something', async () => {
  const line = await journal.arrives('debit', 987n)
  await journal.propose('bank_charge', { lineIds: [line] })
  const other = await journal.arrives('credit', 76_543n, { senderName: 'Kerem Aslan' })
  const text = await page(`/matching/${other}?done=${line}`)
  assert.match(visibleText(text), /Önceki satır: .*9,87 TL öneri bekliyor/)
  assert.match(text, /data-key="m"/)
  assert.match(text, /data-key="s" tabindex="-1">Para zaten askıda/)
})

test('the search: a process id in any case, the end of our own account, and one bank line open', async () => {
  const opens = async (text: string) => (await person.request(`/search?q=${encodeURIComponent(text)}`)).location
  const { body } = await shop.post('/v1/deposit', depositBody({ processId: 'SIP-20417' }))
  const { transactionId } = body.data
  for (const text of ['SIP-20417', 'sip-20417'])
    assert.equal(await opens(text), `/operator/transactions/${transactionId}`)
  const { here } = journal
  const account = (await app.banks.accounts()).find(({ iban }) => iban === here.iban) ?? assert.fail('no account')
  const end = new RegExp(`/operator/accounts\\?bank=.*#account-${account.id}`)
  assert.match((await opens(account.iban)) ?? (await page(`/search?q=${account.iban}`)), end)
  assert.match((await opens(account.iban.slice(-6))) ?? (await page(`/search?q=${account.iban.slice(-6)}`)), end)
  const line = await journal.arrives('debit', 4_411n, { bankReference: 'FT-7788' })
  assert.equal(await opens('FT-7788'), `/operator/matching/${line}`)
  assert.equal(await opens(line), `/operator/matching/${line}`)
})
