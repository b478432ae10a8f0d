import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { openRests, returnRefunds } from '../../packages/server/src/domain/books/index.ts'
import { balancesOf, merchantAccount, NO_MERCHANT } from '../../packages/server/src/domain/ledger/index.ts'
import { returnByHand } from '../../packages/server/src/domain/matching/index.ts'
import {
  dispatchWithdrawals,
  findPayout,
  lockPayout,
  returnPayout,
  submitPayouts,
  listWithdrawals,
  stopWithdrawal,
} from '../../packages/server/src/domain/withdrawals/index.ts'
import { makeIban } from '../../packages/server/src/kernel/iban.ts'
import { findLine } from '../../packages/server/src/domain/statements/index.ts'
import type { Refusal } from '../../packages/server/src/platform/refusal.ts'
import { connectAccount } from '../harness/connect-account.ts'
import { openCommandLine } from '../harness/command-line.ts'
import { openOutage } from '../harness/entered-lines.ts'
import { openAdvice } from '../harness/follow-advice.ts'
import { AYSE, openJournal } from '../harness/journal.ts'
import { someDeposits } from '../harness/payments.ts'
import { openPayoutLines } from '../harness/payout-lines.ts'
import { startWithBank } from '../harness/payouts.ts'
import { refusalSaying } from '../harness/refusals.ts'

// Unexplained money was refunded, and a credit of the same amount is taken for the return of that refund.

const service = await startWithBank()
const { app } = service
const shop = await service.merchantWithMoney(1_000_000n)
const journal = await openJournal(app)
const { post, propose, stateOf } = journal
const { lineAbout, sent } = openPayoutLines(service, shop)
const { run, stop } = openCommandLine({
  DATABASE_URL: service.databaseUrl,
  VEZNE_MASTER_KEY: app.config.masterKey.toString('hex'),
})
after(stop)
const { candidatesOf, take } = openAdvice(app, run)
const SENDER = { senderName: 'Veli Can', senderIban: makeIban('0062', '12345678') }
const NOBODY = { senderName: '', senderIban: null, narrative: 'HATALI 5 DUZELTME' }

afterEach(async () => {
  await reopen()
  await journal.assertSound()
  const house = (['merchant_available', 'merchant_held'] as const).map((kind) =>
    merchantAccount(kind, NO_MERCHANT, 'TRY'),
  )
  assert.deepEqual(await balancesOf(app.db, house), [0n, 0n])
})

async function reopen(): Promise<void> {
  while ((await returnRefunds(app)) > 0);
}

async function withdrawalOf(entry: string): Promise<string> {
  const page = { before: 'g', notBefore: '', from: new Date(0), to: new Date(8.64e15), limit: 1, processId: entry }
  return (await listWithdrawals(app.db, NO_MERCHANT, page))[0]?.id ?? assert.fail('no withdrawal')
}

/** Paid, with its debit. */
async function paid(entry: string, amount: bigint) {
  await dispatchWithdrawals(app)
  await submitPayouts(app)
  const id = await withdrawalOf(entry)
  await journal.arrives('debit', 0n, await lineAbout(id, { amount }))
  const account = (await findPayout(app.db, id))?.sourceAccountId ?? ''
  const accountIban = (await app.banks.account(account))?.iban ?? ''
  return { id, accountIban }
}

async function refunded(amount: bigint) {
  const credit = await journal.arrives('credit', amount, SENDER)
  const entry = await post('refund_unexplained', { lineIds: [credit] })
  return { credit, entry, amount, ...(await paid(entry, amount)) }
}

const comes = ({ amount, accountIban }: { amount: bigint; accountIban: string }, text: object = NOBODY) =>
  journal.arrives('credit', amount, { accountIban, ...text })

const commands = async (line: string) => (await candidatesOf(line)).map(({ next }) => next)
const short = async (line: string) => (await stateOf(line)).slice(0, 3)

