import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The postmaster of an embedded PostgreSQL: the first line of its lock file. */
export function postmasterOf(dataFolder: string): number {
  return Number(readFileSync(join(dataFolder, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])
}

/** Stops or continues every process of a PostgreSQL at once. Linux only: the children are found through /proc. */
export function signalAll(postmaster: number, signal: 'SIGSTOP' | 'SIGCONT'): void {
  for (const pid of [postmaster, ...childrenOf(postmaster)]) {
    try {
      process.kill(pid, signal)
    } catch {
      // It has ended in between.
    }
  }
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const PARENT = 1
      const fields = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
      return Number(fields[PARENT]) === parent ? [Number(name)] : []
    } catch {
      return []
    }
  })
}
