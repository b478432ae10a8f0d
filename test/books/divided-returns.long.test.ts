import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openRests, returnRefunds } from '../../packages/server/src/domain/books/index.ts'
import { dispatchWithdrawals, findPayout, submitPayouts } from '../../packages/server/src/domain/withdrawals/index.ts'
import type { BankLine } from '../../packages/server/src/domain/statements/index.ts'
import { findLine, linesOfPayout } from '../../packages/server/src/domain/statements/index.ts'
import { makeIban } from '../../packages/server/src/kernel/iban.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import type { Why } from '../../packages/server/src/kernel/refusals/refuse.ts'
import { openBooksOfPayouts } from '../harness/books-of-payouts.ts'
import { AMOUNT } from '../harness/payout-lines.ts'

// One credit is the return of several payouts, or of one with more than ever left: each merchant gets its payout, a rest stays in suspense.

const { app, journal, sent, available, candidatesOf, follow, run, arrives } = await openBooksOfPayouts()
const { post, propose, approve } = journal
const A = BigInt(AMOUNT)
const IBAN = makeIban('0062', '12345678')

const stateOf = async (id: string) => (await findPayout(app.db, id))?.state
const comesBack = (id: string, amount: bigint, changes: Partial<BankLine> = {}) =>
  arrives(id, { direction: 'credit', narrative: `IADE ${id}`, amount, ...changes })

async function debited(changes: object = {}): Promise<string> {
  const id = await sent(changes)
  const { amount = 0n } = (await findPayout(app.db, id)) ?? {}
  await arrives(id, { amount })
  return id
}

/** The bank takes the rest back by a debit, and two people settle that with it. */
async function takenBack(restOf: string, amount: bigint): Promise<void> {
  const [rest] = await openRests(app.db)
  assert.deepEqual([rest?.entryId, rest?.amount], [restOf, amount])
  const { iban = '' } = (await app.banks.account(rest?.line.collectingAccountId ?? '')) ?? {}
  const debit = await journal.arrives('debit', amount, { accountIban: iban, narrative: 'DUZELTME' })
  const settles = await post('receivable', { lineIds: [debit] })
  await post('receivable', { restOf, settles })
  assert.deepEqual(await openRests(app.db), [])
}

const entryOf = async (lineId: string) => (await findLine(app.db, lineId))?.journalId ?? assert.fail('no entry')

test('more comes back than left: the merchant gets its payout, the rest stays in suspense and is used once', async () => {
  const id = await debited()
  const before = await available()
  const credit = await comesBack(id, A + 5_000n)
  const [best] = await candidatesOf(credit)
  assert.equal(best?.next, `vezne journal propose payout_return --line ${credit} --withdrawal ${id} --rest 5000`)
  await assert.rejects(propose('payout_return', { lineIds: [credit], withdrawalId: id }), {
    why: 'return_above_payout',
  })
  await follow(credit)
  assert.deepEqual([await stateOf(id), await available()], ['returned', before + A])
  const entry = await entryOf(credit)
  await assert.rejects(propose('unmatch', { withdrawalId: id }), {
    said: { why: 'return_gave_more', facts: { entry } },
  })
  const { output } = await run(['journal', 'show', entry])
  assert.match(output, /50,00 TL stays in suspense/)
  await takenBack(entry, 5_000n)
  await assert.rejects(propose('reversal', {}, entry), { why: 'rest_used' })
})

test('a part of what is more is owed, or was a charge: the rest of it stays in suspense', async () => {
  for (const kind of ['receivable', 'bank_charge'] as const) {
    const id = await sent()
    const debit = await arrives(id, { amount: A + 400n })
    await post(kind, { lineIds: [debit], withdrawalId: id })
    const before = await available()
    const credit = await comesBack(id, A + 1_000n)
    await follow(credit)
    assert.deepEqual([await stateOf(id), await available()], ['returned', before + A])
    await takenBack(await entryOf(credit), 600n)
  }
})

