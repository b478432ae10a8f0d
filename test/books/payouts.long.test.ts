import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { openReceivables, openRests, returnRefunds } from '../../packages/server/src/domain/books/index.ts'
import { balancesOf, merchantAccount, NO_MERCHANT } from '../../packages/server/src/domain/ledger/index.ts'
import { listMerchants } from '../../packages/server/src/domain/merchants/index.ts'
import {
  findPayout,
  queryPayoutStatus,
  listWithdrawals,
  stopWithdrawal,
} from '../../packages/server/src/domain/withdrawals/index.ts'
import { linesOfJournal, listLines } from '../../packages/server/src/domain/statements/index.ts'
import { makeIban } from '../../packages/server/src/kernel/iban.ts'
import { money } from '../../packages/server/src/kernel/refusals/facts.ts'
import { AYSE, openJournal } from '../harness/journal.ts'
import { someDeposits } from '../harness/payments.ts'
import { AMOUNT, openPayoutLines } from '../harness/payout-lines.ts'
import { startWithBank } from '../harness/payouts.ts'
import { checkHistory } from '../harness/history.ts'
import { travelTo } from '../harness/until.ts'
import { refusal, refusalSaying } from '../harness/refusals.ts'

const service = await startWithBank()
const { app } = service
const shop = await service.merchantWithMoney(1_000_000n)
const journal = await openJournal(app)
const { post, propose, stateOf, lastDecision } = journal
const { ask, sent, faults, available, assertBankAgrees, lineAbout, sendBack } = openPayoutLines(service, shop)
const SENDER = makeIban('0062', '12345678')
const REFUSED = makeIban('0062', '90000001')

afterEach(async () => {
  while ((await returnRefunds(app)) > 0);
  await journal.bookAll()
  assert.deepEqual(await house(), [0n, 0n])
})

const house = () =>
  balancesOf(app.db, [
    merchantAccount('merchant_available', NO_MERCHANT, 'TRY'),
    merchantAccount('merchant_held', NO_MERCHANT, 'TRY'),
  ])

/** Unknown money that the simulated bank has, too. */
async function stray(amount: number, senderIban: string | null = SENDER): Promise<string> {
  const description = `bilinmeyen ${app.ids.next().slice(0, 4)}`
  await service.call('POST', 'payments', {
    toIban: journal.here.iban,
    amount,
    description,
    senderName: 'Veli Can',
    senderIban,
  })
  await service.readStatement()
  const line = (await listLines(app.db, 'suspense', 10)).find((one) => one.narrative.includes(description))
  return line?.id ?? assert.fail('no line in suspense')
}

async function refundOf(journalId: string) {
  const page = { before: 'g', notBefore: '', from: new Date(0), to: new Date(8.64e15), limit: 1, processId: journalId }
  return (await listWithdrawals(app.db, NO_MERCHANT, page))[0] ?? assert.fail('no withdrawal')
}

test('refund_unexplained: the sender gets the money back, once, and the line is closed', async () => {
  const line = await stray(5000)
  const suspense = await journal.of('suspense')
  const id = await post('refund_unexplained', { lineIds: [line], iban: SENDER })
  assert.equal(await journal.of('suspense'), suspense - 5000n)
  assert.deepEqual(await stateOf(line), ['matched', 'refund_unexplained', id, null, false])
  const before = (await service.witness()).length
  await service.work()
  const { status, iban, amount, accountName } = await refundOf(id)
  assert.deepEqual([status, iban, amount, accountName], ['completed', SENDER, 5000n, 'Veli Can'])
  assert.deepEqual(
    (await service.witness(before)).map((one) => [one.toIban, one.amount]),
    [[SENDER, 5000]],
  )
  assert.equal(await returnRefunds(app), 0)
  await assertBankAgrees()
  assert.ok((await listMerchants(app.db)).every((merchant) => merchant.id !== NO_MERCHANT))
})

