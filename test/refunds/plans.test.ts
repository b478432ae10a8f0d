import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { sumRefunds } from '../../packages/server/src/domain/withdrawals/store.ts'
import { newestAccounts } from '../../packages/server/src/domain/merchants/settlement/store.ts'
import { notYetSettled, settlementsOn } from '../../packages/server/src/domain/withdrawals/settlements/store.ts'
import { duplicatesInSuspense, unexplainedDebitsSince } from '../../packages/server/src/domain/statements/index.ts'
import type { Tx } from '../../packages/server/src/platform/postgres/db.ts'
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
    [(tx) => newestAccounts(tx, ['m']), /settlement_accounts_pkey .*\n\s+Index Cond: .*merchant_id = /],
  ]
  for (const prepare of ['select', 'vacuum analyze withdrawals, settlements, settlement_accounts']) {
    await client.query(prepare)
    for (const [send, byKey] of statements) assert.match(await planOf(client, { inTransaction: true, send }), byKey)
  }
  await client.end()
})
