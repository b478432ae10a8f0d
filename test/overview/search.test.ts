import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { depositsOfCustomer } from '../../packages/server/src/domain/deposits/index.ts'
import { searchAll } from '../../packages/server/src/domain/overview/index.ts'
import { withdrawalsOfCustomer } from '../../packages/server/src/domain/withdrawals/index.ts'
import { seedHistory } from '../harness/seed-history.ts'
import { startService } from '../harness/service.ts'

const { app, databaseUrl, merchant } = await startService()
const shops = [await merchant(), await merchant(), await merchant()]
const merchantIds = shops.map(({ merchantId }) => merchantId)
const client = new pg.Client({ connectionString: databaseUrl })
await client.connect()
// Four days: two or three spans of the index.
await seedHistory(client, { merchantIds, deposits: 12_000, until: app.clock.now() })

/** The same by reading all rows, newest first. */
async function readAll(text: string): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `select id from deposits where search_words(customer_id || ' ' || customer_name || ' ' || customer_username) @@ search_query($1)
     union select id from withdrawals where search_words(user_id || ' ' || user_name || ' ' || name || ' ' || account_name) @@ search_query($1)
     union select id from bank_lines where search_words(sender_name) @@ search_query($1) order by id desc`,
    [text],
  )
  return rows.map(({ id }) => id)
}

for (const text of ['Işıl', 'mehmet yil', 'YILMAZ4711', 'şule yılmaz14', 'customer-77', 'user11000', 'nobody at all'])
  test(`${text}: the newest of all that have the words`, async () => {
    const all = await readAll(text)
    const { found, more } = await searchAll(app.db, text, 50)
    assert.deepEqual(found.map(({ id }) => id), all.slice(0, 50)) // prettier-ignore
    assert.equal(more, all.length > 50)
  })

test('the oldest are found, too', async () => {
  const { rows } = await client.query<{ id: string }>(`select id from deposits where customer_id = 'customer-1'`)
  const { found } = await searchAll(app.db, 'customer-1', 50)
  assert.ok(found.some(({ id }) => id === rows[0]?.id))
})

test('all transactions of a customer are found, whenever they were', async () => {
  const { rows } = await client.query<{ id: string }>(
    `select id from deposits where merchant_id = $1 and customer_id = 'customer-78' order by id`,
    [merchantIds[0]],
  )
  const ids = rows.map(({ id }) => id)
  assert.deepEqual(await depositsOfCustomer(app.db, merchantIds[0] ?? '', 'customer-78'), ids)
  const paid = await client.query<{ id: string }>(
    `select id from withdrawals where merchant_id = $1 and user_id = 'customer-78' order by id`,
    [merchantIds[0]],
  )
  assert.deepEqual(
    await withdrawalsOfCustomer(app.db, merchantIds[0] ?? '', 'customer-78'),
    paid.rows.map(({ id }) => id),
  )
  await client.end()
})