test('a refund that the bank refuses, that is stopped, or that comes back: money and line are in suspense, and it can be tried again', async () => {
  const line = await stray(6000)
  const suspense = await journal.of('suspense')
  const back = async () => {
    await returnRefunds(app)
    assert.deepEqual(await stateOf(line), ['suspense', 'refund_failed', null, null, false])
    assert.deepEqual(await lastDecision(line), ['suspense', 'refund_failed', 'matcher'])
    assert.equal(await journal.of('suspense'), suspense)
  }
  await post('refund_unexplained', { lineIds: [line], iban: REFUSED })
  await service.work()
  await back()
  const stopped = await post('refund_unexplained', { lineIds: [line], iban: SENDER })
  await stopWithdrawal(app, AYSE, (await refundOf(stopped)).id, 'wrong person')
  await back()
  const returned = await post('refund_unexplained', { lineIds: [line], iban: SENDER })
  await service.work()
  assert.deepEqual((await linesOfJournal(app.db, returned)).length, 1)
  await sendBack((await refundOf(returned)).id)
  await service.work()
  await back()
  await post('refund_unexplained', { lineIds: [line], iban: SENDER })
  await service.work()
  await assertBankAgrees()
})

/** A refund that the bank refused; its line is in suspense again. */
async function refusedRefund(amount: number) {
  const line = await stray(amount)
  const first = await post('refund_unexplained', { lineIds: [line], iban: REFUSED })
  await service.work()
  await returnRefunds(app)
  assert.deepEqual((await stateOf(line)).slice(0, 2), ['suspense', 'refund_failed'])
  const { id } = await refundOf(first)
  const source = (await findPayout(app.db, id))?.sourceAccountId ?? ''
  const accountIban = (await app.banks.account(source))?.iban ?? ''
  return {
    line,
    earlier: id,
    accountIban,
    again: () => propose('refund_unexplained', { lineIds: [line], iban: SENDER }),
  }
}

const maybePaid = (earlier: string, sign: string) => {
  return refusalSaying('refund_maybe_paid', new RegExp(`\\(withdrawal ${earlier}\\): ${sign}`))
}

test('a refused refund was paid after all: no second refund is proposed or approved; its debit and the line are a storno', async () => {
  const { line, earlier, accountIban, again } = await refusedRefund(6100)
  const { id } = await again()
  const debit = await journal.arrives('debit', 6100n, { narrative: `Para cekme ${earlier}`, accountIban })
  const sign = `bank line ${debit} names it`
  await assert.rejects(again(), maybePaid(earlier, sign))
  await assert.rejects(journal.approve(id), maybePaid(earlier, sign))
  assert.deepEqual((await stateOf(line)).slice(0, 2), ['suspense', 'refund_failed'])
  const charge = await post('bank_charge', { lineIds: [debit] })
  await assert.rejects(
    again(),
    maybePaid(earlier, `bank line ${debit} refers to it, but was explained as a bank charge`),
  )
  await post('reversal', {}, charge)
  await post(accountIban === journal.here.iban ? 'storno' : 'own_transfer', { lineIds: [debit, line] })
  await assert.rejects(again(), { why: 'line_not_open' })
})

test('a refused refund and a debit of its amount that names nothing: explained first, then the refund is made', async () => {
  const { line, earlier, accountIban, again } = await refusedRefund(6200)
  const debit = await journal.arrives('debit', 6200n, { narrative: 'GIDEN EFT', accountIban })
  await assert.rejects(again(), maybePaid(earlier, `bank line ${debit} may be its debit`))
  await post('bank_charge', { lineIds: [debit] })
  await post('refund_unexplained', { lineIds: [line], iban: SENDER })
  await service.work()
})

test('a refund that was paid, came back, and was debited again by the bank: no second refund', async () => {
  const line = await stray(6300)
  const first = await post('refund_unexplained', { lineIds: [line], iban: SENDER })
  await service.work()
  const { id: earlier } = await refundOf(first)
  await sendBack(earlier)
  await service.work()
  await returnRefunds(app)
  const { id } = await propose('refund_unexplained', { lineIds: [line], iban: SENDER })
  const source = (await findPayout(app.db, earlier))?.sourceAccountId ?? ''
  const accountIban = (await app.banks.account(source))?.iban ?? ''
  const debit = await journal.arrives('debit', 6300n, { narrative: `Para cekme ${earlier}`, accountIban })
  const refused = maybePaid(earlier, `bank line ${debit} names it`)
  await assert.rejects(journal.approve(id), refused)
})

