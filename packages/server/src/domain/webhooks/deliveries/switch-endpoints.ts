import type { Clock } from '../../../platform/time/clock.ts'
import type { Db, Tx } from '../../../platform/postgres/db.ts'
import { findEndpoint, setEndpointState } from '../../merchants/index.ts'
import { lockQueues, saveQueues, wakeQueues } from '../endpoint-queues/store.ts'
import { inBatches } from './in-batches.ts'
import { restartWaiting, selectWaiting } from './store.ts'

type Deps = { db: Db; clock: Clock }

/** What has waited is sent now, in order, each with a new schedule. */
export async function enableEndpoint(app: Deps, merchantId: string, endpointId: string): Promise<void> {
  const key = { merchantId, endpointId }
  await findEndpoint(app.db, merchantId, endpointId)
  await inBatches(app, (page) => selectWaiting(app.db, key, null, page), restartWaiting)
  await changeState(app, merchantId, endpointId, 'enabled', null, async (tx, now) => {
    const [queue] = await lockQueues(tx, [key])
    if (!queue) return
    const healthy = { failures: 0, failingSince: null, warnedAt: null, pausedUntil: null, wakeAt: now }
    await saveQueues(tx, [{ ...queue, ...healthy }])
  })
}

/** Events wait from now on; none is lost. */
export function disableEndpoint(app: Deps, merchantId: string, endpointId: string, reason: string): Promise<void> {
  return changeState(app, merchantId, endpointId, 'disabled', reason, async () => {})
}

/** What has not arrived is given up, visibly, as soon as a worker looks at its queue. */
export function removeEndpoint(app: Deps, merchantId: string, endpointId: string): Promise<void> {
  return changeState(app, merchantId, endpointId, 'removed', 'it was removed', (tx, now) =>
    wakeQueues(tx, [{ merchantId, endpointId }], now),
  )
}

async function changeState(
  app: Deps,
  merchantId: string,
  endpointId: string,
  state: 'enabled' | 'disabled' | 'removed',
  reason: string | null,
  changeQueue: (tx: Tx, now: Date) => Promise<void>,
): Promise<void> {
  await app.db.transaction(async (tx) => {
    await findEndpoint(tx, merchantId, endpointId)
    await changeQueue(tx, app.clock.now())
    await setEndpointState(tx, merchantId, endpointId, state, reason)
  })
}
