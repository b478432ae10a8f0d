import type { Tx } from '../../../platform/postgres/db.ts'
import type { Log } from '../../../platform/log.ts'
import type { Answer } from '../../../platform/http-client/outbound.ts'
import type { Random } from '../../../platform/crypto/random.ts'
import { setEndpointState } from '../../merchants/index.ts'
import { insertAttempts } from '../attempts/store.ts'
import type { EndpointQueue, Verdict } from '../endpoint-queues/endpoint-queue.ts'
import { afterResults } from '../endpoint-queues/endpoint-queue.ts'
import type { Claimed } from './claim-deliveries.ts'
import { nextTry } from './retry-intervals.ts'
import { promoteNext, updateFailed } from './store.ts'

type Answered = { claim: Claimed; answer: Answer; at: Date }
/** A null `answer` means that the call was not made, and the delivery may be claimed again. */
export type CallResult = Answered | (Omit<Answered, 'answer'> & { answer: null })
type Deps = { random: Random; log: Log }

const wasMade = (result: CallResult): result is Answered => result.answer !== null

/** Each queue after its results, and the action required for its endpoint. */
export function judgeResults(queues: EndpointQueue[], results: CallResult[], now: Date): Verdict[] {
  const byQueue = Map.groupBy(results, ({ claim }) => claim.endpointId)
  return queues.map((queue) => {
    const own = byQueue.get(queue.endpointId) ?? []
    // PostgreSQL may have lost the last claims (see `commitWithoutWaiting`). Their numbers must not be reused.
    const lastClaim = Math.max(queue.lastClaim, ...own.map(({ claim }) => claim.number))
    const answers = own.filter(wasMade).map(({ answer }) => answer)
    return afterResults({ ...queue, lastClaim }, answers, now)
  })
}

/**
 * Records every call as an attempt. If its claim is still valid, the delivery is delivered, due again
 * or given up; a late result changes nothing. The queues are locked.
 */
export async function recordResults(
  app: Deps,
  tx: Tx,
  { results, held, verdicts, now }: { results: CallResult[]; held: Set<number>; verdicts: Verdict[]; now: Date },
): Promise<void> {
  const made = results.filter(wasMade)
  const counted = results.filter((_, index) => held.has(index)).filter(wasMade)
  const delivered = counted.filter(({ answer }) => answer.outcome === 'accepted').map(({ claim }) => claim)
  const failed = counted.filter(({ answer }) => answer.outcome !== 'accepted').map((one) => afterFailure(app, one, now))
  const finished = [...delivered, ...failed.filter(({ state }) => state === 'given_up')]
  await Promise.all([
    made.length > 0 && insertAttempts(tx, made.map(attemptOf)),
    failed.length > 0 && updateFailed(tx, failed, now),
    finished.length > 0 && promoteNext(tx, finished, now),
    ...verdicts.map((verdict) => warnOrDisable(app, tx, verdict)),
  ])
}

function attemptOf({ claim: { merchantId, eventId, endpointId, number }, answer, at }: Answered) {
  return { merchantId, eventId, endpointId, number, at, answer }
}

function afterFailure({ random }: Deps, { claim, answer }: Answered, now: Date) {
  const { outcome, status, retryAfterSeconds } = answer
  const chance = random.bytes(4).readUInt32BE() / 0xffffffff
  const next = nextTry({ tries: claim.tries + 1, since: claim.since, now, retryAfterSeconds, chance })
  const state = next ? ('waiting' as const) : ('given_up' as const)
  return { ...claim, outcome, status, state, nextAt: next ?? now }
}

async function warnOrDisable({ log }: Deps, tx: Tx, { queue, warn, disable }: Verdict): Promise<void> {
  const { merchantId, endpointId, failingSince } = queue
  if (warn) log.warn({ merchantId, endpointId, failingSince }, 'callbacks only fail')
  if (disable === null) return
  await setEndpointState(tx, merchantId, endpointId, 'disabled', disable)
  log.warn({ merchantId, endpointId, reason: disable }, 'callback endpoint disabled; its events wait')
}
