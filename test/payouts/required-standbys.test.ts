import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { requiredStandbysSql } from '../../packages/server/src/platform/postgres/replication.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { compose } from '../../packages/server/src/compose.ts'
import { cloneDatabase, testConfig } from '../harness/database.ts'

const database = await cloneDatabase('empty')
const { db } = compose(testConfig(), database.url)
after(async () => {
  await db.end()
  await database.drop()
})

for (const [setting, required] of [
  ['c', ['c']],
  [' "Ankara-2" ', ['ankara-2']],
  ['1 (c)', ['c']],
  ['first 1 (c)', ['c']],
  ['FIRST 2 (one, "two")', ['one', 'two']],
  ['ANY 2(one,two)', ['one', 'two']],
  ['', []],
  ['one, two', []],
  ['FIRST 1 (one, two)', []],
  ['ANY 1 (one, two)', []],
  ['2 (one, one)', []],
  ['*', []],
  ['"*"', []],
  ['ANY 1 (*)', []],
  ['2 (one, *)', []],
] satisfies [string, string[]][])
  test(`synchronous_standby_names = '${setting}': ${required.join(' and ') || 'none'} must confirm`, async () => {
    const rows = await db.query(sql`select ${requiredStandbysSql(sql`${setting}::text`)} as required`)
    assert.deepEqual(rows, [{ required }])
  })
