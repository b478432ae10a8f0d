import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { openReceivables, reportDay, returnRefunds } from '../../packages/server/src/domain/books/index.ts'
import { NO_MERCHANT } from '../../packages/server/src/domain/ledger/index.ts'
import { findPayout, listWithdrawals } from '../../packages/server/src/domain/withdrawals/index.ts'
import { istanbul } from '../../packages/server/src/kernel/istanbul.ts'
import { makeIban } from '../../packages/server/src/kernel/iban.ts'
import { money } from '../../packages/server/src/kernel/refusals/facts.ts'
import type { Refusal } from '../../packages/server/src/platform/refusal.ts'
import { openCommandLine } from '../harness/command-line.ts'
import { approvalIn, openJournal } from '../harness/journal.ts'
import { AMOUNT, openPayoutLines } from '../harness/payout-lines.ts'
import { startWithBank } from '../harness/payouts.ts'
import { refusalSaying } from '../harness/refusals.ts'

const service = await startWithBank()
const { app } = service
const shop = await service.merchantWithMoney(1_000_000n)
const journal = await openJournal(app)
const { arrives, of, post, propose, stateOf } = journal
const { sent, lineAbout, available, faults } = openPayoutLines(service, shop)
const { run, stop } = openCommandLine({
  DATABASE_URL: service.databaseUrl,
  VEZNE_MASTER_KEY: app.config.masterKey.toString('hex'),
})
after(stop)

/** After each test the day is explained, and what is owed to others and to us is the cash. */
afterEach(async () => {
  await journal.bookAll()
  const { accounts, balances } = await reportDay(app, istanbul(app.clock.now()).day)
  assert.deepEqual(
    accounts.filter(({ unexplained }) => unexplained !== 0n),
    [],
  )
  assert.equal(
    balances.reduce((sum, { balance }) => sum + balance, 0n),
    0n,
  )
  const owed = (await openReceivables(app.db)).reduce((sum, { open }) => sum + open, 0n)
  const booked = balances.filter(({ kind }) => kind === 'receivables').reduce((sum, { balance }) => sum + balance, 0n)
  assert.equal(booked, -owed)
})

const stillOwed = async (entryId: string) =>
  (await openReceivables(app.db)).find((one) => one.entryId === entryId)?.open ?? 0n

test('a debit without a payout is owed to us; credits give it back in parts, on any account, and never more', async () => {
  const debit = await arrives('debit', 900n, { narrative: 'HATALI ISLEM' })
  const id = await post('receivable', { lineIds: [debit] })
  assert.deepEqual([await of('receivables'), await of('unexplained_debits')], [-900n, 0n])
  assert.deepEqual(await stateOf(debit), ['matched', 'receivable', id, null, false])
  const first = await arrives('credit', 400n)
  await assert.rejects(propose('receivable', { lineIds: [first] }), { why: 'receivable_not_open', fields: ['settles'] })
  const settled = await post('receivable', { lineIds: [first], settles: id })
  assert.equal(await stillOwed(id), 500n)
  const more = await arrives('credit', 501n)
  await assert.rejects(propose('receivable', { lineIds: [more], settles: id }), {
    said: { why: 'credit_above_receivable', facts: { came: money(501n), open: money(500n) } },
  })
  const rest = { lineIds: [await arrives('credit', 500n, { accountIban: journal.there.iban })], settles: id }
  const one = await propose('receivable', rest)
  assert.equal((await propose('receivable', rest)).id, one.id, 'the same person again')
  await journal.approve(one.id)
  await assert.rejects(journal.approve(one.id), { why: 'proposal_decided' })
  assert.deepEqual([await stillOwed(id), await of('receivables')], [0n, 0n])
  await assert.rejects(propose('reversal', {}, id), (error: Refusal) => {
    assert.deepEqual([error.why, error.said?.facts['by']], ['entry_settled', 'credit'])
    return true
  })
  for (const entry of [one.id, settled]) await post('reversal', {}, entry)
  await post('reversal', {}, id)
  assert.deepEqual((await stateOf(debit)).slice(0, 2), ['needs_review', 'journal_reversal'])
})

test('two credits for one receivable, proposed before: only what is owed is settled', async () => {
  const id = await post('receivable', { lineIds: [await arrives('debit', 300n)] })
  const proposals = []
  for (let n = 0; n < 3; n++)
    proposals.push(await propose('receivable', { lineIds: [await arrives('credit', 200n)], settles: id }))
  const done = await Promise.allSettled(proposals.map((one) => journal.approve(one.id)))
  assert.equal(done.filter(({ status }) => status === 'fulfilled').length, 1)
  assert.equal(await stillOwed(id), 100n)
})

