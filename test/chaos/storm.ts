import { createWithdrawals } from '../../packages/server/src/domain/withdrawals/index.ts'
import { Refusal } from '../../packages/server/src/platform/refusal.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { pause } from '../harness/until.ts'
import type { Crew } from './crew.ts'
import { hireCrew } from './crew.ts'
import type { Dice } from './dice.ts'
import { openDice } from './dice.ts'
import { gatherEvidence } from './evidence.ts'
import type { Orders } from './orders.ts'
import { prepareOrders } from './orders.ts'
import type { Finding } from './verdict.ts'
import { judge } from './verdict.ts'
import type { World } from './world.ts'

export type Plan = {
  payouts: number
  faultRate: number
  workers: number
  seed: number
  /** Payouts are asked for in so many lists, one a round, so that every kill meets work. */
  lists: number
  /** From one kill or stop to the next; the time in which the killed one starts again counts. */
  roundMs: [shortest: number, longest: number]
  withinMs: number
}

export type Stages = Record<string, number>
export type Glance = { stages: Stages; kills: number; pauses: number }
export type Result = {
  findings: Finding[]
  stages: Stages
  faults: Record<string, number>
  crew: ReturnType<Crew['counts']>
  complaints: Map<string, number>
  returns: number
  /** Lists that had to be asked for again, by what the database had said. */
  repeats: Map<string, number>
  travelledSeconds: number
}

type Storm = {
  world: World
  plan: Plan
  dice: Dice
  crew: Crew
  orders: Orders
  look: () => Promise<Stages>
  deadline: number
  returns: number
  repeats: Map<string, number>
  travelled: number
}

const FAULT_DELAY_MS = 30
/** Then the weather turns: what is left must become final by itself. */
const MOST = 0.95
/** Of a hundred transfers that arrived, so many are sent back by the receiver's bank. */
const RETURNED_PERCENT = 1
const HOUR_S = 3600
const TRAVEL_EVERY_MS = 1000
const LOOK_EVERY_MS = 50

/** Payouts among killed workers, a faulty bank and a jumping clock; then calm, then the verdict. */
export async function runChaos(world: World, plan: Plan, show: (glance: Glance) => void): Promise<Result> {
  const dice = openDice(plan.seed)
  const orders = await prepareOrders(world, dice, plan.payouts)
  await world.call('PUT', 'faults', { seed: plan.seed, rate: plan.faultRate, delayMs: FAULT_DELAY_MS })
  const crew = await hireCrew(plan.workers, world.workerEnv)
  const look = async () => {
    await pause(LOOK_EVERY_MS)
    const stages = await countStages(world)
    show({ stages, ...crew.counts() })
    return stages
  }
  const deadline = performance.now() + plan.withinMs
  const storm: Storm = { world, plan, dice, crew, orders, look, deadline, returns: 0, repeats: new Map(), travelled: 0 }
  try {
    await rage(storm)
    const { counts } = await world.call<{ counts: Record<string, number> }>('GET', 'faults')
    await calmDown(storm)
    await crew.dismiss()
    const findings = judge(await gatherEvidence(world, orders.funded))
    const { returns, repeats, travelled: travelledSeconds } = storm
    const stages = await countStages(world)
    return {
      findings,
      stages,
      faults: counts,
      crew: crew.counts(),
      complaints: crew.complaints(),
      returns,
      repeats,
      travelledSeconds,
    }
  } finally {
    await crew.dismiss()
  }
}

async function rage(storm: Storm): Promise<void> {
  const { plan, dice, crew, orders, look, deadline } = storm
  const perList = Math.ceil(plan.payouts / plan.lists)
  let asked = 0
  let seen = 0
  let roundEnds = performance.now() + dice.between(...plan.roundMs)
  for (let round = 1; ; round++) {
    const list = orders.requests.slice(asked, asked + perList)
    asked += list.length
    if (list.length > 0) await ask(storm, list)
    await travel(storm, dice.between(120, 2 * HOUR_S))
    let stages = await look()
    while (performance.now() < roundEnds) stages = await look()
    seen = await sendSomeBack(storm, seen)
    crew.resumeAll()
    roundEnds = performance.now() + dice.between(...plan.roundMs)
    await strike(storm, round)
    const isMost = finalIn(stages) >= plan.payouts * MOST
    if ((asked === plan.payouts && isMost) || performance.now() > deadline) return
  }
}

