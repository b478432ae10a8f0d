import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { balanceOf, merchantAccount } from '../../packages/server/src/domain/ledger/index.ts'
import { matchByHand } from '../../packages/server/src/domain/matching/index.ts'
import type { Deposit } from '../../packages/server/src/domain/deposits/index.ts'
import { linesOfDeposit } from '../../packages/server/src/domain/statements/index.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { accepted } from '../harness/envelope.ts'
import { withdrawBody } from '../harness/examples.ts'
import { approveEntry, AYSE, MEHMET, openJournal } from '../harness/journal.ts'
import { ingest, lineFor, matchAll, payDeposit, reloadDeposit, someDeposits } from '../harness/payments.ts'
import { startService } from '../harness/service.ts'

const service = await startService()
const { app } = service
const journal = await openJournal(app)
const { arrives, post, propose, stateOf, lastDecision, of } = journal
const shop = await service.merchant({ depositFee: { bps: 100 } })
const fees = merchantAccount('fees', shop.merchantId, 'TRY')

afterEach(() => journal.assertSound())

async function newDeposit(amount = 10_000n): Promise<Deposit> {
  return (await someDeposits(app, shop.merchantId, 1, amount))[0] ?? assert.fail('no deposit')
}

async function paid(amount = 10_000n): Promise<{ deposit: Deposit; lineId: string; account: { id: string } }> {
  const deposit = await payDeposit(app, await newDeposit(amount))
  assert.equal(deposit.status, 'completed')
  const [line] = await linesOfDeposit(app.db, deposit.merchantId, deposit.id)
  return { deposit, lineId: line?.id ?? '', account: { id: line?.collectingAccountId ?? '' } }
}

const available = async () => (await balanceOf(app.db, shop.merchantId, 'TRY')).available

/** Events are numbered without gaps, and the newest one is what GET returns. */
async function eventsOf(deposit: Deposit): Promise<string[]> {
  const rows = await app.db.query<{ type: string; sequence: number; body: string }>(
    sql`select type, sequence, body from events where transaction_id = ${deposit.id} order by sequence`,
  )
  assert.deepEqual(
    rows.map(({ sequence }) => sequence),
    rows.map((_row, place) => place + 1),
  )
  const { checkoutUrl: _, ...shown } = accepted(await shop.get(`/v1/transactions/${deposit.id}`), 200)
  assert.deepEqual((JSON.parse(rows.at(-1)?.body ?? '{}') as { data: object }).data, shown)
  const history = await app.db.query<{ status: string }>(
    sql`select to_status as status from status_history where transaction_id = ${deposit.id} order by sequence`,
  )
  assert.deepEqual(
    history.map(({ status }, place) =>
      status === history[place - 1]?.status ? 'deposit.updated' : `deposit.${status}`,
    ),
    rows.map(({ type }) => type),
  )
  return rows.map(({ type }) => type)
}

for (const to of ['failed', 'processing'] as const) {
  test(`unmatch: the deposit is ${to}, its merchant and the fee are debited, the money is in suspense`, async () => {
    const before = [await available(), await journal.balance(fees)]
    const { deposit, lineId, account } = await paid()
    const suspense = await of('suspense', account)
    await post('unmatch', { depositId: deposit.id, to })
    const after = await reloadDeposit(app, deposit)
    assert.deepEqual([after.status, after.reason, after.receivedAmount, after.fee], [to, 'match_corrected', 0n, 0n])
    assert.deepEqual([await available(), await journal.balance(fees)], before)
    assert.equal(await of('suspense', account), suspense + 10_000n)
    assert.deepEqual(await stateOf(lineId), ['suspense', 'journal_unmatch', null, null, false])
    assert.deepEqual(await lastDecision(lineId), ['suspense', 'journal_unmatch', 'mehmet.kaya'])
    assert.deepEqual(await eventsOf(deposit), ['deposit.completed', `deposit.${to}`])
  })
}

