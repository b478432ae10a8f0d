import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { StoredLine } from '../../statements/index.ts'
import { selectLinesById } from '../../statements/index.ts'
import type { JournalEntry } from './journal-entry.ts'
import { refundsOfRest, selectSplitsWithRest } from './store.ts'

/** What a split left of its line: it is in suspense until it is refunded to the sender. */
export type Rest = { entryId: string; line: StoredLine; amount: bigint }

/** Those that are not refunded, nor on their way, in order of their splits. */
export async function openRests(db: Queryable): Promise<Rest[]> {
  const found: Rest[] = []
  for (const { id: entryId, details } of await selectSplitsWithRest(db)) {
    const [line] = await selectLinesById(db, details.terms.lineIds)
    if (line && !(await liveRefund(db, entryId)))
      found.push({ entryId, line, amount: details.terms.rest?.amount ?? 0n })
  }
  return found
}

async function liveRefund(db: Queryable, splitId: string): Promise<JournalEntry | undefined> {
  return (await refundsOfRest(db, splitId)).find(({ reversedAt }) => reversedAt === null)
}

/** Taken back, the split would have less than its line. */
export async function mustHaveItsRest(tx: Tx, splitId: string): Promise<void> {
  const refund = await liveRefund(tx, splitId)
  if (!refund) return
  throw new Refusal(
    'INVALID_STATE',
    `The rest of the split was refunded by ${refund.id}. While that is not sent, stop its withdrawal (vezne withdrawal stop); then repeat this. If it was paid, unmatching is not possible any more.`,
  )
}
