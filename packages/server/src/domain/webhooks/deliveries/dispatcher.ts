import { batcher } from '../../../platform/concurrency/batcher.ts'
import type { Random } from '../../../platform/crypto/random.ts'
import type { Claimed } from './claim-deliveries.ts'
import { LEASE_MS } from './claim-deliveries.ts'
import { recordAndClaim } from './record-and-claim.ts'
import type { CallResult } from './record-results.ts'
import type { SenderDeps } from './sender.ts'
import { openSender } from './sender.ts'

type Deps = SenderDeps & { random: Random }

type Dispatcher = {
  /** Claims what is due and starts sending it, without waiting for results. `more` can be claimed at once. */
  deliver: () => Promise<{ claimed: number; more: boolean }>
  /** Claims no more, and waits for the calls under way. */
  stop: () => Promise<void>
}

/** No call starts that could outlast its claim: then another process may make it. */
const START_WITHIN_MS = LEASE_MS / 2
/** As many as the busiest endpoint may have under way. */
const RESULT_BATCH_SIZE = 1000

/**
 * Sends events to endpoints: claim, call, record. No transaction is open during a call, and every endpoint has connections of its
 * own, so one that hangs delays no other. `onMore` is called when more can be claimed.
 */
export function openDispatcher(app: Deps, onMore: () => void): Dispatcher {
  const send = openSender(app)
  const { track, allDone } = trackWork()
  let stopping = false

  async function exchange(results: CallResult[]) {
    const startedAt = performance.now()
    const { claimed, recorded, more } = await recordAndClaim(app, results, { claim: !stopping })
    for (const claim of claimed) track(deliver(claim, startedAt))
    return { claimed: claimed.length, recorded, more }
  }

  // While one batch is recorded, the next results gather.
  const record = batcher(
    async (results: CallResult[]) => {
      const { recorded, more } = await exchange(results)
      if (more) onMore()
      return recorded
    },
    { maxBatchSize: RESULT_BATCH_SIZE },
  )

  async function deliver(claim: Claimed, claimedAt: number): Promise<void> {
    const isTooLate = (waited: boolean) => (waited && stopping) || performance.now() - claimedAt > START_WITHIN_MS
    try {
      await record(await send(claim, isTooLate))
    } catch (error) {
      app.log.warn({ err: error, eventId: claim.eventId }, 'a callback was not recorded; it is sent again')
    }
  }

  return {
    deliver: () => exchange([]),
    async stop() {
      stopping = true
      await allDone()
    },
  }
}

/** Work that no one waits for until the end. It handles its own errors. */
function trackWork() {
  const underWay = new Set<Promise<void>>()
  const track = (work: Promise<void>): void => {
    underWay.add(work)
    void work.finally(() => underWay.delete(work))
  }
  const allDone = async (): Promise<void> => {
    while (underWay.size > 0) await Promise.all(underWay)
  }
  return { track, allDone }
}
