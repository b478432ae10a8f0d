import { refuse, refuseField } from '../../../kernel/refusals/refuse.ts'
import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import type { StoredLine } from '../../statements/index.ts'
import { selectLinesById } from '../../statements/index.ts'
import type { JournalEntry } from './journal-entry.ts'
import { lockEntry, selectEntriesWithRest, usesOfRest } from './store.ts'

/** What an entry left of its line: it is in suspense until it is refunded to the sender. */
export type Rest = { entryId: string; line: StoredLine; amount: bigint }

/** Those that are neither refunded, nor on their way, nor used for a receivable, in order of their entries. */
export async function openRests(db: Queryable): Promise<Rest[]> {
  const found: Rest[] = []
  for (const { id: entryId, details } of await selectEntriesWithRest(db)) {
    const [line] = await selectLinesById(db, details.terms.lineIds)
    if (line) found.push({ entryId, line, amount: details.terms.rest?.amount ?? 0n })
  }
  return found
}

/** Locked, so that it is used once. */
export async function lockRest(tx: Tx, { restOf, lineIds }: { restOf: string; lineIds: string[] }): Promise<Rest> {
  await lockEntry(tx, restOf)
  const found = (await openRests(tx)).find(({ entryId }) => entryId === restOf)
  if (found && lineIds.length === 0) return found
  throw refuseField('restOf', 'rest_not_open')
}

async function liveUse(db: Queryable, splitId: string): Promise<JournalEntry | undefined> {
  return (await usesOfRest(db, splitId)).find(({ reversedAt }) => reversedAt === null)
}

/** The entry by which a refund has the rest: its own, or the one that took its return back. Undefined: the rest is in suspense. */
export async function useOfRest(
  db: Queryable,
  { id, details: { terms } }: JournalEntry,
  withdrawalId: string,
): Promise<JournalEntry | undefined> {
  const live = await liveUse(db, terms.restOf ?? '')
  return live?.id === id || live?.details.terms.withdrawalId === withdrawalId ? live : undefined
}

/** Taken back, the entry would have less than its line. */
export async function mustHaveItsRest(tx: Tx, splitId: string): Promise<void> {
  const use = await liveUse(tx, splitId)
  if (use) throw refuse('rest_used', { kind: use.kind, entry: use.id })
}
