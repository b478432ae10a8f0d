import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeProposal } from '../../packages/server/src/domain/proposals/index.ts'
import { decideCorrection } from '../../packages/server/src/domain/matching/index.ts'
import { listLines } from '../../packages/server/src/domain/statements/index.ts'
import { AYSE, MEHMET, openJournal } from '../harness/journal.ts'
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

/** Money of no deposit, which the bank gives again with 700,00 TL. `between`: after the first line. */
async function corrected(amount: bigint, between = async (_first: string) => {}) {
  const [deposit = assert.fail('no deposit')] = await someDeposits(app, shop.merchantId, 1, amount)
  const line = { ...(await lineFor(app, deposit)), narrative: 'kira', senderIban: 'TR620006200029500006291296' }
  await ingest(app, [line])
  await matchAll(app)
  const suspense = await listLines(app.db, 'suspense', 10)
  const first = suspense.find((one) => one.amount === amount) ?? assert.fail('not in suspense')
  await between(first.id)
  await ingest(app, [{ ...line, amount: 70_000n }], 'another reading')
  await matchAll(app)
  const [correction = assert.fail('no correction')] = await listLines(app.db, 'needs_review', 1)
  assert.equal(correction.correctsLineId, first.id)
  return { first: first.id, correction: correction.id }
}

/** It has the number of the first, and no balance of the bank includes both: two people say so. */
async function isNewMoney(lineId: string): Promise<void> {
  for (const actor of [AYSE, MEHMET]) await makeProposal(app, actor, 'line.new_money', { lineId })
}

const textOf = async (path: string) => visibleText((await person.request(path)).text)

test('money of a line that the bank may have corrected is not sent back before someone has decided about the correction', async () => {
  let proposed = ''
  const { first, correction } = await corrected(77_700n, async (line) => {
    proposed = (await journal.propose('refund_unexplained', { lineIds: [line] })).id
  })
  const page = (await person.request(`/matching/${first}`)).text
  assert.match(visibleText(page), /Önce düzeltme satırına karar verin: 700,00 TL/)
  assert.match(page, new RegExp(`/operator/matching/${correction}"`))
  const WAITS = new RegExp(`line_may_be_corrected\\b.*"line":"${first}","correction":"${correction}"`)
  await assert.rejects(journal.approve(proposed), WAITS)
  assert.match(await textOf('/approvals'), new RegExp(`${correction} satırı ${first} satırını düzeltiyor olabilir`))
  await assert.rejects(decideCorrection(app, AYSE, correction, 'new_money'), { code: 'INVALID_STATE' })
  await isNewMoney(correction)
  await journal.approve(proposed)
})

test('nor is that proposed: the form says why, until the correction is decided', async () => {
  const { first, correction } = await corrected(66_600n)
  const form = `/matching/${first}?entry=refund_unexplained`
  assert.match(await textOf(form), /Banka bu satırı düzeltmiş olabilir\. Önce düzeltme satırına karar verin/)
  assert.match(await textOf(form), new RegExp(`${correction} satırı ${first} satırını düzeltiyor olabilir`))
  await isNewMoney(correction)
  assert.doesNotMatch(await textOf(form), /satırı düzeltiyor|düzeltmiş/)
})
