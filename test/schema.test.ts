import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { cloneDatabase } from './harness/database.ts'
import { describeSchema, SCHEMA_FILE } from './harness/schema.ts'

test('schema.sql is what the migrations make (else: npm run schema)', async () => {
  const database = await cloneDatabase('seeded')
  assert.equal(readFileSync(SCHEMA_FILE, 'utf8'), await describeSchema(database.url))
  await database.drop()
})
