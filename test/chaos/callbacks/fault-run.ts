import { UNATTRIBUTED } from '../../../packages/server/src/kernel/actor.ts'
import { disableEndpoint, enableEndpoint } from '../../../packages/server/src/domain/webhooks/index.ts'
import { findEndpoints, rotateSecret } from '../../../packages/server/src/domain/merchants/index.ts'
import { Refusal } from '../../../packages/server/src/platform/refusal.ts'
import { sql } from '../../../packages/server/src/platform/postgres/sql.ts'
import { pause } from '../../harness/until.ts'
import type { Workers } from '../workers.ts'
import { startWorkers } from '../workers.ts'
import type { SeededRandom } from '../random.ts'
import { seededRandom } from '../random.ts'
import type { Evidence } from './evidence.ts'
import { gatherEvidence } from './evidence.ts'
import type { World } from './world.ts'
import type { Writers } from './writers.ts'
import { startWriters } from './writers.ts'

export type Plan = {
  /** Events that are recorded, each for every endpoint that wants it. */
  callbacks: number
  perSecond: number
  workers: number
  seed: number
  /** From one kill or stop to the next; the time in which the killed one starts again counts. */
  roundMs: [shortest: number, longest: number]
  /** Once, a worker is stopped for so long. */
  longStopMs: number
  /** Faults go on until so many workers were killed, however slow the machine is. */
  leastKills: number
  withinMs: number
}

type States = Record<string, number>
export type Progress = { recorded: number; states: States; kills: number; pauses: number }

/** Faults and changes that were injected, as counts. */
type Injected = {
  travelledSeconds: number
  rotations: number
  switches: number
  switchedOff: number
  gone: number
  busy: number
}
export type Result = { evidence: Evidence; injected: Injected; seconds: { faults: number; recovery: number } }

type FaultRun = {
  world: World
  plan: Plan
  random: SeededRandom
  workers: Workers
  writers: Writers
  injected: Injected
  poll: () => Promise<States>
  deadline: number
}

/** Polling more often would slow the workers whose latency is measured. */
const POLL_EVERY_MS = 400
const HOUR_S = 3600
const LONGEST_JUMP_S = 6 * HOUR_S
const LONG_STOP_ROUND = 3
/** Every so many rounds one is also stopped. */
const STOP_EVERY = 5
const UNDER_REPAIR = 'under repair'

/** Events with killed and stopped workers, hostile receivers and a jumping clock; then without faults, until all have arrived. */
export async function runChaos(world: World, plan: Plan, show: (progress: Progress) => void): Promise<Result> {
  const random = seededRandom(plan.seed)
  const workers = await startWorkers(plan.workers, { VEZNE_LOG: 'warn', ...world.workerEnv })
  const writers = startWriters(world, seededRandom(plan.seed + 1), {
    events: plan.callbacks,
    perSecond: plan.perSecond,
  })
  const poll = async () => {
    await pause(POLL_EVERY_MS)
    const states = await countStates(world)
    show({ recorded: writers.recorded.length, states, ...workers.counts() })
    return states
  }
  const injected = { travelledSeconds: 0, rotations: 0, switches: 0, switchedOff: 0, gone: 0, busy: 0 }
  const deadline = performance.now() + plan.withinMs
  const faultRun: FaultRun = { world, plan, random, workers, writers, injected, poll, deadline }
  try {
    const began = performance.now()
    await Promise.all([injectFaults(faultRun), writers.finished])
    const faultsEnded = performance.now()
    await awaitCompletion(faultRun)
    const ended = performance.now()
    await workers.stopAll()
    const evidence = await gatherEvidence(world, writers, workers, injected.gone)
    return {
      evidence,
      injected,
      seconds: { faults: (faultsEnded - began) / 1000, recovery: (ended - faultsEnded) / 1000 },
    }
  } finally {
    writers.stop()
    await workers.stopAll()
  }
}

async function injectFaults(faultRun: FaultRun): Promise<void> {
  const { plan, random, workers, writers, poll, deadline } = faultRun
  let longStop = { index: -1, until: 0 }
  const isOver = () => writers.isDone() && workers.counts().kills >= plan.leastKills
  for (let round = 1; !isOver() && performance.now() < deadline; round++) {
    const roundEnds = performance.now() + random.between(...plan.roundMs)
    await changeEndpoints(faultRun, round)
    while (performance.now() < roundEnds && !isOver()) await poll()
    if (performance.now() > longStop.until) longStop = { index: -1, until: 0 }
    if (round === LONG_STOP_ROUND && plan.longStopMs > 0) {
      longStop = { index: random.below(workers.size), until: performance.now() + plan.longStopMs }
      workers.pause(longStop.index)
    } else await killWorkers(faultRun, round, longStop.index)
    await travel(faultRun, random.between(120, LONGEST_JUMP_S))
  }
  // Out of time: what was not written by now is not written.
  writers.stop()
}

