import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setPayoutRules } from '../../packages/server/src/domain/merchants/index.ts'
import { dispatchWithdrawals } from '../../packages/server/src/domain/withdrawals/index.ts'
import { noteWords } from '../../packages/server/src/edges/web/console/codes/codes.ts'
import { en } from '../../packages/server/src/edges/web/console/codes/en.ts'
import { tr } from '../../packages/server/src/edges/web/console/codes/tr.ts'
import { operatorActor } from '../../packages/server/src/kernel/actor.ts'
import { approve, approveTwice, endApproval, openApproval } from '../harness/approvals.ts'
import { accepted } from '../harness/envelope.ts'
import { withdrawBody } from '../harness/examples.ts'
import { giveLogin, visitor } from '../harness/operator-console.ts'
import { visibleText } from '../harness/page-text.ts'
import { startBooks } from '../harness/books.ts'

const service = await startBooks()
const { app } = service
for (const name of ['ayse.yilmaz', 'mehmet.kaya']) await giveLogin(service, name)

test('the audit says what an approval did: proposed, taken back, given by two', async () => {
  const shop = await service.merchant({ funds: 5_000_000n })
  await setPayoutRules(app, operatorActor('mehmet.kaya'), shop.merchantId, { approvalThreshold: 100n })
  const { transactionId: id } = accepted(await shop.post('/v1/withdraw', withdrawBody()), 201)
  await dispatchWithdrawals(app)
  const ayse = operatorActor('ayse.yilmaz')
  await approve(app, ayse, String(id), 'arandı')
  const { id: first } = await openApproval(app, String(id))
  await endApproval(app, ayse, String(id), 'yanlış çekim')
  await approveTwice(app, [ayse, operatorActor('mehmet.kaya')], String(id))
  const person = visitor(service)
  await person.logIn('mehmet.kaya')
  const audit = async (subject: string) => visibleText((await person.request(`/audit?subject=${subject}`)).text)
  const proposed = await audit(`proposal:${first}`)
  assert.match(proposed, /durum: öneri[^]*Kural tek işlem sınırının üzerinde Çekim onay bekliyor → gönderilecek arandı/)
  assert.match(proposed, /durum: açık → geri çekildi[^]*yanlış çekim/)
  const approved = await audit(`withdrawal:${id}`)
  assert.match(approved, /durum: onay bekliyor → gönderilecek/)
  assert.match(approved, /onaylayanlar: [^]*ayse\.yilmaz, mehmet\.kaya/)
})

test('a note does not say the same twice', () => {
  assert.equal(noteWords(tr, 'deposit', ['underpaid', 'short']), 'eksik ödeme inceleniyor')
  assert.equal(
    noteWords(en, 'deposit', ['underpaid', 'short', 'name_mismatch']),
    `${en.depositReasons.short}, ${en.flags.name_mismatch}`,
  )
  assert.equal(noteWords(tr, 'deposit', ['underpaid']), 'eksik ödendi')
})
