import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openReceivables } from '../../packages/server/src/domain/books/index.ts'
import { returnByHand } from '../../packages/server/src/domain/matching/index.ts'
import { findPayout } from '../../packages/server/src/domain/withdrawals/index.ts'
import type { BankLine } from '../../packages/server/src/domain/statements/index.ts'
import { money } from '../../packages/server/src/kernel/refusals/facts.ts'
import { openBooksOfPayouts } from '../harness/books-of-payouts.ts'
import { AYSE } from '../harness/journal.ts'
import { AMOUNT } from '../harness/payout-lines.ts'
import { refusalSaying } from '../harness/refusals.ts'

// The bank debited more than the payout, and all of it comes back in one credit: the payout is returned, the rest goes where it came from.

const { app, journal, sent, available, candidatesOf, follow, take, run, arrives } = await openBooksOfPayouts()
const { post, propose, approve } = journal
const A = BigInt(AMOUNT)

const comesBack = (id: string, amount: bigint, changes: Partial<BankLine> = {}) =>
  arrives(id, { direction: 'credit', narrative: `IADE ${id}`, amount, ...changes })
const charges = async (id: string) =>
  journal.of('bank_charges', { id: (await findPayout(app.db, id))?.sourceAccountId ?? '' })

/** A payout that was debited with more, which is booked as `kind`. */
async function debited(more: bigint, kind: 'receivable' | 'bank_charge') {
  const id = await sent()
  const debit = await arrives(id, { amount: A + more })
  const entry = await post(kind, { lineIds: [debit], withdrawalId: id })
  return { id, debit, entry, before: await available(), borne: await charges(id) }
}

async function assertReturned(id: string, before: bigint): Promise<void> {
  assert.equal((await findPayout(app.db, id))?.state, 'returned')
  assert.equal(await available(), before + A)
}

/** Only the return of all is offered; what would lose the money is refused, and says so. */
async function assertOnly(credit: string, id: string, way: string): Promise<void> {
  const found = await candidatesOf(credit)
  assert.equal(found[0]?.next, way)
  for (const { next } of found) assert.doesNotMatch(next, /refund_unexplained|propose bank_charge/)
  const refund = { lineIds: [credit], iban: 'TR330006100519786457841326', name: 'Veli Can' }
  await assert.rejects(propose('refund_unexplained', refund), refusalSaying('line_returns_money', new RegExp(way)))
  await assert.rejects(
    returnByHand(app, AYSE, credit, id),
    refusalSaying('return_amount_differs', /payout_return.*--settles/s),
  )
}

const returned = (credit: string, id: string, rest: string) =>
  rest.startsWith('--settles')
    ? `vezne journal propose payout_return --line ${credit} ${rest} --withdrawal ${id}`
    : `vezne journal propose payout_return --line ${credit} --withdrawal ${id} ${rest}`

test('the rest is owed: one credit is the return and settles it; less costs, the rest of that stays owed', async () => {
  for (const costs of [0n, 300n]) {
    const { id, entry, before, borne } = await debited(4_000n, 'receivable')
    const credit = await comesBack(id, A + 4_000n - costs)
    const way = returned(credit, id, `--settles ${entry}`)
    await assertOnly(credit, id, way)
    await assert.rejects(
      propose('bank_charge', { settles: entry }),
      refusalSaying('receivable_in_return', new RegExp(way)),
    )
    await follow(credit)
    await assertReturned(id, before)
    assert.equal(await charges(id), borne)
    if (costs > 0n) await post('bank_charge', { settles: entry })
  }
})

test('the rest was a charge: one credit is the return and gives it back, or a part', async () => {
  for (const costs of [0n, 200n]) {
    const { id, entry, before, borne } = await debited(500n, 'bank_charge')
    const credit = await comesBack(id, A + 500n - costs)
    await assertOnly(credit, id, returned(credit, id, `--charge ${500n - costs}`))
    await follow(credit)
    await assertReturned(id, before)
    assert.equal(await charges(id), borne + 500n - costs)
    await assert.rejects(propose('reversal', {}, entry), { why: 'entry_settled' })
  }
})

