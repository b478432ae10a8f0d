import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeTemplate } from './harness/database.ts'
import { startTestPostgres } from './harness/ends-with-us.ts'
import { describeSchema, SCHEMA_FILE } from './harness/schema.ts'

// Writes schema.sql from a freshly migrated database: npm run schema
const folder = mkdtempSync(join(tmpdir(), 'vezne-schema-'))
const postgres = await startTestPostgres(folder, ['fsync=off'])
try {
  const url = await makeTemplate(postgres.url)
  writeFileSync(SCHEMA_FILE, await describeSchema(url))
} finally {
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
