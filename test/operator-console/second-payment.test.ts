import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refundOf } from '../../packages/server/src/domain/books/index.ts'
import { findDepositById } from '../../packages/server/src/domain/deposits/index.ts'
import type { BankLine } from '../../packages/server/src/domain/statements/index.ts'
import { linesOfDeposit, listLines } from '../../packages/server/src/domain/statements/index.ts'
import { makeIban } from '../../packages/server/src/kernel/iban.ts'
import { openJournal } from '../harness/journal.ts'
import { giveLogin, visitor } from '../harness/operator-console.ts'
import { hiddenIn, visibleText } from '../harness/page-text.ts'
import { payDeposit, someDeposits } from '../harness/payments.ts'
import { startService } from '../harness/service.ts'

const service = await startService()
const { app } = service
const shop = await service.merchant()
const journal = await openJournal(app)
await giveLogin(service, 'ayse.yilmaz')

test('a deposit that was paid twice shows the second line, where its money is, and its refund', async () => {
  const [deposit, other] = await someDeposits(app, shop.merchantId, 2, 84_000n)
  if (!deposit || !other) return assert.fail('no deposits')
  for (const one of [deposit, other, deposit]) await payDeposit(app, one)
  const [second] = await listLines(app.db, 'suspense', 1)
  assert.ok(second)
  const person = visitor(service)
  await person.logIn('ayse.yilmaz')
  const shown = async (id: string) => (await person.request(`/transactions/${id}`)).text
  const before = await shown(deposit.id)
  assert.match(before, new RegExp(`/operator/matching/${second.id}"`))
  assert.match(visibleText(before), /Karar: askıda eşleştirici: yatırım zaten tamamlanmış/)
  assert.match(visibleText(before), /Bankadaki para → Askıdaki para/)
  assert.doesNotMatch(await shown(other.id), new RegExp(second.id), 'not on the page of another deposit')

  const refused = await journal.propose('refund_unexplained', {
    lineIds: [second.id],
    iban: 'TR620006200029500006291296',
  })
  await journal.approve(refused.id)
  const refund = await refundOf(app.db, refused.id)
  const after = await shown(deposit.id)
  assert.match(visibleText(after), /Defter kaydı önerildi: .* ayse\.yilmaz: as the bank says/)
  assert.match(visibleText(after), /Defter kaydı onaylandı: .* mehmet\.kaya/)
  assert.match(after, new RegExp(`/operator/transactions/${refund?.id}"`))
  assert.match(visibleText(after), /Askıdaki para → İade edilecek para \(bizde\)/)
  assert.doesNotMatch(visibleText(after), /→ Satıcının çekim için ayrılan parası/)
  const own = visibleText(await shown(refund?.id ?? ''))
  assert.match(own, /İade edilecek para \(bizde\) → İade için ayrılan para \(bizde\)/)
  assert.match(own, new RegExp(`İadenin defter kaydı ${refused.id}`))
  assert.match(own, /Defter kaydı onaylandı: .* mehmet\.kaya/)
  assert.doesNotMatch(own, /Satıcının/)
})

test('a line without a code, of a sender who has paid this amount before: named as a second payment, the refund first', async () => {
  const [deposit] = await someDeposits(app, shop.merchantId, 1, 84_100n)
  if (!deposit) return assert.fail('no deposit')
  const senderIban = makeIban('0046', '20417')
  await payDeposit(app, deposit, { senderIban })
  const [paid] = await linesOfDeposit(app.db, deposit.merchantId, deposit.id)
  const accountIban = (await app.banks.account(deposit.collectingAccountId ?? ''))?.iban ?? ''
  const arrives = (changes: Partial<BankLine>) =>
    journal.arrives('credit', 84_100n, { accountIban, narrative: 'ödeme', senderIban: null, ...changes })
  const person = visitor(service)
  await person.logIn('ayse.yilmaz')
  const SAID = `${deposit.processId} için aynı gönderenden 841,00 TL zaten alındı: ikinci ödeme olabilir`
  for (const sender of [{ senderIban, senderName: 'Başka Yazılış' }, { senderName: 'AYSE YILMAZ' }]) {
    const { text } = await person.request(`/matching/${await arrives(sender)}`)
    assert.ok(visibleText(text).includes(SAID), JSON.stringify(sender))
    assert.match(
      text,
      new RegExp(`<p class="say[^]*?/operator/transactions/${deposit.id}"[^]*?/operator/matching/${paid?.id}"`),
    )
    assert.match(text, /href="[^"]*entry=refund_unexplained[^"]*" data-key="m"/)
  }
  const others = [
    { senderName: 'Veli Can' },
    { senderIban, bookedAt: new Date(app.clock.now().getTime() - 3_600_000) },
    { senderIban, accountIban: [journal.here, journal.there].find(({ iban }) => iban !== accountIban)?.iban ?? '' },
  ]
  for (const other of others) {
    const { text } = await person.request(`/matching/${await arrives(other)}`)
    assert.doesNotMatch(visibleText(text), /zaten alındı/, JSON.stringify(other))
  }
})

test('a held short line: suspending names that the deposit fails; a match takes the word that the amount differs', async () => {
  const [deposit] = await someDeposits(app, shop.merchantId, 1, 250_000n)
  if (!deposit) return assert.fail('no deposit')
  await payDeposit(app, deposit, { amount: 200_000n })
  const [line] = await linesOfDeposit(app.db, deposit.merchantId, deposit.id)
  const person = visitor(service)
  await person.logIn('ayse.yilmaz')
  const path = `/matching/${line?.id}`
  const { text } = await person.request(path)
  assert.match(text, /data-key="s">Askıya al, yatırımı başarısız yap</)
  assert.match(visibleText(text), /İstenen 2\.500,00 TL, gelen 2\.000,00 TL: yatırım 2\.000,00 TL ile tamamlansın/)
  const action = /action="(\/operator\/matching\/[^"]*\/match[^"]*)"/.exec(text)?.[1] ?? ''
  const fields = Object.fromEntries(hiddenIn(text, action))
  const status = async () => (await findDepositById(app.db, deposit.id))?.status
  assert.notEqual((await person.request(`${path}/match`, fields)).status, 303)
  assert.notEqual((await person.request(`${path}/match`, { ...fields, received: '250000' })).status, 303)
  assert.equal(await status(), 'processing')
  assert.match((await person.request(`${path}/match`, { ...fields, received: '200000' })).location ?? '', /lineMatched/)
  assert.equal(await status(), 'completed')
})
