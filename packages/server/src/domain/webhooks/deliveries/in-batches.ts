import type { Clock } from '../../../platform/time/clock.ts'
import type { Db, Tx } from '../../../platform/postgres/db.ts'
import { lockQueues } from '../endpoint-queues/store.ts'
import type { Page, PlacedDelivery } from './delivery.ts'

type Deps = { db: Db; clock: Clock }

/** Bounds the lock time of a queue: the distributor, which serves all merchants, waits for it. */
const BATCH_SIZE = 1000

/** Changes a long list of deliveries in batches, each in a transaction that locks their queues. */
export async function inBatches(
  { db, clock }: Deps,
  select: (page: Page) => Promise<PlacedDelivery[]>,
  change: (tx: Tx, deliveries: PlacedDelivery[], now: Date) => Promise<void>,
): Promise<void> {
  let after: Page['after'] | undefined = { endpointId: '', transactionId: '', position: '0' }
  while (after) {
    const deliveries = await select({ after, limit: BATCH_SIZE })
    after = deliveries.at(-1)
    if (!after) return
    await db.transaction(async (tx) => {
      await lockQueues(tx, deliveries)
      await change(tx, deliveries, clock.now())
    })
  }
}