test('unmatch to processing: its own payment completes it, by the matcher or by hand; without one it can fail', async () => {
  const first = await paid()
  await post('unmatch', { depositId: first.deposit.id, to: 'processing' })
  assert.equal((await payDeposit(app, await reloadDeposit(app, first.deposit))).status, 'completed')
  assert.deepEqual(await eventsOf(first.deposit), ['deposit.completed', 'deposit.processing', 'deposit.completed'])
  const second = await paid()
  await post('unmatch', { depositId: second.deposit.id, to: 'processing' })
  await matchByHand(app, AYSE, first.lineId, second.deposit.id)
  const third = await paid()
  await post('unmatch', { depositId: third.deposit.id, to: 'processing' })
  await post('unmatch', { depositId: third.deposit.id, to: 'failed' })
  assert.deepEqual(await eventsOf(third.deposit), ['deposit.completed', 'deposit.processing', 'deposit.failed'])
  await assert.rejects(propose('unmatch', { depositId: third.deposit.id }), {
    said: { why: 'deposit_not_credited', facts: { deposit: third.deposit.id, status: 'failed' } },
  })
})

test('unmatch after the money was withdrawn: the balance is below zero, visibly; only incoming money raises it, and nothing leaves', async () => {
  const { deposit } = await paid(100_000n)
  const spent = await available()
  accepted(await shop.post('/v1/withdraw', withdrawBody({ amount: Number(spent) })), 201)
  await post('unmatch', { depositId: deposit.id })
  assert.equal(await available(), -99_000n)
  assert.equal(accepted(await shop.get('/v1/balance'), 200).available, -99_000)
  const { status, body } = await shop.post('/v1/withdraw', withdrawBody({ amount: 1 }))
  assert.deepEqual([status, body.error?.code], [400, 'INSUFFICIENT_BALANCE'])
  // Whoever writes past the check meets the constraint: it may not fall further.
  const fall = sql`update accounts set balance = balance - 1 where merchant_id = ${shop.merchantId} and kind = 'merchant_available'`
  await assert.rejects(app.db.query(fall), { constraint: 'accounts_never_negative' })
  await paid(50_000n)
  assert.equal(await available(), -49_500n)
  await assert.rejects(app.db.query(fall), { constraint: 'accounts_never_negative' })
  await paid(100_000n)
  assert.equal(await available(), 49_500n)
  const [row] = await app.db.query<{ lowest: bigint }>(
    sql`select lowest from accounts where merchant_id = ${shop.merchantId} and kind = 'merchant_available'`,
  )
  assert.equal(row?.lowest, 0n)
})

test('storno: of money in suspense, and of a completed deposit, which fails', async () => {
  const credit = await arrives('credit', 700n)
  const [suspense, unexplained] = [await of('suspense'), await of('unexplained_debits')]
  const debit = await arrives('debit', 700n)
  const id = await post('storno', { lineIds: [debit, credit] })
  assert.deepEqual([await of('suspense'), await of('unexplained_debits')], [suspense - 700n, unexplained])
  for (const line of [debit, credit]) assert.deepEqual(await stateOf(line), ['matched', 'storno', id, null, false])
  const before = await available()
  const { deposit, lineId, account } = await paid()
  const accountIban = (await app.banks.account(account.id))?.iban ?? ''
  const back = await arrives('debit', 10_000n, { accountIban })
  const second = await post('storno', { lineIds: [lineId, back] })
  const after = await reloadDeposit(app, deposit)
  assert.deepEqual([after.status, after.reason, after.receivedAmount], ['failed', 'payment_reversed', 0n])
  assert.equal(await available(), before)
  for (const line of [back, lineId]) assert.deepEqual(await stateOf(line), ['matched', 'storno', second, null, false])
  assert.deepEqual(await eventsOf(deposit), ['deposit.completed', 'deposit.failed'])
  const other = await arrives('debit', 699n)
  await assert.rejects(propose('storno', { lineIds: [other, await arrives('credit', 700n)] }), {
    why: 'storno_differs',
  })
})

test('storno of one of two lines: the other one is in suspense again', async () => {
  const deposit = await newDeposit()
  const half = await lineFor(app, deposit, { amount: 4000n })
  await ingest(app, [half, { ...half, bankReference: app.ids.next(), amount: 6000n }])
  await matchAll(app)
  assert.equal((await reloadDeposit(app, deposit)).status, 'completed')
  const lines = await linesOfDeposit(app.db, deposit.merchantId, deposit.id)
  const [small, large] = [lines.find(({ amount }) => amount === 4000n), lines.find(({ amount }) => amount === 6000n)]
  const back = await arrives('debit', 4000n, { accountIban: half.accountIban })
  await post('storno', { lineIds: [back, small?.id ?? ''] })
  assert.equal((await reloadDeposit(app, deposit)).status, 'failed')
  assert.deepEqual(await stateOf(large?.id ?? ''), ['suspense', 'journal_storno', null, null, false])
})

