import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { startEmbeddedPostgres } from '../../packages/server/src/platform/embedded-postgres/embedded-postgres.ts'
import { FAULTS } from './faults.ts'
import { measure } from './measure.ts'
import { broken } from './report.ts'
import { openSite } from './site.ts'

// The small form of `npm run faults`: a PostgreSQL of its own, because it is killed.

const folder = mkdtempSync(join(tmpdir(), 'vezne-faults-'))
const dataFolder = join(folder, 'server')
const { url: serverUrl, stop } = await startEmbeddedPostgres(dataFolder)
after(async () => {
  await stop()
  rmSync(folder, { recursive: true, force: true })
})

for (const { name, smallMs, make } of FAULTS) {
  if (smallMs === undefined) continue
  test(`${name}: nothing acknowledged is lost, nothing refused is saved, no one waits long`, async (t) => {
    const site = await openSite({ serverUrl, dataFolder, folder, disk: null })
    try {
      const row = await measure(site.world, { name, forMs: smallMs, ...make(site) })
      t.diagnostic(JSON.stringify(row))
      assert.deepEqual(broken(row), [])
    } finally {
      await site.close()
    }
  })
}
