import assert from 'node:assert/strict'
import { test } from 'node:test'
import { distributeEvents, recordEvents } from '../../packages/server/src/domain/webhooks/index.ts'
import { selectBodies } from '../../packages/server/src/domain/webhooks/store.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { addTestEndpoint } from '../harness/callbacks.ts'
import { startService } from '../harness/service.ts'

// The bodies of a whole list come as one text: each must be cut out as it was written, and under its own event.
const service = await startService()
const { app } = service

const ODD = ['', 'satır\nsonu', 'a\\nb', '\u2028\u2029\u0085\r', '😀ığüşöç', '"},{"', ' '.repeat(3), 'x'.repeat(20_000)]

type Row = { merchantId: string; position: string; body: string }

async function written(): Promise<Row[]> {
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
  return app.db.query<Row>(sql`
    select merchant_id as "merchantId", position::text, body from events order by body collate "C" desc`)
}

const texts = (bodies: (Buffer | undefined)[]) => bodies.map((body) => body?.toString())

test('whatever stands in them: byte for byte, in the order asked for, across merchants', async () => {
  const rows = await written()
  assert.equal(rows.length, 2 * ODD.length)
  const bodies = rows.map(({ body }) => body)
  assert.deepEqual(texts(await selectBodies(app.db, rows)), bodies)
  assert.deepEqual(texts(await selectBodies(app.db, rows.toReversed())), bodies.toReversed())
  assert.deepEqual(texts(await selectBodies(app.db, rows.slice(0, 1))), bodies.slice(0, 1))
  const [first, second] = rows as [Row, Row]
  assert.deepEqual(texts(await selectBodies(app.db, [first, first])), [first.body, first.body])
  const none = { ...second, position: '999999' }
  assert.deepEqual(texts(await selectBodies(app.db, [none, first, none])), [undefined, first.body, undefined])
  assert.deepEqual(texts(await selectBodies(app.db, [none])), [undefined])
})

test('a body that is more than one line, which nobody writes, stops the list instead of shifting it', async () => {
  const rows = await app.db.query<Row>(sql`
    update events set body = body || chr(10) where position = 2 returning merchant_id as "merchantId", position::text, body`)
  assert.ok(rows.length > 0)
  await assert.rejects(selectBodies(app.db, rows), /bodies/)
})