test('a payout for which the bank took more: it keeps its amount, the line is its debit, the rest is owed', async () => {
  const id = await sent()
  const before = { cash: await sourceCash(id), available: await available() }
  const line = await arrives('debit', 0n, await lineAbout(id, { amount: BigInt(AMOUNT) + 500n }))
  assert.deepEqual((await stateOf(line)).slice(0, 2), ['needs_review', 'payout_differs'])
  const entry = await post('receivable', { lineIds: [line], withdrawalId: id })
  assert.deepEqual((await stateOf(line)).slice(0, 3), ['matched', 'payout_sent', entry])
  await journal.bookAll()
  assert.deepEqual(
    { cash: await sourceCash(id), available: await available() },
    { ...before, cash: before.cash + 500n },
  )
  assert.equal(await stillOwed(entry), 500n)
  const part = await arrives('credit', 200n)
  const settled = await post('receivable', { lineIds: [part], settles: entry })
  await assert.rejects(propose('reversal', {}, entry), {
    said: { why: 'entry_settled', facts: { entry: settled, by: 'credit' } },
  })
  const twice = await arrives('debit', 0n, await lineAbout(id, {}))
  await assert.rejects(propose('receivable', { lineIds: [twice], withdrawalId: id }), { why: 'payout_has_debit' })
  await post('receivable', { lineIds: [twice] })
})

test('a refused refund that was paid: owed to us, it bars a second refund until it came back', async () => {
  const line = await arrives('credit', 770n, { senderIban: makeIban('0062', '12345678') })
  await post('refund_unexplained', { lineIds: [line], iban: makeIban('0062', '90000001') })
  await service.work()
  await returnRefunds(app)
  const earlier = await lastRefund()
  const debit = await arrives('debit', 0n, await lineAbout(earlier, { amount: 770n }))
  const id = await post('receivable', { lineIds: [debit] })
  const again = () => propose('refund_unexplained', { lineIds: [line] })
  await assert.rejects(again(), refusalSaying('refund_maybe_paid', /was explained as owed by the bank/))
  await post('receivable', { lineIds: [await arrives('credit', 770n)], settles: id })
  await again()
})

test('the commands: journal receivables, its proposal, and books day with its age', async () => {
  const cli = async (...args: string[]) => {
    const { code, output, errors } = await run(args)
    assert.equal(code, 0, `${args.join(' ')}: ${errors}`)
    return output
  }
  const threeDaysAgo = new Date(app.clock.now().getTime() - 3 * 86_400_000)
  const debit = await arrives('debit', 12_345n, { bookedAt: threeDaysAgo })
  const words = ['--why', 'bank debited us by mistake', '--as', 'ayse.yilmaz']
  const proposed = await cli('journal', 'propose', 'receivable', '--second', '--line', debit, ...words)
  const first = approvalIn(proposed)
  await cli(...first.args)
  assert.match(await cli('journal', 'receivables'), new RegExp(`${first.id} +${debit} .*123,45 TL +123,45 TL +3 `))
  const day = await cli('books', 'day', istanbul(app.clock.now()).day)
  assert.match(day, /Owed to us now: \d+ \(.* TL\), the oldest 3 days old/)
  assert.match(day, / receivables +-/)
  assert.doesNotMatch(day, /DIFFERS/)
  const credit = await arrives('credit', 12_345n)
  const back = await cli(
    'journal',
    'propose',
    'receivable',
    '--second',
    '--line',
    credit,
    '--settles',
    first.id,
    ...words,
  )
  const second = approvalIn(back)
  await cli(...second.args)
  assert.doesNotMatch(await cli('journal', 'receivables'), new RegExp(first.id))
})

test('the same while the outcome of the payout is not known: the two people complete it', async () => {
  await faults('error_after')
  const id = await sent()
  await service.call('DELETE', 'faults')
  assert.equal((await findPayout(app.db, id))?.state, 'asking')
  const line = await arrives('debit', 0n, await lineAbout(id, { amount: BigInt(AMOUNT) + 1n }))
  await assert.rejects(propose('receivable', { lineIds: [line] }), {
    said: { why: 'line_names_open_withdrawal', facts: { line, withdrawal: id, status: 'processing' } },
  })
  const entry = await post('receivable', { lineIds: [line], withdrawalId: id })
  assert.deepEqual([(await findPayout(app.db, id))?.state, await stillOwed(entry)], ['sent', 1n])
})

async function sourceCash(id: string): Promise<bigint> {
  return of('bank_cash', { id: (await findPayout(app.db, id))?.sourceAccountId ?? '' })
}

async function lastRefund(): Promise<string> {
  const page = { before: 'g', notBefore: '', from: new Date(0), to: new Date(8.64e15), limit: 1 }
  return (await listWithdrawals(app.db, NO_MERCHANT, page))[0]?.id ?? assert.fail('no refund')
}
