import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { sumRefunds } from '../../packages/server/src/domain/withdrawals/store.ts'
import { findSettlementAccount, settlementIbans } from '../../packages/server/src/domain/merchants/settlement/store.ts'
import { notYetSettled, settlementsOn } from '../../packages/server/src/domain/withdrawals/settlements/store.ts'
import { duplicatesInSuspense, unexplainedDebitsSince } from '../../packages/server/src/domain/statements/index.ts'
import type { Tx } from '../../packages/server/src/platform/postgres/db.ts'
import { openOldDatabase } from '../harness/old-database.ts'
import { planOf } from '../harness/plans.ts'
import { startService } from '../harness/service.ts'

const { databaseUrl } = await startService()

test('refunds of a deposit and settlements of a day are looked up by index', async () => {
  const client = new pg.Client({ connectionString: databaseUrl })
  client.on('error', () => undefined)
  await client.connect()
  const statements: [(tx: Tx) => Promise<unknown>, RegExp][] = [
    [(tx) => sumRefunds(tx, 'm', 'd'), /withdrawals_refunds .*\n\s+Index Cond: .*merchant_id = .*refund_of = /],
    [
      (tx) => unexplainedDebitsSince(tx, new Date(), 10),
      /bank_lines_to_review .*\n\s+Index Cond: .*booked_at[^]*bank_lines_to_match/,
    ],
    [(tx) => duplicatesInSuspense(tx, new Date(), 10), /bank_lines_in_suspense .*\n\s+Index Cond: .*booked_at/],
    [(tx) => settlementsOn(tx, 'm', '2026-11-16'), /settlements_pkey .*\n\s+Index Cond: .*merchant_id = .*day = /],
    [(tx) => notYetSettled(tx, [{ merchantId: 'm', day: '2026-11-16' }]), /settlements_one_scheduled/],
    [(tx) => settlementIbans(tx, ['m']), /settlement_accounts_pkey .*\n\s+Index Cond: .*merchant_id = /],
    [(tx) => findSettlementAccount(tx, 'm'), /settlement_accounts_pkey .*\n\s+Index Cond: .*merchant_id = /],
  ]
  for (const prepare of ['select', 'vacuum analyze withdrawals, settlements, settlement_accounts']) {
    await client.query(prepare)
    for (const [send, byKey] of statements) assert.match(await planOf(client, { inTransaction: true, send }), byKey)
  }
  await client.end()
})

test('existing rows have no refunds after the migration, and the version before goes on writing', async () => {
  const { client, before, rest } = await openOldDatabase('0051')
  await before()
  const insert = (id: string) =>
    client.query(`
    insert into deposits (merchant_id, id, process_id, amount, currency, status, customer_id, customer_name, customer_username,
      language, received_amount, expires_at, created_at, updated_at)
    values ('m', '${id}', '${id}', 5, 'TRY', 'completed', 'c', 'c', 'c', 'tr', 5, now(), now(), now());
    insert into withdrawals (merchant_id, id, process_id, amount, fee, currency, status, iban, account_name, user_id, user_name,
      name, created_at, updated_at)
    values ('m', '${id}', '${id}', 5, 0, 'TRY', 'pending', 'TR', 'n', 'u', 'u', 'n', now(), now())`)
  await insert('a')
  await rest()
  await insert('b')
  await client.query(`update withdrawals set stage = 'scheduled', scheduled_for = now()`)
  const { rows } = await client.query(`
    select d.refunded_amount::int as refunded, w.refund_of, w.settlement, w.approval_required as approval
    from deposits d join withdrawals w using (merchant_id, id) order by id`)
  const plain = { refunded: 0, refund_of: null, settlement: false, approval: false }
  assert.deepEqual(rows, [plain, plain])
})
