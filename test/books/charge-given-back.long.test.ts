import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openReceivables } from '../../packages/server/src/domain/books/index.ts'
import { findDepositById } from '../../packages/server/src/domain/deposits/index.ts'
import { returnByHand } from '../../packages/server/src/domain/matching/index.ts'
import { findPayout } from '../../packages/server/src/domain/withdrawals/index.ts'
import type { BankLine } from '../../packages/server/src/domain/statements/index.ts'
import { linesOfDeposit, listLines } from '../../packages/server/src/domain/statements/index.ts'
import { makeIban } from '../../packages/server/src/kernel/iban.ts'
import type { Refusal } from '../../packages/server/src/platform/refusal.ts'
import { openBooksOfPayouts } from '../harness/books-of-payouts.ts'
import { AYSE } from '../harness/journal.ts'
import { someDeposits } from '../harness/payments.ts'
import { AMOUNT } from '../harness/payout-lines.ts'
import { refusalSaying } from '../harness/refusals.ts'

// A merchant was charged for money that the bank took, and the bank gives that money back: the merchant gets it.

const { app, shop, journal, sent, available, candidatesOf, follow, run, arrives } = await openBooksOfPayouts()
const { post, propose, approve } = journal
const A = BigInt(AMOUNT)
const REFUSED = makeIban('0062', '90000001')

const comesBack = (id: string, changes: Partial<BankLine> = {}) =>
  arrives(id, { direction: 'credit', narrative: `IADE ${id}`, senderIban: REFUSED, ...changes })

/** The bank refused the payout and paid it: the debit is owed, and the merchant charged. Returns the charge. */
async function chargedFor(id: string, debit: string): Promise<string> {
  const settles = await post('receivable', { lineIds: [debit] })
  return post('receivable', { settles, withdrawalId: id })
}

/** All ways that would give the money to someone else are refused, with what to do. */
async function assertOnlyForMerchant(credit: string, id: string, charge: string): Promise<void> {
  const way = new RegExp(`vezne journal propose receivable --line ${credit} --settles ${charge}`)
  const found = await candidatesOf(credit)
  assert.match(found[0]?.next ?? '', way)
  for (const { next } of found) assert.doesNotMatch(next, /refund_unexplained|bank_charge|return/)
  await assert.rejects(
    propose('refund_unexplained', { lineIds: [credit], iban: REFUSED, name: 'Veli Can' }),
    refusalSaying('line_returns_money', way),
  )
  await assert.rejects(propose('payout_return', { lineIds: [credit], withdrawalId: id, costsBy: 'operator' }), {
    said: { why: 'charge_not_given_back', facts: { withdrawal: id, line: credit, entry: charge } },
  })
  await assert.rejects(returnByHand(app, AYSE, credit, id), ({ why }: Refusal) => {
    assert.ok(
      why === 'return_amount_differs' || why === 'return_debit_explained' || why === 'return_has_line',
      why ?? '',
    )
    return true
  })
}

for (const [words, costs] of [
  ['whole', 0n],
  ['less costs', 700n],
] as const)
  test(`refused, paid, charged, returned ${words}: the merchant gets it`, async () => {
    const id = await sent({ iban: REFUSED })
    const charge = await chargedFor(id, await arrives(id))
    const before = await available()
    const credit = await comesBack(id, { amount: A - costs })
    await assertOnlyForMerchant(credit, id, charge)
    await follow(credit)
    assert.equal(await available(), before + A - costs)
    const { output } = await run(['line', 'show', credit])
    assert.match(output, /receivable/)
  })

for (const [words, costs] of [
  ['whole', 0n],
  ['less costs', 700n],
] as const)
  test(`returned, taken back, charged, returned again ${words}: the merchant gets it`, async () => {
    const id = await sent()
    await arrives(id)
    await comesBack(id, { senderIban: null })
    assert.equal((await findPayout(app.db, id))?.state, 'returned')
    const taken = await arrives(id, { narrative: `IADE IPTAL ${id}` })
    const charge = await chargedFor(id, taken)
    const before = await available()
    const credit = await comesBack(id, { amount: A - costs, senderIban: null })
    await assertOnlyForMerchant(credit, id, charge)
    await follow(credit)
    assert.equal(await available(), before + A - costs)
  })

test('debited with a charge, which was written off: one credit gives all of it back', async () => {
  for (const isWrittenOff of [false, true]) {
    const id = await sent({ iban: REFUSED })
    const charge = await chargedFor(id, await arrives(id, { amount: A + 50n }))
    const [owed] = await openReceivables(app.db)
    if (isWrittenOff) await post('bank_charge', { settles: owed?.entryId ?? '' })
    const before = await available()
    const credit = await comesBack(id, { amount: A + 50n })
    await assertOnlyForMerchant(credit, id, charge)
    await follow(credit)
    assert.equal(await available(), before + A)
  }
})

