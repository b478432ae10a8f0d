import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openOldDatabase } from '../harness/old-database.ts'

const { client, before, rest } = await openOldDatabase('0022')

test('payouts know the debits and credits they had; lines of payouts in the queue, which are not booked, are judged again', async () => {
  await before()
  // Without the rows that these refer to.
  await client.query(`set session_replication_role = replica`)
  await client.query(`
    insert into payouts (merchant_id, withdrawal_id, source_account_id, connection, rail, amount, currency, iban, account_name,
      description, purpose_code, state, next_at, created_at, updated_at)
    select 'm', id, 'a', 'c', 'fast', 5, 'TRY', 'TR', 'n', 'Para cekme 0123456789', '06', state, now(), now(), now()
    from (values ('w1', 'accepted'), ('w2', 'returned')) as old (id, state);
    insert into bank_lines (id, collecting_account_id, natural_key, occurrence, source, amount, currency, direction, value_date,
      booked_at, sender_name, narrative, for_payouts, state, reason, withdrawal_id, created_at, decided_at)
    select id, 'a', id, 1, 's', 5, 'TRY', direction, now(), now(), '', '', for_payouts, state, reason, withdrawal, now(), now()
    from (values
      ('l1', 'debit', true, 'matched', 'payout_sent', 'w1'), ('l2', 'credit', true, 'matched', 'payout_returned', 'w2'),
      ('l3', 'debit', true, 'queue', 'outgoing', null), ('l4', 'credit', true, 'queue', 'payout_taken_back', null),
      ('l5', 'credit', true, 'suspense', 'payout_differs', null), ('l6', 'credit', false, 'queue', 'cannot_be_booked', null)
    ) as old (id, direction, for_payouts, state, reason, withdrawal)`)
  await client.query(`set session_replication_role = origin`)
  await rest()
  const { rows: payouts } = await client.query(
    'select withdrawal_id, debit_line_id, credit_line_id from payouts order by 1',
  )
  assert.deepEqual(payouts, [
    { withdrawal_id: 'w1', debit_line_id: 'l1', credit_line_id: null },
    { withdrawal_id: 'w2', debit_line_id: null, credit_line_id: 'l2' },
  ])
  const { rows: again } = await client.query(`select id from bank_lines where state = 'new' order by id`)
  assert.deepEqual(
    again.map(({ id }: { id: string }) => id),
    ['l3', 'l4'],
  )
})
