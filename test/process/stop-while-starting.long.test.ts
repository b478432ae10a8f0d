import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { readPostmaster } from '../../packages/server/src/platform/embedded-postgres/postgres-processes.ts'
import { vezne } from '../harness/child-process.ts'
import { until } from '../harness/until.ts'

const data = mkdtempSync(join(tmpdir(), 'vezne-stop-early-'))
after(() => rmSync(data, { recursive: true, force: true }))

const lockFile = join(data, 'postgres/postmaster.pid')

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  test(`${signal} while up is starting: it says so, and stops the PostgreSQL that it has started`, async () => {
    const child = vezne(['up'], { VEZNE_DATA: data })
    await until(
      async () => existsSync(lockFile) && readFileSync(lockFile, 'utf8').includes('ready'),
      (isReady) => isReady,
    )
    child.process.kill(signal)
    assert.equal(await child.exited, 0)
    assert.match(child.output(), /^stopping/m)
    assert.equal(child.errors(), '')
    assert.equal(readPostmaster(join(data, 'postgres')), null)
  })
}
