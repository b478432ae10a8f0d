import { createHash } from 'node:crypto'
import type { ChainedEntry, Head } from './store.ts'

/** Before the first entry. */
export const START: Head = { number: 0, hash: Buffer.alloc(32) }

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
export function problemOf(last: Head, entry: ChainedEntry): string | null {
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
