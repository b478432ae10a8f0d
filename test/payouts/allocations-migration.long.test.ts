import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openOldDatabase } from '../harness/old-database.ts'

const { client, before, rest } = await openOldDatabase('0040')

test('what lines were for is carried over: held, credited, sent, returned; of two debits the one that the payout names', async () => {
  await before()
  // Without the rows that these refer to.
  await client.query(`set session_replication_role = replica`)
  await client.query(`
    insert into payouts (merchant_id, withdrawal_id, source_account_id, connection, rail, amount, currency, iban, account_name,
      description, purpose_code, state, next_at, created_at, updated_at, debit_line_id)
    select 'm', id, 'a', 'c', 'fast', 5, 'TRY', 'TR', 'n', 'Para cekme 0123456789', '06', 'accepted', now(), now(), now(), debit
    from (values ('w1', 'l1'), ('w2', 'l6')) as one (id, debit);
    insert into bank_lines (id, collecting_account_id, natural_key, occurrence, source, amount, currency, direction, value_date,
      booked_at, sender_name, narrative, state, merchant_id, deposit_id, withdrawal_id, created_at, decided_at)
    select id, 'a', id, 1, 's', 5, 'TRY', direction, now(), now(), '', '', state, merchant, deposit, withdrawal, now(), now()
    from (values
      ('l1', 'debit', 'matched', null, null, 'w1'), ('l2', 'credit', 'matched', null, null, 'w1'),
      ('l3', 'credit', 'matched', 'm', 'd1', null), ('l4', 'credit', 'suspense', 'm', 'd2', null),
      ('l5', 'debit', 'matched', null, null, 'w2'), ('l6', 'debit', 'matched', null, null, 'w2'),
      ('l7', 'credit', 'suspense', null, null, null), ('l8', 'debit', 'queue', null, null, null)
    ) as old (id, direction, state, merchant, deposit, withdrawal)`)
  await client.query(`set session_replication_role = origin`)
  await rest()
  const { rows } = await client.query(
    `select line_id || ' ' || kind || ' ' || subject || ' ' || merchant_id || ' ' || amount as one from line_allocations order by 1`,
  )
  assert.deepEqual(
    rows.map(({ one }: { one: string }) => one),
    ['l1 payout w1 m 5', 'l2 payout_return w1 m 5', 'l3 deposit d1 m 5', 'l4 deposit d2 m 5', 'l6 payout w2 m 5'],
  )
})