test('an equal amount alone: not suggested, refused to one person; by two it can be taken back', async () => {
  const refund = await refunded(88_001n)
  const { id, credit, entry } = refund
  const other = await comes(refund)
  assert.deepEqual(await commands(other), [`vezne journal propose refund_unexplained --line ${other} --iban IBAN`])
  await assert.rejects(
    returnByHand(app, AYSE, other, id),
    refusalSaying('return_by_amount_only', /propose it as a journal entry.*payout_return/),
  )
  await take(`vezne journal propose payout_return --line ${other} --withdrawal ${id}`)
  assert.equal((await findPayout(app.db, id))?.state, 'returned')
  // Before the worker has opened the first credit, and after it.
  await take(`vezne journal propose unmatch --withdrawal ${id}`)
  assert.deepEqual(await short(credit), ['matched', 'refund_unexplained', entry])
  await take(`vezne journal propose payout_return --line ${other} --withdrawal ${id}`)
  await reopen()
  assert.deepEqual(await short(credit), ['suspense', 'refund_failed', null])
  await take(`vezne journal propose unmatch --withdrawal ${id}`)
  assert.deepEqual(await short(credit), ['matched', 'refund_unexplained', entry])
  assert.deepEqual(await short(other), ['suspense', 'journal_unmatch', null])
  assert.equal((await findPayout(app.db, id))?.state, 'sent')
  await assert.rejects(propose('refund_unexplained', { lineIds: [credit] }), { why: 'line_not_open' })
  await post('interest', { lineIds: [other] })
  const real = await comes(refund, { ...SENDER, narrative: `IADE ${id}` })
  assert.deepEqual((await short(real)).slice(0, 2), ['matched', 'payout_returned'])
  await reopen()
  await paid(await post('refund_unexplained', { lineIds: [credit] }), refund.amount)
})

test('its sender shows it: one person says so, and the money that was refunded is in suspense', async () => {
  const refund = await refunded(88_002n)
  const back = await comes(refund, { ...SENDER, narrative: 'IADE' })
  const command = `vezne line return ${back} --withdrawal ${refund.id}`
  assert.deepEqual(await commands(back), [command])
  const { output } = await run([...command.replace('vezne ', '').split(' '), '--as', 'ayse.yilmaz'])
  assert.match(output, /in suspense again/)
  await reopen()
  assert.deepEqual(await commands(refund.credit), [`vezne journal propose refund_unexplained --line ${refund.credit}`])
  await paid(await post('refund_unexplained', { lineIds: [refund.credit] }), refund.amount)
})

test('the money was used meanwhile: refused with what to do, and taken back after that', async () => {
  const refund = await refunded(88_003n)
  const { credit, id } = refund
  const other = await comes(refund)
  const undo = `vezne journal propose unmatch --withdrawal ${id}`
  const opened = async () => {
    await post('payout_return', { lineIds: [other], withdrawalId: id })
    await reopen()
  }
  const usedMeanwhile = (back: string, its: string) => (error: Refusal) => {
    assert.equal(error.why, 'refunded_line_used')
    assert.partialDeepStrictEqual(error.said?.facts, { line: credit, back, id: its })
    return true
  }
  await opened()
  const again = await withdrawalOf(await post('refund_unexplained', { lineIds: [credit] }))
  await assert.rejects(propose('unmatch', { withdrawalId: id }), usedMeanwhile('stop', again))
  await stopWithdrawal(app, AYSE, again, 'the return was wrong')
  await reopen()
  const interest = await post('interest', { lineIds: [credit] })
  await assert.rejects(propose('unmatch', { withdrawalId: id }), usedMeanwhile('reverse', interest))
  await take(`vezne journal reverse ${interest}`)
  const [deposit] = await someDeposits(app, shop.merchantId, 1, 88_003n)
  const match = await post('deposit_payment', { lineIds: [credit], depositId: deposit?.id ?? '' })
  assert.ok(match)
  const its = deposit?.id ?? ''
  await assert.rejects(propose('unmatch', { withdrawalId: id }), usedMeanwhile('unmatch_deposit', its))
  await take(`vezne journal propose unmatch --deposit ${deposit?.id}`)
  await take(undo)
  await post('interest', { lineIds: [other] })
})

