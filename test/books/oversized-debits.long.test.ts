import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findPayout } from '../../packages/server/src/domain/withdrawals/index.ts'
import type { BankLine } from '../../packages/server/src/domain/statements/index.ts'
import { openBooksOfPayouts } from '../harness/books-of-payouts.ts'
import { AMOUNT } from '../harness/payout-lines.ts'
import { refusalSaying } from '../harness/refusals.ts'

// The bank debits a payout with more and gives all of it back, before anyone has booked the debit: the merchant gets its money.

const { app, journal, sent, available, candidatesOf, follow, arrives } = await openBooksOfPayouts()
const { propose } = journal
const A = BigInt(AMOUNT)
/** A charge, as banks take it, and more than that. */
const MORE = [
  [500n, (id: string) => `--withdrawal ${id} --charge 500`],
  [20_000n, (id: string) => `--settles ENTRY --withdrawal ${id}`],
] as const

async function debitedAndBack(more: bigint, changes: Partial<BankLine> = {}) {
  const id = await sent()
  const before = await available()
  const { accountName: senderName = '' } = (await findPayout(app.db, id)) ?? {}
  const debit = await arrives(id, { amount: A + more, senderName, ...changes })
  const credit = await arrives(id, { direction: 'credit', amount: A + more, narrative: `FAST IADE ${id}` })
  return { id, before, debit, credit }
}

async function assertReturned(id: string, before: bigint): Promise<void> {
  assert.equal((await findPayout(app.db, id))?.state, 'returned')
  assert.equal(await available(), before + A)
}

for (const [more, rest] of MORE)
  test(`${more} more: no storno is offered or accepted, and the advice of either line gives the merchant its money`, async () => {
    for (const first of ['debit', 'credit'] as const) {
      const lines = await debitedAndBack(more)
      const { id, before, debit, credit } = lines
      for (const line of [debit, credit])
        for (const { next } of await candidatesOf(line)) assert.doesNotMatch(next, /propose storno|refund_unexplained/)
      await assert.rejects(
        propose('storno', { lineIds: [debit, credit] }),
        refusalSaying('line_exceeds_payout', new RegExp(`payout_return --line ${credit} ${rest(id)}$`)),
      )
      await assert.rejects(
        propose('refund_unexplained', { lineIds: [credit] }),
        refusalSaying(
          'line_returns_money',
          /journal propose \w+ --line \w+ --withdrawal .*journal propose payout_return/,
        ),
      )
      await follow(lines[first])
      if (first === 'debit') await follow(credit)
      await assertReturned(id, before)
    }
  })

test('the debit does not name it: its recipient does', async () => {
  const { id, before, credit } = await debitedAndBack(500n, { narrative: 'GIDEN FAST' })
  await follow(credit)
  await assertReturned(id, before)
})
