import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decideCorrection } from '../../packages/server/src/domain/matching/index.ts'
import { listLines } from '../../packages/server/src/domain/statements/index.ts'
import { AYSE, openJournal } from '../harness/journal.ts'
import { giveLogin, visitor } from '../harness/operator-console.ts'
import { visibleText } from '../harness/page-text.ts'
import { ingest, lineFor, matchAll, someDeposits } from '../harness/payments.ts'
import { startService } from '../harness/service.ts'

const service = await startService()
const { app } = service
const shop = await service.merchant()
const journal = await openJournal(app)
await giveLogin(service, 'ayse.yilmaz')
const person = visitor(service)
await person.logIn('ayse.yilmaz')

test('money of a line that the bank may have corrected is not sent back before someone has decided about the correction', async () => {
  const [deposit = assert.fail('no deposit')] = await someDeposits(app, shop.merchantId, 1, 77_700n)
  const line = { ...(await lineFor(app, deposit)), narrative: 'kira', senderIban: 'TR620006200029500006291296' }
  await ingest(app, [line])
  await matchAll(app)
  const [first = assert.fail('not in suspense')] = await listLines(app.db, 'suspense', 1)
  const refund = { lineIds: [first.id] }
  const proposed = await journal.propose('refund_unexplained', refund)
  await ingest(app, [{ ...line, amount: 70_000n }], 'another reading')
  await matchAll(app)
  const [correction = assert.fail('no correction')] = await listLines(app.db, 'needs_review', 1)
  assert.equal(correction.correctsLineId, first.id)
  const page = (await person.request(`/matching/${first.id}`)).text
  assert.match(visibleText(page), /Önce düzeltme satırına karar verin: 700,00 TL/)
  assert.match(page, new RegExp(`/operator/matching/${correction.id}"`))
  const WAITS = new RegExp(`Line ${correction.id} may correct line ${first.id}, and waits for a person`)
  await assert.rejects(journal.approve(proposed.id), WAITS)
  assert.match(visibleText((await person.request('/approvals')).text), /Önce düzeltme satırına karar verin: 700,00 TL/)
  await decideCorrection(app, AYSE, correction.id, 'new_money')
  await journal.approve(proposed.id)
})
