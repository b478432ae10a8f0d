import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { makeTemplate } from './harness/database.ts'
import { startTestPostgres } from './harness/ends-with-us.ts'
import { findBrowser, HOW_TO_GET_ONE } from './harness/find-browser.ts'

// One PostgreSQL for the whole run; every test file works on a clone of a migrated, seeded template of its own.
// Usage: npm test [-- FILE…] [-- --test-name-pattern=…]

/** Files start in this order, those that take longest first, so that the last ones to end are short. `node --test` would sort them. */
const LONGEST_FIRST = [
  'test/{chaos,e2e,payouts,process}/*.test.ts',
  'test/{api,callbacks,deposits}/*.test.ts',
  '{packages,test}/**/*.test.ts',
]
/** For a file and for a test in it: far more than any takes, so that what hangs has a name. */
const TIMEOUT_MS = 300_000
/** For all of them. Four times what they take on a slow day. */
const RUN_TIMEOUT_MS = Number(process.env['VEZNE_TEST_LIMIT_MS'] ?? 30 * 60_000)

/** A file ends with its tests, whatever they have left open, and with this run. */
const ENDS = ['--test-force-exit', '--import', import.meta.resolve('./harness/ends-with-run.ts')]

const interrupted = new AbortController()
// Whoever interrupts the run ends the tests; PostgreSQL is stopped below, as after every run.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interrupted.abort())
process.once('disconnect', () => interrupted.abort())

const limit = AbortSignal.timeout(RUN_TIMEOUT_MS)
const OVER_LIMIT =
  `\nThe run was ended at its limit of ${Number((RUN_TIMEOUT_MS / 60_000).toFixed(1))} minutes; tests that had not finished by then are shown as failed. ` +
  'Run it on a machine that does nothing else, or file by file: npm test -- FILE\n'

/** Returns whether all went well. */
function runFiles(files: string[], flags: string[]): Promise<boolean> {
  const signal = AbortSignal.any([interrupted.signal, limit])
  const execArgv = [`--test-timeout=${TIMEOUT_MS}`, ...ENDS, ...flags]
  const events = run({ files, execArgv, concurrency: 3, timeout: TIMEOUT_MS, signal })
  const report = events.compose(spec)
  report.pipe(process.stdout)
  let success = false
  // Every file has a summary; that of the run has no file.
  events.on('test:summary', (summary) => {
    if (summary.file === undefined) success = summary.success
  })
  return new Promise((resolve) => report.once('end', () => resolve(success && !signal.aborted)))
}

/** Files of pure logic run in one process: the start of one costs more than most of them. */
function shareProcess(files: string[], folder: string): string[] {
  const isPure = (file: string) =>
    file.startsWith('packages/server/src/') && !/harness\/|-time\.test\.ts$/.test(file + readFileSync(file, 'utf8'))
  const pure = files.filter(isPure)
  const all = join(folder, 'pure-logic.mjs')
  const harness = import.meta.resolve('./harness/together.ts')
  writeFileSync(all, `import { together } from '${harness}'\nawait together(${JSON.stringify(pure)})\n`)
  return [...files.filter((file) => !isPure(file)), all]
}

function withoutBrowserFiles(files: string[]): { possible: string[]; skipped: string[] } {
  if (findBrowser()) return { possible: files, skipped: [] }
  const needsOne = (file: string) => readFileSync(file, 'utf8').includes("from '../harness/browser.ts'")
  return { possible: files.filter((file) => !needsOne(file)), skipped: files.filter(needsOne) }
}

const folder = mkdtempSync(join(tmpdir(), 'vezne-test-'))
// These tests never crash this server, so it need not wait for the disk. Those that do start one of their own.
const postgres = await startTestPostgres(folder, ['fsync=off', 'full_page_writes=off', 'max_connections=400'])
process.exitCode = 1
try {
  await makeTemplate(postgres.url)
  process.env['VEZNE_TEST_DATABASE'] = postgres.url
  const given = process.argv.slice(2)
  const files = given.filter((argument) => !argument.startsWith('-'))
  const flags = given.filter((argument) => argument.startsWith('-'))
  const all = new Set(LONGEST_FIRST.flatMap((pattern) => globSync(pattern)))
  const { possible, skipped } = withoutBrowserFiles(files.length > 0 ? files : [...all])
  // Who picks files or tests gets a process for each file: a pattern would match the name of a whole file, too.
  const list = given.length > 0 ? possible : shareProcess(possible, folder)
  const passed = !interrupted.signal.aborted && (await runFiles(list, flags))
  if (skipped.length > 0)
    process.stdout.write(`\nSkipped, no browser found: ${skipped.join(', ')}. ${HOW_TO_GET_ONE}\n`)
  if (limit.aborted) process.stdout.write(OVER_LIMIT)
  // CI must have looked at the pages.
  if (passed && (skipped.length === 0 || process.env['CI'] === undefined)) process.exitCode = 0
  process.channel?.unref()
} finally {
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