test('split with a rest: the rest is in suspense, and is refunded; if that fails, it is in suspense again', async () => {
  const line = await stray(30_000)
  const [one, two] = await someDeposits(app, shop.merchantId, 2, 10_000n)
  const parts = [one, two].map((deposit, place) => ({
    depositId: deposit?.id ?? '',
    amount: [10_000n, 15_000n][place] ?? 0n,
  }))
  const suspense = await journal.of('suspense')
  const given = (rest: bigint) => propose('deposit_payment', { lineIds: [line], parts, rest: { amount: rest } })
  await assert.rejects(given(4_999n), {
    said: { why: 'parts_not_sum_of_line', facts: { has: money(30_000n), given: money(29_999n) } },
  })
  const split = await post('deposit_payment', { lineIds: [line], parts, rest: { amount: 5_000n } })
  assert.deepEqual((await stateOf(line)).slice(0, 3), ['matched', 'deposit_payment', split])
  assert.equal(await journal.of('suspense'), suspense - 25_000n)
  const rests = async () => (await openRests(app.db)).map(({ entryId, amount }) => [entryId, amount])
  assert.deepEqual(await rests(), [[split, 5_000n]])
  await post('refund_unexplained', { restOf: split, iban: REFUSED })
  assert.deepEqual(await rests(), [])
  await assert.rejects(propose('refund_unexplained', { restOf: split }), { why: 'rest_not_open', fields: ['restOf'] })
  await service.work()
  assert.equal(await returnRefunds(app), 1)
  assert.deepEqual(await rests(), [[split, 5_000n]])
  const again = await propose('refund_unexplained', { restOf: split, iban: SENDER })
  await journal.approve(again.id)
  await assert.rejects(propose('refund_unexplained', { restOf: split, iban: SENDER }), refusal('rest_not_open'))
  await assert.rejects(propose('reversal', {}, split), refusal('rest_used', { kind: 'refund_unexplained' }))
  await service.work()
  const { status, iban, amount } = await refundOf(again.id)
  assert.deepEqual([status, iban, amount], ['completed', SENDER, 5_000n])
  assert.deepEqual([await rests(), await journal.of('suspense')], [[], suspense - 30_000n])
})

test('the refused refund of a rest was paid after all: not refunded again; the rest settles its debit', async () => {
  const line = await stray(7_000)
  const deposits = await someDeposits(app, shop.merchantId, 2, 3_000n)
  const parts = deposits.map(({ id }) => ({ depositId: id, amount: 3_000n }))
  const split = await post('deposit_payment', { lineIds: [line], parts, rest: { amount: 1_000n } })
  const first = await post('refund_unexplained', { restOf: split, iban: REFUSED })
  await service.work()
  await returnRefunds(app)
  const { id: earlier } = await refundOf(first)
  const debit = await journal.arrives('debit', 1_000n, { narrative: `Para cekme ${earlier}` })
  const again = () => propose('refund_unexplained', { restOf: split, iban: SENDER })
  await assert.rejects(again(), maybePaid(earlier, `bank line ${debit} names it`))
  const owed = await post('receivable', { lineIds: [debit] })
  await assert.rejects(
    again(),
    maybePaid(earlier, `bank line ${debit} refers to it, but was explained as owed by the bank`),
  )
  await post('receivable', { settles: owed, restOf: split })
  assert.deepEqual([await openRests(app.db), await openReceivables(app.db)], [[], []])
  await assert.rejects(propose('reversal', {}, split), refusal('rest_used', { kind: 'receivable' }))
})

