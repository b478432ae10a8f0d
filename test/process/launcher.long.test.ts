import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'

// The launcher in a small project of its own, with the real npm and a registry of two packages on this machine.

const ROOT = join(import.meta.dirname, '../..')
const scratch = mkdtempSync(join(tmpdir(), 'vezne-launcher-'))
after(() => rmSync(scratch, { recursive: true, force: true }))

const registry = createServer((request, response) => {
  const name = (request.url ?? '').slice(1)
  asked.push(name)
  if (name === silent) heard()
  else if (broken.has(name) || !existsSync(join(scratch, name))) response.writeHead(500).end()
  else response.end(readFileSync(join(scratch, name)))
})
let asked: string[] = []
const broken = new Set<string>()
let [silent, heard] = ['', () => {}]
registry.listen(0, '127.0.0.1')
await once(registry, 'listening')
after(() => {
  registry.close()
  registry.closeAllConnections()
})
const registryUrl = `http://127.0.0.1:${(registry.address() as AddressInfo).port}`
const NOWHERE = 'http://127.0.0.1:9'

function pack(name: string): void {
  const folder = join(scratch, name)
  mkdirSync(join(folder, 'package'), { recursive: true })
  writeFileSync(join(folder, 'package/package.json'), JSON.stringify({ name, version: '2.0.0' }))
  const { status, stderr } = spawnSync('tar', ['czf', join(scratch, `${name}.tgz`), '-C', folder, 'package'])
  assert.equal(status, 0, String(stderr))
}
for (const name of ['needed', 'tool']) pack(name)

type Installed = { needed?: string; tool?: string }

/** A project that needs `needed` 2.0.0 to run and `tool` 2.0.0 for its tests, with these installed. */
function project(installed: Installed | null, from = registryUrl): string {
  asked = []
  broken.clear()
  const folder = mkdtempSync(join(scratch, 'project-'))
  cpSync(join(ROOT, 'bin'), join(folder, 'bin'), { recursive: true })
  const write = (file: string, content: object | string) => {
    mkdirSync(join(folder, file, '..'), { recursive: true })
    writeFileSync(join(folder, file), typeof content === 'string' ? content : JSON.stringify(content))
  }
  for (const file of ['packages/server/src/main.ts', 'test/run.ts']) write(file, "process.stdout.write('ran')\n")
  const dependencies = { dependencies: { needed: '2.0.0' }, devDependencies: { tool: '2.0.0' } }
  const entry = (name: string, version = '2.0.0') => ({
    [`node_modules/${name}`]: { version, resolved: `${from}/${name}.tgz`, ...(name === 'tool' && { dev: true }) },
  })
  const scripts = { start: 'node bin/vezne.mjs up' }
  write('package.json', { name: 'small', version: '1.0.0', scripts, ...dependencies })
  const packages = { '': { name: 'small', version: '1.0.0', ...dependencies }, ...entry('needed'), ...entry('tool') }
  write('package-lock.json', { name: 'small', version: '1.0.0', lockfileVersion: 3, requires: true, packages })
  if (!installed) return folder
  for (const [name, version] of Object.entries(installed)) write(`node_modules/${name}/package.json`, { name, version })
  const there = Object.entries(installed).map(([name, version]) => entry(name, version))
  write('node_modules/.package-lock.json', { lockfileVersion: 3, packages: Object.assign({}, ...there) as object })
  return folder
}

/** Which versions are installed now. */
function installedIn(folder: string): Installed {
  const version = (name: string) => {
    const file = join(folder, 'node_modules', name, 'package.json')
    return existsSync(file) && { [name]: (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version }
  }
  return { ...version('needed'), ...version('tool') }
}

/** Ends when everything that it started has ended, too: its output is open until then. */
async function launch(
  folder: string,
  [command = '', ...args]: string[],
  env: Record<string, string> = {},
  stop?: Promise<void>,
) {
  const npm = {
    npm_config_registry: registryUrl,
    npm_config_cache: mkdtempSync(join(scratch, 'cache-')),
    npm_config_fetch_retries: '0',
    npm_config_update_notifier: 'false',
  }
  const child = spawn(command, args, {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: scratch, ...npm, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [output, errors] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => (output += String(chunk)))
  child.stderr.on('data', (chunk: Buffer) => (errors += String(chunk)))
  void stop?.then(() => child.kill('SIGTERM'))
  const [code] = (await once(child, 'close')) as [number | null]
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.startsWith('.installing')),
    [],
    'nothing is left over',
  )
  return { code, output, errors }
}
const vezne = (folder: string, env?: Record<string, string>) =>
  launch(folder, [process.execPath, 'bin/vezne.mjs', 'up'], env)
const tests = (folder: string, env?: Record<string, string>) =>
  launch(folder, [process.execPath, 'bin/on-node-24.mjs', join(folder, 'test/run.ts')], env)

test('a fresh copy: everything is installed, and the own command is linked', async () => {
  const folder = project(null)
  const { code, output, errors } = await tests(folder)
  assert.deepEqual({ code, output }, { code: 0, output: 'ran' }, errors)
  assert.deepEqual(installedIn(folder), { needed: '2.0.0', tool: '2.0.0' })
  assert.ok(existsSync(join(folder, 'node_modules/.bin/vezne')))
})

