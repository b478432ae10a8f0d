import type { Actor } from '../../../kernel/actor.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import type { Db, Tx } from '../../../platform/postgres/db.ts'
import { findEndpoint, setEndpointState } from '../../merchants/index.ts'
import type { Authority } from '../../people/index.ts'
import { authorize, authorized } from '../../people/index.ts'
import { lockQueues, saveQueues, wakeQueues } from '../endpoint-queues/store.ts'
import { inBatches } from './in-batches.ts'
import { restartWaiting, selectWaiting } from './store.ts'

type Deps = Authority & { db: Db; clock: Clock }

/** Waiting events are sent now, in order, each with a new schedule. */
export async function enableEndpoint(app: Deps, actor: Actor, merchantId: string, endpointId: string): Promise<void> {
  const key = { merchantId, endpointId }
  await app.db.transaction(async (tx) => {
    await authorize(app, tx, actor, 'endpoint.switch', { usersOf: merchantId })
    await findEndpoint(tx, merchantId, endpointId)
  })
  const restart: typeof restartWaiting = async (tx, ...page) => {
    await authorize(app, tx, actor, 'endpoint.switch', { usersOf: merchantId })
    await restartWaiting(tx, ...page)
  }
  await inBatches(app, (page) => selectWaiting(app.db, key, null, page), restart)
  await changeState(app, actor, merchantId, endpointId, 'enabled', null, async (tx, now) => {
    const [queue] = await lockQueues(tx, [key])
    if (!queue) return
    const healthy = { failures: 0, failingSince: null, warnedAt: null, pausedUntil: null, wakeAt: now }
    await saveQueues(tx, [{ ...queue, ...healthy }])
  })
}

/** From now on events wait; none is lost. */
export function disableEndpoint(
  app: Deps,
  actor: Actor,
  merchantId: string,
  endpointId: string,
  reason: string,
): Promise<void> {
  return changeState(app, actor, merchantId, endpointId, 'disabled', reason, async () => {})
}

/** Undelivered events are given up, visibly, as soon as a worker processes its queue. */
export function removeEndpoint(app: Deps, actor: Actor, merchantId: string, endpointId: string): Promise<void> {
  return changeState(app, actor, merchantId, endpointId, 'removed', 'it was removed', (tx, now) =>
    wakeQueues(tx, [{ merchantId, endpointId }], now),
  )
}

async function changeState(
  app: Deps,
  actor: Actor,
  merchantId: string,
  endpointId: string,
  state: 'enabled' | 'disabled' | 'removed',
  reason: string | null,
  changeQueue: (tx: Tx, now: Date) => Promise<void>,
): Promise<void> {
  await authorized(
    app,
    actor,
    'endpoint.switch',
    async (tx, audit) => {
      const before = await findEndpoint(tx, merchantId, endpointId)
      await changeQueue(tx, app.clock.now())
      await setEndpointState(tx, merchantId, endpointId, state, reason)
      await audit(`endpoint:${endpointId}`, { before: { state: before.state }, after: { merchantId, state }, reason })
    },
    { usersOf: merchantId },
  )
}
