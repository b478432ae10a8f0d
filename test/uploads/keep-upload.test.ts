import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import {
  findUpload,
  keepPart,
  keepUpload,
  pruneUploads,
  uploadedContent,
} from '../../packages/server/src/domain/uploads/index.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { startService } from '../harness/service.ts'
import { travelTo } from '../harness/until.ts'

const { app } = await startService()
const KEY = { owner: 'operator', purpose: 'statement' }

async function* pieces(...all: (Buffer | Error)[]) {
  for (const one of all) {
    if (one instanceof Error) throw one
    yield one
  }
}

const keep = (name: string, ...content: (Buffer | Error)[]) =>
  keepUpload(app, KEY, { name, content: pieces(...content) })

test('a file comes back as it came, for its owner and purpose only', async () => {
  const bytes = Buffer.from(Array.from({ length: 2_500_000 }, (_, at) => (at * 7) % 251))
  const { id, size, sha256 } = await keep('a.xml', bytes.subarray(0, 1_000_001), bytes.subarray(1_000_001))
  assert.deepEqual([size, sha256], [bytes.length, createHash('sha256').update(bytes).digest('hex')])
  assert.ok(Buffer.concat(await Array.fromAsync(uploadedContent(app.db, id))).equals(bytes))
  assert.equal((await findUpload(app, KEY, id))?.name, 'a.xml')
  assert.equal(await findUpload(app, { ...KEY, owner: 'a merchant' }, id), undefined)
  assert.equal(await findUpload(app, { ...KEY, purpose: 'withdrawals' }, id), undefined)
})

test('of a file that does not arrive completely nothing stays', async () => {
  await assert.rejects(keep('half', Buffer.alloc(1_500_000), new Error('cut off')), /cut off/)
  assert.deepEqual(await app.db.query(sql`select 1 from uploads where name = 'half'`), [])
  assert.deepEqual(
    await app.db.query(sql`select 1 from upload_parts p left join uploads u on u.id = p.upload_id where u.id is null`),
    [],
  )
})

test('of files that were begun in parts the ten newest are kept', async () => {
  const key = { ...KEY, owner: 'someone.else' }
  const begin = (name: string) =>
    keepPart(app, key, { id: null, number: 0, isLast: false, name, content: pieces(Buffer.from(name)) })
  for (let at = 0; at < 12; at++) await begin(`p${at}`)
  const rows = await app.db.query<{ name: string }>(
    sql`select name from uploads where owner = ${key.owner} order by id`,
  )
  assert.deepEqual([rows.length, rows[0]?.name, rows.at(-1)?.name], [10, 'p2', 'p11'])
  await app.db.query(sql`delete from uploads where owner = ${key.owner}`)
})

test('the ten newest are kept, for an hour', async () => {
  const ids: string[] = []
  for (let at = 0; at < 12; at++) ids.push((await keep(`f${at}`, Buffer.from([at]))).id)
  const found = await Promise.all(ids.map((id) => findUpload(app, KEY, id)))
  assert.deepEqual(found.map(Boolean), [false, false, ...Array.from({ length: 10 }, () => true)])
  await travelTo(app, 3601)
  assert.equal(await findUpload(app, KEY, ids.at(-1) ?? ''), undefined)
  assert.equal(await pruneUploads(app), 10)
  assert.deepEqual(await app.db.query(sql`select 1 from upload_parts`), [])
})

test('a purpose with several files at once keeps more of them', async () => {
  const key = { ...KEY, owner: 'several' }
  const ids: string[] = []
  for (let at = 0; at < 14; at++)
    ids.push((await keepUpload(app, key, { name: `s${at}`, content: pieces(Buffer.from([at])) }, 12)).id)
  const found = await Promise.all(ids.map((id) => findUpload(app, key, id)))
  assert.deepEqual(found.map(Boolean), [false, false, ...Array.from({ length: 12 }, () => true)])
})
