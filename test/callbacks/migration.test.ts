import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import { cloneDatabase } from '../harness/database.ts'

// A database as it was before claims moved to the lane, brought to today.
const FOLDER = join(import.meta.dirname, '../../migrations')
const database = await cloneDatabase('empty')
const client = new pg.Client(database.url)
await client.connect()
after(async () => {
  await client.end()
  await database.drop()
})

async function apply(wanted: (name: string) => boolean): Promise<void> {
  for (const name of readdirSync(FOLDER).toSorted().filter(wanted))
    await client.query(readFileSync(join(FOLDER, name), 'utf8'))
}

test('what has arrived is told by its attempts, the rest waits as before, and no number of an attempt comes twice', async () => {
  await apply((name) => name < '0019')
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
  await apply((name) => name >= '0019')
  const { rows: deliveries } = await client.query('select event_id, state, tries from deliveries order by position')
  assert.deepEqual(deliveries, [
    { event_id: 'e2', state: 'given_up', tries: 3 },
    { event_id: 'e3', state: 'waiting', tries: 1 },
    { event_id: 'e4', state: 'behind', tries: 0 },
  ])
  const { rows: lanes } = await client.query(
    'select endpoint_id, fence, claims from callback_lanes order by endpoint_id',
  )
  assert.deepEqual(lanes, [
    { endpoint_id: 'busy', fence: 7, claims: [] },
    { endpoint_id: 'new', fence: 0, claims: [] },
  ])
  const { rows: attempts } = await client.query('select event_id, number from delivery_attempts')
  assert.deepEqual(attempts, [{ event_id: 'e1', number: 7 }])
})
