import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matchByHand } from '../../packages/server/src/domain/matching/index.ts'
import { linesOfDeposit } from '../../packages/server/src/domain/statements/index.ts'
import { AYSE, openJournal } from '../harness/journal.ts'
import { giveLogin, visitor } from '../harness/operator-console.ts'
import { visibleText } from '../harness/page-text.ts'
import { payDeposit, someDeposits } from '../harness/payments.ts'
import { travelTo } from '../harness/until.ts'
import { startService } from '../harness/service.ts'

const service = await startService()
const { app } = service
const shop = await service.merchant()
const journal = await openJournal(app)
await giveLogin(service, 'ayse.yilmaz')
const person = visitor(service)
await person.logIn('ayse.yilmaz')

const shown = async (id: string) => (await person.request(`/transactions/${id}`)).text

async function paid() {
  const [deposit, other] = await someDeposits(app, shop.merchantId, 2, 84_000n)
  if (!deposit || !other) return assert.fail('no deposits')
  await payDeposit(app, deposit)
  const [line] = await linesOfDeposit(app.db, deposit.merchantId, deposit.id)
  return { deposit, other, line: line ?? assert.fail('no line') }
}

test('a deposit whose payment the bank took back shows both lines, the decisions, the entry and all its transfers', async () => {
  const { deposit, other, line } = await paid()
  const accountIban = (await app.banks.account(line.collectingAccountId))?.iban ?? ''
  const debit = await journal.arrives('debit', 84_000n, { accountIban, narrative: `STORNO ${line.bankReference}` })
  await journal.post('storno', { lineIds: [line.id, debit] })
  const page = await shown(deposit.id)
  for (const id of [line.id, debit]) assert.equal(page.split(`/operator/matching/${id}"`).length, 2, 'once')
  const words = visibleText(page)
  assert.match(words, /Karar: yatırıma işlendi eşleştirici:/)
  assert.match(words, /Defter kaydı önerildi: .*? ayse\.yilmaz: as the bank says/)
  assert.match(words, /Defter kaydı onaylandı: .*? mehmet\.kaya/)
  assert.match(words, /Satıcının bakiyesi → Askıdaki para/)
  assert.match(words, /Askıdaki para → Açıklanmamış çıkışlar/)
  assert.doesNotMatch(await shown(other.id), new RegExp(debit), 'not on the page of another deposit')
})

test('a match that was taken back: what becomes of the line afterwards is not on the page of the deposit', async () => {
  const { deposit, other, line } = await paid()
  await journal.post('unmatch', { depositId: deposit.id, to: 'failed' })
  const told = async () => visibleText(await shown(deposit.id)).split('Ne oldu')[1] ?? ''
  const before = await told()
  assert.match(before, /Karar: yatırıma işlendi eşleştirici:/)
  assert.match(before, /Defter kaydı onaylandı: .*? mehmet\.kaya/)
  await travelTo(app, 60)
  await matchByHand(app, AYSE, line.id, other.id, 'the customer says so')
  assert.equal(await told(), before)
  assert.match(await shown(other.id), new RegExp(`/operator/matching/${line.id}"`))
})
