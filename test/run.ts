import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { makeTemplate } from './harness/database.ts'
import { startTestPostgres } from './harness/ends-with-us.ts'
import { findBrowser, HOW_TO_GET_ONE } from './harness/find-browser.ts'
import { makeDatabaseFolder } from './harness/temporary-folder.ts'

// One PostgreSQL for the whole run; every test file works on a clone of a migrated, seeded template of its own.
// Usage: npm test [-- FILE…] [-- --test-name-pattern=…]; with --all, as in `npm run check`, also files named *.long.test.ts.

/** Files start in this order, those that take longest first, so that the last ones to end are short. `node --test` would sort them. */
const LONGEST_FIRST = [
  '{packages,test}/**/*.long.test.ts',
  'test/e2e/*.test.ts',
  'test/{chaos,payouts,process}/*.test.ts',
  'test/{api,books,callbacks,deposits,orders,statements}/*.test.ts',
  '{packages,test}/**/*.test.ts',
]
/** More than two cores can run: much of what a file takes is waiting. */
const CONCURRENCY = 4
/** For a test: far more than any takes, so that what hangs has a name. */
const TIMEOUT_MS = 300_000
/** For a process: some run several files. */
const PROCESS_TIMEOUT_MS = 2 * TIMEOUT_MS
/** For all of them. Three times what they take on two idle cores. */
const RUN_TIMEOUT_MS = Number(process.env['VEZNE_TEST_LIMIT_MS'] ?? 60 * 60_000)

/** A file ends with its tests, whatever they have left open, and with this run. */
const ENDS = ['--test-force-exit', '--import', import.meta.resolve('./harness/ends-with-run.ts')]

const isLong = (file: string) => file.endsWith('.long.test.ts')
/** On two cores that run four files at once. A file that takes longer is named *.long.test.ts. */
const LONG_MS = 10_000
const tookMs = new Map<string, number>()

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
  const events = run({ files, execArgv, concurrency: CONCURRENCY, timeout: PROCESS_TIMEOUT_MS, signal })
  const report = events.compose(spec)
  report.pipe(process.stdout)
  let success = false
  // Every file has a summary; that of the run has no file.
  events.on('test:summary', (summary) => {
    if (summary.file === undefined) success = summary.success
    else tookMs.set(relative(process.cwd(), summary.file), summary.duration_ms)
  })
  // A file that shares its process is a suite named after it.
  events.on('test:complete', ({ name, details }) => {
    if (name.endsWith('.test.ts')) tookMs.set(name, details.duration_ms)
  })
  return new Promise((resolve) => report.once('end', () => resolve(success && !signal.aborted)))
}

/** Needs a process of its own: starts others, measures time or memory, or changes what belongs to its process. */
const ALONE =
  /harness\/(browser|child-process|ends-with-us|record-statements|roles|thread-ms)\.ts|node:child_process|EmbeddedPostgres|process\.(env|kill|on)\b|\bmock\.|performance\.now|memoryUsage|assert-streams/
const SHARING =
  /^(packages\/(server|bank-formats|simulator)|test\/(api|audit|books|callbacks|conformance|connections|deposits|identity|merchant-console|operator-console|ops|orders|overview|payouts|process|refunds|sdk|statements))\//
/** So many share a process. With more, one would still be busy when all others are done. */
const TOGETHER = 12
const LONG_TOGETHER = 3

/**
 * The start of a process that reads the service's code costs more than most files, so those that can share one. A group takes the
 * place of its first file.
 */