/** Kills one worker or two at once; now and then one stays stopped for a round instead, with whatever it holds. */
async function strike({ crew, dice }: Storm, round: number): Promise<void> {
  const victim = dice.below(crew.size)
  if (round % 4 === 0) return crew.pause(victim)
  const victims = new Set([victim, dice.below(crew.size)])
  await Promise.all([...victims].map((index) => crew.kill(index)))
}

/** As a merchant's program does it: no clear answer, so the same again, and what exists by then is no loss. */
async function ask(storm: Storm, list: Orders['requests']): Promise<void> {
  for (;;) {
    try {
      const outcomes = await createWithdrawals(storm.world.app, list)
      const refused = outcomes.filter((one) => one instanceof Refusal && one.code !== 'DUPLICATE_TRANSACTION')
      if (refused.length > 0) throw new Error('A withdrawal was refused: too little money was prepared.')
      return
    } catch (error) {
      // Only the database's own words: it waited too long for a lock that a stopped worker holds.
      const { code } = error as { code?: string }
      if (code === undefined || performance.now() > storm.deadline) throw error
      storm.repeats.set(code, (storm.repeats.get(code) ?? 0) + 1)
      storm.crew.resumeAll()
    }
  }
}

async function travel(storm: Storm, seconds: number): Promise<void> {
  await storm.world.travel(seconds)
  storm.travelled += seconds
}

async function sendSomeBack(storm: Storm, since: number): Promise<number> {
  const { world, dice } = storm
  type Page = { transfers: { reference: string; reversed: boolean }[]; cursor: string }
  const { transfers, cursor } = await world.call<Page>('GET', `ledger/transfers?since=${since}`)
  for (const { reference, reversed } of transfers) {
    if (reversed || dice.below(100) >= RETURNED_PERCENT) continue
    await world.call('POST', `transfers/${reference}/return`)
    storm.returns++
  }
  return Number(cursor)
}

/** No more faults and no more kills: everything becomes final, and every line is read, or the verdict says so. */
async function calmDown(storm: Storm): Promise<void> {
  const { world, plan, crew, look, deadline } = storm
  crew.resumeAll()
  await world.call('DELETE', 'faults')
  let lastTravel = performance.now()
  while (performance.now() < deadline) {
    const final = finalIn(await look())
    if (final === plan.payouts && (await isRead(world))) return
    // Not at every look: time that races past every lease would keep them from working.
    if (final === plan.payouts || performance.now() - lastTravel < TRAVEL_EVERY_MS) continue
    lastTravel = performance.now()
    await travel(storm, HOUR_S)
  }
}

async function isRead({ app, call }: World): Promise<boolean> {
  const [row] = await app.db.query<{ cursor: string; fresh: number }>(sql`
    select cursor, (select count(*)::int from bank_lines where state = 'new') as fresh from statement_cursors`)
  if (row?.fresh !== 0) return false
  const { lines } = await call<{ lines: unknown[] }>('GET', `statement?since=${row.cursor}&limit=1`)
  return lines.length === 0
}

async function countStages({ app }: World): Promise<Stages> {
  const rows = await app.db.query<{ stage: string; count: number }>(
    sql`select stage, count(*)::int as count from withdrawals group by stage`,
  )
  return Object.fromEntries(rows.map(({ stage, count }) => [stage, count]))
}

export function finalIn(stages: Stages): number {
  return (stages['settled'] ?? 0) + (stages['returned'] ?? 0) + (stages['failed'] ?? 0)
}
