import type { Tx } from '../../../platform/postgres/db.ts'
import { sendingEndpoints } from '../../merchants/index.ts'
import { lockQueues, wakeQueues } from '../endpoint-queues/store.ts'
import { restartWaiting, selectWaiting } from './store.ts'

const FROM_THE_FIRST = { endpointId: '', transactionId: '', position: '0' }
/** More than a sandbox ever has. */
const ALL = 1_000_000

/** After a sandbox clock was set back: deliveries scheduled for later are due now, with a new schedule. */
export async function retryNow(tx: Tx, now: Date): Promise<void> {
  const queues = (await sendingEndpoints(tx)).map(({ merchantId, id }) => ({ merchantId, endpointId: id }))
  await lockQueues(tx, queues)
  for (const queue of queues) {
    const waiting = await selectWaiting(tx, queue, null, { after: FROM_THE_FIRST, limit: ALL })
    await restartWaiting(tx, waiting, now)
  }
  await wakeQueues(tx, queues, now)
}
