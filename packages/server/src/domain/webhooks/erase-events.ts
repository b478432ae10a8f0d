import { refuse } from '../../kernel/refusals/refuse.ts'
import type { Clock } from '../../platform/time/clock.ts'
import type { Tx } from '../../platform/postgres/db.ts'
import { eraseAnswers } from './attempts/store.ts'
import { selectDeliveries } from './deliveries/store.ts'
import { lockQueues } from './endpoint-queues/store.ts'
import { lockEventsOf, selectEventsOf, updateBodies } from './store.ts'

type Data = Record<string, unknown>

/**
 * Erases personal data from a transaction's events and receivers' responses; refuses while an event is undelivered.
 * The caller has locked the transaction, so no event is added meanwhile. Returns the number of changed rows.
 */
export async function eraseEvents(
  { clock }: { clock: Clock },
  tx: Tx,
  { merchantId, id: transactionId }: { merchantId: string; id: string },
  eraseData: (data: Data) => Data,
): Promise<{ events: number; delivery_attempts: number }> {
  // Before they are locked: the distributor holds queues and then waits for events.
  const undistributed = (await selectEventsOf(tx, merchantId, transactionId)).find(({ position }) => position === null)
  if (undistributed) throw refuse('event_not_delivered', { event: undistributed.id })
  const events = await lockEventsOf(tx, merchantId, transactionId)
  const ids = events.map(({ id }) => id)
  // Queues after events, as in `resendEvent`. Given-up deliveries cannot be restarted while they are locked.
  await lockQueues(tx, await selectDeliveries(tx, merchantId, ids))
  const open = (await selectDeliveries(tx, merchantId, ids)).find(({ state }) => state !== 'given_up')
  if (open) throw refuse('event_not_delivered', { event: open.eventId })
  const changed = events.flatMap(({ id, body }) => {
    const erased = eraseBody(body, eraseData)
    return erased === body ? [] : [{ id, body: erased }]
  })
  if (changed.length > 0) await updateBodies(tx, merchantId, changed, clock.now())
  return { events: changed.length, delivery_attempts: await eraseAnswers(tx, merchantId, ids) }
}

function eraseBody(body: string, eraseData: (data: Data) => Data): string {
  const event = JSON.parse(body) as { data: Data }
  return JSON.stringify({ ...event, data: eraseData(event.data) })
}
