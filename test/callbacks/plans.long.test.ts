import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import * as store from '../../packages/server/src/domain/webhooks/deliveries/store.ts'
import { selectEvents, selectUndistributed } from '../../packages/server/src/domain/webhooks/store.ts'
import type { Tx } from '../../packages/server/src/platform/postgres/db.ts'
import { planOf } from '../harness/plans.ts'
import { startService } from '../harness/service.ts'

// Every connection keeps one plan for all parameters. What it looks like must not depend on whether somebody has counted the rows:
// after a restore, an upgrade or a first busy hour nobody has.
const service = await startService()
const { merchantId } = await service.merchant()
const client = new pg.Client({ connectionString: service.databaseUrl })
client.on('error', () => undefined)
await client.connect()

const now = new Date()
const one = { merchantId, endpointId: 'p1', eventId: 'e1', transactionId: 't1', position: '1', type: 'a.b' }
const failed = { ...one, state: 'waiting' as const, nextAt: now, outcome: 'timeout', status: null }
const claim = { ...one, number: 1, tries: 0, since: now, body: '{}', outcome: 'accepted' }
const page = { after: one, limit: 1000 }

type Statement = { name: string; inTransaction: boolean; send: (tx: Tx) => Promise<unknown>; by: RegExp[] }

/** Every key of a delivery, and not only its merchant. */
const WHOLE_KEY = /deliveries_pkey .*\n.*event_id = .*endpoint_id = /
const CLAIM = /delivery_claims_pkey .*\n.*merchant_id = .*endpoint_id = .*event_id = /
const QUEUE = /deliveries_open .*\n.*endpoint_id = .*transaction_id = /

const written = (name: string, send: Statement['send'], ...by: RegExp[]) => ({ name, inTransaction: true, send, by })
const read = (name: string, send: Statement['send'], ...by: RegExp[]) => ({ name, inTransaction: false, send, by })

const STATEMENTS: Statement[] = [
  written(
    'claiming',
    (tx) => store.claimDue(tx, [{ ...one, number: 1, free: 10 }], { now, until: now }),
    /deliveries_due .*\n.*merchant_id = .*endpoint_id = .*next_at <= /,
    /hashed SubPlan/,
    /events_in_order .*\n.*merchant_id = .*position" = /,
  ),
  written('what is due next', (tx) => store.selectLoads(tx, [one], now), /deliveries_due .*\n.*next_at > /),
  written('ending claims', (tx) => store.endClaims(tx, [claim]), CLAIM, WHOLE_KEY),
  written('recording what failed', (tx) => store.updateFailed(tx, [failed], now), WHOLE_KEY),
  written('promoting', (tx) => store.promoteNext(tx, [one], now), WHOLE_KEY, QUEUE),
  written('what stands before a new event', (tx) => store.selectOpenTransactions(tx, [one]), QUEUE),
  written('sending again', (tx) => store.restart(tx, [one], { from: ['given_up'], now }), WHOLE_KEY, QUEUE),
  written('enabling', (tx) => store.restartWaiting(tx, [one], now), WHOLE_KEY),
  written('giving up', (tx) => store.abandonBatch(tx, [one], now, 1000), WHOLE_KEY, /deliveries_open/),
  written('new events', (tx) => selectUndistributed(tx, 500), /events_to_distribute/),
  read(
    'given up, in pages',
    (db) => store.selectGivenUp(db, { merchantId, endpointIds: ['p1'], since: now }, page),
    /deliveries_given_up .*\n.*position" >= /,
  ),
  read(
    'waiting, in pages',
    (db) => store.selectWaiting(db, one, null, page),
    /deliveries_open .*\n.*ROW\(transaction_id/,
  ),
  read('a page of events', (db) => selectEvents(db, merchantId, { limit: 20 }), /events_in_order/),
  read('the stream', (db) => selectEvents(db, merchantId, { after: '5', limit: 20 }), /events_in_order/),
  read(
    'events given up',
    (db) => store.selectEventIdsInState(db, merchantId, 'given_up', { limit: 20 }),
    /deliveries_given_up/,
  ),
]

async function checkPlans(when: string, statements = STATEMENTS): Promise<void> {
  for (const statement of statements) {
    const plan = await planOf(client, statement)
    assert.doesNotMatch(plan, /Seq Scan on (deliveries|events)/, `${statement.name}, ${when}`)
    for (const index of statement.by) assert.match(plan, index, `${statement.name}, ${when}`)
  }
}

test('100,000 deliveries: claims, records and lists go by index, whether anybody has counted the rows or not', async () => {
  await client.query(
    `insert into events (merchant_id, id, transaction_id, sequence, type, body, created_at, position)
     select $1, 'e' || n, 't' || n / 3, n % 3, 'deposit.completed', '{}', now(), n from generate_series(1, 50000) n`,
    [merchantId],
  )
  await client.query(
    `insert into deliveries (merchant_id, endpoint_id, event_id, transaction_id, type, position, state, since, next_at, created_at)
     select $1, p, 'e' || n, 't' || n / 3, 'deposit.completed', n,
       case when n < 30000 then 'given_up' when n % 3 = 0 then 'waiting' else 'behind' end, now(), now(), now()
     from generate_series(1, 50000) n, unnest(array['p1', 'p2']) p`,
    [merchantId],
  )
  await checkPlans('uncounted')
  await client.query('analyze')
  await checkPlans('counted')
  // Whoever counts at a quiet moment finds an empty line, and the plans made then must do for the next rush. A lone read may then read
  // all of it until somebody counts again; lists would do so for each of their items.
  await client.query('delete from deliveries')
  await client.query('vacuum analyze deliveries')
  const inTransactions = STATEMENTS.filter(({ inTransaction }) => inTransaction)
  await checkPlans('counted when nothing waited', inTransactions)
  await client.end()
})