/**
 * Kills one or two workers; in some rounds one is stopped as well. `spared` is stopped for longer. One always keeps running: the
 * latency of events is measured, not how long a busy machine takes to start a process.
 */
async function killWorkers(faultRun: FaultRun, round: number, spared: number): Promise<void> {
  const { workers, random } = faultRun
  const others = Array.from({ length: workers.size }, (_, index) => index).filter((index) => index !== spared)
  others.forEach((index) => workers.resume(index))
  const pick = () => others.splice(random.below(others.length), 1)[0] as number
  if (others.length > 1 && round % STOP_EVERY === 0) workers.pause(pick())
  const most = Math.min(2, workers.size === 1 ? 1 : others.length - 1)
  const targets = Array.from({ length: most === 0 ? 0 : random.between(1, most) }, pick)
  const restarted = targets.map((index) => workers.kill(index))
  // Ends all leases, also those of running workers: what is under way is sent again.
  await travel(faultRun, random.between(120, LONGEST_JUMP_S))
  await Promise.all(restarted)
}

/** What people do meanwhile: enable disabled endpoints, disable one, rotate secrets. */
async function changeEndpoints(faultRun: FaultRun, round: number): Promise<void> {
  const { world, random, injected } = faultRun
  if (round % 3 === 0) await enableAll(faultRun)
  if (round % 5 === 2) {
    const { merchantId, endpointId } = world.addresses.find(({ kind }) => kind === 'switched') as World['addresses'][0]
    await disableEndpoint(world.app, UNATTRIBUTED, merchantId, endpointId, UNDER_REPAIR)
    injected.switches++
  }
  if (round % 2 === 1) {
    const { merchantId, endpointId, receiver } = world.addresses[
      random.below(world.addresses.length)
    ] as World['addresses'][0]
    const { secret } = await rotateSecret(world.app, UNATTRIBUTED, merchantId, endpointId)
    await world.receivers.newSecret(receiver, secret)
    injected.rotations++
  }
}

async function enableAll({ world: { app, addresses }, injected }: FaultRun): Promise<void> {
  const endpoints = await findEndpoints(app.db, [...new Set(addresses.map(({ merchantId }) => merchantId))])
  for (const { merchantId, id, stateReason } of endpoints.filter(({ state }) => state === 'disabled')) {
    try {
      await enableEndpoint(app, UNATTRIBUTED, merchantId, id)
      if (stateReason !== UNDER_REPAIR) injected.switchedOff++
      if (stateReason?.includes('410')) injected.gone++
    } catch (error) {
      // A stopped worker holds the queue's lock: people are told to try again, and do.
      if (!(error instanceof Refusal) || error.code !== 'SERVICE_UNAVAILABLE') throw error
      injected.busy++
    }
  }
}

async function travel({ world, injected }: FaultRun, seconds: number): Promise<void> {
  await world.travel(seconds)
  injected.travelledSeconds += seconds
}

/** No more faults and no more kills: every event arrives, or the verdict says so. */
async function awaitCompletion(faultRun: FaultRun): Promise<void> {
  const { world, workers, poll, deadline } = faultRun
  workers.resumeAll()
  await world.receivers.becomeHealthy()
  let before = -1
  while (performance.now() < deadline) {
    const { delivered = 0, given_up: _, ...open } = await poll()
    await enableAll(faultRun)
    if (Object.values(open).every((count) => count === 0)) return
    // Not while events arrive: moving time past every lease would only send them again.
    if (delivered === before) await travel(faultRun, HOUR_S)
    before = delivered
  }
}

async function countStates({ app: { db, clock } }: World): Promise<States> {
  const rows = await db.query<{ state: string; count: number }>(sql`
    select case when state <> 'waiting' then state when next_at <= ${clock.now()} then 'due' else 'later' end as state,
      count(*)::int as count
    from deliveries group by 1
    union all
    select 'delivered', count(distinct (event_id, endpoint_id))::int from delivery_attempts where outcome = 'accepted'
    union all select 'undistributed', count(*)::int from events where position is null`)
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]))
}
