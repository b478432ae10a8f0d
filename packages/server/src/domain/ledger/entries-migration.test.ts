import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openOldDatabase } from '../../../../../test/harness/old-database.ts'
import { ENTRY_KINDS } from './index.ts'

const [file = ''] = globSync('*_entries.sql', { cwd: join(import.meta.dirname, '../../../migrations') })
const { client, before, rest } = await openOldDatabase(file)

/** Every reason that the previous version wrote, with its subject; those with the same subject and time were posted together. */
const OLD = [
  ['w1', 'withdrawal_held', '2026-03-01T20:59:59.999Z', 'withdrawal_hold', '2026-03-01'],
  ['w2', 'withdrawal_held', '2026-03-01T21:00:00Z', 'withdrawal_hold', '2026-03-02'],
  ['w2', 'withdrawal_released', '2026-03-03T10:00:00Z', 'withdrawal_release', '2026-03-03'],
  ['w1', 'payout_submitted', '2026-03-03T10:00:00Z', 'withdrawal_submission', '2026-03-03'],
  ['w1', 'payout_settled', '2026-03-03T10:00:01Z', 'withdrawal_settlement', '2026-03-03'],
  ['w1', 'withdrawal_fee', '2026-03-03T10:00:01Z', 'withdrawal_settlement', '2026-03-03'],
  ['w1', 'payout_returned', '2026-03-04T10:00:00Z', 'withdrawal_return', '2026-03-04'],
  ['w3', 'payout_refused', '2026-03-04T10:00:00Z', 'withdrawal_refusal', '2026-03-04'],
  ['d1', 'deposit_credited', '2026-03-05T10:00:00Z', 'deposit_settlement', '2026-03-05'],
  ['d1', 'deposit_fee', '2026-03-05T10:00:00Z', 'deposit_settlement', '2026-03-05'],
  ['d2', 'deposit_credited', '2026-03-05T10:00:00Z', 'deposit_settlement', '2026-03-05'],
  ['l1', 'line_in_suspense', '2026-03-05T10:00:00Z', 'suspense_receipt', '2026-03-05'],
  ['l1', 'line_replaced', '2026-03-06T10:00:00Z', 'suspense_reversal', '2026-03-06'],
  ['l1', 'line_in_suspense', '2026-03-07T10:00:00Z', 'suspense_receipt', '2026-03-07'],
  ['l2', 'line_out_of_suspense', '2026-03-07T10:00:00Z', 'suspense_clearing', '2026-03-07'],
  ['x', 'mended by two people', '2026-03-08T10:00:00Z', 'correction', '2026-03-08'],
] as const

const insertOld = (rows: readonly (typeof OLD)[number][], first: number) =>
  client.query(
    `insert into transfers (merchant_id, subject_id, id, reason, from_account, to_account, currency, amount, created_at)
     select 'm', subject, 't' || lpad((n + $1)::text, 2, '0'), reason, 'a', 'b', 'TRY', 5, at
     from unnest($2::text[], $3::text[], $4::timestamptz[]) with ordinality as old (subject, reason, at, n)`,
    [first, ...[0, 1, 2].map((column) => rows.map((row) => row[column]))],
  )

test('the transfers of an old database, and of the version before during an upgrade, have their entries', async () => {
  await before()
  await client.query(`
    insert into accounts (id, merchant_id, kind, currency, subject)
    values ('a', 'm', 'bank_cash', 'TRY', 'a'), ('b', 'm', 'merchant_available', 'TRY', '')`)
  const half = OLD.length / 2
  await insertOld(OLD.slice(0, half), 0)
  await rest()
  await insertOld(OLD.slice(half), half)
  const { rows } = await client.query<{ kind: string; day: string; actor: string; entry: string }>(`
    select kind, to_char(effective_on, 'YYYY-MM-DD') as day, actor, entry_id as entry from entry_transfers order by id`)
  assert.deepEqual(
    rows.map(({ kind, day, actor }) => [kind, day, actor]),
    OLD.map(([, , , kind, day]) => [kind, day, 'unknown']),
  )
  const unknown = rows.filter(({ kind }) => !ENTRY_KINDS.some((known) => known === kind))
  assert.deepEqual(unknown, [])
  const key = ([subject, , at, kind]: (typeof OLD)[number]) => [subject, at, kind].join()
  const groups = (keys: string[]) => keys.map((one) => keys.indexOf(one))
  assert.deepEqual(groups(rows.map(({ entry }) => entry)), groups(OLD.map(key)))
  // No row was rewritten: the books are append-only for migrations too.
  const { rows: untouched } = await client.query(`select 1 from transfers where num_nonnulls(entry_id, kind) > 0`)
  assert.deepEqual(untouched, [])
})
