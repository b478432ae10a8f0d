import { closeSync, fdatasyncSync, ftruncateSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

/** An append-only file of JSON lines: what was appended is on disk before the call returns. */
type Journal = { append: (entries: object[]) => void; close: () => void }

type OpenedJournal = { journal: Journal; entries: object[] }

export function openJournal(path: string): OpenedJournal {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const file = openSync(path, 'a+', 0o600)
  const { entries, size: intact } = read(readFileSync(path))
  ftruncateSync(file, intact)
  let size = intact
  const append = (added: object[]) => {
    const bytes = Buffer.from(added.map((entry) => `${JSON.stringify(entry, integers)}\n`).join(''))
    try {
      writeAll(file, bytes)
      fdatasyncSync(file)
      size += bytes.length
    } catch (error) {
      // Half a line must not become the beginning of the next one.
      ftruncateSync(file, size)
      throw error
    }
  }
  return { journal: { append, close: () => closeSync(file) }, entries }
}

/** Amounts are integers in JSON; the ledger never holds one that a double cannot. */
function integers(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value
}

function writeAll(file: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length;) written += writeSync(file, bytes, written)
}

/** A process that died while writing leaves half a line at the end; nobody was told of it, so it never happened. */
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
