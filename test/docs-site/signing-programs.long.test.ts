import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { GOLDEN } from '../../packages/server/src/edges/docs/playground.ts'
import { DOCS } from '../../packages/server/src/edges/docs/site-map.ts'
import { sign } from '../../packages/server/src/platform/crypto/signature.ts'
import { BASE_ENV } from '../harness/child-process.ts'

// The signing programs of docs/examples, each run with the worked example where its language is installed.
const PROGRAMS: Record<string, [command: string, ...args: string[]]> = {
  'sign.sh': ['sh'],
  'sign.mjs': [process.execPath],
  'sign.py': ['python3'],
  'sign.php': ['php'],
  'Sign.java': ['java'],
  'sign.go': ['go', 'run'],
  'sign.rb': ['ruby'],
}
/** Needs a project around it, so it is only read here. */
const NOT_RUN = ['Sign.cs']

/** Go keeps what it compiled there. */
const home = mkdtempSync(join(tmpdir(), 'vezne-go-'))
after(() => rmSync(home, { recursive: true, force: true }))

const { secret, timestamp, method, path, body } = GOLDEN

test('every signing program is listed here', () => {
  const files = globSync('{sign,Sign}.*', { cwd: join(DOCS, 'examples') })
  assert.deepEqual(files.toSorted(), [...Object.keys(PROGRAMS), ...NOT_RUN].toSorted())
})

for (const [file, [command, ...args]] of Object.entries(PROGRAMS)) {
  const isMissing = spawnSync(command, [command === 'go' ? 'version' : '--version']).error !== undefined
  const skip = isMissing && `there is no ${command} on this machine`
  test(`docs/examples/${file} signs the worked example, and a request without a body`, { skip }, () => {
    const run = (parts: typeof GOLDEN) => {
      const env = { ...BASE_ENV, HOME: home, SECRET: parts.secret, TIMESTAMP: parts.timestamp, METHOD: parts.method, TARGET: parts.path } // prettier-ignore
      const { stdout, stderr } = spawnSync(command, [...args, join(DOCS, 'examples', file)], { env, input: parts.body })
      return `${stdout.toString()}${stderr.toString()}`.trim()
    }
    assert.equal(run(GOLDEN), sign(secret, { timestamp, method, target: path, body }))
    const get = { ...GOLDEN, method: 'GET', path: '/v1/transactions?type=deposit&limit=5', body: '' }
    assert.equal(run(get), sign(secret, { timestamp, method: 'GET', target: get.path, body: '' }))
  })
}