test('after npm ci --omit=dev the service starts, and nothing is installed', async () => {
  const folder = project({ needed: '2.0.0' })
  assert.deepEqual(await vezne(folder), { code: 0, output: 'ran', errors: '' })
  assert.deepEqual(await vezne(folder, { VEZNE_MODE: 'live' }), { code: 0, output: 'ran', errors: '' })
  assert.deepEqual({ asked, now: installedIn(folder) }, { asked: [], now: { needed: '2.0.0' } })
})

test('after npm ci --omit=dev the tests say which packages they miss, and install none', async () => {
  const folder = project({ needed: '2.0.0' })
  const { code, output, errors } = await tests(folder)
  assert.deepEqual({ code, output, asked }, { code: 2, output: '', asked: [] })
  assert.match(errors, /^Missing in .*node_modules: tool 2\.0\.0\.\n.*Run: cd .* && npm ci --include=dev\n$/)
})

test('an older version after npm ci --omit=dev is replaced without the development packages', async () => {
  const folder = project({ needed: '1.0.0' })
  const { code, output, errors } = await vezne(folder)
  assert.deepEqual({ code, output }, { code: 0, output: 'ran' }, errors)
  assert.deepEqual(installedIn(folder), { needed: '2.0.0' })
})

for (const env of [{ NODE_ENV: 'production' }, { npm_config_omit: 'dev' }]) {
  test(`a fresh copy with ${JSON.stringify(env)}: installed without the development packages`, async () => {
    const folder = project(null)
    assert.equal((await vezne(folder, env)).output, 'ran')
    assert.deepEqual(installedIn(folder), { needed: '2.0.0' })
  })
}

test('live: nothing is installed, whatever is missing; it is named with the command', async () => {
  for (const installed of [null, { needed: '1.0.0' }, { needed: '1.0.0', tool: '2.0.0' }]) {
    const folder = project(installed)
    const { code, output, errors } = await vezne(folder, { VEZNE_MODE: ' live ' })
    assert.deepEqual({ code, output, asked }, { code: 2, output: '', asked: [] })
    assert.match(errors, /^Missing in .*: needed 2\.0\.0\.\nVEZNE_MODE .* Run: cd .* && npm ci --omit=dev\b.*\n$/)
    assert.deepEqual(installedIn(folder), installed ?? {})
  }
})

for (const mode of ['LIVE', 'Live', 'production'])
  test(`VEZNE_MODE=${mode}: refused before anything is installed or advised`, async () => {
    const { code, output, errors } = await vezne(project(null), { VEZNE_MODE: mode })
    assert.deepEqual([code, output, asked], [2, '', []])
    assert.equal(errors, `VEZNE_MODE is "${mode}"; it must be one of sandbox, live.\n`)
    const installed = await vezne(project({ needed: '2.0.0' }), { VEZNE_MODE: mode })
    assert.deepEqual(installed, { code: 0, output: 'ran', errors: '' }, 'the service judges it')
  })

for (const command of [
  ['npm', 'start'],
  [process.execPath, 'bin/vezne.mjs', 'up'],
])
  test(`SIGTERM to \`${command.slice(-2).join(' ')}\` while it installs: npm ci ends, and node_modules is as it was`, async () => {
    const folder = project({ needed: '1.0.0' })
    const stop = new Promise<void>((resolve) => ([silent, heard] = ['needed.tgz', resolve]))
    const { output, errors } = await launch(folder, command, {}, stop)
    silent = ''
    assert.doesNotMatch(output + errors, /ran$|registry/)
    assert.deepEqual(installedIn(folder), { needed: '1.0.0' })
  })

test('a registry that cannot be reached: exit code 1, and node_modules is as it was', async () => {
  const before = { needed: '1.0.0', tool: '1.0.0' }
  const folder = project(before, NOWHERE)
  const { code, output, errors } = await vezne(folder, { npm_config_registry: NOWHERE })
  assert.deepEqual({ code, output }, { code: 1, output: '' })
  assert.match(errors, /npm ci failed .*node_modules is as it was\. Check that the npm registry is reachable/)
  assert.deepEqual(installedIn(folder), before)
})

test('a registry that fails half-way: node_modules is as it was, and the next start installs', async () => {
  const before = { needed: '1.0.0', tool: '1.0.0' }
  const folder = project(before)
  broken.add('tool.tgz')
  assert.equal((await vezne(folder)).code, 1)
  assert.deepEqual(installedIn(folder), before)
  broken.clear()
  assert.equal((await vezne(folder)).output, 'ran')
  assert.deepEqual(installedIn(folder), { needed: '2.0.0', tool: '2.0.0' })
})

test('an installation that was killed between its two renames: the packages from before are back', async () => {
  const folder = project({ needed: '2.0.0' })
  const { pid } = spawnSync(process.execPath, ['--version'])
  const staging = join(folder, `.installing-${pid}`)
  mkdirSync(staging)
  cpSync(join(folder, 'node_modules'), join(staging, 'before'), { recursive: true })
  rmSync(join(folder, 'node_modules'), { recursive: true })
  assert.deepEqual(await vezne(folder, { VEZNE_MODE: 'live' }), { code: 0, output: 'ran', errors: '' })
})
