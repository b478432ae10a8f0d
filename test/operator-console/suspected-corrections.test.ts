import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkBooks } from '../../packages/server/src/domain/books/index.ts'
import { keepUnread, listLines } from '../../packages/server/src/domain/statements/index.ts'
import { startBooks } from '../harness/books.ts'
import { giveLogin, visitor } from '../harness/operator-console.ts'
import { lineFor, someDeposits } from '../harness/payments.ts'
import { note } from '../../packages/server/src/kernel/refusals/note.ts'

// The bank repeats a booked line with another amount: on the desk, on the page of the day, and on the accounts.
const service = await startBooks()
const { app } = service
await giveLogin(service, 'ayse.yilmaz')
const shop = await service.merchant()
const person = visitor(service)
await person.logIn('ayse.yilmaz')
const plain = (text: string) => text.replace(/<[^>]*>/g, '').replace(/\s+/g, ' ')

const [deposit = assert.fail()] = await someDeposits(app, shop.merchantId, 1, 100_000n)
const line = await lineFor(app, deposit, {})
const iban = line.accountIban
const account = (await app.banks.accounts()).find((one) => one.iban === iban)
await service.take(line)
await service.take({ ...line, amount: 95_000n })

const [suspect = assert.fail('no correction')] = await listLines(app.db, 'needs_review', 10)

test('a booked line is not replaced on the desk: the page says why and has the proposal, filled in', async () => {
  const page = (await person.request(`/matching/${suspect.id}`)).text
  assert.doesNotMatch(page, /value="replaces"/)
  assert.match(plain(page), /İlk satır deftere geçmiş\. Banka onun yerine bu satırı sayıyorsa/)
  const [, link = ''] = /href="\/operator(\/matching\/entry\?[^"]*)"[^>]*>Eşleşmeyi geri almayı öner/.exec(page) ?? []
  const form = (await person.request(link.replaceAll(/&(?:amp|#38);/g, '&'))).text
  assert.match(form, new RegExp(`name="deposit"[^>]*value="${deposit.id}"`))
})

test('who chose it before is refused in Turkish, without a command', async () => {
  const csrf = await person.csrf(`/matching/${suspect.id}`)
  const refused = await person.request(`/matching/${suspect.id}/correct`, { csrf, found: 'replaces' })
  assert.equal(refused.status, 409)
  const [said = ''] = /Kabul edilmedi:.*?<\/p>/s.exec(refused.text) ?? []
  assert.match(said, new RegExp(`İlk satır \\(${suspect.correctsLineId}\\) ${deposit.id} yatırımına geçti\\.`))
  assert.match(said, /eşleşmenin geri alınmasını önerin.*“Bankada geçersiz satır”/)
  assert.doesNotMatch(said, /vezne |--|the bank/)
})

test('the page of the day names lines that wait as the likely cause; accounts have the sign of the difference', async () => {
  const day = service.today()
  const wire = { account: iban, amount: 'x', currency: 'TRY', direction: 'credit' }
  await app.db.transaction((tx) =>
    keepUnread(app, tx, 'a', [{ raw: JSON.stringify(wire), why: note('unread_amount_wrong') }]),
  )
  await service.giveBalances(day, -195_000n)
  const [, page = ''] = (await person.request(`/books/${day}`)).text.split(`id="account-${account?.id}"`)
  assert.match(plain(page), /karar bekleyen satırlar olabilir: incelenecek 1 satır, 950,00 TL · okunamayan 1 satır/)
  assert.ok(page.includes(`/operator/matching?account=${account?.id}"`))
  assert.ok(page.indexOf('karar bekleyen') < page.indexOf('satır veya kayıt yok'))
  await service.later(1)
  await checkBooks(app)
  await person.logIn('ayse.yilmaz')
  assert.match(plain((await person.request('/accounts')).text), /-1\.000,00 TL fark, 1\.950,00 TL açıklanamadı/)
})
