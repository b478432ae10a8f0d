import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dispatchWithdrawals, submitPayouts } from '../../packages/server/src/domain/withdrawals/index.ts'
import { findLine } from '../../packages/server/src/domain/statements/index.ts'
import { makeIban } from '../../packages/server/src/kernel/iban.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { openBooksOfPayouts } from '../harness/books-of-payouts.ts'
import { refusalSaying } from '../harness/refusals.ts'

// The bank takes a part of a credit back that no one has explained: only what is left can be refunded.

const { app, journal, candidatesOf, follow, take } = await openBooksOfPayouts()
const { post, propose, arrives, here } = journal
const SENDER = makeIban('0062', '12345678')
const sender = { senderIban: SENDER, senderName: 'Bilinmeyen Kişi', accountIban: here.iban }

const refused = (credit: string) =>
  assert.rejects(
    propose('refund_unexplained', { lineIds: [credit] }),
    refusalSaying('line_returns_money', /took all or part of this money back.*--rest 2242/),
  )

async function assertOnlyRest(credit: string): Promise<void> {
  const entry = (await findLine(app.db, credit))?.journalId ?? ''
  await assert.rejects(propose('refund_unexplained', { lineIds: [credit] }), { why: 'line_not_open' })
  const before = await journal.of('suspense')
  await take(`vezne journal propose refund_unexplained --rest-of ${entry}`)
  assert.equal(before - (await journal.of('suspense')), 2_242n)
  await dispatchWithdrawals(app)
  await submitPayouts(app)
  const [refund] = await app.db.query<{ id: string; source: string }>(
    sql`select withdrawal_id as id, source_account_id as source from payouts order by withdrawal_id desc limit 1`,
  )
  const { iban: accountIban = '' } = (await app.banks.account(refund?.source ?? '')) ?? {}
  await arrives('debit', 2_242n, { accountIban, narrative: `Para cekme ${refund?.id}`, senderIban: null })
}

for (const first of ['debit', 'credit'] as const)
  test(`the advice of the ${first} leads to a refund of what is left`, async () => {
    const credit = await arrives('credit', 4_242n, sender)
    const debit = await arrives('debit', 2_000n, { ...sender, narrative: 'KISMI STORNO' })
    await refused(credit)
    for (const line of [debit, credit])
      for (const { next } of await candidatesOf(line)) assert.doesNotMatch(next, /refund_unexplained/)
    await follow(first === 'debit' ? debit : credit)
    await assertOnlyRest(credit)
  })

test('the debit was booked as owed before: the credit settles it, and the rest is left', async () => {
  const credit = await arrives('credit', 4_242n, { ...sender, senderIban: SENDER })
  const { bankReference } = (await findLine(app.db, credit)) ?? assert.fail()
  const debit = await arrives('debit', 2_000n, { accountIban: here.iban, narrative: `DUZELTME ${bankReference}` })
  await post('receivable', { lineIds: [debit] })
  await refused(credit)
  await follow(credit)
  await assertOnlyRest(credit)
})

test('all of it is taken back: no refund while the storno waits', async () => {
  const credit = await arrives('credit', 4_242n, sender)
  const debit = await arrives('debit', 4_242n, { ...sender, narrative: 'STORNO' })
  await assert.rejects(
    propose('refund_unexplained', { lineIds: [credit] }),
    refusalSaying('line_returns_money', /propose storno/),
  )
  await follow(debit)
})