test('split: one transfer completes deposits of two merchants; reversed, they lose it again', async () => {
  const other = await service.merchant()
  const mine = await newDeposit(3000n)
  const theirs = (await someDeposits(app, other.merchantId, 1, 4000n))[0] ?? assert.fail()
  const line = await arrives('credit', 7000n)
  const parts = [
    { depositId: mine.id, amount: 3000n },
    { depositId: theirs.id, amount: 4000n },
  ]
  await assert.rejects(
    propose('deposit_payment', { lineIds: [line], parts: [{ depositId: mine.id, amount: 3000n }] }),
    {
      fields: ['part'],
      why: 'parts_not_of_deposits',
    },
  )
  await assert.rejects(
    propose('deposit_payment', { lineIds: [line], parts: parts.map((part) => ({ ...part, amount: 3000n })) }),
    { fields: ['part'], why: 'parts_not_sum_of_line' },
  )
  const before = await available()
  const id = await post('deposit_payment', { lineIds: [line], parts })
  for (const deposit of [mine, theirs]) {
    const { status, receivedAmount, amount } = await reloadDeposit(app, deposit)
    assert.deepEqual([status, receivedAmount], ['completed', amount])
  }
  assert.equal(await available(), before + 2970n)
  assert.equal((await balanceOf(app.db, other.merchantId, 'TRY')).available, 4000n)
  assert.equal((await linesOfDeposit(app.db, other.merchantId, theirs.id))[0]?.id, line)
  await assert.rejects(propose('unmatch', { depositId: mine.id }), {
    said: { why: 'line_split', facts: { line, entry: id } },
  })
  await post('reversal', { to: 'processing' }, id)
  assert.deepEqual((await stateOf(line)).slice(0, 3), ['suspense', 'journal_reversal', null])
  assert.equal(await available(), before)
  assert.equal((await balanceOf(app.db, other.merchantId, 'TRY')).available, 0n)
  assert.deepEqual(await eventsOf(mine), ['deposit.completed', 'deposit.processing'])
})

test('split: of a deposit whose bank took a part back it is not reversed before that is', async () => {
  const [mine, other] = [await newDeposit(3000n), await newDeposit(4000n)]
  const line = await arrives('credit', 7000n)
  const parts = [mine, other].map(({ id: depositId, amount }) => ({ depositId, amount }))
  const split = await post('deposit_payment', { lineIds: [line], parts })
  const debit = await arrives('debit', 1000n, { narrative: `STORNO ${mine.referenceCode}` })
  const settles = await post('receivable', { lineIds: [debit] })
  const charge = await post('receivable', { settles, depositId: mine.id })
  assert.equal((await reloadDeposit(app, mine)).takenBackAmount, 1000n)
  await assert.rejects(propose('reversal', {}, split), {
    said: { why: 'merchant_charged', facts: { of: 'payment', transaction: mine.id, entry: charge } },
  })
  await post('reversal', {}, charge)
  await post('reversal', {}, split)
  assert.deepEqual(await eventsOf(mine), ['deposit.completed', 'deposit.updated', 'deposit.updated', 'deposit.failed'])
  await post('bank_charge', { settles })
})

test('money for a cancelled deposit completes another one', async () => {
  const cancelled = await newDeposit(2500n)
  accepted(await shop.post(`/v1/transactions/${cancelled.id}/cancel`, {}), 200)
  const line = await arrives('credit', 2500n, { ...(await lineFor(app, cancelled)) })
  assert.deepEqual((await stateOf(line)).slice(0, 2), ['suspense', 'deposit_cancelled'])
  const next = await newDeposit(2500n)
  await assert.rejects(propose('deposit_payment', { lineIds: [line], depositId: cancelled.id }), {
    said: { why: 'deposit_takes_no_money', facts: { deposit: cancelled.id, status: 'cancelled' } },
  })
  await post('deposit_payment', { lineIds: [line], depositId: next.id })
  assert.equal((await reloadDeposit(app, next)).status, 'completed')
  assert.deepEqual(await stateOf(line), ['matched', 'deposit_payment', null, next.id, false])
})

test('a deposit that has changed since the proposal: refused, and nothing is booked', async () => {
  const { deposit } = await paid()
  const { id } = await propose('unmatch', { depositId: deposit.id })
  const again = await lineFor(app, deposit)
  await ingest(app, [again])
  await matchAll(app)
  await assert.rejects(approveEntry(app, MEHMET, id), { why: 'proposal_outdated' })
  assert.equal((await reloadDeposit(app, deposit)).status, 'completed')
})
