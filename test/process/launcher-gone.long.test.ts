import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Child } from '../harness/child-process.ts'
import { startNode } from '../harness/child-process.ts'
import { startService } from '../harness/service.ts'
import { until } from '../harness/until.ts'

// The launcher is killed in a way that it cannot notice. What it has started must not live on and hold ports and leases.
const LAUNCHER = join(import.meta.dirname, '../../bin/vezne.mjs')
// Children are looked up in /proc.
const skip = process.platform !== 'linux'
const { app, databaseUrl } = await startService()

function launch(role: string): Child {
  const child = startNode([LAUNCHER, role], {
    DATABASE_URL: databaseUrl,
    VEZNE_MASTER_KEY: app.config.masterKey.toString('hex'),
    HOST: '127.0.0.1',
    PORT: '0',
    VEZNE_LOG: 'silent',
  })
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
    40_000,
  )
}

for (const [role, word] of [
  ['work', /^working$/m],
  ['serve', /^ready /m],
] as const) {
  test(`the launcher of \`${role}\` is killed: the process ends, after it has finished`, { skip }, async () => {
    const launcher = launch(role)
    await until(
      async () => launcher.output(),
      (output) => word.test(output),
      60_000,
    )
    await assertEndsWith(launcher, childOf(launcher) ?? assert.fail('no child'))
  })

  test(`the launcher of \`${role}\` is killed while the process starts: it ends too`, { skip }, async () => {
    const launcher = launch(role)
    const pid = await until(
      async () => childOf(launcher),
      (found) => found !== null,
      60_000,
    )
    await assertEndsWith(launcher, pid ?? assert.fail('no child'))
  })
}
