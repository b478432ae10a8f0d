import { chmodSync, closeSync, existsSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Clock } from '../time/clock.ts'
import { CannotStart, ensurePrivateFolder } from './data-folder.ts'
import { Refusal } from '../refusal.ts'

type Holder = { pid: number; since: string; address?: string }

export type DataFolderLock = { setAddress: (address: string) => void; release: () => void }

/** A predecessor that was just killed may need a moment to end. */
const LOCK_TIMEOUT_MS = 2000
/**
 * Shorter, because waiting for an exclusive lock keeps others from starting. Not 0: of two at once, both could be
 * refused.
 */
const EXCLUSIVE_LOCK_TIMEOUT_MS = 1000

// Uses SQLite's file locks. The kernel releases them when the process ends in any way, so there are no stale locks and
// no process ids to trust.
const SHARED = 'begin; select count(*) from sqlite_master'
const EXCLUSIVE = 'begin exclusive'

/**
 * One sandbox per data folder: a second one would overwrite sandbox.json, endpoint and return origins. The file beside
 * the lock only names the holder.
 */
export function lockDataFolder(folder: string, clock: Clock): DataFolderLock {
  ensurePrivateFolder(folder)
  const holderFile = join(folder, 'sandbox.holder')
  const lock = acquireLock(join(folder, 'sandbox.lock'), 'begin immediate', LOCK_TIMEOUT_MS)
  if (!lock) throw new CannotStart(inUseMessage(folder, readHolder(holderFile)))
  const holder: Holder = { pid: process.pid, since: clock.now().toISOString() }
  writeHolder(holderFile, holder)
  return {
    setAddress: (address) => writeHolder(holderFile, { ...holder, address }),
    release() {
      rmSync(holderFile, { force: true })
      lock.close()
    },
  }
}

/** Whether a process holds the lock of `lockDataFolder`. */
export function isSandboxRunning(folder: string): boolean {
  const release = tryLock(join(folder, 'sandbox.lock'))
  release?.()
  return release === null
}

/** Held by every process that uses the embedded database, from before its start. Returns the release function. */
export function shareDatabase(folder: string): () => void {
  const lock = acquireLock(databaseLock(folder), SHARED, LOCK_TIMEOUT_MS)
  if (!lock) throw new CannotStart(`A restore runs in the data folder ${folder}. Start again when it is done.`)
  return () => lock.close()
}

/** Held by a restore: no process may use or start the embedded database. Returns the release function. */
export function lockDatabase(folder: string): () => void {
  const lock = acquireLock(databaseLock(folder), EXCLUSIVE, EXCLUSIVE_LOCK_TIMEOUT_MS)
  if (lock) return () => lock.close()
  throw new Refusal(
    'INVALID_STATE',
    `The database in ${folder} is used by a service, a backup or another restore. Stop the service first.`,
  )
}

/** Returns how to release it, or null when another process holds it. */
export function tryLock(file: string): (() => void) | null {
  ensurePrivateFolder(dirname(file))
  const lock = acquireLock(file, 'begin immediate', 0)
  return lock && (() => lock.close())
}

const databaseLock = (folder: string) => join(folder, 'postgres.lock')

/** Null if it is taken. */
function acquireLock(file: string, statement: string, timeout: number): DatabaseSync | null {
  createPrivate(file)
  const lock = new DatabaseSync(file, { timeout })
  try {
    lock.exec(statement)
    return lock
  } catch (error) {
    lock.close()
    const SQLITE_BUSY = 5
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error
    return null
  }
}

/**
 * Read access is enough to lock the file. An existing one is not opened here: closing it would drop this process's
 * locks on it.
 */
function createPrivate(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error
    chmodSync(file, 0o600)
  }
}

function inUseMessage(folder: string, holder: Holder | null): string {
  const who = holder ? `Process ${holder.pid} runs a sandbox` : 'Another process runs a sandbox'
  const since = holder ? ` since ${holder.since}` : ''
  const address = holder?.address ? ` at ${holder.address}` : ''
  const stop = holder ? `kill ${holder.pid}` : 'Ctrl-C in its terminal'
  return (
    `${who} in the data folder ${folder}${since}${address}. Use that one, or stop it (${stop}), ` +
    'or start a second one with a folder and a port of its own: VEZNE_DATA=./.vezne-2 PORT=0 npm start. ' +
    'Commands for it need the same folder: VEZNE_DATA=./.vezne-2 npx vezne …'
  )
}

/** Written under another name and renamed, so that readers see a complete file. */
function writeHolder(file: string, holder: Holder): void {
  const draft = `${file}.${holder.pid}`
  writeFileSync(draft, JSON.stringify(holder), { mode: 0o600 })
  renameSync(draft, file)
}

/** Null if the holder has the lock but has not written its name yet. */
function readHolder(file: string): Holder | null {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Holder) : null
}