function shareProcesses(files: string[], folder: string): string[] {
  const texts = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]))
  const has = (file: string, what: RegExp) => what.test(texts.get(file) ?? '')
  const isPure = (file: string) =>
    file.startsWith('packages/server/') && !has(file, /harness\//) && !file.endsWith('-time.test.ts')
  // What two files import from their folder may be a service that ends with the first of them.
  const hasNeighbour = (file: string) => file.startsWith('test/') && has(file, /from '\.\//)
  const sharing = files.filter(
    (file) => !isPure(file) && SHARING.test(file) && !has(file, ALONE) && !hasNeighbour(file),
  )
  const groups = [
    files.filter(isPure),
    ...inGroups(sharing.filter(isLong), LONG_TOGETHER),
    ...inGroups(
      sharing.filter((file) => !isLong(file)),
      TOGETHER,
    ),
  ]
  const harness = import.meta.resolve('./harness/together.ts')
  const place = new Map<string, string[]>()
  for (const [number, group] of groups.entries()) {
    const all = join(folder, `together-${number}.mjs`)
    writeFileSync(all, `import { together } from '${harness}'\nawait together(${JSON.stringify(group)})\n`)
    for (const [index, file] of group.entries()) place.set(file, index === 0 ? [all] : [])
  }
  return files.flatMap((file) => place.get(file) ?? [file])
}

function inGroups(files: string[], size: number): string[][] {
  return files.flatMap((_, at) => (at % size === 0 ? [files.slice(at, at + size)] : []))
}

function longestFiles(): string {
  const longest = [...tookMs].filter(([file]) => file.endsWith('.test.ts')).toSorted(([, a], [, b]) => b - a)
  const seconds = ([file, ms]: [string, number]) => `${(ms / 1000).toFixed(0).padStart(4)} s  ${file}\n`
  const misnamed = longest.filter(([file, ms]) => ms > LONG_MS && !isLong(file)).map(([file]) => file)
  const advice = `Longer than ${LONG_MS / 1000} s, to be split or named *.long.test.ts: ${misnamed.join(', ')}\n`
  return `\nLongest files:\n${longest.slice(0, 8).map(seconds).join('')}${misnamed.length > 0 ? advice : ''}`
}

const needsBrowser = (file: string) => readFileSync(file, 'utf8').includes("from '../harness/browser.ts'")

/** Unpacks the browser once instead of in every file that starts meanwhile. */
async function withoutBrowserFiles(files: string[]): Promise<{ possible: string[]; skipped: string[] }> {
  const found = findBrowser()
  if (!found) return { possible: files.filter((file) => !needsBrowser(file)), skipped: files.filter(needsBrowser) }
  if (found.kind === 'packaged' && files.some(needsBrowser)) await (await import('./harness/browser.ts')).unpacked()
  return { possible: files, skipped: [] }
}

// Nothing else is printed until the first file has ended.
const picked = process.argv.slice(2).some((argument) => !argument.startsWith('-'))
process.stdout.write(
  picked
    ? 'Starting PostgreSQL, then the files that were named.\n'
    : `Starting PostgreSQL, then ${process.argv.includes('--all') ? 'all' : 'the short'} test files: several minutes on two idle cores.\n`,
)
const folder = makeDatabaseFolder()
// These tests never crash this server, so it need not wait for the disk. Those that do start one of their own.
// Tests recognise running statements by their text, of which PostgreSQL shows the first 1024 characters by default.
const settings = ['fsync=off', 'full_page_writes=off', 'max_connections=400', 'track_activity_query_size=16384']
const postgres = await startTestPostgres(folder, settings)
process.exitCode = 1
try {
  await makeTemplate(postgres.url)
  process.env['VEZNE_TEST_DATABASE'] = postgres.url
  const all = process.argv.includes('--all')
  const given = process.argv.slice(2).filter((argument) => argument !== '--all')
  const files = given.filter((argument) => !argument.startsWith('-'))
  const flags = given.filter((argument) => argument.startsWith('-'))
  const every = [...new Set(LONGEST_FIRST.flatMap((pattern) => globSync(pattern)))]
  const leftOut = all || files.length > 0 ? [] : every.filter(isLong)
  const wanted = files.length > 0 ? files : every.filter((file) => !leftOut.includes(file))
  const { possible, skipped } = await withoutBrowserFiles(wanted)
  // Who picks files or tests gets a process for each file: a pattern would match the name of a whole file, too.
  const list = given.length > 0 ? possible : shareProcesses(possible, folder)
  const passed = !interrupted.signal.aborted && (await runFiles(list, flags))
  if (files.length === 0) process.stdout.write(longestFiles())
  if (leftOut.length > 0)
    process.stdout.write(`\nLeft out: ${leftOut.length} long files (*.long.test.ts). Run all with: npm run check\n`)
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
