import type { Clock } from '../../../platform/time/clock.ts'
import type { Db, Tx } from '../../../platform/postgres/db.ts'
import { claimedOn } from '../lanes/lane.ts'
import { lockLanes } from '../lanes/store.ts'
import type { BeingCalled, Placed } from './delivery.ts'
import type { Slice } from './delivery.ts'

type Deps = { db: Db; clock: Clock }

/** Whoever distributes, for all merchants, may have to wait for one lane: it is held for so many deliveries at a time. */
const SLICE = 1000

/** A long list of deliveries, worked on slice by slice, each in a transaction that holds their lanes. */
export async function inSlices(
  { db, clock }: Deps,
  select: (slice: Slice) => Promise<Placed[]>,
  work: (tx: Tx, deliveries: Placed[], at: { claimed: BeingCalled[]; now: Date }) => Promise<void>,
): Promise<void> {
  let after: Slice['after'] | undefined = { endpointId: '', transactionId: '', position: '0' }
  while (after) {
    const deliveries = await select({ after, limit: SLICE })
    after = deliveries.at(-1)
    if (!after) return
    await db.transaction(async (tx) => {
      const lanes = await lockLanes(tx, deliveries)
      await work(tx, deliveries, { claimed: claimedOn(lanes), now: clock.now() })
    })
  }
}
