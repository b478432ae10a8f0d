import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findDeposit } from '../../packages/server/src/domain/deposits/index.ts'
import { linesOfDeposit } from '../../packages/server/src/domain/statements/index.ts'
import { stopWithdrawal } from '../../packages/server/src/domain/withdrawals/index.ts'
import { accepted } from '../harness/envelope.ts'
import { AYSE, openJournal } from '../harness/journal.ts'
import { startWithBank } from '../harness/payouts.ts'
import { paidDeposit, refundBody, refundPath } from '../harness/refunds.ts'

const service = await startWithBank()
const { app } = service
const journal = await openJournal(app)
const shop = await service.merchantWithMoney(1_000_000n)

/** A refunded deposit, the line that paid it, and a debit that takes the payment back. */
async function refunded(amount?: number) {
  const { id, collectingAccountId } = await paidDeposit(app, shop.merchantId)
  const body = refundBody(amount === undefined ? {} : { amount })
  const refund = accepted(await shop.post(refundPath(id), body), 201).transactionId
  const [credit] = await linesOfDeposit(app.db, shop.merchantId, id)
  const account = await app.banks.account(collectingAccountId ?? '')
  const debit = await journal.arrives('debit', 125_000n, { accountIban: account?.iban ?? '' })
  return { id, refund, storno: { lineIds: [debit, credit?.id ?? ''] } }
}

const REFUSED = (id: string, amount: string) =>
  new RegExp(`${amount} of deposit ${id} are refunded or on their way.*withdrawal stop.*no longer be stopped`)
const statusOf = async (id: string) => (await findDeposit(app.db, shop.merchantId, id))?.status

test('a refund in flight: unmatch and storno are refused with what to do; once it is stopped they go through', async () => {
  const { id, refund, storno } = await refunded(50_000)
  await assert.rejects(journal.propose('unmatch', { depositId: id }), REFUSED(id, '500,00 TL'))
  await assert.rejects(journal.propose('storno', storno), REFUSED(id, '500,00 TL'))
  assert.equal(await statusOf(id), 'completed')
  await stopWithdrawal(app, AYSE, refund, 'the payment was taken back')
  await journal.post('storno', storno)
  assert.equal(await statusOf(id), 'failed')
  await journal.assertSound()
})

test('a refund that was sent: unmatch and storno are refused, and nothing changes', async () => {
  const { id, storno } = await refunded()
  await service.work()
  await assert.rejects(journal.propose('unmatch', { depositId: id, to: 'processing' }), REFUSED(id, '1.250,00 TL'))
  await assert.rejects(journal.propose('storno', storno), REFUSED(id, '1.250,00 TL'))
  assert.equal(await statusOf(id), 'completed')
})

test('a refund between proposal and approval: the approval is refused', async () => {
  const { id } = await paidDeposit(app, shop.merchantId)
  const { id: entry } = await journal.propose('unmatch', { depositId: id })
  accepted(await shop.post(refundPath(id), refundBody({ amount: 100 })), 201)
  await assert.rejects(journal.approve(entry), /1,00 TL of deposit .* are refunded|has changed since/)
  assert.equal(await statusOf(id), 'completed')
})