test('the rest of a split: taken back, the rest is refunded; it may come back after all', async () => {
  const [a, b] = await someDeposits(app, shop.merchantId, 2, 10_000n)
  const line = await journal.arrives('credit', 28_004n, SENDER)
  const parts = [a, b].map((one) => ({ depositId: one?.id ?? '', amount: 10_000n }))
  const split = await post('deposit_payment', { lineIds: [line], parts, rest: { amount: 8004n } })
  const { id, accountIban } = await paid(await post('refund_unexplained', { restOf: split }), 8004n)
  const other = await comes({ amount: 8004n, accountIban })
  const rests = async () => (await openRests(app.db)).map(({ entryId }) => entryId)
  for (const worker of [false, true]) {
    await post('payout_return', { lineIds: [other], withdrawalId: id })
    if (worker) await reopen()
    assert.deepEqual(await rests(), worker ? [split] : [])
    await take(`vezne journal propose unmatch --withdrawal ${id}`)
    assert.deepEqual(await rests(), [])
  }
  await comes({ amount: 8004n, accountIban }, { ...SENDER, narrative: `IADE ${id}` })
  await reopen()
  assert.deepEqual(await rests(), [split])
  await post('interest', { lineIds: [other] })
})

test('its debit shows that it was paid, and no credit that it came back: no second refund', async () => {
  const refund = await refunded(88_005n)
  const { id, credit } = refund
  await app.db.transaction(async (tx) => {
    const payout = (await lockPayout(tx, NO_MERCHANT, id)) ?? assert.fail('no payout')
    await returnPayout(app, tx, payout)
  })
  await reopen()
  await assert.rejects(
    propose('refund_unexplained', { lineIds: [credit] }),
    refusalSaying('refund_maybe_paid', /is its debit, and no credit shows/),
  )
  await comes(refund, { ...SENDER, narrative: `IADE ${id}` })
  await paid(await post('refund_unexplained', { lineIds: [credit] }), refund.amount)
})

test('a payout of a merchant is suggested by its amount as before', async () => {
  const id = await sent({ amount: 8806 })
  await journal.arrives('debit', 0n, await lineAbout(id, { amount: 8806n }))
  const account = (await findPayout(app.db, id))?.sourceAccountId ?? ''
  const other = await comes({ amount: 8806n, accountIban: (await app.banks.account(account))?.iban ?? '' })
  assert.deepEqual(await commands(other), [`vezne line return ${other} --withdrawal ${id}`])
  await post('interest', { lineIds: [other] })
})

test('the return was entered by hand and the bank has not shown it: the money is not refunded again', async () => {
  const { credit, id, accountIban, amount } = await refunded(41_300n)
  const { enter, gives, real } = await openOutage(app)
  await connectAccount(app, accountIban, 'manual')
  const named = { narrative: (await lineAbout(id, { amount })).narrative, ...SENDER }
  // The account that paid may be the one to which the first payment came.
  const first = await findLine(app.db, credit)
  const isSame = (await app.banks.account(first?.collectingAccountId ?? ''))?.iban === accountIban
  const entered = await enter({ accountIban, amount, ...named, besides: isSame ? [credit] : [] })
  await reopen()
  assert.deepEqual([await short(entered), (await short(credit))[0]], [['matched', 'payout_returned', null], 'suspense'])
  await assert.rejects(
    propose('refund_unexplained', { lineIds: [credit] }),
    (error: Refusal) => error.why === 'line_not_confirmed' && error.said?.facts['line'] === entered,
  )
  await gives(real({ accountIban, amount, ...named }))
  await propose('refund_unexplained', { lineIds: [credit] })
  await connectAccount(app, accountIban, null)
})
