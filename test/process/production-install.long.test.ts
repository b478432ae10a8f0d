import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { BASE_ENV, withoutTarget } from '../harness/child-process.ts'
import { cloneDatabase, testConfig } from '../harness/database.ts'
import { endsWithUs } from '../harness/ends-with-us.ts'
import { until } from '../harness/until.ts'

// A copy of the project with what `npm ci --omit=dev --omit=optional` installs, and no registry to get more from.

const ROOT = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'vezne-production-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const database = await cloneDatabase('empty')
after(database.drop)

type Entry = { dev?: boolean; optional?: boolean; link?: boolean }
const copy = (path: string) => cpSync(join(ROOT, path), join(folder, path), { recursive: true, verbatimSymlinks: true })
for (const path of [
  'bin',
  'deploy',
  'packages/sdk',
  'packages/bank-formats',
  'packages/contract',
  'packages/server',
  'packages/simulator/package.json',
  'package.json',
  'package-lock.json',
])
  copy(path)
const record = 'node_modules/.package-lock.json'
const { packages } = JSON.parse(readFileSync(join(ROOT, record), 'utf8')) as { packages: Record<string, Entry> }
const kept = Object.entries(packages).filter(([, { dev, optional }]) => !dev && !optional)
for (const [path] of kept) if (path.startsWith('node_modules/')) copy(path)
writeFileSync(join(folder, record), JSON.stringify({ packages: Object.fromEntries(kept) }))

const env = {
  ...BASE_ENV,
  HOST: '127.0.0.1',
  PORT: '0',
  VEZNE_LOG: 'error',
  VEZNE_DATA: join(folder, 'data'),
  npm_config_registry: 'http://127.0.0.1:9',
}
const live = {
  ...env,
  VEZNE_MODE: 'live',
  VEZNE_MASTER_KEY: testConfig().masterKey.toString('hex'),
  VEZNE_PUBLIC_URL: 'https://pay.example',
  DATABASE_URL: database.url,
}

function launch(args: string[], settings: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, [join(folder, 'bin/vezne.mjs'), ...args], {
    env: settings,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  endsWithUs(child)
  let [output, errors] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => (output += String(chunk)))
  child.stderr.on('data', (chunk: Buffer) => (errors += String(chunk)))
  const exited = once(child, 'close').then(([code]) => code as number | null)
  return { child, output: () => output, errors: () => errors, exited }
}

const before = readdirSync(join(folder, 'node_modules'))

for (const command of [
  ['migrate'],
  ['bank', 'list'],
  ['operator', 'add', 'ayse.yilmaz', '--role', 'admin'],
  ['merchant', 'create', '--name', 'Kitap Evi', '--as', 'ayse.yilmaz'],
]) {
  test(`live: vezne ${command.join(' ')}`, async () => {
    const { exited, errors } = launch(command, live)
    assert.deepEqual({ code: await exited, errors: withoutTarget(errors()) }, { code: 0, errors: '' })
  })
}

for (const [role, said] of [
  ['serve', /^ready https:/m],
  ['work', /^working$/m],
] as const) {
  test(`live: vezne ${role} starts and stops`, async () => {
    const { child, output, errors, exited } = launch([role], live)
    await until(
      async () => ({ output: output(), errors: errors(), code: child.exitCode }),
      (now) => said.test(now.output) || now.code !== null,
    )
    child.kill('SIGTERM')
    assert.deepEqual({ code: await exited, errors: errors() }, { code: 0, errors: '' })
  })
}

test('without DATABASE_URL it names the package with PostgreSQL that is missing, exit code 2', async () => {
  const { exited, errors } = launch(['up'], env)
  assert.equal(await exited, 2)
  assert.match(errors(), /^The packaged PostgreSQL \(.*\) is not installed.*DATABASE_URL.*npm ci.*\n$/)
})

test('nothing was installed meanwhile', () => {
  const now = readdirSync(join(folder, 'node_modules')).filter((name) => name !== '.cache')
  assert.deepEqual(
    now,
    before.filter((name) => name !== '.cache'),
  )
  assert.ok(!existsSync(join(folder, 'node_modules/typescript')))
})
