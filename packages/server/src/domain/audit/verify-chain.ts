import type { Queryable } from '../../platform/postgres/db.ts'
import type { Marks } from '../../platform/crypto/marks.ts'
import { isOurs, parsed } from './audit-marks.ts'
import { problemOf, START } from './chain.ts'
import type { Head } from './store.ts'
import { countPending, selectAfter, selectCopied, selectHashes, selectHead } from './store.ts'

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