test('charged for two debits, given back in one credit, twice approved: once', async () => {
  const id = await sent({ iban: REFUSED })
  const first = await chargedFor(id, await arrives(id, { amount: 4_000n }))
  const second = await chargedFor(id, await arrives(id, { amount: 6_000n }))
  const before = await available()
  const credit = await comesBack(id)
  await assert.rejects(propose('receivable', { lineIds: [await comesBack(id, { amount: A + 1n })], settles: first }), {
    why: 'credit_above_charge',
  })
  const { id: posted } = await propose('receivable', { lineIds: [credit], settles: first })
  await assert.rejects(propose('receivable', { lineIds: [credit], settles: second }), { why: 'proposal_open' })
  const done = await Promise.allSettled([approve(posted), approve(posted)])
  assert.equal(done.filter(({ status }) => status === 'fulfilled').length, 1)
  assert.equal(await available(), before + A)
  await assert.rejects(propose('reversal', {}, first), { why: 'entry_settled' })
  await assert.rejects(propose('reversal', {}, second), { why: 'entry_settled' })
  await post('reversal', {}, posted)
  assert.equal(await available(), before)
  await follow(credit)
  assert.equal(await available(), before + A)
  const [more] = (await listLines(app.db, 'suspense', 10)).map((line) => line.id)
  await post('interest', { lineIds: [more ?? ''] })
})

test('after it was given back, a further debit is charged again, up to what the merchant has', async () => {
  const id = await sent({ iban: REFUSED })
  const before = await available()
  await chargedFor(id, await arrives(id))
  await follow(await comesBack(id))
  assert.equal(await available(), before)
  const again = await arrives(id)
  const settles = await post('receivable', { lineIds: [again] })
  await post('receivable', { settles, withdrawalId: id })
  assert.equal(await available(), before - A)
  await follow(await comesBack(id))
  assert.equal(await available(), before)
})

test('a partial storno was charged, and the bank cancels it: the merchant has it back, and the deposit too', async () => {
  const senderIban = makeIban('0062', '55554444')
  const [deposit] = await someDeposits(app, shop.merchantId, 1, 90_000n)
  const { id, referenceCode, collectingAccountId } = deposit ?? assert.fail('no deposit')
  const accountIban = (await app.banks.account(collectingAccountId ?? ''))?.iban ?? ''
  const narrative = referenceCode
  await journal.arrives('credit', 90_000n, { accountIban, narrative, senderIban })
  const before = await available()
  const takenBack = async () => (await findDepositById(app.db, id))?.takenBackAmount
  const storno = await journal.arrives('debit', 30_000n, { accountIban, narrative: `STORNO ${narrative}`, senderIban })
  await follow(storno)
  assert.deepEqual([await available(), await takenBack()], [before - 30_000n, 30_000n])
  // Another person of the same name: a complete, different IBAN says so.
  for (const amount of [20_000n, 30_000n]) {
    const other = { accountIban, senderIban: makeIban('0046', '1'), senderName: 'Veli Can' }
    const stranger = await journal.arrives('credit', amount, other)
    const advised = (await candidatesOf(stranger)).filter(({ what }) => what === 'receivable')
    assert.deepEqual(advised, [])
    await post('interest', { lineIds: [stranger] })
  }
  const credit = await journal.arrives('credit', 30_000n, { accountIban, narrative: `IPTAL ${narrative}`, senderIban })
  const [best] = await candidatesOf(credit)
  assert.match(
    best?.next ?? '',
    new RegExp(`^vezne journal propose receivable --line ${credit} --settles ${best?.id}$`),
  )
  await assert.rejects(
    propose('refund_unexplained', { lineIds: [credit] }),
    refusalSaying('line_returns_money', new RegExp(`--settles ${best?.id}`)),
  )
  await follow(credit)
  assert.deepEqual([await available(), await takenBack()], [before, 0n])

  await assert.rejects(propose('reversal', {}, best?.id), { why: 'entry_settled' })
  // Nothing is charged any more, so the whole payment can be taken back.
  const [payment] = await linesOfDeposit(app.db, shop.merchantId, id)
  const whole = await journal.arrives('debit', 90_000n, { accountIban, narrative: `STORNO ${narrative}`, senderIban })
  await post('storno', { lineIds: [whole, payment?.id ?? ''] })
  assert.equal((await findDepositById(app.db, id))?.status, 'failed')
})
