import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusalForTerminal } from '../../packages/server/src/acts/refusals/say.ts'
import { openReceivables, reportDay } from '../../packages/server/src/domain/books/index.ts'
import { findDeposit } from '../../packages/server/src/domain/deposits/index.ts'
import { balanceOf } from '../../packages/server/src/domain/ledger/index.ts'
import { findLine, linesOfDeposit } from '../../packages/server/src/domain/statements/index.ts'
import { findWithdrawalById, stopWithdrawal } from '../../packages/server/src/domain/withdrawals/index.ts'
import { istanbul } from '../../packages/server/src/kernel/istanbul.ts'
import type { Refusal } from '../../packages/server/src/platform/refusal.ts'
import { candidatesInWords } from '../harness/candidates.ts'
import { accepted, refused } from '../harness/envelope.ts'
import { AYSE, openJournal } from '../harness/journal.ts'
import { startWithBank } from '../harness/payouts.ts'
import { paidDeposit, refundBody, refundPath } from '../harness/refunds.ts'
import { refusal } from '../harness/refusals.ts'

const service = await startWithBank()
const { app } = service
const journal = await openJournal(app)
await service.fundAccounts(1_000_000)
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

/** Of the deposit, that so much of it is refunded. */
const REFUSED = (id: string, minor: string) => (error: unknown) => {
  const { why, facts } = (error as Refusal).said ?? assert.fail(String(error))
  assert.deepEqual([why, facts['deposit']], ['deposit_below_refunds', id])
  assert.deepEqual(facts['refunded'], { minor, currency: 'TRY' })
  return true
}
const available = async () => (await balanceOf(app.db, shop.merchantId, 'TRY')).available
const statusOf = async (id: string) => (await findDeposit(app.db, shop.merchantId, id))?.status

test('a refund in flight: unmatch and storno are refused with what to do; once it is stopped they go through', async () => {
  const { id, refund, storno } = await refunded(50_000)
  await assert.rejects(journal.propose('unmatch', { depositId: id }), REFUSED(id, '50000'))
  await assert.rejects(journal.propose('storno', storno), REFUSED(id, '50000'))
  assert.equal(await statusOf(id), 'completed')
  await stopWithdrawal(app, AYSE, refund, 'the payment was taken back')
  await journal.post('storno', storno)
  assert.equal(await statusOf(id), 'failed')
  await journal.assertSound()
})

test('a refund that was sent: unmatch and storno are refused, and nothing changes', async () => {
  const { id, storno } = await refunded()
  await service.work()
  await assert.rejects(journal.propose('unmatch', { depositId: id, to: 'processing' }), REFUSED(id, '125000'))
  await assert.rejects(journal.propose('storno', storno), REFUSED(id, '125000'))
  assert.equal(await statusOf(id), 'completed')
})

test('a refund between proposal and approval: the approval is refused', async () => {
  const { id } = await paidDeposit(app, shop.merchantId)
  const { id: entry } = await journal.propose('unmatch', { depositId: id })
  accepted(await shop.post(refundPath(id), refundBody({ amount: 100 })), 201)
  await assert.rejects(journal.approve(entry), /^Refusal: deposit_below_refunds .*"minor":"100"|has changed since/)
  assert.equal(await statusOf(id), 'completed')
})

test('a debit with the code or id of the deposit waits: no refund until it is explained', async () => {
  const { id, referenceCode, collectingAccountId } = await paidDeposit(app, shop.merchantId)
  const other = await paidDeposit(app, shop.merchantId)
  const accountIban = (await app.banks.account(collectingAccountId ?? ''))?.iban ?? ''
  const ask = (one = id) => shop.post(refundPath(one), refundBody({ amount: 100 }))
  for (const text of [`STORNO ${referenceCode}`, `IPTAL ${id}`]) {
    const debit = await journal.arrives('debit', 4000n, { accountIban, narrative: text })
    const { message } = refused(await ask(), 409, 'INVALID_STATE')
    assert.match(message, /debited money with the code of this deposit/)
    accepted(await ask(other.id), 201)
    await journal.post('bank_charge', { lineIds: [debit] })
    accepted(await ask(), 201)
  }
})

