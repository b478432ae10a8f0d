import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setPayoutRules } from '../../packages/server/src/domain/merchants/index.ts'
import { dispatchWithdrawals } from '../../packages/server/src/domain/payouts/index.ts'
import { approveWithdrawal, withdrawApproval } from '../../packages/server/src/domain/withdrawals/index.ts'
import { noteWords } from '../../packages/server/src/edges/web/console/codes/codes.ts'
import { en } from '../../packages/server/src/edges/web/console/codes/en.ts'
import { tr } from '../../packages/server/src/edges/web/console/codes/tr.ts'
import { operatorActor } from '../../packages/server/src/kernel/actor.ts'
import { accepted } from '../harness/envelope.ts'
import { withdrawBody } from '../harness/examples.ts'
import { giveLogin, visitor } from '../harness/operator-console.ts'
import { visibleText } from '../harness/page-text.ts'
import { startBooks } from '../harness/books.ts'

const service = await startBooks()
const { app } = service
for (const name of ['ayse.yilmaz', 'mehmet.kaya']) await giveLogin(service, name)

test('the audit says what an approval did: recorded, taken back, given again, enough', async () => {
  const shop = await service.merchant({ funds: 5_000_000n })
  await setPayoutRules(app, operatorActor('mehmet.kaya'), shop.merchantId, { approvalThreshold: 100n })
  const { transactionId: id } = accepted(await shop.post('/v1/withdraw', withdrawBody()), 201)
  await dispatchWithdrawals(app)
  const ayse = operatorActor('ayse.yilmaz')
  await approveWithdrawal(app, ayse, String(id), null)
  await withdrawApproval(app, ayse, String(id), 'yanlış çekim')
  await approveWithdrawal(app, ayse, String(id), null)
  await approveWithdrawal(app, operatorActor('mehmet.kaya'), String(id), null)
  const person = visitor(service)
  await person.logIn('mehmet.kaya')
  const text = visibleText((await person.request(`/audit?subject=${id}`)).text)
  assert.equal(text.match(/onayı kaydedildi; çekim başka bir onay bekliyor/g)?.length, 2)
  assert.match(text, /onayı geçerli: evet → hayır/)
  assert.match(text, /kişinin kaçıncı kararı: 3/)
  assert.match(text, /aşama: onay bekliyor → gönderilecek/)
  assert.doesNotMatch(text, /approved:|number:/)
})

test('a note does not say the same twice', () => {
  assert.equal(noteWords(tr, 'deposit', ['underpaid', 'short']), 'eksik ödeme inceleniyor')
  assert.equal(
    noteWords(en, 'deposit', ['underpaid', 'short', 'name_mismatch']),
    `${en.depositReasons.short}, ${en.flags.name_mismatch}`,
  )
  assert.equal(noteWords(tr, 'deposit', ['underpaid']), 'eksik ödendi')
})
