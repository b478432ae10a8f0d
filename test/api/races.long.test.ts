import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findDrift } from '../../packages/server/src/domain/ledger/index.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { ready, vezne } from '../harness/child-process.ts'
import { client } from '../harness/client.ts'
import { depositBody, withdrawBody } from '../harness/examples.ts'
import { startService } from '../harness/service.ts'

const service = await startService()
const deadlocks = sql`select deadlocks::int from pg_stat_database where datname = current_database()`

function tally(codes: (string | undefined)[]) {
  return Object.fromEntries(
    Map.groupBy(codes, (code) => code ?? 'created')
      .entries()
      .map(([code, list]) => [code, list.length]),
  )
}

test('200 simultaneous full-balance withdrawals: one is created, the others have INSUFFICIENT_BALANCE', async () => {
  const shop = await service.merchant({ funds: 50_000n })
  const answers = await Promise.all(
    Array.from({ length: 200 }, () => shop.post('/v1/withdraw', withdrawBody({ amount: 50_000 }))),
  )
  assert.deepEqual(tally(answers.map(({ code }) => code)), { created: 1, INSUFFICIENT_BALANCE: 199 })
  assert.deepEqual(await findDrift(service.app.db), [])
  assert.deepEqual((await shop.get('/v1/balance')).body.data, { currency: 'TRY', available: 0, held: 50_000 })
})

for (const [path, body] of [
  ['/v1/deposit', depositBody],
  ['/v1/withdraw', withdrawBody],
] as const) {
  test(`500 equal POST ${path}: one is created, 499 have DUPLICATE_TRANSACTION`, async () => {
    const shop = await service.merchant({ funds: 10_000_000n })
    const same = body()
    const answers = await Promise.all(Array.from({ length: 500 }, () => shop.post(path, same)))
    assert.deepEqual(tally(answers.map(({ code }) => code)), { created: 1, DUPLICATE_TRANSACTION: 499 })
    assert.deepEqual(await findDrift(service.app.db), [])
  })
}

test('two serve processes on one database: 500 equal POSTs and a full-balance race have one winner each', async () => {
  const env = {
    DATABASE_URL: service.databaseUrl,
    VEZNE_MASTER_KEY: service.app.config.masterKey.toString('hex'),
    VEZNE_DATA: '/nonexistent',
  }
  const children = [vezne(['serve'], env), vezne(['serve'], env)]
  const addresses = await Promise.all(children.map(ready))
  const shop = await service.merchant({ funds: 1_000_000n })
  const clients = addresses.map((address) => client(address, shop))
  const spread = (count: number, path: string, body: () => object) =>
    Promise.all(
      Array.from({ length: count }, (_, index) =>
        (clients[index % 2] as (typeof clients)[number]).post(path, body()).then(({ code }) => code),
      ),
    )

  const deposit = depositBody()
  assert.deepEqual(tally(await spread(500, '/v1/deposit', () => deposit)), { created: 1, DUPLICATE_TRANSACTION: 499 })
  const withdrawal = withdrawBody({ amount: 100_000 })
  assert.deepEqual(tally(await spread(500, '/v1/withdraw', () => withdrawal)), {
    created: 1,
    DUPLICATE_TRANSACTION: 499,
  })
  const all = await spread(200, '/v1/withdraw', () => withdrawBody({ amount: 900_000 }))
  assert.deepEqual(tally(all), { created: 1, INSUFFICIENT_BALANCE: 199 })
  assert.deepEqual(await findDrift(service.app.db), [])

  for (const child of children) child.process.kill('SIGTERM')
  assert.deepEqual(await Promise.all(children.map(({ exited }) => exited)), [0, 0])
})

test('two serve processes on the same merchants: no deadlock, and every answer is a creation', async () => {
  const env = {
    DATABASE_URL: service.databaseUrl,
    VEZNE_MASTER_KEY: service.app.config.masterKey.toString('hex'),
    VEZNE_DATA: '/nonexistent',
  }
  const children = [vezne(['serve'], env), vezne(['serve'], env)]
  const addresses = await Promise.all(children.map(ready))
  const shops = await Promise.all(Array.from({ length: 12 }, () => service.merchant({ funds: 1_000_000n })))
  const answers = await Promise.all(
    Array.from({ length: 960 }, (_, index) => {
      const shop = shops[(index * 7) % shops.length] as (typeof shops)[number]
      return client(addresses[index % 2] as string, shop).post('/v1/withdraw', withdrawBody({ amount: 10_000 }))
    }),
  )
  assert.deepEqual(tally(answers.map(({ code }) => code)), { created: 960 })
  const [row] = await service.app.db.query<{ deadlocks: number }>(deadlocks)
  assert.equal(row?.deadlocks, 0)
  assert.deepEqual(await findDrift(service.app.db), [])
  for (const child of children) child.process.kill('SIGTERM')
  await Promise.all(children.map(({ exited }) => exited))
})
