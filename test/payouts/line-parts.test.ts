import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { ingest, matchAll } from '../harness/payments.ts'
import { AMOUNT, matchAsDebits, openPayoutLines } from '../harness/payout-lines.ts'
import { startWithBank } from '../harness/payouts.ts'

const service = await startWithBank()
const { app, readStatement } = service
const shop = await service.merchantWithMoney(1_000_000n)
const { sent, sendBack, lineAbout } = openPayoutLines(service, shop)

type Row = { kind: string; direction: string; merchantId: string; amount: bigint; isIts: boolean }
const partsAbout = (id: string) =>
  app.db.query<Row>(sql`
    select a.kind, l.direction, a.merchant_id as "merchantId", a.amount, a.line_id = case l.direction when 'debit' then p.debit_line_id else p.credit_line_id end as "isIts"
    from line_parts a join bank_lines l on l.id = a.line_id join payouts p on p.withdrawal_id = a.subject
    where a.subject = ${id} order by a.kind`)

const { merchantId } = shop
const debit = { kind: 'payout', direction: 'debit', merchantId, amount: BigInt(AMOUNT), isIts: true }
const credit = { kind: 'payout_return', direction: 'credit', merchantId, amount: BigInt(AMOUNT), isIts: true }

test('the debit of a payout and its return have it as their part', async () => {
  const id = await sent()
  await readStatement()
  assert.deepEqual(await partsAbout(id), [debit])
  await sendBack(id)
  await readStatement()
  assert.deepEqual(await partsAbout(id), [debit, credit])
})

test('a second debit cannot become that of a payout, whoever writes it', async () => {
  const id = await sent()
  await readStatement()
  const line = await lineAbout(id, {})
  await ingest(app, [line])
  await matchAll(app)
  const [stored] = await app.db.query<{ id: string }>(
    sql`select id from bank_lines where bank_reference = ${line.bankReference}`,
  )
  await assert.rejects(matchAsDebits(app, id, stored?.id ?? ''), { constraint: 'line_parts_one_debit' })
  assert.deepEqual(await partsAbout(id), [debit])
})
