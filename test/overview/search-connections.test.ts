import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { searchAll, searchMerchant } from '../../packages/server/src/domain/overview/index.ts'
import { MAX_PENDING_READ } from '../../packages/server/src/kernel/search.ts'
import type { Queryable } from '../../packages/server/src/platform/postgres/db.ts'
import type { Sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { accepted } from '../harness/envelope.ts'
import { depositBody } from '../harness/examples.ts'
import { cheap, merchantUser, PASSWORD } from '../harness/logins.ts'
import { addPerson, visitor } from '../harness/operator-console.ts'
import { startService } from '../harness/service.ts'
import { until } from '../harness/until.ts'

const service = await startService()
const { app } = service
const shop = await service.merchant()
await merchantUser(cheap(app), shop.merchantId, 'support@shop.example', 'support')
await addPerson(service, 'ayse.yilmaz')

const LOCK = 7

/** Keeps all connections for searches busy until the end. */
async function keepBusy(): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: service.databaseUrl })
  await client.connect()
  await client.query('select pg_advisory_lock($1)', [LOCK])
  const waits = Array.from({ length: ofSearch().size }, () =>
    app.db.search.query(sql`select 1 from (select pg_advisory_xact_lock(${LOCK})) as locked`),
  )
  return async () => {
    await client.end()
    await Promise.all(waits)
  }
}

const ofSearch = () => app.db.stats().find(({ pool }) => pool === 'search') ?? assert.fail('no pool for searches')

test('searches of people that wait for their connections keep no look-up of the API waiting', async () => {
  const { transactionId } = accepted(await shop.post('/v1/deposit', depositBody()), 201)
  const [merchant, operator] = [visitor(service, 'merchant'), visitor(service)]
  await merchant.logIn('support@shop.example', PASSWORD)
  await operator.logIn('ayse.yilmaz')
  const end = await keepBusy()
  const searches = [merchant.request('/search?q=meh'), operator.request('/search?q=meh')]
  searches.push(operator.request('/audit?subject=meh'))
  await until(
    () => Promise.resolve(ofSearch().waiting),
    (waiting) => waiting === searches.length,
  )
  accepted(await shop.get(`/v1/transactions/${String(transactionId)}`), 200)
  assert.equal(ofSearch().waiting, searches.length, 'they still wait')
  await end()
  for (const { status } of await Promise.all(searches)) assert.equal(status, 200)
})

test('a search uses one connection', async () => {
  let open = 0
  let most = 0
  const counted: Queryable = {
    async query<Row>(statement: Sql): Promise<Row[]> {
      most = Math.max(most, ++open)
      return app.db.search.query<Row>(statement).finally(() => open--)
    },
  }
  await searchMerchant(counted, shop.merchantId, 'meh', 50)
  await searchAll(counted, 'meh', 50)
  assert.equal(most, 1)
})

test('many searches of one merchant take one connection: those of another merchant and of an operator run', async () => {
  const other = await service.merchant()
  await merchantUser(cheap(app), other.merchantId, 'support@other.example', 'support')
  const [merchant, another, operator] = [visitor(service, 'merchant'), visitor(service, 'merchant'), visitor(service)]
  await merchant.logIn('support@shop.example', PASSWORD)
  await another.logIn('support@other.example', PASSWORD)
  await operator.logIn('ayse.yilmaz')
  const end = await keepBusy()
  const searches = Array.from({ length: 5 }, () => merchant.request('/search?q=meh'))
  searches.push(another.request('/search?q=meh'), operator.request('/search?q=meh'), operator.request('/search?q=ali'))
  await until(
    () => Promise.resolve(ofSearch().waiting),
    (waiting) => waiting === 3,
  )
  await end()
  for (const { status } of await Promise.all(searches)) assert.equal(status, 200)
})

test('of very many pending ones the newest are searched by name, all by amount and id', async () => {
  const busy = await service.merchant()
  const { transactionId } = accepted(await busy.post('/v1/deposit', depositBody()), 201)
  await app.db.query(sql`
    insert into deposits select (jsonb_populate_record(d, jsonb_build_object(
      'id', lpad(to_hex(n), 24, '0'), 'process_id', 'many-' || n, 'reference_code', 'MANY' || lpad(n::text, 4, '0'),
      'amount', 100000 + n, 'customer_name', 'Zeliha Çakır'))).*
    from deposits d cross join generate_series(1, ${MAX_PENDING_READ + 1}::int) as n
    where d.merchant_id = ${busy.merchantId} and d.id = ${transactionId}`)
  const found = async (text: string) => (await searchMerchant(app.db.search, busy.merchantId, text, 50)).found.length
  assert.equal(await found('zeliha 1.000,01'), 1)
  assert.equal(await found('1.000,01'), 1)
  assert.equal(await found('many-1'), 1)
  assert.equal(await found('zeliha'), 50)
  await app.db.query(sql`
    update deposits set customer_name = 'Işıl Çakır' where merchant_id = ${busy.merchantId} and amount = 100001`)
  assert.equal(await found('isil'), 0, 'the oldest one')
  assert.equal(await found('isil 1.000,01'), 1)
})
