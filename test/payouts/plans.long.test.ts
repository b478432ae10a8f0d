import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { merchantActor } from '../../packages/server/src/kernel/actor.ts'
import { insertNewDeposits } from '../../packages/server/src/domain/deposits/store.ts'
import { claimToSubmit } from '../../packages/server/src/domain/withdrawals/payouts/store.ts'
import { selectDebits } from '../../packages/server/src/domain/statements/store.ts'
import { isSimilarDebit } from '../../packages/server/src/domain/statements/similar-debits/store.ts'
import { selectKnownIbans, selectKnownRequests } from '../../packages/server/src/domain/withdrawals/store.ts'
import type { Withdrawal } from '../../packages/server/src/domain/withdrawals/index.ts'
import { deleteExpired, insertSpentRequests } from '../../packages/server/src/domain/merchants/spent-requests/store.ts'
import type { Tx } from '../../packages/server/src/platform/postgres/db.ts'
import type { Sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { planOf } from '../harness/plans.ts'
import { startService } from '../harness/service.ts'

const { databaseUrl } = await startService()

test('processIds and spent requests are looked up by index, also by plans made when the tables were counted and empty', async () => {
  const client = new pg.Client({ connectionString: databaseUrl })
  client.on('error', () => undefined)
  await client.connect()
  const [at, merchantId] = [new Date(), 'm']
  const spentByKey = /spent_requests_pkey .*\n\s+Index Cond: .*merchant_id = .*signature = /
  const statements: [(tx: Tx) => Promise<unknown>, RegExp][] = [
    [
      (tx) => selectKnownRequests(tx, [{ actor: merchantActor(merchantId), processId: 'p', signature: 's' }]),
      /withdrawals_process_id .*\n\s+Index Cond: .*merchant_id = .*process_id = /,
    ],
    [
      (tx) => selectKnownRequests(tx, [{ actor: merchantActor(merchantId), processId: 'p', signature: 's' }]),
      spentByKey,
    ],
    [(tx) => insertNewDeposits(tx, [], [], at), spentByKey],
    [(tx) => insertSpentRequests(tx, [], at), spentByKey],
    [(tx) => deleteExpired(tx, at, 1), /spent_requests_to_prune .*\n\s+Index Cond: .*expires_at < [^]*Tid Scan/],
  ]
  for (const prepare of ['select', 'vacuum analyze withdrawals, spent_requests']) {
    await client.query(prepare)
    for (const [send, byKey] of statements) assert.match(await planOf(client, { inTransaction: true, send }), byKey)
  }
  await client.end()
})

// Reading the texts of 200 waiting lines took half a second per claim, which the default cost of a function hides from the planner.
test('whether a statement names a payout is looked up by index, also when few lines wait', async () => {
  const client = new pg.Client({ connectionString: databaseUrl })
  client.on('error', () => undefined)
  await client.connect()
  await client.query(`
    insert into statements (id, collecting_account_id, connection, from_day, to_day, created_at)
    select 's', min(id), 'bank', now()::date, now()::date, now() from collecting_accounts`)
  await client.query(`
    insert into bank_lines (id, collecting_account_id, natural_key, occurrence, source, amount, currency, direction, value_date,
      booked_at, sender_name, narrative, state, created_at, for_payouts, statement_id)
    select 'line' || n, (select min(id) from collecting_accounts), n::text, 1, 'bank', 1, 'TRY', 'debit', now()::date,
      now(), 'A', 'REF:' || md5(n::text), 'new', now(), true, 's' from generate_series(1, 200) as n`)
  await client.query(`
    insert into unread_lines (source, raw_hash, raw, why, created_at)
    select 'bank', n::text, 'REF:' || md5(n::text), '{"why": "unread_no_object", "facts": {}}', now() from generate_series(1, 200) as n`)
  const send = (tx: Tx) => claimToSubmit(tx, { connections: ['bank'], now: new Date(), leaseMs: 1000, limit: 5 })
  const plan = await planOf(client, { inTransaction: true, send })
  assert.deepEqual(plan.match(/(?<=Bitmap Index Scan on )\w+_naming/g)?.at(0), 'bank_lines_open_naming')
  assert.match(plan, /named_ids @> /)
  assert.doesNotMatch(plan, /\braw\b/, 'the texts of unread lines are read when they are stored')
  await client.end()
})

test('whether a statement may show the debit of a payout is looked up among the lines that wait, not among all of its amount', async () => {
  const client = new pg.Client({ connectionString: databaseUrl })
  client.on('error', () => undefined)
  await client.connect()
  await client.query(`
    insert into bank_lines (id, collecting_account_id, natural_key, occurrence, source, amount, currency, direction, value_date,
      booked_at, sender_name, narrative, state, created_at, decided_at, for_payouts, statement_id)
    select 'done' || n, (select min(id) from collecting_accounts), 'done' || n, 1, 'bank', 7, 'TRY', 'debit', now()::date,
      now(), 'A', '', case when n % 500 = 0 then 'needs_review' else 'dismissed' end, now(), now(), true, 's' from generate_series(1, 5000) as n`)
  await client.query('analyze bank_lines')
  const [{ id: sourceAccountId }] = (await client.query('select min(id) as id from collecting_accounts')).rows as [
    { id: string },
  ]
  const payout = {
    withdrawalId: 'w',
    sourceAccountId,
    amount: 7n,
    iban: 'TR620006200029500006291296',
    createdAt: new Date(),
  }
  const plan = await planOf(client, { inTransaction: true, send: (tx) => selectDebits(tx, isSimilarDebit(payout), 5) })
  assert.match(plan, /bank_lines_to_match[^]*bank_lines_to_review|bank_lines_to_review[^]*bank_lines_to_match/)
  await client.end()
})

// A merchant pays its own wholesaler, or one customer, again and again: 51,000 payments took 2.4 s of each batch of the router.
test('whether an IBAN was paid before is one row, however often it was paid', async () => {
  const client = new pg.Client({ connectionString: databaseUrl })
  client.on('error', () => undefined)
  await client.connect()
  const { rows } = await client.query<{ id: string }>('select min(id) as id from merchants')
  const [merchantId, iban] = [rows[0]?.id ?? '', 'TR330006100519786457841326']
  await client.query(
    `insert into withdrawals (merchant_id, id, process_id, amount, fee, currency, iban, account_name, user_id, user_name, name,
      status, state, created_at, updated_at)
    select $1, md5(n::text), 'paid-' || n, 100, 0, 'TRY', $2, 'A', 'u', 'u', 'n', 'completed', 'sent', now(), now()
    from generate_series(1, 2000) as n`,
    [merchantId, iban],
  )
  let read = 0
  const tx = {
    async query({ text, values }: Sql) {
      const explained = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
        `explain (analyze, format json) ${text}`,
        values,
      )
      read = rowsOfTable(explained.rows[0]?.['QUERY PLAN'][0].Plan, 'withdrawals')
      return []
    },
  }
  for (const prepare of ['select', 'analyze withdrawals']) {
    await client.query(prepare)
    const wanted = Array.from({ length: 50 }, () => ({ merchantId, iban }) as Withdrawal)
    await selectKnownIbans(tx, wanted)
    assert.equal(read, 1)
  }
  await client.end()
})

type PlanNode = { 'Relation Name'?: string; 'Actual Rows': number; 'Actual Loops': number; Plans?: PlanNode[] }

function rowsOfTable(node: PlanNode | undefined, table: string): number {
  if (!node) return 0
  const own = node['Relation Name'] === table ? node['Actual Rows'] * node['Actual Loops'] : 0
  return own + (node.Plans ?? []).reduce((sum, child) => sum + rowsOfTable(child, table), 0)
}
