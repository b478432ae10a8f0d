import { UNATTRIBUTED } from '../../../packages/server/src/kernel/actor.ts'
import { disableEndpoint, enableEndpoint } from '../../../packages/server/src/domain/webhooks/index.ts'
import { findEndpoints, rotateSecret } from '../../../packages/server/src/domain/merchants/index.ts'
import { Refusal } from '../../../packages/server/src/platform/refusal.ts'
import { sql } from '../../../packages/server/src/platform/postgres/sql.ts'
import { pause } from '../../harness/until.ts'
import type { Crew } from '../crew.ts'
import { hireCrew } from '../crew.ts'
import type { Dice } from '../dice.ts'
import { openDice } from '../dice.ts'
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
  /** The storm goes on until so many were killed, on however slow a machine. */
  leastKills: number
  withinMs: number
}

type States = Record<string, number>
export type Glance = { recorded: number; states: States; kills: number; pauses: number }

/** What the storm did, beside what is known afterwards. */
type Weather = {
  travelledSeconds: number
  rotations: number
  switches: number
  switchedOff: number
  gone: number
  busy: number
}
export type Result = { evidence: Evidence; weather: Weather; seconds: { storm: number; calm: number } }

type Storm = {
  world: World
  plan: Plan
  dice: Dice
  crew: Crew
  writers: Writers
  weather: Weather
  look: () => Promise<States>
  deadline: number
}

/** Looking takes time from those whose time counts. */
const LOOK_EVERY_MS = 400
const HOUR_S = 3600
const LONGEST_JUMP_S = 6 * HOUR_S
const LONG_STOP_ROUND = 3
/** In each such round one is stopped, besides. */
const STOP_EVERY = 5
const UNDER_REPAIR = 'under repair'

/** Events among killed and stopped workers, hostile receivers and a jumping clock; then calm, until everything has arrived. */
export async function runChaos(world: World, plan: Plan, show: (glance: Glance) => void): Promise<Result> {
  const dice = openDice(plan.seed)
  const crew = await hireCrew(plan.workers, { VEZNE_LOG: 'warn', ...world.workerEnv })
  const writers = startWriters(world, openDice(plan.seed + 1), { events: plan.callbacks, perSecond: plan.perSecond })
  const look = async () => {
    await pause(LOOK_EVERY_MS)
    const states = await countStates(world)
    show({ recorded: writers.recorded.length, states, ...crew.counts() })
    return states
  }
  const weather = { travelledSeconds: 0, rotations: 0, switches: 0, switchedOff: 0, gone: 0, busy: 0 }
  const deadline = performance.now() + plan.withinMs
  const storm: Storm = { world, plan, dice, crew, writers, weather, look, deadline }
  try {
    const began = performance.now()
    await Promise.all([rage(storm), writers.finished])
    const calmed = performance.now()
    await calmDown(storm)
    const ended = performance.now()
    await crew.dismiss()
    const evidence = await gatherEvidence(world, writers, crew, weather.gone)
    return { evidence, weather, seconds: { storm: (calmed - began) / 1000, calm: (ended - calmed) / 1000 } }
  } finally {
    writers.stop()
    await crew.dismiss()
  }
}

async function rage(storm: Storm): Promise<void> {
  const { plan, dice, crew, writers, look, deadline } = storm
  let longStop = { index: -1, until: 0 }
  const isOver = () => writers.isDone() && crew.counts().kills >= plan.leastKills
  for (let round = 1; !isOver() && performance.now() < deadline; round++) {
    const roundEnds = performance.now() + dice.between(...plan.roundMs)
    await meddle(storm, round)
    while (performance.now() < roundEnds && !isOver()) await look()
    if (performance.now() > longStop.until) longStop = { index: -1, until: 0 }
    if (round === LONG_STOP_ROUND && plan.longStopMs > 0) {
      longStop = { index: dice.below(crew.size), until: performance.now() + plan.longStopMs }
      crew.pause(longStop.index)
    } else await strike(storm, round, longStop.index)
    await travel(storm, dice.between(120, LONGEST_JUMP_S))
  }
  // Out of time: what was not written by now is not written.
  writers.stop()
}

/**
 * Kills one worker or two at once; now and then one stays stopped for a round instead. `spared` is stopped for longer. One is always
 * left: how long events take is measured, not how long a busy machine takes to start a process.
 */
async function strike(storm: Storm, round: number, spared: number): Promise<void> {
  const { crew, dice } = storm
  const others = Array.from({ length: crew.size }, (_, index) => index).filter((index) => index !== spared)
  others.forEach((index) => crew.resume(index))
  const pick = () => others.splice(dice.below(others.length), 1)[0] as number
  if (others.length > 1 && round % STOP_EVERY === 0) crew.pause(pick())
  const most = Math.min(2, crew.size === 1 ? 1 : others.length - 1)
  const victims = Array.from({ length: most === 0 ? 0 : dice.between(1, most) }, pick)
  const restarted = victims.map((index) => crew.kill(index))
  // Leases of the killed end at once, and those of the living with them: what is under way is sent once more.
  await travel(storm, dice.between(120, LONGEST_JUMP_S))
  await Promise.all(restarted)
}

/** What people do meanwhile: switch endpoints on that were switched off, switch one off, give out new secrets. */
async function meddle(storm: Storm, round: number): Promise<void> {
  const { world, dice, weather } = storm
  if (round % 3 === 0) await enableAll(storm)
  if (round % 5 === 2) {
    const { merchantId, endpointId } = world.addresses.find(({ kind }) => kind === 'switched') as World['addresses'][0]
    await disableEndpoint(world.app, UNATTRIBUTED, merchantId, endpointId, UNDER_REPAIR)
    weather.switches++
  }
  if (round % 2 === 1) {
    const { merchantId, endpointId, receiver } = world.addresses[
      dice.below(world.addresses.length)
    ] as World['addresses'][0]
    const { secret } = await rotateSecret(world.app, UNATTRIBUTED, merchantId, endpointId)
    await world.street.newSecret(receiver, secret)
    weather.rotations++
  }
}

async function enableAll({ world: { app, addresses }, weather }: Storm): Promise<void> {
  const endpoints = await findEndpoints(app.db, [...new Set(addresses.map(({ merchantId }) => merchantId))])
  for (const { merchantId, id, stateReason } of endpoints.filter(({ state }) => state === 'disabled')) {
    try {
      await enableEndpoint(app, UNATTRIBUTED, merchantId, id)
      if (stateReason !== UNDER_REPAIR) weather.switchedOff++
      if (stateReason?.includes('410')) weather.gone++
    } catch (error) {
      // A stopped worker holds its queue: people read "try again shortly", and do.
      if (!(error instanceof Refusal) || error.code !== 'SERVICE_UNAVAILABLE') throw error
      weather.busy++
    }
  }
}

async function travel({ world, weather }: Storm, seconds: number): Promise<void> {
  await world.travel(seconds)
  weather.travelledSeconds += seconds
}

/** All servers are well, nobody is killed: everything arrives, or the verdict says so. */
async function calmDown(storm: Storm): Promise<void> {
  const { world, crew, look, deadline } = storm
  crew.resumeAll()
  await world.street.becomeHealthy()
  let before = -1
  while (performance.now() < deadline) {
    const { delivered = 0, given_up: _, ...open } = await look()
    await enableAll(storm)
    if (Object.values(open).every((count) => count === 0)) return
    // Not while something arrives: time that races past every lease would only make work.
    if (delivered === before) await travel(storm, HOUR_S)
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
