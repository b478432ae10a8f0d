import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refundOf } from '../../packages/server/src/domain/books/index.ts'
import { listLines } from '../../packages/server/src/domain/statements/index.ts'
import { openJournal } from '../harness/journal.ts'
import { giveLogin, visitor } from '../harness/operator-console.ts'
import { visibleText } from '../harness/page-text.ts'
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
  assert.match(visibleText(await shown(deposit.id)), /Yevmiye kaydı önerildi: .* ayse\.yilmaz: as the bank says/)
  await journal.approve(refused.id)
  const refund = await refundOf(app.db, refused.id)
  const after = await shown(deposit.id)
  assert.match(visibleText(after), /Yevmiye kaydı onaylandı: .* mehmet\.kaya/)
  assert.match(after, new RegExp(`/operator/transactions/${refund?.id}"`))
  assert.match(visibleText(after), /Askıdaki para → İade edilecek para \(bizde\)/)
  assert.doesNotMatch(visibleText(after), /→ Satıcının çekim için ayrılan parası/)
  const own = visibleText(await shown(refund?.id ?? ''))
  assert.match(own, /İade edilecek para \(bizde\) → İade için ayrılan para \(bizde\)/)
  assert.match(own, new RegExp(`İadenin yevmiye kaydı ${refused.id}`))
  assert.match(own, /Yevmiye kaydı onaylandı: .* mehmet\.kaya/)
  assert.doesNotMatch(own, /Satıcının/)
})
