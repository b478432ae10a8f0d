import type { Clock } from '../../../platform/time/clock.ts'
import type { Db, Tx } from '../../../platform/postgres/db.ts'
import type { Log } from '../../../platform/log.ts'
import type { Random } from '../../../platform/crypto/random.ts'
import { runBatch } from '../../set-aside/index.ts'
import type { EndpointQueue } from '../endpoint-queues/endpoint-queue.ts'
import { limitPause } from '../endpoint-queues/endpoint-queue.ts'
import { commitWithoutWaiting, lockDueQueues, lockQueues, saveQueues, wakeQueues } from '../endpoint-queues/store.ts'
import type { Claimed, QueueClaims } from './claim-deliveries.ts'
import { claimDeliveries } from './claim-deliveries.ts'
import type { CallResult } from './record-results.ts'
import { judgeResults, recordResults } from './record-results.ts'
import { endClaims, postpone } from './store.ts'

type Deps = { db: Db; clock: Clock; realClock: Clock; random: Random; log: Log }

type Outcome = {
  claimed: Claimed[]
  /** For each result: `late` if its claim was no longer valid. */
  recorded: ('recorded' | 'late')[]
  /** Some queues have more to claim. */
  more: boolean
}

type Done = Omit<Outcome, 'recorded'> & { recorded: { index: number; word: 'recorded' | 'late' }[] }

const QUEUE_BATCH_SIZE = 50

/** One step on a locked queue: recording a result (`held`: its claim is still valid), or claiming what is due. */
type Step = { queue: EndpointQueue } & ({ result: CallResult; index: number; held: boolean } | { result: null })
type Recorded = Extract<Step, { result: CallResult }>
type Times = { now: Date; realNow: Date }

/**
 * Records results and claims due deliveries in one transaction: both need the queue's lock, and a busy endpoint
 * gets its next calls as soon as the last ones are recorded. `claim: false` is for a process that is stopping.
 */
export async function recordAndClaim(
  app: Deps,
  results: CallResult[],
  { claim }: { claim: boolean },
): Promise<Outcome> {
  const times = { now: app.clock.now(), realNow: app.realClock.now() }
  const { done } = await runBatch<Step, Done>(app, {
    what: 'callback',
    idOf: (step) => (isResult(step) ? `${step.result.claim.eventId}/${step.queue.endpointId}` : step.queue.endpointId),
    claim: (tx, only) => (only ? lockAgain(tx, only, times) : lockSteps(tx, results, claim, times)),
    work: async (tx, steps) => [await run(app, tx, steps, times)],
    mark: (tx, step, _error, retryAt) => putOff(tx, step, times.now, retryAt),
  })
  const recorded = done.flatMap((one) => one.recorded)
  return {
    claimed: done.flatMap((one) => one.claimed),
    recorded: results.map((_, index) => recorded.find((one) => one.index === index)?.word ?? 'late'),
    more: done.some(({ more }) => more),
  }
}

const isResult = (step: Step): step is Recorded => step.result !== null

async function lockSteps(tx: Tx, results: CallResult[], claim: boolean, { now }: Times): Promise<Step[]> {
  const claims = results.map((result) => result.claim)
  // In this order: only the first lock waits, so there is no deadlock.
  const [, ofResults, due, held] = await Promise.all([
    commitWithoutWaiting(tx),
    claims.length > 0 ? lockQueues(tx, claims) : [],
    claim ? lockDueQueues(tx, claims, now, QUEUE_BATCH_SIZE) : [],
    claims.length > 0 ? endClaims(tx, results.map(endOf)) : new Set<number>(),
  ])
  const queues = [...ofResults, ...due].map((queue) => limitPause(queue, now))
  const byEndpoint = new Map(queues.map((queue) => [queue.endpointId, queue]))
  const recorded = results.flatMap((result, index) => {
    const queue = byEndpoint.get(result.claim.endpointId)
    return queue ? [{ queue, result, index, held: held.has(index) }] : []
  })
  return [...recorded, ...(claim ? queues.map((queue) => ({ queue, result: null })) : [])]
}

/** One step alone. */
async function lockAgain(tx: Tx, steps: Step[], { now }: Times): Promise<Step[]> {
  const [, queues, held] = await Promise.all([
    commitWithoutWaiting(tx),
    lockQueues(
      tx,
      steps.map((step) => step.queue),
    ),
    endClaims(
      tx,
      steps.filter(isResult).map(({ result }) => endOf(result)),
    ),
  ])
  const [queue] = queues.map((one) => limitPause(one, now))
  return queue ? steps.map((step) => ({ ...step, queue, ...(isResult(step) && { held: held.size > 0 }) })) : []
}

const endOf = ({ claim, answer }: CallResult) => ({ ...claim, outcome: answer?.outcome ?? null })

async function run(app: Deps, tx: Tx, steps: Step[], times: Times): Promise<Done> {
  const { now } = times
  const recorded = steps.filter(isResult)
  const claiming = new Set(steps.flatMap((step) => (isResult(step) ? [] : step.queue.endpointId)))
  const results = recorded.map(({ result }) => result)
  const held = new Set(recorded.flatMap((one, index) => (one.held ? index : [])))
  const locked = [...new Map(steps.map(({ queue }) => [queue.endpointId, queue])).values()]
  const verdicts = judgeResults(locked, results, now)
  const queues = verdicts.map(({ queue }) => queue)
  const toClaim = queues.filter(({ endpointId }) => claiming.has(endpointId))
  const left = queues.filter(({ endpointId }) => !claiming.has(endpointId))
  const [, taken] = await Promise.all([
    recordResults(app, tx, { results, held, verdicts, now }),
    toClaim.length > 0 ? claimDeliveries(tx, toClaim, times) : [],
  ])
  const after = [...taken, ...left.map((queue) => leave(queue, now))].map(({ queue }) => queue)
  void tx.withCommit(saveQueues(tx, after))
  return {
    claimed: taken.flatMap(({ claimed }) => claimed),
    recorded: recorded.map(({ index, held: counts }) => ({ index, word: counts ? 'recorded' : 'late' })),
    more: toClaim.length >= QUEUE_BATCH_SIZE || after.some(({ wakeAt }) => wakeAt !== null && wakeAt <= now),
  }
}

/** The call was made and cannot be recorded: it is made again only when the row is tried again. */
async function putOff(tx: Tx, step: Step, now: Date, retryAt: Date): Promise<void> {
  if (!isResult(step)) return
  await lockQueues(tx, [step.queue])
  const held = await endClaims(tx, [{ ...step.result.claim, outcome: null }])
  if (held.size > 0) await postpone(tx, step.result.claim, retryAt)
  await wakeQueues(tx, [step.queue], now)
}

/** Leaves the queue to another process, immediately or when its pause ends. */
function leave(queue: EndpointQueue, now: Date): QueueClaims {
  const { pausedUntil } = queue
  return { queue: { ...queue, wakeAt: pausedUntil && pausedUntil > now ? pausedUntil : now }, claimed: [] }
}
