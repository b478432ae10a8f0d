import { existsSync, readFileSync, readlinkSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export type Postmaster = { pid: number; port: number }

/** PostgreSQL's lock file: process id in line 1, port in line 4. */
export function readPostmaster(folder: string): Postmaster | null {
  const file = join(folder, 'postmaster.pid')
  if (!existsSync(file)) return null
  const lines = readFileSync(file, 'utf8').split('\n')
  const pid = Number(lines[0])
  const port = Number(lines[3])
  return pid > 0 && port > 0 && isAlive(pid) && runsIn(pid, folder) ? { pid, port } : null
}

/** A stale lock file may name an unrelated process, even another PostgreSQL: ours has this working directory. */
function runsIn(pid: number, folder: string): boolean {
  if (!existsSync('/proc/self/cwd')) return true
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(folder)
  } catch {
    // The process has ended, or is a zombie.
    return false
  }
}

/**
 * A process that finds no living owner becomes the owner: it restarts PostgreSQL when it dies and stops it at the end.
 */
export function takeOwnership(dataFolder: string): boolean {
  const owner = readOwner(dataFolder)
  if (owner?.alive && owner.pid !== process.pid) return false
  writeFileSync(ownerFile(dataFolder), identityOf(process.pid), { mode: 0o600 })
  return true
}

export function giveUpOwnership(dataFolder: string): void {
  rmSync(ownerFile(dataFolder), { force: true })
}

/** The process that started or adopted PostgreSQL here. One that is not alive was killed and has left it running. */
export function readOwner(dataFolder: string): { pid: number; alive: boolean } | null {
  const file = ownerFile(dataFolder)
  const owner = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const pid = Number(owner.split(' ')[0])
  return pid > 0 ? { pid, alive: isAlive(pid) && identityOf(pid) === owner } : null
}

const ownerFile = (dataFolder: string) => join(dataFolder, 'postgres.owner')

/** Process ids are reused after a reboot, in a container at once; with its start time the id is unique. */
function identityOf(pid: number): string {
  const stat = `/proc/${pid}/stat`
  if (!existsSync(stat)) return `${pid}`
  const fields = readFileSync(stat, 'utf8').split(') ').at(-1)?.split(' ') ?? []
  const START_TIME = 19
  return `${pid} ${fields[START_TIME] ?? ''}`
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as { code?: string }).code === 'EPERM'
  }
}
