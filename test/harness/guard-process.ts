import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Guarded } from './ends-with-us.ts'
import { isTemporary } from './temporary-folder.ts'
import { until } from './until.ts'

// Waits until the test process is gone, then ends what it left running.

const pids = new Set<number>()
const folders = new Set<string>()

process.on('message', (guarded: Guarded) => {
  if ('pid' in guarded) pids.add(guarded.pid)
  else if ('ended' in guarded) pids.delete(guarded.ended)
  else folders.add(guarded.folder)
})

process.once('disconnect', () => {
  // Services first: they would restart a stopped PostgreSQL.
  for (const pid of pids) signal(pid, 'SIGKILL')
  void Promise.allSettled([...folders].map(endDatabase)).then(() => process.exit())
})

async function endDatabase(folder: string): Promise<void> {
  const file = join(folder, 'postgres/postmaster.pid')
  const pid = existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : 0
  if (pid > 0) {
    // PostgreSQL's "immediate" stop, which also ends its backends.
    signal(pid, 'SIGQUIT')
    await until(
      async () => signal(pid, 0),
      (alive) => !alive,
    ).catch(() => signal(pid, 'SIGKILL'))
  }
  if (isTemporary(folder)) rmSync(folder, { recursive: true, force: true })
}

function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name)
  } catch {
    return false
  }
}
