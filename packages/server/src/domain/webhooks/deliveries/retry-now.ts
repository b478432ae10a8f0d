import type { Tx } from '../../../platform/postgres/db.ts'
import { sendingEndpoints } from '../../merchants/index.ts'
import { lockLanes, wakeLanes } from '../lanes/store.ts'
import { restartWaiting, selectWaiting } from './store.ts'

const FROM_THE_FIRST = { endpointId: '', transactionId: '', position: '0' }
/** More than a sandbox ever has. */
const ALL = 1_000_000

/** After the clock of a sandbox was set back: what waits for a later hour is due now, with a new schedule. */
export async function retryNow(tx: Tx, now: Date): Promise<void> {
  const lanes = (await sendingEndpoints(tx)).map(({ merchantId, id }) => ({ merchantId, endpointId: id }))
  await lockLanes(tx, lanes)
  for (const lane of lanes) {
    const waiting = await selectWaiting(tx, lane, null, { after: FROM_THE_FIRST, limit: ALL })
    await restartWaiting(tx, waiting, { now })
  }
  await wakeLanes(tx, lanes, now)
}
