import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import type { Db, Queryable } from '../../platform/postgres/db.ts'
import type { Log } from '../../platform/log.ts'
import type { Clock } from '../../platform/time/clock.ts'
import type { Head } from './store.ts'
import { selectHashes, selectHead, updateWritten } from './store.ts'

type Deps = { db: Db; log: Log; realClock: Clock; auditHeads: string | null; sandbox: boolean }

/**
 * Writes the newest entry's number and hash outside of the database, to the log and a file: who rewrites the whole chain cannot rewrite
 * them. Returns a function that does so if the head has changed.
 */
export function openHeadWriter({ db, log, realClock, auditHeads, sandbox }: Deps): () => Promise<void> {
  let written = 0
  return async () => {
    const { number, hash } = await selectHead(db)
    if (number === written) return
    const at = realClock.now()
    const head = { number, hash: hash.toString('hex'), at: at.toISOString() }
    if (auditHeads !== null) await appendLine(auditHeads, JSON.stringify(head))
    // In a sandbox it would stand among what a developer reads at the start; there no one needs the proof.
    log[sandbox ? 'debug' : 'info']({ number, hash: head.hash }, 'audit head')
    await db.oneStatement((tx) => updateWritten(tx, number, auditHeads === null ? 'log' : 'file', at))
    written = number
  }
}

/** On the disk before it returns. A line that a crash has cut off stays a line of its own. */
async function appendLine(path: string, line: string): Promise<void> {
  const file = await open(path, 'a+', 0o600)
  try {
    const { size } = await file.stat()
    const { buffer, bytesRead } = await file.read(Buffer.alloc(1), 0, 1, Math.max(0, size - 1))
    const isCut = bytesRead === 1 && buffer.toString() !== '\n'
    await file.write(`${isCut ? '\n' : ''}${line}\n`)
    await file.datasync()
  } finally {
    await file.close()
  }
}

/** `newest`: the last line's number, 0 if there is none. */
export type Compared = { lines: number; newest: number; problem: string | null }

const PAGE = 1000

/** Compares every line of such a file with the chain, or only the last one. */
export async function compareHeads(
  { db }: { db: Queryable },
  path: string,
  { onlyLast = false }: { onlyLast?: boolean } = {},
): Promise<Compared> {
  let page: OutsideHead[] = []
  let [lines, newest] = [0, 0]
  for await (const text of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    lines++
    if (text.trim() === '') continue
    const head = readHead(text, lines)
    if (!head)
      return { lines, newest, problem: `line ${lines} of ${path} is no head. If a crash cut it off, remove the line.` }
    newest = head.number
    page = onlyLast ? [head] : [...page, head]
    const problem = page.length >= PAGE ? await compare(db, path, page) : null
    if (problem !== null) return { lines, newest, problem }
    if (page.length >= PAGE) page = []
  }
  return { lines, newest, problem: await compare(db, path, page) }
}

type OutsideHead = Head & { line: number }

function readHead(text: string, line: number): OutsideHead | null {
  try {
    const { number, hash } = JSON.parse(text) as { number: unknown; hash: unknown }
    const isHead = Number.isSafeInteger(number) && typeof hash === 'string' && /^[0-9a-f]{64}$/.test(hash)
    return isHead ? { line, number: number as number, hash: Buffer.from(hash, 'hex') } : null
  } catch {
    return null
  }
}

async function compare(db: Queryable, path: string, heads: OutsideHead[]): Promise<string | null> {
  const rows = await selectHashes(
    db,
    heads.map(({ number }) => number),
  )
  const hashes = new Map(rows.map(({ number, hash }) => [number, hash]))
  for (const { number, hash, line } of heads) {
    const found = hashes.get(number)
    if (!found)
      return `entry ${number} is missing, but it was the newest once (line ${line} of ${path}): entries were removed, or the database was restored to an earlier moment. ${AFTER_RESTORE}`
    if (!found.equals(hash))
      return `entry ${number} is not the one that was the newest once (line ${line} of ${path}): the chain was rewritten, or the database was restored to an earlier moment. ${AFTER_RESTORE}`
  }
  return null
}

const AFTER_RESTORE = 'If it was restored, keep that file under another name; the service begins a new one.'
