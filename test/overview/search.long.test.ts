import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { dispatchWithdrawals, withdrawalsOfCustomer } from '../../packages/server/src/domain/withdrawals/index.ts'
import { findDrift } from '../../packages/server/src/domain/ledger/index.ts'
import { depositsOfCustomer } from '../../packages/server/src/domain/deposits/index.ts'
import { searchAll, searchMerchant } from '../../packages/server/src/domain/overview/index.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { seedHistory } from '../harness/seed-history.ts'
import { startService } from '../harness/service.ts'

const { app, databaseUrl, merchant } = await startService()
const shops = [await merchant(), await merchant(), await merchant()]
const merchantIds = shops.map(({ merchantId }) => merchantId)
const client = new pg.Client({ connectionString: databaseUrl })
await client.connect()
await seedHistory(client, { merchantIds, deposits: 8000, until: app.clock.now() })
// Some of them also in each of the eight months before: the index has a span for every twelve days.
await client.query(`
  insert into deposits (merchant_id, id, process_id, amount, currency, status, customer_id, customer_name, customer_username, language, reference_code, expires_at, created_at, updated_at)
  select d.merchant_id, lpad(to_hex(('x' || substr(d.id, 1, 8))::bit(32)::bigint - ago * 30 * 86400), 8, '0') || substr(d.id, 9), d.process_id || ' ' || ago, d.amount, d.currency,
    d.status, d.customer_id, d.customer_name, d.customer_username, d.language, d.reference_code || ago, d.expires_at, d.created_at, d.updated_at
  from deposits d, generate_series(1, 8) as ago where d.status <> 'pending' and d.amount % 3000 = 0`)

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

for (const text of ['Işıl', 'mehmet yil', 'YILMAZ4711', 'şule yılmaz14', 'customer-77', 'user7000', 'nobody at all'])
  test(`${text}: the newest of all that have the words`, async () => {
    const all = await readAll(text)
    const { found, more } = await searchAll(app.db, text, 50)
    assert.deepEqual(found.map(({ id }) => id), all.slice(0, 50)) // prettier-ignore
    assert.equal(more, all.length > 50)
  })

/** Of one merchant, by reading all its rows, newest first. */
async function readOwn(merchantId: string, text: string | null, amount: bigint | null): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `select id from (
       select id, merchant_id, amount, customer_id || ' ' || customer_name || ' ' || customer_username as words from deposits
       union all select id, merchant_id, amount, user_id || ' ' || user_name || ' ' || name || ' ' || account_name from withdrawals
     ) as t where merchant_id = $1 and ($2::text is null or search_words(words) @@ search_query($2)) and ($3::bigint is null or amount = $3)
     order by id desc`,
    [merchantId, text, amount],
  )
  return rows.map(({ id }) => id)
}

const OWN: [typed: string, text: string | null, amount: bigint | null][] = [
  ...['Işıl', 'mehmet yil', 'şule yılmaz14', 'customer-77', 'nobody at all'].map((text): [string, string, null] => [text, text, null]), // prettier-ignore
  ['130,00', null, 13_000n],
  ['4.999,00 TL', null, 499_900n],
  ['fatma 1.308,00', 'fatma', 130_800n],
]
for (const [typed, text, amount] of OWN)
  test(`${typed}: a merchant finds the newest of its own, with most rows or with few`, async () => {
    for (const merchantId of merchantIds) {
      const own = await readOwn(merchantId, text, amount)
      const { found, more } = await searchMerchant(app.db, merchantId, typed, 50)
      assert.deepEqual(found.map(({ id }) => id), own.slice(0, 50)) // prettier-ignore
      assert.equal(more, own.length > 50)
      assert.ok(found.every((one) => one.merchantId === merchantId))
    }
  })

test('a name and an amount together: all that have both, in either order, and only those', async () => {
  const { rows } = await client.query<{ amount: string }>(
    `select amount from deposits where search_words(customer_name) @@ search_query('mehmet') and status <> 'pending' order by id limit 1`,
  )
  const kurus = BigInt(rows[0]?.amount ?? 0)
  const lira = `${kurus / 100n},${String(kurus % 100n).padStart(2, '0')}`
  const both = await client.query<{ id: string }>(
    `select id from deposits where search_words(customer_id || ' ' || customer_name || ' ' || customer_username) @@ search_query('mehmet') and amount = $1
     union select id from withdrawals where search_words(user_id || ' ' || user_name || ' ' || name || ' ' || account_name) @@ search_query('mehmet') and amount = $1
     union select id from bank_lines where search_words(sender_name) @@ search_query('mehmet') and amount = $1 order by id desc`,
    [kurus],
  )
  const all = both.rows.map(({ id }) => id)
  assert.ok(all.length > 0)
  for (const text of [`Mehmet ${lira}`, `${lira} TL mehmet`]) {
    const { found } = await searchAll(app.db, text, 50)
    assert.deepEqual(found.map(({ id }) => id), all.slice(0, 50)) // prettier-ignore
    assert.ok(found.every(({ matched }) => matched.includes(', amount')))
  }
})

test('the oldest are found, too', async () => {
  const { rows } = await client.query<{ id: string; customer: string }>(
    'select id, customer_id as customer from deposits order by id limit 1',
  )
  const { found } = await searchAll(app.db, rows[0]?.customer ?? '', 50)
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

test('control characters are no error', async () => {
  assert.deepEqual((await searchAll(app.db, 'nobody\u0000at\u0007all', 50)).found, [])
})

test('the seed is a history that workers can go on with: what is open is held, and no balance drifts', async () => {
  assert.deepEqual(await findDrift(app.db), [])
  const open = await app.db.query<{ state: string | null; count: number }>(sql`
    select h.state, count(*)::int from withdrawals w left join holds h on h.merchant_id = w.merchant_id and h.subject_id = w.id
    where w.status = 'pending' group by 1`)
  assert.deepEqual(open, [{ state: 'pending', count: 150 }])
  await dispatchWithdrawals(app)
  assert.deepEqual(await findDrift(app.db), [])
})
