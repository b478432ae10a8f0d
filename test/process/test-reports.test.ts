import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { after, test } from 'node:test'
import { startNode } from '../harness/child-process.ts'

// How test/run.ts starts a file: --test-force-exit with ends-with-run.ts.

const ROOT = join(import.meta.dirname, '../..')
const FILES = 8
const TESTS = 60
const folder = mkdtempSync(join(tmpdir(), 'vezne-reports-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const files = Array.from({ length: FILES }, (_, n) => join(folder, `many-${n}.mjs`))
for (const file of files)
  writeFileSync(
    file,
    `import { test } from 'node:test'\nfor (let n = 1; n <= ${TESTS}; n++) test('${'long '.repeat(20)}' + n, () => {})`,
  )
const counting = join(folder, 'counting.mjs')
writeFileSync(
  counting,
  `import { run } from 'node:test'
const execArgv = ['--test-force-exit', '--import', '${import.meta.resolve('../harness/ends-with-run.ts')}']
let passed = 0
run({ files: ${JSON.stringify(files)}, execArgv, concurrency: 4 })
  .on('test:pass', () => passed++)
  .on('end', () => process.stdout.write(String(passed)))
  .resume()`,
)

test('every test of a file is reported, however many there are', async () => {
  const run = startNode([counting], {})
  assert.equal(await run.exited, 0, run.errors())
  assert.equal(run.output(), String(FILES * TESTS))
})

test('a file works in a folder of its own, not in the checkout, where a sandbox may have been started', () => {
  assert.match(relative(ROOT, process.cwd()), /^node_modules\/\.cache\/test-\w+$/)
})
