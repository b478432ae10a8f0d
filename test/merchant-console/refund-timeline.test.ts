import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refundsOfDeposit, stopWithdrawal } from '../../packages/server/src/domain/withdrawals/index.ts'
import { operatorActor } from '../../packages/server/src/kernel/actor.ts'
import { accepted } from '../harness/envelope.ts'
import { cheap, merchantUser, PASSWORD } from '../harness/logins.ts'
import { addPerson, visitor } from '../harness/operator-console.ts'
import { hiddenIn, visibleText } from '../harness/page-text.ts'
import { payDeposit } from '../harness/payments.ts'
import { paidDeposit, refundBody, refundPath } from '../harness/refunds.ts'
import { startService } from '../harness/service.ts'

// A refund in the timeline of its deposit, in both consoles.
const service = await startService()
const { app } = service
const shop = await service.merchant()
await merchantUser(cheap(app), shop.merchantId, 'fin1@mine.example', 'finance')
await addPerson(service, 'ayse.yilmaz')
const person = visitor(service, 'merchant')
await person.logIn('fin1@mine.example', PASSWORD)
const operator = visitor(service)
await operator.logIn('ayse.yilmaz')

test('a refund: amount, who, why and the withdrawal; no change of status that is none', async () => {
  const { id, merchantId } = await paidDeposit(app, shop.merchantId)
  const { text: form } = await person.request(`/transactions/${id}`)
  const fields = Object.fromEntries(hiddenIn(form, `/merchant/transactions/${id}/refund`))
  const made = await person.request(`/transactions/${id}/refund`, { ...fields, amount: '40,00', reason: 'Eksik ürün' })
  assert.match(made.location ?? '', /refund_made/)
  const [refund] = await refundsOfDeposit(app.db, merchantId, id)
  const { text } = await person.request(`/transactions/${id}`)
  assert.match(visibleText(text), /40,00 TL iade ediliyor fin1@mine\.example: Eksik ürün/)
  assert.match(text, new RegExp(`Eksik ürün[^]*?href="/merchant/transactions/${refund?.id}"`))
  assert.doesNotMatch(visibleText(text), /tamamlandı → tamamlandı/)
  const theirs = (await operator.request(`/transactions/${id}`)).text
  assert.match(visibleText(theirs), /40,00 TL iade ediliyor Eksik ürün/)
  assert.match(theirs, new RegExp(`href="/operator/transactions/${refund?.id}"`))
  assert.doesNotMatch(visibleText(theirs), /tamamlandı → tamamlandı/)
})

test('a refund of the API that did not happen says so', async () => {
  const { id } = await paidDeposit(app, shop.merchantId)
  const { transactionId } = accepted(await shop.post(refundPath(id), refundBody()), 201)
  await stopWithdrawal(app, operatorActor('ayse.yilmaz'), transactionId as string, 'as the merchant asked')
  for (const one of [person, operator]) {
    const words = visibleText((await one.request(`/transactions/${id}`)).text)
    assert.match(words, /1\.250,00 TL iade edilemedi/)
    assert.doesNotMatch(words, /tamamlandı → tamamlandı/)
  }
})

test('paid twice: the page names the second payment; the refund takes the word that it is not meant', async () => {
  const deposit = await paidDeposit(app, shop.merchantId)
  await payDeposit(app, deposit)
  const { id } = deposit
  const { text } = await person.request(`/transactions/${id}`)
  assert.match(visibleText(text), /İki kez ödendi: 1\.250,00 TL/)
  assert.match(text, /<input type="checkbox" name="besides" value="yes" required/)
  const fields = Object.fromEntries(hiddenIn(text, `/merchant/transactions/${id}/refund`))
  const refused = await person.request(`/transactions/${id}/refund`, { ...fields, amount: '40,00' })
  assert.doesNotMatch(refused.location ?? '', /refund_made/)
  assert.equal((await refundsOfDeposit(app.db, shop.merchantId, id)).length, 0)
  const made = await person.request(`/transactions/${id}/refund`, { ...fields, amount: '40,00', besides: 'yes' })
  assert.match(made.location ?? '', /refund_made/)
})