test('the rest was written off: it is a charge that is given back', async () => {
  const { id, entry, before, borne } = await debited(4_000n, 'receivable')
  await post('bank_charge', { settles: entry })
  const credit = await comesBack(id, A + 4_000n)
  await assertOnly(credit, id, returned(credit, id, '--charge 4000'))
  await follow(credit)
  await assertReturned(id, before)
  assert.equal(await charges(id), borne)
})

test('the bank cut the text off: the debit of its amount leads to it', async () => {
  for (const kind of ['receivable', 'bank_charge'] as const) {
    const { id, entry, before } = await debited(500n, kind)
    const credit = await comesBack(id, A + 500n, { narrative: 'IADE' })
    const found = await candidatesOf(credit)
    assert.equal(
      found[0]?.next,
      returned(credit, id, kind === 'receivable' ? `--settles ${entry}` : '--charge 500'),
      JSON.stringify(found),
    )
    await follow(credit)
    await assertReturned(id, before)
  }
})

test('debited twice, and both come back in one credit', async () => {
  const id = await sent()
  await arrives(id)
  const before = await available()
  const second = await arrives(id)
  const credit = await comesBack(id, A + A)
  await follow(credit)
  assert.equal((await journal.stateOf(second))[1], 'receivable')
  await follow(credit)
  await assertReturned(id, before)
})

test('more than left, with nothing that explains it, is refused; so are wrong parts', async () => {
  const { id, entry, before } = await debited(4_000n, 'receivable')
  const credit = await comesBack(id, A + 4_001n)
  const terms = { lineIds: [credit], withdrawalId: id }
  await assert.rejects(propose('payout_return', terms), { why: 'return_above_payout' })
  await assert.rejects(propose('payout_return', { ...terms, settles: entry }), {
    said: { why: 'return_above_receivable', facts: { more: money(4_001n), open: money(4_000n) } },
  })
  const noCharge = { why: 'return_not_all_charge' }
  await assert.rejects(propose('payout_return', { ...terms, charge: { amount: 4_001n } }), noCharge)
  await assert.rejects(propose('payout_return', { ...terms, charge: { amount: 0n } }), noCharge)
  await assert.rejects(propose('payout_return', { ...terms, settles: entry, charge: { amount: 4_001n } }), {
    fields: ['charge'],
    why: 'charge_beside_settles',
  })
  await post('interest', { lineIds: [credit] })
  const exact = await comesBack(id, A, { narrative: 'IADE' })
  await assert.rejects(propose('payout_return', { lineIds: [exact], withdrawalId: id, settles: entry }), {
    said: { why: 'return_has_no_rest', facts: { line: exact, withdrawal: id } },
  })
  await take(`vezne line return ${exact} --withdrawal ${id}`)
  await assertReturned(id, before)
  await follow(await comesBack(id, 4_000n))
})

test('taken back by its reverse: the payout is completed, the rest is owed, the credit is in suspense', async () => {
  const { id, entry, before } = await debited(4_000n, 'receivable')
  const credit = await comesBack(id, A + 4_000n)
  const terms = { lineIds: [credit], withdrawalId: id, settles: entry }
  const { id: posted } = await propose('payout_return', terms)
  assert.equal((await propose('payout_return', terms)).id, posted, 'the same person again')
  const done = await Promise.allSettled([approve(posted), approve(posted)])
  assert.equal(done.filter(({ status }) => status === 'fulfilled').length, 1)
  await assertReturned(id, before)
  await assert.rejects(propose('unmatch', { withdrawalId: id }), {
    said: { why: 'return_gave_more', facts: { entry: posted } },
  })
  const { output } = await run(['journal', 'show', posted])
  assert.match(output, /payout \w+: returned/)
  assert.doesNotMatch(output, /from the balance of the merchant/)
  await post('reversal', {}, posted)
  assert.equal((await findPayout(app.db, id))?.state, 'sent')
  assert.equal(await available(), before)
  assert.deepEqual((await journal.stateOf(credit)).slice(0, 1), ['suspense'])
  assert.equal((await openReceivables(app.db))[0]?.open, 4_000n)
  await follow(credit)
  await assertReturned(id, before)
})
