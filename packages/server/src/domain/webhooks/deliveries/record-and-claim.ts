import type { Clock } from '../../../platform/time/clock.ts'
import type { Db } from '../../../platform/postgres/db.ts'
import type { Log } from '../../../platform/log.ts'
import type { Random } from '../../../platform/crypto/random.ts'
import type { EndpointQueue } from '../endpoint-queues/endpoint-queue.ts'
import { limitPause } from '../endpoint-queues/endpoint-queue.ts'
import { commitWithoutWaiting, lockDueQueues, lockQueues, saveQueues } from '../endpoint-queues/store.ts'
import type { Claimed, QueueClaims } from './claim-deliveries.ts'
import { claimDeliveries } from './claim-deliveries.ts'
import type { CallResult } from './record-results.ts'
import { judgeResults, recordResults } from './record-results.ts'
import { endClaims } from './store.ts'

type Deps = { db: Db; clock: Clock; realClock: Clock; random: Random; log: Log }

type Outcome = {
  claimed: Claimed[]
  /** For each result: `late` if its claim was no longer valid. */
  recorded: ('recorded' | 'late')[]
  /** Some queues have more to claim. */
  more: boolean
}

const QUEUE_BATCH_SIZE = 50

/**
 * Records results and claims due deliveries in one transaction: both need the queue's lock, and a busy endpoint
 * gets its next calls as soon as the last ones are recorded. `claim: false` is for a process that is stopping.
 */
export function recordAndClaim(app: Deps, results: CallResult[], { claim }: { claim: boolean }): Promise<Outcome> {
  const times = { now: app.clock.now(), realNow: app.realClock.now() }
  const { now } = times
  const claims = results.map((result) => result.claim)
  const ended = results.map(({ claim: one, answer }) => ({ ...one, outcome: answer?.outcome ?? null }))
  return app.db.transaction(async (tx) => {
    // In this order: only the first lock waits, so there is no deadlock.
    const [, ofResults, due, held] = await Promise.all([
      commitWithoutWaiting(tx),
      claims.length > 0 ? lockQueues(tx, claims) : [],
      claim ? lockDueQueues(tx, claims, now, QUEUE_BATCH_SIZE) : [],
      claims.length > 0 ? endClaims(tx, ended) : new Set<number>(),
    ])
    const locked = [...ofResults, ...due].map((queue) => limitPause(queue, now))
    if (locked.length === 0) return { claimed: [], recorded: results.map(() => 'late' as const), more: false }
    const verdicts = judgeResults(locked, results, now)
    const queues = verdicts.map(({ queue }) => queue)
    const [, taken] = await Promise.all([
      recordResults(app, tx, { results, held, verdicts, now }),
      claim ? claimDeliveries(tx, queues, times) : queues.map((queue) => leave(queue, now)),
    ])
    const saved = taken.map(({ queue }) => queue)
    void tx.withCommit(saveQueues(tx, saved))
    return {
      claimed: taken.flatMap(({ claimed }) => claimed),
      recorded: results.map((_, index) => (held.has(index) ? 'recorded' : 'late')),
      more: due.length >= QUEUE_BATCH_SIZE || taken.some(({ queue: { wakeAt } }) => wakeAt !== null && wakeAt <= now),
    }
  })
}

/** Leaves the queue to another process, immediately or when its pause ends. */
function leave(queue: EndpointQueue, now: Date): QueueClaims {
  const { pausedUntil } = queue
  return { queue: { ...queue, wakeAt: pausedUntil && pausedUntil > now ? pausedUntil : now }, claimed: [] }
}