const owedNow = async () => (await openReceivables(app.db)).map(({ entryId }) => entryId)

test("the bank takes a payment back whose refund was paid: it is owed, and settled from the merchant's balance", async () => {
  const { id, refund, storno } = await refunded(50_000)
  const [debit = '', credit = ''] = storno.lineIds
  const step = async () => {
    const found = await candidatesInWords(app, (await findLine(app.db, debit)) ?? assert.fail('no line'))
    return found.find((one) => one.id === credit)?.next
  }
  assert.equal(await step(), `stop the refund of its deposit first: vezne withdrawal stop ${refund}`)
  await service.work()
  assert.equal((await findWithdrawalById(app.db, refund))?.status, 'completed')
  const charge = `vezne journal propose receivable --settles ENTRY --deposit ${id}`
  assert.equal(await step(), `its refund was paid: vezne journal propose receivable --line ${debit}, then ${charge}`)
  await assert.rejects(journal.propose('storno', storno), (error: Refusal) =>
    refusalForTerminal(error).includes(`  ${charge}`),
  )
  const before = await available()
  const owed = await journal.post('receivable', { lineIds: [debit] })
  const terms = { settles: owed, depositId: id }
  await assert.rejects(journal.propose('receivable', { ...terms, lineIds: [credit] }), {
    fields: ['line'],
    why: 'line_beside_merchant_charge',
  })
  const one = { id: await journal.post('receivable', terms) }
  await assert.rejects(journal.propose('receivable', terms), refusal('receivable_not_open'))
  assert.equal(await available(), before - 125_000n)
  assert.ok(!(await owedNow()).includes(owed))
  assert.equal(await statusOf(id), 'completed')
  await assert.rejects(journal.propose('reversal', {}, owed), {
    said: { why: 'entry_settled', facts: { entry: one.id, by: 'balance' } },
  })
  await service.call('POST', `transfers/${refund}/return`)
  await service.readStatement()
  assert.equal((await findDeposit(app.db, shop.merchantId, id))?.refundedAmount, 0n)
  await assert.rejects(journal.propose('unmatch', { depositId: id }), {
    said: { why: 'merchant_charged', facts: { of: 'payment', transaction: id, entry: one.id } },
  })
  await journal.assertSound()
  const { accounts } = await reportDay(app, istanbul(app.clock.now()).day)
  assert.deepEqual(
    accounts.filter(({ unexplained }) => unexplained !== 0n),
    [],
  )
  const account = (await findLine(app.db, debit))?.collectingAccountId ?? ''
  const accountIban = (await app.banks.account(account))?.iban ?? ''
  const again = await journal.post('receivable', {
    lineIds: [await journal.arrives('debit', 125_000n, { accountIban })],
  })
  const refused = await shop.post(refundPath(id), refundBody({ amount: 100 }))
  assert.match(JSON.stringify(refused), /the bank took 1\.250,00 TL back: nothing is left to refund/)
  await assert.rejects(journal.propose('receivable', { ...terms, settles: again }), { why: 'merchant_charged_in_full' })
  await journal.post('reversal', {}, one.id)
  accepted(await shop.post(refundPath(id), refundBody({ amount: 100 })), 201)
  const other = await journal.post('receivable', { lineIds: [await journal.arrives('debit', 700n, { accountIban })] })
  await assert.rejects(journal.propose('receivable', { ...terms, settles: other }), { why: 'debit_of_no_payment' })
})

test('without a refund the storno takes the payment off the deposit: its merchant is not charged otherwise', async () => {
  const { id, refund, storno } = await refunded(50_000)
  const [debit = ''] = storno.lineIds
  await stopWithdrawal(app, AYSE, refund, 'the payment was taken back')
  const settles = await journal.post('receivable', { lineIds: [debit] })
  await assert.rejects(journal.propose('receivable', { settles, depositId: id }), {
    said: { why: 'deposit_not_refunded', facts: { deposit: id, entry: settles, debit } },
  })
  await journal.post('reversal', {}, settles)
  await journal.post('storno', storno)
})
