import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import * as store from '../../src/domain/callbacks/deliveries/store.ts'
import { lockAwakeLanes } from '../../src/domain/callbacks/lanes/store.ts'
import { selectEvents, selectUndistributed } from '../../src/domain/callbacks/store.ts'
import type { Tx } from '../../src/platform/db.ts'
import type { Sql } from '../../src/platform/sql.ts'
import { startService } from '../harness/service.ts'

// Every connection keeps one plan for all parameters. What it looks like must not depend on whether somebody has counted the rows:
// after a restore, an upgrade or a first busy hour nobody has.
const service = await startService()
const { merchantId } = await service.merchant()
const client = new pg.Client({ connectionString: service.databaseUrl })
client.on('error', () => undefined)
await client.connect()

/** The plan for any parameters of the statement that this sends. */
async function planOf(send: (tx: Tx) => Promise<unknown>): Promise<string> {
  const plans: string[] = []
  const tx = {
    async query(statement: Sql) {
      const { rows } = await client.query<Record<string, string>>(`explain (generic_plan, costs off) ${statement.text}`)
      plans.push(rows.map((row) => Object.values(row)[0]).join('\n'))
      return []
    },
  }
  await send(tx as unknown as Tx)
  return plans.join('\n\n')
}

const now = new Date()
const key = { merchantId, endpointId: 'p1', eventId: 'e1', transactionId: 't1' }
const lane = { merchantId, endpointId: 'p1', room: 10 }
const ended = { ...key, fence: 1, state: 'waiting' as const, nextAt: now, outcome: 'timeout', status: null }
const slice = { endpointIds: ['p1'], after: { position: '0', endpointId: '' }, limit: 1000 }

const STATEMENTS: { name: string; send: (tx: Tx) => Promise<unknown>; by: RegExp[] }[] = [
  {
    name: 'claiming',
    send: (tx) => store.claimDue(tx, [lane], { now, until: now }),
    by: [/Tid Scan/, /deliveries_due .*\n.*endpoint_id.*next_at <= /],
  },
  {
    name: 'promoting',
    send: (tx) => store.promoteNext(tx, [key], now),
    by: [/Tid Scan/, /deliveries_open .*\n.*transaction_id/],
  },
  { name: 'recording', send: (tx) => store.endClaims(tx, [ended], now), by: [/deliveries_(calling|pkey|of_event)/] },
  { name: 'releasing', send: (tx) => store.releaseExpiredClaims(tx, [lane], now), by: [/deliveries_calling/] },
  { name: 'counting calls', send: (tx) => store.countCalling(tx, [lane]), by: [/deliveries_calling/] },
  { name: 'what is due next', send: (tx) => store.selectNextDue(tx, [lane]), by: [/deliveries_due/] },
  {
    name: 'what stands before a new event',
    send: (tx) => store.selectOpenTransactions(tx, [{ ...key, type: 'x', position: '1' }]),
    by: [/deliveries_open .*\n.*transaction_id/],
  },
  {
    name: 'sending again',
    send: (tx) => store.restart(tx, [key], ['waiting', 'given_up'], now),
    by: [/Index Cond: .*event_id = \(?key\.event_id/, /deliveries_open .*\n.*transaction_id/],
  },
  {
    name: 'enabling',
    send: (tx) => store.restartWaiting(tx, [key], now),
    by: [/Index Cond: .*event_id = \(?key\.event_id/],
  },
  { name: 'a slice', send: (tx) => store.selectSlice(tx, merchantId, slice), by: [/deliveries_not_through/] },
  { name: 'giving up', send: (tx) => store.giveUpSome(tx, [lane], now, 1000), by: [/Tid Scan/] },
  { name: 'new events', send: (tx) => selectUndistributed(tx, 500), by: [/events_to_distribute/] },
  { name: 'a page of events', send: (tx) => selectEvents(tx, merchantId, { limit: 20 }), by: [/events_in_order/] },
  {
    name: 'the stream',
    send: (tx) => selectEvents(tx, merchantId, { after: '5', limit: 20 }),
    by: [/events_in_order/],
  },
  { name: 'lanes that are awake', send: (tx) => lockAwakeLanes(tx, now, 50), by: [/callback_lanes/] },
]

async function checkPlans(when: string): Promise<void> {
  for (const { name, send, by } of STATEMENTS) {
    const plan = await planOf(send)
    assert.doesNotMatch(plan, /Seq Scan on (deliveries|events)/, `${name}, ${when}`)
    for (const index of by) assert.match(plan.replaceAll('::text', ''), index, `${name}, ${when}`)
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
       case when n < 30000 then 'delivered' when n % 3 = 0 then 'waiting' else 'behind' end, now(), now(), now()
     from generate_series(1, 50000) n, unnest(array['p1', 'p2']) p`,
    [merchantId],
  )
  await checkPlans('uncounted')
  await client.query('analyze')
  await checkPlans('counted')
  await client.end()
})
