import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refundOf } from '../../packages/server/src/domain/books/index.ts'
import { bankApiConnection } from '../../packages/server/src/domain/connections/index.ts'
import { dispatchWithdrawals, submitPayouts } from '../../packages/server/src/domain/withdrawals/index.ts'
import { openJournal } from '../harness/journal.ts'
import { giveLogin, visitor } from '../harness/operator-console.ts'
import { visibleText } from '../harness/page-text.ts'
import { startPlainBank } from '../harness/plain-bank.ts'
import { startService } from '../harness/service.ts'

const service = await startService()
const { app } = service
const bank = await startPlainBank()
bank.behave({ submit: () => 'reset', find: () => ({ status: 500, body: {} }) })
const byBank = { ...app, connections: [bankApiConnection(bank.connection)] }
const journal = await openJournal(app)
await giveLogin(service, 'ayse.yilmaz')
const person = visitor(service)
await person.logIn('ayse.yilmaz')
const page = async (path: string) => (await person.request(path)).text

test('the line shows its refund and how it goes, the refund its line and entry, and an unknown one is called a refund', async () => {
  const line = await journal.arrives('credit', 77_700n, { senderIban: 'TR620006200029500006291296' })
  const entry = await journal.post('refund_unexplained', { lineIds: [line] })
  const refund = (await refundOf(app.db, entry))?.id ?? assert.fail('no refund')
  const told = async () => visibleText(await page(`/matching/${line}`))
  assert.match(await told(), /İade 777,00 TL, bekliyor/)
  while ((await dispatchWithdrawals(byBank)) + (await submitPayouts(byBank)) > 0);
  assert.match(await told(), /İade 777,00 TL, sonucu belirsiz/)
  assert.match(await page(`/matching/${line}`), new RegExp(`/operator/transactions/${refund}"`))

  const own = await page(`/transactions/${refund}`)
  assert.match(own, new RegExp(`/operator/matching/${line}"`))
  assert.match(own, new RegExp(`/operator/books/journal/${entry}"`))
  assert.doesNotMatch(own, new RegExp(`/operator/transactions/${refund}"`), 'no link to itself')

  const card = (await page('/payouts')).split(`data-item="${refund}"`)[1]?.split('</article>')[0] ?? ''
  const words = visibleText(`<body>${card}`)
  assert.match(words, /Açıklanamayan paranın gönderene iadesi/)
  assert.match(words, new RegExp(`İadenin defter kaydı ${entry}`))
  assert.doesNotMatch(words, /Satıcı/)
})
