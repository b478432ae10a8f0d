import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { SandboxFacts } from '../../packages/server/src/edges/cli/core/context.ts'
import { BASE_ENV } from '../harness/child-process.ts'
import { client } from '../harness/client.ts'
import { cloneDatabase } from '../harness/database.ts'
import { endsWithUs } from '../harness/ends-with-us.ts'
import { until } from '../harness/until.ts'

const MAIN = join(import.meta.dirname, '../../packages/server/src/main.ts')
const data = mkdtempSync(join(tmpdir(), 'vezne-terminal-'))
const database = await cloneDatabase('empty')
after(async () => {
  rmSync(data, { recursive: true, force: true })
  await database.drop()
})

// util-linux's script(1) gives a program a terminal.
const { stdout } = spawnSync('script', ['--version'], { encoding: 'utf8' })
const skip = stdout?.includes('util-linux') ? false : 'this machine has no script(1) of util-linux'

test(
  'up on a terminal: no line for a good request, one for a refused one, and a word on how to see all',
  { skip },
  async () => {
    const child = spawn('script', ['-qec', `exec "${process.execPath}" "${MAIN}" up`, '/dev/null'], {
      env: {
        ...BASE_ENV,
        HOST: '127.0.0.1',
        PORT: '0',
        VEZNE_DATA: data,
        DATABASE_URL: database.url,
        SHELL: '/bin/sh',
        TERM: 'xterm-256color',
      },
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    endsWithUs(child)
    const exited = once(child, 'close')
    let screen = ''
    child.stdout.on('data', (chunk: Buffer) => (screen += String(chunk)))
    await until(
      async () => screen,
      (text) => /^ready http/m.test(text),
    )
    assert.match(screen, /VEZNE_LOG=info npm start/)

    const { baseUrl, merchant } = JSON.parse(readFileSync(join(data, 'sandbox.json'), 'utf8')) as SandboxFacts
    const shop = client(baseUrl, merchant)
    assert.equal((await shop.get('/v1/balance')).status, 200)
    const wrong = client(baseUrl, { ...merchant, apiSecret: 'vs_wrong' })
    assert.equal((await wrong.get('/v1/balance')).status, 401)
    await until(
      async () => screen,
      (text) => text.includes('INVALID_SIGNATURE'),
    )
    assert.doesNotMatch(screen, /"level":|INFO/)
    // For people: time, level, message, fields; coloured, since this is a terminal.
    const readable = screen.replaceAll('\u001b', '~')
    assert.match(readable, /~\[2m\d\d:\d\d:\d\d\.\d{3}~\[22m ~\[33mWARN ~\[39m \w.*INVALID_SIGNATURE/)
    // Ctrl-C
    child.stdin.write('\u0003')
    assert.deepEqual(await exited, [0, null])
  },
)

test('NO_COLOR: the same lines without colours; what is logged colours nothing', { skip }, () => {
  const log = JSON.stringify(join(import.meta.dirname, '../../packages/server/src/platform/log.ts'))
  const program = `import { openLog } from ${log}; openLog('info').info({ text: 'a' + String.fromCharCode(27) + '[31mb' }, 'hello')`
  const file = join(data, 'log-once.mjs')
  writeFileSync(file, program)
  const shown = (more: Record<string, string>) =>
    spawnSync('script', ['-qec', `exec "${process.execPath}" "${file}"`, '/dev/null'], {
      env: { ...BASE_ENV, SHELL: '/bin/sh', TERM: 'xterm-256color', ...more },
      encoding: 'utf8',
    }).stdout
  assert.match(shown({ NO_COLOR: '1' }), /^[\d:.]{12} INFO  hello +text=a\\x1b\[31mb\r\n$/)
  assert.ok(shown({}).includes('\u001b[32mINFO '))
})
