import { closeSync, fdatasyncSync, ftruncateSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

/** An append-only file of JSON lines. */
type Journal = {
  /** Synced before the call returns; if it throws, nothing was appended. */
  append: (entries: object[]) => void
  /** On disk when `written` next resolves: entries of one event loop turn share one sync. */
  add: (entries: object[]) => void
  /** Resolves when everything added so far is on disk. If it rejects, the entries wait for the next attempt. */
  written: () => Promise<void>
  close: () => void
}

type OpenedJournal = { journal: Journal; entries: object[] }

export function openJournal(path: string): OpenedJournal {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const file = openSync(path, 'a+', 0o600)
  const { entries, size: validSize } = read(readFileSync(path))
  ftruncateSync(file, validSize)
  const write = writer(file, validSize)
  let waiting = ''
  let pendingSync: Promise<void> | null = null
  const flush = () => {
    if (waiting === '') return
    write(waiting)
    waiting = ''
  }
  const journal: Journal = {
    append(added) {
      flush()
      write(toLines(added))
    },
    add(added) {
      waiting += toLines(added)
    },
    async written() {
      if (waiting === '') return
      // After all requests that this event loop turn has read, so that they share the sync.
      pendingSync ??= afterThisTurn(() => {
        pendingSync = null
        flush()
      })
      await pendingSync
    },
    close() {
      flush()
      closeSync(file)
    },
  }
  return { journal, entries }
}

function writer(file: number, validSize: number): (lines: string) => void {
  let size = validSize
  return (lines) => {
    const bytes = Buffer.from(lines)
    try {
      writeAll(file, bytes)
      fdatasyncSync(file)
      size += bytes.length
    } catch (error) {
      // An incomplete line must not become the start of the next one.
      ftruncateSync(file, size)
      throw error
    }
  }
}

async function afterThisTurn(work: () => void): Promise<void> {
  await new Promise<void>((resolve) => setImmediate(resolve))
  work()
}

function toLines(entries: object[]): string {
  return entries.map((entry) => `${JSON.stringify(entry, integers)}\n`).join('')
}

/** Amounts are integers in JSON; the ledger never holds one that a double cannot. */
function integers(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value
}

function writeAll(file: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length;) written += writeSync(file, bytes, written)
}

/** A process that died while writing leaves an incomplete line at the end. It was never confirmed, so it is dropped. */
function read(bytes: Buffer): { entries: object[]; size: number } {
  const entries: object[] = []
  let start = 0
  for (;;) {
    const end = bytes.indexOf(0x0a, start)
    if (end === -1) break
    try {
      entries.push(JSON.parse(bytes.toString('utf8', start, end)) as object)
    } catch (error) {
      if (end === bytes.length - 1) break
      throw new Error(`Line ${entries.length + 1} of the journal is damaged, and lines follow it.`, { cause: error })
    }
    start = end + 1
  }
  return { entries, size: start }
}
