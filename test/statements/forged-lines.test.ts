import assert from 'node:assert/strict'
import { test } from 'node:test'
import { examineMarks } from '../../packages/server/src/domain/doctor/examine-marks.ts'
import { findDeposit } from '../../packages/server/src/domain/deposits/index.ts'
import { findDrift } from '../../packages/server/src/domain/ledger/index.ts'
import { matchByHand } from '../../packages/server/src/domain/matching/index.ts'
import { findLine } from '../../packages/server/src/domain/statements/index.ts'
import { makeIban } from '../../packages/server/src/kernel/iban.ts'
import type { Sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { AYSE, openJournal } from '../harness/journal.ts'
import { ingest, lineFor, matchAll, payDeposit, someDeposits } from '../harness/payments.ts'
import { startService } from '../harness/service.ts'

// Who writes to the database without the master key moves no money by a bank line.

const service = await startService()
const { app } = service
const journal = await openJournal(app)
const shop = await service.merchant()
const MINE = makeIban('0062', '666')
const FORGED = { why: 'line_forged' }

async function deposit(amount: bigint) {
  const [one] = await someDeposits(app, shop.merchantId, 1, amount)
  return one ?? assert.fail()
}

const change = (id: string, to: Sql) => app.db.query(sql`update bank_lines set ${to} where id = ${id}`)
const forged = async () => JSON.stringify((await examineMarks(app)).found)

test('a credit that someone inserted, and one whose text or amount was changed, complete no deposit', async () => {
  const [own, others] = [await deposit(40_000n), await deposit(41_000n)]
  const line = await journal.arrives('credit', 41_000n, { narrative: 'HAVALE' })
  const copy = app.ids.next()
  await app.db.query(sql`
    insert into bank_lines (id, collecting_account_id, natural_key, occurrence, source, amount, currency, direction, value_date,
      booked_at, sender_name, narrative, state, created_at, statement_id, mark)
    select ${copy}, ${own.collectingAccountId}, ${copy}, 1, source, ${own.amount}, currency, direction, value_date, booked_at,
      sender_name, ${own.referenceCode}, 'new', created_at, statement_id, mark
    from bank_lines where id = ${line}`)
  await ingest(app, [await lineFor(app, others, { narrative: 'HAVALE', senderName: 'Veli Can' })])
  const [fresh] = await app.db.query<{ id: string }>(
    sql`select id from bank_lines where state = 'new' and id <> ${copy}`,
  )
  await change(fresh?.id ?? '', sql`narrative = ${others.referenceCode}`)
  await matchAll(app)
  for (const id of [copy, fresh?.id ?? '']) {
    const judged = await findLine(app.db, id)
    assert.deepEqual([judged?.state, judged?.reason], ['needs_review', 'cannot_be_booked'])
  }
  for (const one of [own, others]) assert.equal((await findDeposit(app.db, shop.merchantId, one.id))?.status, 'pending')
  assert.deepEqual(await findDrift(app.db), [])
  const found = await forged()
  assert.ok(found.includes(copy) && found.includes(fresh?.id ?? '') && !found.includes(line), found)
})

test('people match and explain no line that was changed since', async () => {
  const one = await deposit(42_000n)
  const line = await journal.arrives('credit', 42_000n)
  const debit = await journal.arrives('debit', 640n, { narrative: 'MASRAF' })
  for (const id of [line, debit]) await change(id, sql`amount = amount + 1`)
  await assert.rejects(matchByHand(app, AYSE, line, one.id, 'the customer called', 42_001n), FORGED)
  await assert.rejects(journal.propose('bank_charge', { lineIds: [debit] }), FORGED)
})

test('no refund goes to an IBAN that was written beside the service', async () => {
  const paid = await payDeposit(app, await deposit(43_000n), { senderIban: makeIban('0062', '55') })
  const stranger = await journal.arrives('credit', 44_000n, { senderIban: makeIban('0062', '56') })
  await app.db.query(sql`update bank_lines set sender_iban = ${MINE} where sender_iban is not null`)
  await assert.rejects(journal.propose('refund_unexplained', { lineIds: [stranger] }), FORGED)
  const { body } = await shop.post(`/v1/transactions/${paid.id}/refund`, { processId: app.ids.next(), amount: 43_000 })
  assert.equal(body.error?.code, 'INVALID_STATE', JSON.stringify(body))
  assert.deepEqual(await app.db.query(sql`select 1 from withdrawals where iban = ${MINE}`), [])
})
