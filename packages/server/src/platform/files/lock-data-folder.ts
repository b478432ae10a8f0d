import { chmodSync, closeSync, existsSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Clock } from '../time/clock.ts'
import { CannotStart, ownDataFolder } from './data-folder.ts'
import { Refusal } from '../refusal.ts'

type Holder = { pid: number; since: string; address?: string }

export type DataFolderLock = { setAddress: (address: string) => void; release: () => void }

/** A predecessor that was just killed may need a moment to end. */
const WAIT_MS = 2000
/** Shorter, because who waits for an exclusive lock keeps others from starting. Not 0: of two at once, both could be refused. */
const WAIT_EXCLUSIVE_MS = 1000

// The locks are those that SQLite takes on its file. The kernel drops them when the process ends, however it ends, so that
// there is no stale lock and no process id to trust.
const SHARED = 'begin; select count(*) from sqlite_master'
const EXCLUSIVE = 'begin exclusive'

/**
 * One sandbox per data folder: a second one would point the first one's sandbox.json, endpoint and return origins at itself.
 * The file beside the lock only says who holds it.
 */
export function lockDataFolder(folder: string, clock: Clock): DataFolderLock {
  ownDataFolder(folder)
  const holderFile = join(folder, 'sandbox.holder')
  const lock = takeLock(join(folder, 'sandbox.lock'), 'begin immediate', WAIT_MS)
  if (!lock) throw new CannotStart(inUse(folder, readHolder(holderFile)))
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

/** Held by every process that uses the embedded database, from before it is started. Returns how to release it. */
export function shareDatabase(folder: string): () => void {
  const lock = takeLock(databaseLock(folder), SHARED, WAIT_MS)
  if (!lock) throw new CannotStart(`A restore runs in the data folder ${folder}. Start again when it is done.`)
  return () => lock.close()
}

/** Held by a restore: no process may use the embedded database, and none can start. Returns how to release it. */
export function lockDatabase(folder: string): () => void {
  const lock = takeLock(databaseLock(folder), EXCLUSIVE, WAIT_EXCLUSIVE_MS)
  if (lock) return () => lock.close()
  throw new Refusal(
    'INVALID_STATE',
    `The database in ${folder} is used by a service, a backup or another restore. Stop the service first.`,
  )
}

/** Returns how to release it, or null when another process holds it. */
export function tryLock(file: string): (() => void) | null {
  ownDataFolder(dirname(file))
  const lock = takeLock(file, 'begin immediate', 0)
  return lock && (() => lock.close())
}

const databaseLock = (folder: string) => join(folder, 'postgres.lock')

/** Null when it is taken. */
function takeLock(file: string, how: string, timeout: number): DatabaseSync | null {
  makePrivate(file)
  const lock = new DatabaseSync(file, { timeout })
  try {
    lock.exec(how)
    return lock
  } catch (error) {
    lock.close()
    const SQLITE_BUSY = 5
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error
    return null
  }
}

/** Whoever can read the file can lock it. One that exists is not opened here: closing it would drop this process's locks on it. */
function makePrivate(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error
    chmodSync(file, 0o600)
  }
}

function inUse(folder: string, holder: Holder | null): string {
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

/** Under another name first: who reads it meanwhile sees a whole file. */
function writeHolder(file: string, holder: Holder): void {
  const draft = `${file}.${holder.pid}`
  writeFileSync(draft, JSON.stringify(holder), { mode: 0o600 })
  renameSync(draft, file)
}

/** Null in the moment in which the holder has the lock and has not written its name. */
function readHolder(file: string): Holder | null {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Holder) : null
}
