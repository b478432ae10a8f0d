import type { ChildProcess } from 'node:child_process'
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { startEmbeddedPostgres } from '../../packages/server/src/platform/embedded-postgres/embedded-postgres.ts'

/** A process, or the PostgreSQL in a data folder; `ended` is a process that has ended already. */
export type Guarded = { pid: number } | { ended: number } | { folder: string }

let guard: ChildProcess | null = null

/** Ends the child with this process, also after kill -9, when no hook and no handler runs. */
export function endsWithUs(child: ChildProcess): void {
  const { pid } = child
  if (pid === undefined) return
  notifyGuard({ pid })
  child.once('exit', () => notifyGuard({ ended: pid }))
}

/** An embedded PostgreSQL survives its parent, so that the next start adopts it. In tests there is no next start. */
export function databaseEndsWithUs(dataFolder: string): void {
  notifyGuard({ folder: dataFolder })
}

export function startTestPostgres(dataFolder: string, settings: string[] = []) {
  databaseEndsWithUs(dataFolder)
  return startEmbeddedPostgres(dataFolder, settings)
}

function notifyGuard(guarded: Guarded): void {
  guard ??= startGuard()
  if (guard.connected) guard.send(guarded, () => undefined)
}

/** Detached, so that Ctrl-C does not end it together with the processes it must clean up. */
function startGuard(): ChildProcess {
  const file = fileURLToPath(import.meta.resolve('./guard-process.ts'))
  const child = fork(file, { detached: true, stdio: ['ignore', 'ignore', 'ignore', 'ipc'], execArgv: [] })
  child.unref()
  child.channel?.unref()
  return child
}
