import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openOldDatabase } from '../harness/old-database.ts'

test('what has arrived is told by its attempts, the rest waits as before, and no number of an attempt comes twice', async () => {
  // As it was before claims moved to the endpoint's row.
  const { client, before, rest } = await openOldDatabase('0019')
  await before()
  await client.query(`
    insert into callback_lanes (merchant_id, endpoint_id, tokens_at, wake_at) values
      ('m', 'busy', now(), now()), ('m', 'new', now(), null);
    insert into deliveries (merchant_id, endpoint_id, event_id, transaction_id, type, position, state, fence, tries,
      claimed_until, since, next_at, created_at)
    select 'm', 'busy', event, 't', 'a.b', row_number() over (), state, fence, tries, until, now(), now(), now()
    from (values ('e1', 'delivered', 7, 1, null), ('e2', 'given_up', 3, 3, null),
      ('e3', 'waiting', 2, 1, now() + interval '1 minute'), ('e4', 'behind', 0, 0, null)
    ) as old (event, state, fence, tries, until);
    insert into delivery_attempts (merchant_id, event_id, endpoint_id, number, at, connect_ms, wait_ms, read_ms, outcome, status, answer)
    values ('m', 'e1', 'busy', 7, now(), 0, 0, 0, 'accepted', 200, '')`)
  await rest()
  const { rows: deliveries } = await client.query('select event_id, state, tries from deliveries order by position')
  assert.deepEqual(deliveries, [
    { event_id: 'e2', state: 'given_up', tries: 3 },
    { event_id: 'e3', state: 'waiting', tries: 1 },
    { event_id: 'e4', state: 'behind', tries: 0 },
  ])
  const { rows: queues } = await client.query(
    'select endpoint_id, fence, claimed from callback_lanes order by endpoint_id',
  )
  assert.deepEqual(queues, [
    { endpoint_id: 'busy', fence: 7, claimed: [] },
    { endpoint_id: 'new', fence: 0, claimed: [] },
  ])
  const { rows: attempts } = await client.query('select event_id, number from delivery_attempts')
  assert.deepEqual(attempts, [{ event_id: 'e1', number: 7 }])
})

test('claims that stand when their positions become ranges still cover the same calls', async () => {
  const { client, before, rest } = await openOldDatabase('0020')
  await before()
  const claims = [
    { fence: 4, until: 1_794_738_047_123, positions: ['5', '6', '9'] },
    { fence: 5, until: 1_794_738_048_000, positions: [] },
  ]
  await client.query(
    `insert into callback_lanes (merchant_id, endpoint_id, tokens_at, fence, claims) values ('m', 'a', now(), 5, $1), ('m', 'b', now(), 0, '[]')`,
    [JSON.stringify(claims)],
  )
  await rest()
  const { rows } = await client.query('select claimed from callback_lanes order by endpoint_id')
  assert.deepEqual(rows, [
    { claimed: claims.map((claim) => ({ ...claim, positions: claim.positions.join() })) },
    { claimed: [] },
  ])
})

test('what waits when claims become rows is promoted by the version before too', async () => {
  const { client, before, rest } = await openOldDatabase('0033')
  await before()
  const insert = (position: number, state: string) =>
    client.query(
      `insert into deliveries (merchant_id, endpoint_id, event_id, transaction_id, type, position, state, since, next_at, created_at)
       values ('m', 'p', 'e' || $1::int, 't', 'a.b', $1, $2, now(), now(), now())`,
      [position, state],
    )
  await insert(1, 'given_up')
  await insert(2, 'waiting')
  await insert(3, 'behind')
  await rest()
  await insert(4, 'behind')
  // The version before promotes the next event only after one that has this flag, and sets it only where it distributes itself.
  const { rows } = await client.query('select event_id from deliveries where followed order by position')
  assert.deepEqual(
    rows.map(({ event_id }) => event_id),
    ['e2', 'e3', 'e4'],
  )
})
