import type { Clock } from '../../platform/clock.ts'
import type { Tx } from '../../platform/db.ts'
import type { Ids } from '../../platform/ids.ts'
import { insertEvents } from './store.ts'

/** Something to tell a merchant. `data` is the transaction as the API shows it at this moment. */
export type Event = { merchantId: string; transactionId: string; sequence: number; type: string; data: object }

/** Writes events beside the change they tell of, in the same transaction: neither exists without the other. */
export async function recordEvents({ clock, ids }: { clock: Clock; ids: Ids }, tx: Tx, events: Event[]): Promise<void> {
  if (events.length === 0) return
  const now = clock.now()
  const rows = events.map(({ type, data, ...event }) => {
    return { ...event, id: ids.next(), type, body: JSON.stringify({ type, timestamp: now.toISOString(), data }) }
  })
  await insertEvents(tx, rows, now)
}
