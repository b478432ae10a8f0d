import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Clock } from './clock.ts'
import { CannotStart, ownDataFolder } from './data-folder.ts'

type Holder = { pid: number; since: string; address?: string }

export type DataFolderLock = { setAddress: (address: string) => void; release: () => void }

/** A predecessor that was just killed may need a moment to end. */
const WAIT_MS = 2000

/**
 * One sandbox per data folder: a second one would point the first one's sandbox.json, endpoint and return origins at itself.
 * The lock is the one that SQLite takes on its file. The kernel drops it when the process ends, however it ends, so that
 * there is no stale lock and no process id to trust. The file beside it only says who holds it.
 */
export function lockDataFolder(folder: string, clock: Clock): DataFolderLock {
  ownDataFolder(folder)
  const holderFile = join(folder, 'sandbox.holder')
  const lock = new DatabaseSync(join(folder, 'sandbox.lock'), { timeout: WAIT_MS })
  try {
    lock.exec('begin immediate')
  } catch (error) {
    lock.close()
    const SQLITE_BUSY = 5
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error
    throw new CannotStart(inUse(folder, readHolder(holderFile)))
  }
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

function inUse(folder: string, holder: Holder | null): string {
  const who = holder ? `Process ${holder.pid} runs a sandbox` : 'Another process runs a sandbox'
  const since = holder ? ` since ${holder.since}` : ''
  const address = holder?.address ? ` at ${holder.address}` : ''
  const stop = holder ? `kill ${holder.pid}` : 'Ctrl-C in its terminal'
  return (
    `${who} in the data folder ${folder}${since}${address}. Use that one, or stop it (${stop}), ` +
    'or start a second one with a folder and a port of its own: VEZNE_DATA=./.vezne-2 PORT=0 npm start'
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
