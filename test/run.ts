import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { inspect } from 'node:util'
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
/** For a test: far more than any takes, also on a machine that is shared, so that what hangs has a name. */
const TIMEOUT_MS = 1_200_000
/** For all of them. Four times what they take on two idle cores: a shared machine may give a quarter of its time. */
const RUN_TIMEOUT_MS = Number(process.env['VEZNE_TEST_LIMIT_MS'] ?? 82 * 60_000)

/** A file ends with its tests, whatever they have left open, and with this run. */
const ENDS = ['--test-force-exit', '--import', import.meta.resolve('./harness/ends-with-run.ts')]

const isLong = (file: string) => file.endsWith('.long.test.ts')
/** On two cores that run four files at once. A file that takes longer is named *.long.test.ts. */
const LONG_MS = 10_000
const tookMs = new Map<string, number>()
/** Printed last, where whoever sees only the end of a long log finds them. */
const failures: string[] = []

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
  const events = run({ files, execArgv, concurrency: CONCURRENCY, timeout: RUN_TIMEOUT_MS, signal })
  const report = events.compose(spec)
  report.pipe(process.stdout)
  let success = false
  // Every file has a summary; that of the run has no file.
  events.on('test:summary', (summary) => {
    if (summary.file === undefined) success = summary.success
    else tookMs.set(relative(process.cwd(), summary.file), summary.duration_ms)
  })
  events.on('test:fail', ({ name, file = '', line, details: { error } }) => {
    if ('failureType' in error && error.failureType === 'subtestsFailed') return
    failures.push(`${relative(process.cwd(), file)}:${line} ${name}\n${inspect(error.cause ?? error, { depth: 4 })}\n`)
  })
  // A file that shares its process is a suite named after it.
  events.on('test:complete', ({ name, details }) => {
    if (name.endsWith('.test.ts')) tookMs.set(name, details.duration_ms)
  })
  return new Promise((resolve) => report.once('end', () => resolve(success && !signal.aborted)))
}

/** Needs a process of its own: starts others, measures time or memory, or changes what belongs to its process. */
const ALONE =
  /harness\/(child-process|ends-with-us|record-statements|roles|thread-ms)\.ts|node:child_process|EmbeddedPostgres|process\.(env|kill|on)\b|\bmock\.|performance\.now|memoryUsage|assert-streams/
/** A process that runs files of the queue ends after so many, and another goes on: what they leave behind stays small. */
const IN_ONE_PROCESS = 24

/**
 * Starting a process that reads the service's code costs more than most files, and code that ran before is faster. So files that can
 * share a process stand in a queue, and each of these processes takes the next one when it has ended one.
 */
function shareProcesses(files: string[], folder: string): string[] {
  const texts = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]))
  const has = (file: string, what: RegExp) => what.test(texts.get(file) ?? '')
  // What two files import from their folder may be a service that ends with the first of them.
  const hasNeighbour = (file: string) => file.startsWith('test/') && has(file, /from '\.\//)
  const isAlone = (file: string) => has(file, ALONE) || hasNeighbour(file) || file.endsWith('-time.test.ts')
  const [alone, shared] = [files.filter(isAlone), files.filter((file) => !isAlone(file))]
  const claims = join(folder, 'claims')
  mkdirSync(claims)
  const harness = import.meta.resolve('./harness/together.ts')
  const queue = JSON.stringify({ files: shared, claims, most: IN_ONE_PROCESS })
  const processes = Array.from({ length: Math.ceil(shared.length / IN_ONE_PROCESS) }, (_, number) => {
    const file = join(folder, `together-${number}.mjs`)
    writeFileSync(file, `import { together } from '${harness}'\nawait together(${queue})\n`)
    return file
  })
  return interleave(alone, processes)
}

/** Evenly, so that both kinds end at about the same time. */
function interleave(one: string[], other: string[]): string[] {
  const placed = (list: string[]) => list.map((item, index) => ({ item, at: (index + 0.5) / list.length }))
  return [...placed(other), ...placed(one)].toSorted((a, b) => a.at - b.at).map(({ item }) => item)
}

function fileTimes(): string {
  const longest = [...tookMs].filter(([file]) => file.endsWith('.test.ts')).toSorted(([, a], [, b]) => b - a)
  const seconds = ([file, ms]: [string, number]) => `${(ms / 1000).toFixed(1).padStart(6)} s  ${file}\n`
  const misnamed = longest.filter(([file, ms]) => ms > LONG_MS && !isLong(file)).map(([file]) => file)
  const advice = `Longer than ${LONG_MS / 1000} s, to be split or named *.long.test.ts: ${misnamed.join(', ')}\n`
  return `\nFiles, by the time they took:\n${longest.map(seconds).join('')}${misnamed.length > 0 ? advice : ''}`
}

const needsBrowser = (file: string) => readFileSync(file, 'utf8').includes('harness/browser.ts')

/** The browser of all files that need one; those are left out where there is none. */
async function openBrowserFor(files: string[]) {
  if (!findBrowser())
    return { possible: files.filter((file) => !needsBrowser(file)), skipped: files.filter(needsBrowser) }
  if (!files.some(needsBrowser)) return { possible: files, skipped: [] }
  const browser = await (await import('./harness/browser.ts')).startBrowser()
  process.env['VEZNE_TEST_BROWSER'] = browser.wsEndpoint()
  return { possible: files, skipped: [], browser }
}

// Nothing else is printed until the first file has ended.
const picked = process.argv.slice(2).some((argument) => !argument.startsWith('-'))
process.stdout.write(
  picked
    ? 'Starting PostgreSQL, then the files that were named.\n'
    : `Starting PostgreSQL, then ${process.argv.includes('--all') ? 'all test files: about twenty-five' : 'the short test files: about three'} minutes on two idle cores.\n`,
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
  const { possible, skipped, browser } = await openBrowserFor(wanted)
  // Who picks files or tests gets a process for each file: a pattern would match the name of a whole file, too.
  const list = given.length > 0 ? possible : shareProcesses(possible, folder)
  const passed = !interrupted.signal.aborted && (await runFiles(list, flags))
  await browser?.close()
  if (files.length === 0) process.stdout.write(fileTimes())
  if (leftOut.length > 0)
    process.stdout.write(`\nLeft out: ${leftOut.length} long files (*.long.test.ts). Run all with: npm run check\n`)
  if (skipped.length > 0)
    process.stdout.write(`\nSkipped, no browser found: ${skipped.join(', ')}. ${HOW_TO_GET_ONE}\n`)
  if (limit.aborted) process.stdout.write(OVER_LIMIT)
  if (files.length === 0 && failures.length > 0) process.stdout.write(`\nFailed:\n${failures.join('\n')}`)
  // CI must have looked at the pages.
  if (passed && (skipped.length === 0 || process.env['CI'] === undefined)) process.exitCode = 0
  process.channel?.unref()
} finally {
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