test('a split with a rest is taken back: the whole line is in suspense again', async () => {
  const line = await stray(9_000)
  const deposits = await someDeposits(app, shop.merchantId, 2, 3_000n)
  const parts = deposits.map(({ id }) => ({ depositId: id, amount: 3_000n }))
  const split = await post('deposit_payment', { lineIds: [line], parts, rest: { amount: 3_000n } })
  const suspense = await journal.of('suspense')
  await post('reversal', {}, split)
  assert.equal(await journal.of('suspense'), suspense + 6_000n)
  assert.deepEqual([await openRests(app.db), (await stateOf(line))[0]], [[], 'suspense'])
})

test('a refund needs an IBAN, of someone else', async () => {
  const line = await stray(100, null)
  const given = (iban: string) => propose('refund_unexplained', { lineIds: [line], iban })
  await assert.rejects(given(journal.there.iban), { why: 'iban_of_collecting_account' })
  await assert.rejects(given('TR00'), { why: 'iban_wrong' })
})

for (const [costsBy, credited] of [
  ['merchant', AMOUNT - 500],
  ['operator', AMOUNT],
] as const) {
  test(`a return less costs, borne by the ${costsBy}: the merchant gets ${credited}, the line is the return`, async () => {
    const id = await ask()
    await service.work()
    const source = (await findPayout(app.db, id))?.sourceAccountId ?? ''
    const account = { ...journal.here, id: source }
    const accountIban = (await app.banks.account(source))?.iban ?? ''
    const written = await lineAbout(id, { direction: 'credit', amount: BigInt(AMOUNT) - 500n, narrative: 'IADE' })
    const line = await journal.arrives('credit', BigInt(AMOUNT) - 500n, { ...written, accountIban })
    const before = [await available(), await journal.of('bank_charges', account)] as const
    await assert.rejects(propose('payout_return', { lineIds: [line], withdrawalId: id }), {
      why: 'return_below_payouts',
    })
    await post('payout_return', { lineIds: [line], withdrawalId: id, costsBy })
    assert.equal(await available(), before[0] + BigInt(credited))
    const charged = costsBy === 'operator' ? 500n : 0n
    assert.equal(await journal.of('bank_charges', account), before[1] - charged)
    assert.deepEqual((await stateOf(line)).slice(0, 3), ['matched', 'payout_returned', null])
    assert.deepEqual(await lastDecision(line), ['matched', 'journal_payout_return', 'mehmet.kaya'])
    assert.deepEqual(await checkHistory(app, id), ['processing', 'completed', 'returned'])
    const again = await journal.arrives('credit', 9000n, { accountIban })
    await assert.rejects(propose('payout_return', { lineIds: [again], withdrawalId: id, costsBy }), {
      why: 'return_is_whole',
    })
  })
}

test('a debit that names a payout whose outcome is not known stays unexplained: it prevents a second sending', async () => {
  const id = await ask()
  const line = await journal.arrives('debit', 77n, { narrative: `MASRAF ${id}` })
  await assert.rejects(propose('bank_charge', { lineIds: [line] }), {
    said: { why: 'line_names_open_withdrawal', facts: { line, withdrawal: id, status: 'pending' } },
  })
})

test('a return less costs of a payout that the bank reported as returned: only the costs are booked, and cash is what came', async () => {
  await faults('error_after')
  const id = await sent()
  await sendBack(id)
  await travelTo(app, 90)
  await queryPayoutStatus(app)
  await service.call('DELETE', 'faults')
  await travelTo(app, 0)
  const source = { id: (await findPayout(app.db, id))?.sourceAccountId ?? '' }
  const [before, cash] = [await available(), await journal.of('bank_cash', source)]
  const written = await lineAbout(id, { direction: 'credit', amount: BigInt(AMOUNT) - 500n, narrative: 'IADE' })
  const line = await journal.arrives('credit', BigInt(AMOUNT) - 500n, written)
  await post('payout_return', { lineIds: [line], withdrawalId: id, costsBy: 'merchant' })
  assert.equal(await available(), before - 500n)
  assert.equal(await journal.of('bank_cash', source), cash + 500n)
  assert.deepEqual((await stateOf(line)).slice(0, 3), ['matched', 'payout_returned', null])
})
