import assert from 'node:assert/strict'
import { test } from 'node:test'
import { distributeEvents, recordEvents } from '../../packages/server/src/domain/webhooks/index.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { addTestEndpoint, claimOnly } from '../harness/callbacks.ts'
import { startService } from '../harness/service.ts'

// What is sent is what was written, byte for byte.
const service = await startService()
const { app } = service

const ODD = ['', 'satır\nsonu', 'a\\nb', '\u2028\u2029\u0085\r', '😀ığüşöç', '"},{"', ' '.repeat(3), 'x'.repeat(20_000)]

test('whatever stands in them: byte for byte, each under its own event, across merchants', async () => {
  for (let shop = 0; shop < 2; shop++) {
    const { merchantId } = await service.merchant()
    await addTestEndpoint(app, merchantId, { url: 'http://127.0.0.1:9/' })
    const list = ODD.map((text, index) => {
      const data = { transactionId: app.ids.next(), text, [text]: index }
      return { merchantId, transactionId: data.transactionId, sequence: 1, type: 'deposit.completed', data }
    })
    await app.db.transaction((tx) => recordEvents(app, tx, list))
  }
  while ((await distributeEvents(app)) > 0);
  const written = await app.db.query<{ id: string; body: string }>(sql`select id, body from events`)
  const claimed = await claimOnly(app)
  assert.equal(claimed.length, 2 * ODD.length)
  assert.deepEqual(
    new Map(claimed.map(({ eventId, body }) => [eventId, body])),
    new Map(written.map(({ id, body }) => [id, body])),
  )
})
