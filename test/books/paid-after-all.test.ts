import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { openReceivables } from '../../packages/server/src/domain/books/index.ts'
import { decideDoubt, dispatchWithdrawals, findPayout } from '../../packages/server/src/domain/withdrawals/index.ts'
import { openCommandLine } from '../harness/command-line.ts'
import { approvalIn, AYSE, MEHMET, openJournal } from '../harness/journal.ts'
import { AMOUNT, openPayoutLines } from '../harness/payout-lines.ts'
import { startWithBank } from '../harness/payouts.ts'
import { refusal } from '../harness/refusals.ts'

// The merchant has its money back, and then the bank pays: the debit is owed to us, and the merchant's balance settles it.

const service = await startWithBank()
const { app } = service
const shop = await service.merchantWithMoney(200_000n)
const journal = await openJournal(app)
const { post, propose } = journal
const { ask, lineAbout, available } = openPayoutLines(service, shop)
const { run, stop } = openCommandLine({
  DATABASE_URL: service.databaseUrl,
  VEZNE_MASTER_KEY: app.config.masterKey.toString('hex'),
})
after(stop)
afterEach(() => journal.assertSound())

/** A payout that two people ended as not sent, and its debit. */
async function paidAfterAll(charge = 0n): Promise<{ id: string; line: string }> {
  const id = await ask()
  await dispatchWithdrawals(app)
  for (const actor of [AYSE, MEHMET])
    await decideDoubt(app, actor, id, { verdict: 'not_found', evidence: 'not on the list' })
  assert.equal((await findPayout(app.db, id))?.state, 'failed')
  const { accountIban, narrative } = await lineAbout(id, {})
  return { id, line: await journal.arrives('debit', BigInt(AMOUNT) + charge, { accountIban, narrative }) }
}

test('only of the payout that was not sent, once, with the debit of its account', async () => {
  const { id, line } = await paidAfterAll()
  const owed = await post('receivable', { lineIds: [line] })
  const completed = await ask()
  await dispatchWithdrawals(app)
  const wrong = (terms: object) => propose('receivable', { settles: owed, ...terms })
  await assert.rejects(wrong({ withdrawalId: completed }), { code: 'INVALID_STATE', why: 'payout_not_back' })
  await assert.rejects(wrong({ withdrawalId: 'none' }), {
    said: { why: 'withdrawal_without_payout', facts: { wanted: 'paid_after_all' } },
  })
  await assert.rejects(wrong({ withdrawalId: id, lineIds: [line] }), { why: 'line_beside_merchant_charge' })
  await assert.rejects(wrong({ withdrawalId: id, settles: 'none' }), {
    why: 'receivable_not_open',
    fields: ['settles'],
  })
  const other = await paidAfterAll()
  await assert.rejects(wrong({ withdrawalId: other.id }), { why: 'line_names_other_withdrawal' })
  await post('receivable', { settles: owed, withdrawalId: id })
  const again = await post('receivable', { lineIds: [other.line] })
  await assert.rejects(propose('receivable', { settles: again, withdrawalId: id }), {
    why: 'line_names_other_withdrawal',
  })
})

test('debited with a charge: the merchant settles the amount of the payout, and two people write the rest off', async () => {
  const { id, line } = await paidAfterAll(50n)
  const owed = await post('receivable', { lineIds: [line] })
  const before = await available()
  const settled = await post('receivable', { settles: owed, withdrawalId: id })
  const open = async () => (await openReceivables(app.db)).find(({ entryId }) => entryId === owed)?.open ?? 0n
  assert.deepEqual([before - (await available()), await open()], [BigInt(AMOUNT), 50n])
  await assert.rejects(propose('receivable', { settles: owed, withdrawalId: id }), { why: 'merchant_charged_in_full' })

  const account = { id: (await findPayout(app.db, id))?.sourceAccountId ?? '' }
  const wrong = (terms: object) => propose('bank_charge', { settles: owed, ...terms })
  await assert.rejects(wrong({ lineIds: [line] }), { why: 'line_beside_write_off' })
  await assert.rejects(wrong({ withdrawalId: id }), { why: 'withdrawal_beside_write_off' })
  await assert.rejects(wrong({ settles: settled }), { why: 'receivable_not_open', fields: ['settles'] })
  const charges = await journal.of('bank_charges', account)
  const first = await wrong({})
  await journal.approve(first.id)
  assert.deepEqual([await open(), charges - (await journal.of('bank_charges', account))], [0n, 50n])
  await assert.rejects(wrong({}), refusal('receivable_not_open'))
  assert.match(
    (await run(['journal', 'show', first.id])).output,
    new RegExp(`writes off what is still owed by ${owed}`),
  )
  await assert.rejects(propose('reversal', {}, owed), {
    said: { why: 'entry_settled', facts: { entry: settled, by: 'balance' } },
  })
  await post('reversal', {}, first.id)
  assert.equal(await open(), 50n)
  const words = ['--why', 'the bank keeps it', '--as', 'ayse.yilmaz']
  const { output } = await run(['journal', 'propose', 'bank_charge', '--settles', owed, ...words])
  const again = approvalIn(output)
  await journal.approve(again.id)
  assert.equal(await open(), 0n)
})

test('no message suggests a command that is refused', async () => {
  const { id, line } = await paidAfterAll()
  const way = new RegExp(
    `journal propose receivable --line [^]*journal propose receivable --settles ENTRY --withdrawal ${id}`,
  )
  for (const option of ['--found', '--not-found', '--never-paid', '--paid-without-debit']) {
    const { errors } = await run(['withdrawal', 'resolve', id, option, 'REF-12345', '--as', 'ayse.yilmaz'])
    assert.match(errors, way, option)
  }
  const { errors } = await run(['line', 'sent', line, '--withdrawal', id, '--as', 'ayse.yilmaz'])
  assert.match(errors, way)
  await post('receivable', { lineIds: [line] })
})

test('the debit is a receivable that the balance of the merchant settles, by two people, if need be below zero', async () => {
  const { id, line } = await paidAfterAll()
  const owed = await post('receivable', { lineIds: [line] })
  await ask({ amount: Number(await available()) - 5_000 })
  assert.equal(await available(), 5_000n)
  const terms = { settles: owed, withdrawalId: id }
  const first = await propose('receivable', terms)
  assert.equal(await available(), 5_000n)
  await journal.approve(first.id)
  const ids = async () => (await openReceivables(app.db)).map(({ entryId }) => entryId)
  assert.deepEqual([await available(), (await ids()).includes(owed)], [-5_000n, false])
  await assert.rejects(propose('receivable', terms), refusal('receivable_not_open'))
  const { output } = await run(['journal', 'show', first.id])
  assert.match(output, new RegExp(`merchant_available ${shop.merchantId} .*receivables`))
  assert.match(output, new RegExp(`from the balance of the merchant of withdrawal ${id}`))
  await assert.rejects(propose('reversal', {}, owed), {
    said: { why: 'entry_settled', facts: { entry: first.id, by: 'balance' } },
  })
  await post('reversal', {}, first.id)
  assert.deepEqual([await available(), (await ids()).includes(owed)], [5_000n, true])
  await post('receivable', terms)
  assert.equal(await available(), -5_000n)
})
