import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyChain } from '../../packages/server/src/domain/audit/index.ts'
import { runSql } from '../harness/roles.ts'
import { startService } from '../harness/service.ts'

const { app: service, databaseUrl } = await startService()
// Written in SQL, so without marks.
const app = { db: service.db }

test('10,000 entries are verified a page at a time', async () => {
  for (let from = 0; from < 10_000; from += 500)
    await runSql(
      databaseUrl,
      `insert into audit_pending (at, actor, action, subject, after, origin)
       select timestamptz '2026-01-01', 'ada.aksoy', 'merchant.freeze', 'merchant:' || i, jsonb_build_object('i', i), '{}'
       from generate_series(${from + 1}, ${from + 500}) as i`,
    )
  const seen: number[] = []
  const { last, problem } = await verifyChain(app, { onProgress: (number) => seen.push(number) })
  assert.equal(problem, null)
  assert.ok(last.number > 10_000)
  assert.ok(seen.length > 10)
  assert.deepEqual(await verifyChain(app, { newest: 1000 }), { last, problem: null })
  await runSql(
    databaseUrl,
    `alter table audit_entries disable trigger user; delete from audit_entries where number in (500, 9500)`,
  )
  assert.match((await verifyChain(app)).problem ?? '', /^entry 500 is missing/)
  assert.match((await verifyChain(app, { newest: 1000 })).problem ?? '', /^entry 9500 is missing/)
})
