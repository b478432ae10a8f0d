import { createWithdrawals } from '../../packages/server/src/domain/withdrawals/index.ts'
import { Refusal } from '../../packages/server/src/platform/refusal.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { pause } from '../harness/until.ts'
import type { Workers } from './workers.ts'
import { startWorkers } from './workers.ts'
import type { SeededRandom } from './random.ts'
import { seededRandom } from './random.ts'
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
  /** Payouts are requested in so many batches, one per round, so that every kill interrupts work. */
  batches: number
  /** From one kill or stop to the next; the time in which the killed one starts again counts. */
  roundMs: [shortest: number, longest: number]
  withinMs: number
}

export type States = Record<string, number>
export type Progress = { states: States; kills: number; pauses: number }
export type Result = {
  findings: Finding[]
  states: States
  faults: Record<string, number>
  workers: ReturnType<Workers['counts']>
  complaints: Map<string, number>
  returns: number
  /** Batches that had to be requested again, by the database's error code. */
  repeats: Map<string, number>
  travelledSeconds: number
}

type FaultRun = {
  world: World
  plan: Plan
  random: SeededRandom
  workers: Workers
  orders: Orders
  poll: () => Promise<States>
  deadline: number
  returns: number
  repeats: Map<string, number>
  travelled: number
}

const FAULT_DELAY_MS = 30
/** Then faults end: the rest must become final without them. */
const MOST = 0.95
/** Of a hundred transfers that arrived, so many are sent back by the receiver's bank. */
const RETURNED_PERCENT = 1
const HOUR_S = 3600
const TRAVEL_EVERY_MS = 1000
const POLL_EVERY_MS = 50

/** Payouts with killed workers, a faulty bank and a jumping clock; then without faults; then the verdict. */
export async function runChaos(world: World, plan: Plan, show: (progress: Progress) => void): Promise<Result> {
  const random = seededRandom(plan.seed)
  const orders = await prepareOrders(world, random, plan.payouts)
  await world.call('PUT', 'faults', { seed: plan.seed, rate: plan.faultRate, delayMs: FAULT_DELAY_MS })
  const workers = await startWorkers(plan.workers, world.workerEnv)
  const poll = async () => {
    await pause(POLL_EVERY_MS)
    const states = await countStates(world)
    show({ states, ...workers.counts() })
    return states
  }
  const deadline = performance.now() + plan.withinMs
  const faultRun: FaultRun = {
    world,
    plan,
    random,
    workers,
    orders,
    poll,
    deadline,
    returns: 0,
    repeats: new Map(),
    travelled: 0,
  }
  try {
    await injectFaults(faultRun)
    const { counts } = await world.call<{ counts: Record<string, number> }>('GET', 'faults')
    await awaitCompletion(faultRun)
    await workers.stopAll()
    const findings = judge(await gatherEvidence(world, orders.funded))
    const { returns, repeats, travelled: travelledSeconds } = faultRun
    const states = await countStates(world)
    return {
      findings,
      states,
      faults: counts,
      workers: workers.counts(),
      complaints: workers.complaints(),
      returns,
      repeats,
      travelledSeconds,
    }
  } finally {
    await workers.stopAll()
  }
}

async function injectFaults(faultRun: FaultRun): Promise<void> {
  const { plan, random, workers, orders, poll, deadline } = faultRun
  const perBatch = Math.ceil(plan.payouts / plan.batches)
  let asked = 0
  let seen = 0
  let roundEnds = performance.now() + random.between(...plan.roundMs)
  for (let round = 1; ; round++) {
    const list = orders.requests.slice(asked, asked + perBatch)
    asked += list.length
    if (list.length > 0) await ask(faultRun, list)
    await travel(faultRun, random.between(120, 2 * HOUR_S))
    let states = await poll()
    while (performance.now() < roundEnds) states = await poll()
    seen = await sendSomeBack(faultRun, seen)
    workers.resumeAll()
    roundEnds = performance.now() + random.between(...plan.roundMs)
    await killWorkers(faultRun, round)
    const isMost = finalIn(states) >= plan.payouts * MOST
    if ((asked === plan.payouts && isMost) || performance.now() > deadline) return
  }
}

/** Kills one or two workers; every fourth round one is stopped for a round instead, with the locks it holds. */
async function killWorkers({ workers, random }: FaultRun, round: number): Promise<void> {
  const target = random.below(workers.size)
  if (round % 4 === 0) return workers.pause(target)
  const targets = new Set([target, random.below(workers.size)])
  await Promise.all([...targets].map((index) => workers.kill(index)))
}

/** As a merchant's program does: repeats a request without a clear response; what exists by then is a duplicate. */
async function ask(faultRun: FaultRun, list: Orders['requests']): Promise<void> {
  for (;;) {
    try {
      const outcomes = await createWithdrawals(faultRun.world.app, list)
      const refused = outcomes.filter((one) => one instanceof Refusal && one.code !== 'DUPLICATE_TRANSACTION')
      if (refused.length > 0) throw new Error('A withdrawal was refused: too little money was prepared.')
      return
    } catch (error) {
      // Only errors of the database: a wait for a lock that a stopped worker holds.
      const { code } = error as { code?: string }
      if (code === undefined || performance.now() > faultRun.deadline) throw error
      faultRun.repeats.set(code, (faultRun.repeats.get(code) ?? 0) + 1)
      faultRun.workers.resumeAll()
    }
  }
}

async function travel(faultRun: FaultRun, seconds: number): Promise<void> {
  await faultRun.world.travel(seconds)
  faultRun.travelled += seconds
}

async function sendSomeBack(faultRun: FaultRun, since: number): Promise<number> {
  const { world, random } = faultRun
  type Page = { transfers: { reference: string; reversed: boolean }[]; cursor: string }
  const { transfers, cursor } = await world.call<Page>('GET', `ledger/transfers?since=${since}`)
  for (const { reference, reversed } of transfers) {
    if (reversed || random.below(100) >= RETURNED_PERCENT) continue
    await world.call('POST', `transfers/${reference}/return`)
    faultRun.returns++
  }
  return Number(cursor)
}

/** No more faults and no more kills: everything becomes final, and every line is read, or the verdict says so. */
async function awaitCompletion(faultRun: FaultRun): Promise<void> {
  const { world, plan, workers, poll, deadline } = faultRun
  workers.resumeAll()
  await world.call('DELETE', 'faults')
  let lastTravel = performance.now()
  while (performance.now() < deadline) {
    const final = finalIn(await poll())
    if (final === plan.payouts && (await isRead(world))) return
    // Not at every poll: moving time past every lease would keep workers from finishing.
    if (final === plan.payouts || performance.now() - lastTravel < TRAVEL_EVERY_MS) continue
    lastTravel = performance.now()
    await travel(faultRun, HOUR_S)
  }
}

async function isRead({ app, call }: World): Promise<boolean> {
  const [row] = await app.db.query<{ cursor: string; fresh: number }>(sql`
    select cursor, (select count(*)::int from bank_lines where state = 'new') as fresh from statement_cursors`)
  if (row?.fresh !== 0) return false
  const { lines } = await call<{ lines: unknown[] }>('GET', `statement?since=${row.cursor}&limit=1`)
  return lines.length === 0
}

async function countStates({ app }: World): Promise<States> {
  const rows = await app.db.query<{ state: string; count: number }>(
    sql`select state, count(*)::int as count from withdrawals group by state`,
  )
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]))
}

export function finalIn(states: States): number {
  return (states['sent'] ?? 0) + (states['returned'] ?? 0) + (states['failed'] ?? 0)
}
