import { spawn } from 'node:child_process'
import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../src/platform/embedded-postgres.ts'
import { makeTemplate } from './harness/database.ts'

// One PostgreSQL for the whole run; every test file works on a clone of a migrated, seeded template of its own.
// Usage: npm test [-- FILE…] [-- --test-name-pattern=…]
const folder = mkdtempSync(join(tmpdir(), 'vezne-test-'))
// These tests never crash this server, so it need not wait for the disk. Those that do start one of their own.
const postgres = await startEmbeddedPostgres(folder, ['fsync=off', 'max_connections=400'])
let code = 1
try {
  await makeTemplate(postgres.url)
  const given = process.argv.slice(2)
  const files = given.filter((argument) => !argument.startsWith('-'))
  const flags = given.filter((argument) => argument.startsWith('-'))
  const all = globSync(['src/**/*.test.ts', 'test/**/*.test.ts', 'simulator/test/**/*.test.ts'])
  const child = spawn(
    process.execPath,
    [
      '--test',
      '--test-concurrency=3',
      '--test-timeout=120000',
      '--test-force-exit',
      ...flags,
      ...(files.length > 0 ? files : all),
    ],
    {
      stdio: 'inherit',
      env: { ...process.env, VEZNE_TEST_DATABASE: postgres.url },
    },
  )
  // Whoever interrupts the run ends the tests; PostgreSQL is stopped below, as after every run.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill('SIGTERM'))
  process.once('disconnect', () => child.kill('SIGTERM'))
  code = await new Promise((resolve) => child.on('exit', (exitCode) => resolve(exitCode ?? 1)))
  process.channel?.unref()
} finally {
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
process.exitCode = code
