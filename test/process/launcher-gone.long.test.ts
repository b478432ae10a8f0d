import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Child } from '../harness/child-process.ts'
import { BASE_ENV, startNode } from '../harness/child-process.ts'
import { endsWithUs } from '../harness/ends-with-us.ts'
import { startService } from '../harness/service.ts'
import { until } from '../harness/until.ts'

// The launcher is killed in a way that it cannot notice. What it has started must not live on and hold ports and leases.
const ROOT = join(import.meta.dirname, '../..')
const LAUNCHER = join(ROOT, 'bin/vezne.mjs')
// Children are looked up in /proc.
const skip = process.platform !== 'linux'
const { app, databaseUrl } = await startService()
const SETTINGS = {
  DATABASE_URL: databaseUrl,
  VEZNE_MASTER_KEY: app.config.masterKey.toString('hex'),
  HOST: '127.0.0.1',
  PORT: '0',
  VEZNE_LOG: 'silent',
}

function launch(role: string): Child {
  const child = startNode([LAUNCHER, role], SETTINGS)
  after(() => child.process.kill('SIGKILL'))
  return child
}

function childOf({ process: { pid } }: Child): number | null {
  const [first] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')
  return first ? Number(first) : null
}

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

async function assertEndsWith(launcher: Child, pid: number): Promise<void> {
  after(() => lives(pid) && process.kill(pid, 'SIGKILL'))
  launcher.process.kill('SIGKILL')
  await until(
    async () => lives(pid),
    (alive) => !alive,
  )
}

/** Every process that this one has started, and they in turn. */
function processesBelow(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  return children.flatMap((child) => [child, ...processesBelow(child)])
}

// Between npm and the launcher is a shell, which dies of the signal and passes nothing on.
for (const [command, ...args] of [
  ['npm', 'start'],
  ['npx', 'vezne', 'work'],
] as [string, ...string[]][])
  test(`SIGTERM to \`${[command, ...args].join(' ')}\`: everything that it started ends`, { skip }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'vezne-npm-'))
    after(() => rmSync(folder, { recursive: true, force: true }))
    const npm = spawn(command, args, {
      cwd: ROOT,
      env: {
        ...BASE_ENV,
        ...SETTINGS,
        npm_config_cache: folder,
        npm_config_update_notifier: 'false',
        VEZNE_DATA: folder,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    endsWithUs(npm)
    let output = ''
    npm.stdout.on('data', (chunk: Buffer) => (output += String(chunk)))
    await until(
      async () => output,
      (text) => /^(ready |working$)/m.test(text),
      120_000,
    )
    const started = processesBelow(npm.pid ?? assert.fail('not started'))
    after(() => started.filter(lives).forEach((pid) => process.kill(pid, 'SIGKILL')))
    assert.ok(started.length >= 3, 'a shell, the launcher and the service')
    npm.kill('SIGTERM')
    await until(
      async () => started.filter(lives),
      (left) => left.length === 0,
      40_000,
    )
  })

for (const [role, word] of [
  ['work', /^working$/m],
  ['serve', /^ready /m],
] as const) {
  test(`the launcher of \`${role}\` is killed: the process ends, after it has finished`, { skip }, async () => {
    const launcher = launch(role)
    await until(
      async () => launcher.output(),
      (output) => word.test(output),
    )
    await assertEndsWith(launcher, childOf(launcher) ?? assert.fail('no child'))
  })

  test(`the launcher of \`${role}\` is killed while the process starts: it ends too`, { skip }, async () => {
    const launcher = launch(role)
    const pid = await until(
      async () => childOf(launcher),
      (found) => found !== null,
    )
    await assertEndsWith(launcher, pid ?? assert.fail('no child'))
  })
}
