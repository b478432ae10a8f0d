import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { endsWithUs } from '../harness/ends-with-us.ts'
import { findBrowser } from '../harness/find-browser.ts'
import { until } from '../harness/until.ts'

// A run of test files that fail on purpose (test/process/leftovers).

const ROOT = join(import.meta.dirname, '../..')
const ENDED = ['fails-before', 'times-out', 'is-killed']
const scratch = mkdtempSync(join(tmpdir(), 'vezne-leftovers-'))
after(() => rmSync(scratch, { recursive: true, force: true }))

/** Processes that have this folder among their arguments or settings, or work in it. */
function processesOf(folder: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      const about = [
        () => readlinkSync(`/proc/${pid}/cwd`),
        ...['cmdline', 'environ'].map((file) => () => readFileSync(`/proc/${pid}/${file}`, 'utf8')),
      ]
      return about.some((read) => attempt(read).includes(folder))
        ? [attempt(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8'))]
        : []
    })
}

/** A process may end while it is looked at. */
function attempt(read: () => string): string {
  try {
    return read()
  } catch {
    return ''
  }
}

const folderOf = (name: string) => attempt(() => readFileSync(join(scratch, `${name}.started`), 'utf8'))

const skip = process.platform === 'linux' ? false : 'it looks for processes in /proc'

test(
  'what a failed, hanging or killed test file had started ends with it, and a killed run takes all along',
  { skip },
  async () => {
    const { NODE_TEST_CONTEXT: _, VEZNE_TEST_DATABASE: __, VEZNE_TEST_BROWSER: ___, ...env } = process.env
    const files = ['waits', ...ENDED].map((name) => `test/process/leftovers/${name}.ts`)
    const run = spawn(process.execPath, ['test/run.ts', ...files], {
      cwd: ROOT,
      env: { ...env, TMPDIR: scratch },
      stdio: 'ignore',
    })
    endsWithUs(run)
    await until(async () => folderOf('waits'), Boolean)
    const started = processesOf(folderOf('waits')).join('\n')
    for (const what of [
      'packages/server/src/main.ts',
      'packages/simulator/src/main.ts',
      'postgres',
      ...(findBrowser() ? ['--user-data-dir'] : []),
    ])
      assert.ok(started.includes(what), `${what} should run:\n${started}`)
    for (const name of ENDED) {
      await until(async () => folderOf(name), Boolean)
      await until(
        async () => processesOf(folderOf(name)),
        (left) => left.length === 0,
      )
    }
    run.kill('SIGKILL')
    await until(
      async () => processesOf(scratch),
      (left) => left.length === 0,
    )
  },
)

test('a run that is ended at its limit says so in its last line, with what to do', async () => {
  const { NODE_TEST_CONTEXT: _, VEZNE_TEST_DATABASE: __, VEZNE_TEST_BROWSER: ___, ...env } = process.env
  const run = spawn(process.execPath, ['test/run.ts', 'test/process/leftovers/hangs.ts'], {
    cwd: ROOT,
    env: { ...env, TMPDIR: scratch, VEZNE_TEST_LIMIT_MS: '6000' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  endsWithUs(run)
  const [output, [code]] = await Promise.all([run.stdout.toArray(), once(run, 'exit')])
  assert.equal(code, 1)
  assert.match(
    output.join('').trim().split('\n').at(-1) ?? '',
    /^The run was ended at its limit of 0\.1 minutes; .*npm test -- FILE$/,
  )
})
