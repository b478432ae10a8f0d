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
  /** Claims due deliveries and starts sending them, without waiting for results. `more`: more can be claimed immediately. */
  deliver: () => Promise<{ claimed: number; more: boolean }>
  /** Stops claiming and waits for the calls in progress. */
  stop: () => Promise<void>
}

/** A call starts only if it cannot outlast its claim: after that, another process may repeat it. */
const START_WITHIN_MS = LEASE_MS / 2
/** The most calls that the busiest endpoint may have in progress. */
const RESULT_BATCH_SIZE = 1000

/**
 * Sends events to endpoints: claim, call, record. No transaction is open during a call, and every endpoint
 * has its own connections, so a hanging endpoint delays no other. `onMore` is called if more can be claimed.
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

  // Results that arrive while a batch is recorded form the next batch.
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

/** Background work, awaited only at shutdown. It handles its own errors. */
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