test('one credit for two payouts, which it names: both merchants get theirs, also with the charge that the debit had', async () => {
  for (const charge of [0n, 1_050n]) {
    const [one, two] = [await sent(), await sent({ amount: 7_000 })]
    const debit = await arrives(one, { amount: A + 7_000n + charge, narrative: `TOPLU ${one} ${two}` })
    await follow(debit)
    const before = await available()
    const credit = await comesBack(one, A + 7_000n + charge, { narrative: `TOPLU IADE ${one} ${two}` })
    const found = await candidatesOf(credit)
    assert.match(found[0]?.next ?? '', new RegExp(`payout_return --line ${credit} --withdrawal \\w+ --withdrawal \\w+`))
    for (const { next } of found) assert.doesNotMatch(next, /refund_unexplained/)
    await follow(credit)
    assert.deepEqual([await stateOf(one), await stateOf(two)], ['returned', 'returned'])
    assert.equal(await available(), before + A + 7_000n)
    for (const id of [one, two])
      assert.deepEqual(
        (await linesOfPayout(app.db, id)).map((line) => line.id),
        [debit, credit],
      )
  }
})

test('taken back as a whole, and posted once, also by two at once', async () => {
  const [one, two] = [await debited(), await debited({ amount: 7_000 })]
  const before = await available()
  const credit = await comesBack(one, A + 7_000n + 300n, { narrative: `TOPLU IADE ${one} ${two}` })
  const terms = { lineIds: [credit], withdrawalIds: [one, two], rest: { amount: 300n } }
  const { id } = await propose('payout_return', terms)
  assert.equal((await propose('payout_return', terms)).id, id, 'the same person again')
  const done = await Promise.allSettled([approve(id), approve(id)])
  assert.equal(done.filter(({ status }) => status === 'fulfilled').length, 1)
  assert.equal(await available(), before + A + 7_000n)
  await post('reversal', {}, await entryOf(credit))
  assert.deepEqual([await stateOf(one), await stateOf(two), await available()], ['sent', 'sent', before])
  assert.deepEqual((await journal.stateOf(credit)).slice(0, 1), ['suspense'])
  await follow(credit)
  assert.equal(await available(), before + A + 7_000n)
  await takenBack(await entryOf(credit), 300n)
})

test('wrong parts are refused', async () => {
  const [one, two] = [await debited(), await debited({ amount: 7_000 })]
  const credit = await comesBack(one, A + 7_000n, { narrative: `TOPLU IADE ${one} ${two}` })
  const lineIds = [credit]
  const withdrawalIds = [one, two]
  const refused = (terms: object, why: Why) => assert.rejects(propose('payout_return', { lineIds, ...terms }), { why })
  await refused({ withdrawalIds: [one, one] }, 'withdrawals_not_several')
  await refused({ withdrawalIds, rest: { amount: 1n } }, 'return_below_payouts')
  await refused({ withdrawalIds, rest: { amount: 0n } }, 'term_not_above_zero')
  await refused({ withdrawalIds, charge: { amount: 1n } }, 'return_has_no_rest')
  await refused({ withdrawalId: one, rest: { amount: 6_999n } }, 'return_above_payout')
  await assert.rejects(propose('receivable', { lineIds, rest: { amount: 1n } }), { why: 'rest_without_settlement' })
  await post('payout_return', { lineIds, withdrawalIds })
  const again = await comesBack(one, A + 1n)
  await assert.rejects(propose('payout_return', { lineIds: [again], withdrawalId: one, rest: { amount: 1n } }), {
    why: 'return_has_line',
  })
  await post('interest', { lineIds: [again] })
})

test('a refund of unexplained money comes back with more: it is in suspense again, and the bank keeps its rest', async () => {
  const stray = await journal.arrives('credit', 8_040n, { senderIban: IBAN })
  await post('refund_unexplained', { lineIds: [stray] })
  await dispatchWithdrawals(app)
  await submitPayouts(app)
  const [refund] = await app.db.query<{ id: string }>(
    sql`select withdrawal_id as id from payouts order by withdrawal_id desc limit 1`,
  )
  const id = refund?.id ?? assert.fail('no refund')
  await arrives(id, { amount: 8_040n })
  const credit = await comesBack(id, 8_080n)
  await follow(credit)
  await returnRefunds(app)
  assert.deepEqual((await journal.stateOf(stray)).slice(0, 2), ['suspense', 'refund_failed'])
  const entry = await entryOf(credit)
  await assert.rejects(propose('reversal', {}, entry), { why: 'return_of_refund' })
  await takenBack(entry, 40n)
  await post('interest', { lineIds: [stray] })
})
