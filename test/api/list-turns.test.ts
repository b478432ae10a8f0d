import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { accepted, refused } from '../harness/envelope.ts'
import { startService } from '../harness/service.ts'
import { until } from '../harness/until.ts'

const service = await startService()
const busy = await service.merchant()
const other = await service.merchant()

/** Whatever lists read waits while this lasts. */
async function lockLists(): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: service.databaseUrl })
  await client.connect()
  await client.query('begin; lock table deposits, withdrawals in access exclusive mode')
  return async () => {
    await client.query('rollback')
    await client.end()
  }
}

const waiting = () => service.app.db.stats().find(({ pool }) => pool === 'pages')?.waiting ?? 0

test('one merchant with many lists at once gets 429 with Retry-After; another merchant has its turn', async () => {
  const unlock = await lockLists()
  const lists = Array.from({ length: 12 }, () => busy.get('/v1/transactions?limit=100'))
  const first = await until(
    () => Promise.race(lists),
    ({ status }) => status === 429,
  )
  // Four lists are eight reads: two have a connection, and no more than six are before another merchant.
  assert.ok(waiting() <= 6, `${waiting()} wait`)
  const others = other.get('/v1/events')
  await unlock()
  accepted(await others, 200)
  refused(first, 429, 'RATE_LIMITED')
  assert.equal(first.headers['retry-after'], '1')
  await Promise.all(lists)
  accepted(await busy.get('/v1/transactions'), 200)
})
