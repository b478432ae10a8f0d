import { createHash } from 'node:crypto'
import type { Log } from '../../platform/log.ts'
import type { Db, Queryable } from '../../platform/postgres/db.ts'
import type { Marks } from '../../platform/crypto/marks.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { HOUR_MS } from '../../platform/time/clock.ts'
import { isOurs, parsed } from './audit-marks.ts'
import type { ChainedEntry, Head } from './store.ts'
import {
  countPending,
  selectAfter,
  selectCopied,
  selectHashes,
  selectHead,
  selectState,
  updateVerified,
} from './store.ts'

/** `last`: the last entry up to which the chain is intact. `problem`: the first break after it, or null. */
export type Verdict = { last: Head; problem: string | null }

const PAGE = 1000

/**
 * Computes every hash again, a page at a time, while decisions go on. `newest`: only so many entries, for a quick check. With `marks`, all
 * entries after the first that the service has marked must be its own.
 */
export async function verifyChain(
  { db, marks = null }: { db: Queryable; marks?: Marks | null },
  { newest, onProgress = () => undefined }: { newest?: number; onProgress?: (number: number) => void } = {},
): Promise<Verdict> {
  const from = newest === undefined ? 0 : Math.max(0, (await selectHead(db)).number - newest)
  let last = from === 0 ? START : (await selectHashes(db, [from]))[0]
  if (!last) return { last: START, problem: `entry ${from} is missing: removed, or renumbered` }
  let isEnd = false
  let isMarked = false
  for (;;) {
    const page = await selectAfter(db, last.number, PAGE)
    const copied = marks === null ? [] : await selectCopied(db, page)
    for (const entry of page) {
      const problem = problemOf(last, entry)
      if (problem !== null) return { last, problem }
      const ours = marks !== null && !copied.includes(entry.number) && (await isOurs(marks, parsed(entry)))
      if (isMarked && !ours) return { last, problem: forgedProblem(entry.number) }
      isMarked ||= ours
      last = entry
    }
    onProgress(last.number)
    if (page.length > 0) isEnd = false
    else {
      const head = await selectHead(db)
      // A head that is read later than the entries may be ahead; then there are entries to read.
      if (head.number <= last.number || isEnd) return { last, problem: endProblem(last, head) ?? (await leftOver(db)) }
      isEnd = true
    }
  }
}

const forgedProblem = (number: number) =>
  `entry ${number} was not written by the service: its mark does not fit. Whoever writes to the database may have used another's name`

function endProblem(last: Head, head: Head): string | null {
  if (head.number > last.number) {
    const missing =
      head.number === last.number + 1 ? `entry ${head.number} is` : `entries ${last.number + 1} to ${head.number} are`
    return `${missing} missing at the end: removed, because audit_head has number ${head.number}`
  }
  if (head.number < last.number)
    return `entry ${head.number + 1} was inserted past the chain: audit_head has number ${head.number}`
  return head.hash.equals(last.hash) ? null : `entry ${last.number} or audit_head was altered: their hashes differ`
}

async function leftOver(db: Queryable): Promise<string | null> {
  const count = await countPending(db)
  return count === 0 ? null : `${count} entries in audit_pending were never chained: its trigger was disabled`
}

/** Before the first entry. */
const START: Head = { number: 0, hash: Buffer.alloc(32) }

/** Computed here and by `chain_audit` in the database, so that neither is believed alone. */
function hashOf(previousHash: Buffer, entry: Omit<ChainedEntry, 'previousHash' | 'hash'>): Buffer {
  const { number, at, actor, action, subject, before, after, reason, origin } = entry
  const fields = [String(number), at, actor, action, subject, before, after, reason, origin]
  return createHash('sha256').update(previousHash).update(fields.map(netstring).join('')).digest()
}

function netstring(text: string | null): string {
  return text === null ? '-,' : `${Buffer.byteLength(text)}:${text},`
}

/** What is wrong with an entry that should follow `last`; null if nothing is. */
function problemOf(last: Head, entry: ChainedEntry): string | null {
  const { number, previousHash, hash } = entry
  if (number !== last.number + 1) {
    const missing = number === last.number + 2 ? 'is' : `to ${number - 1} are`
    return `entry ${last.number + 1} ${missing} missing: removed, or renumbered`
  }
  if (!hashOf(previousHash, entry).equals(hash)) return `entry ${number} was altered, or exchanged with another`
  if (!previousHash.equals(last.hash))
    return `entry ${number} does not follow entry ${last.number}: one of them was replaced, inserted or reordered`
  return null
}

const EVERY_MS = HOUR_MS

type Deps = { db: Db; log: Log; realClock: Clock; marks: Marks }

/** Verifies the whole chain once an hour, by whichever process comes first, and records what it found. */
export async function checkChain({ db, log, realClock, marks }: Deps): Promise<void> {
  const { verifiedAt } = await selectState(db)
  if (verifiedAt && realClock.now().getTime() - verifiedAt.getTime() < EVERY_MS) return
  const { last, problem } = await verifyChain({ db: db.pages, marks })
  await db.oneStatement((tx) => updateVerified(tx, last.number, problem, realClock.now()))
  if (problem !== null) log.error({ problem }, 'the chain of the audit is broken')
}
