import { findDrift } from '../../packages/server/src/domain/ledger/index.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { send } from '../harness/client.ts'
import type { Lateness } from '../harness/lateness.ts'
import { watchLateness } from '../harness/lateness.ts'
import { pause, until } from '../harness/until.ts'
import type { Fault } from './faults.ts'
import type { Call } from './load.ts'
import { startLoad } from './load.ts'
import type { World } from './world.ts'

export type Row = {
  fault: string
  acknowledged: number
  /** Acknowledged and not in the database. */
  lost: number
  refused: number
  /** Refused with "nothing was saved", and saved. */
  wronglyRefused: number
  unknown: number
  other: string[]
  longestWaitMs: number
  /** The longest /readyz; and what it said while the fault lasted. */
  longestReadyMs: number
  /** The longest wait and /readyz without what a busy machine added. */
  ownWaitMs: number
  ownReadyMs: number
  readyDuring: string
  /** From the end of the fault to the first acknowledged request. */
  recoveryMs: number
  drift: number
  /** What the fault's own check found. */
  problems: string[]
}

const CLIENTS = 8
/** Calls that must succeed before the fault, and after it, so that both states are seen. */
const CALLS_BEFORE = 100
const CALLS_AFTER = 100
/** After the fault: connections are made anew, a killed database reads its log. */
const RECOVERED_WITHIN_MS = 60_000
const READY_EVERY_MS = 200
/** A request passes this process, the service and PostgreSQL, and each of them waits for a processor. */
const PROCESSES = 3

export async function measure(world: World, fault: Fault): Promise<Row> {
  const lateness = watchLateness()
  const load = startLoad(world.shop, CLIENTS)
  const probe = startProbe(world.baseUrl, lateness)
  const acknowledged = () => load.calls.filter(({ outcome }) => outcome === 'acknowledged')
  const many = async (count: number) =>
    void (await until(
      async () => acknowledged().length,
      (seen) => seen >= count,
      RECOVERED_WITHIN_MS,
    ))
  try {
    await many(CALLS_BEFORE)
    const began = performance.now()
    const heal = await fault.begin()
    await pause(fault.forMs)
    await heal()
    const healed = performance.now()
    await many(acknowledged().length + CALLS_AFTER)
    await until(
      async () => probe.last(),
      (status) => status === 200,
      RECOVERED_WITHIN_MS,
    )
    await load.stop()
    const problems = (await fault.check?.()) ?? []
    return {
      fault: fault.name,
      ...(await judge(world, load.calls, healed, lateness)),
      ...probe.during(began, healed),
      problems,
    }
  } finally {
    await load.stop()
    await probe.stop()
    lateness.stop()
  }
}

/** What a wait is without the machine's part. */
const ownMs = (lateness: Lateness, from: number, to: number) => to - from - PROCESSES * lateness.within(from, to)

async function judge({ app }: World, calls: Call[], healed: number, lateness: Lateness) {
  const saved = new Set<string>()
  for (const table of [sql`deposits`, sql`withdrawals`]) {
    for (const { processId } of await app.db.query<{ processId: string }>(sql`
      select process_id as "processId" from ${table}`))
      saved.add(processId)
  }
  const by = (outcome: Call['outcome']) => calls.filter((call) => call.outcome === outcome)
  const afterwards = by('acknowledged').filter(({ startedAt }) => startedAt >= healed)
  return {
    acknowledged: by('acknowledged').length,
    lost: by('acknowledged').filter(({ processId }) => !saved.has(processId)).length,
    refused: by('refused').length,
    wronglyRefused: by('refused').filter(({ processId }) => saved.has(processId)).length,
    unknown: by('unknown').length,
    other: [...new Set(by('other').map(({ said }) => said))],
    longestWaitMs: Math.max(...calls.map(({ startedAt, endedAt }) => endedAt - startedAt)),
    ownWaitMs: Math.max(...calls.map(({ startedAt, endedAt }) => ownMs(lateness, startedAt, endedAt))),
    recoveryMs: Math.min(...afterwards.map(({ endedAt }) => endedAt)) - healed,
    drift: (await findDrift(app.db)).length,
  }
}

type Probe = { startedAt: number; ms: number; status: number; failing: string }

/** Asks /readyz as a load balancer does. */
function startProbe(baseUrl: string, lateness: Lateness) {
  const { hostname, port } = new URL(baseUrl)
  const seen: Probe[] = []
  let stopped = false
  async function ask(): Promise<Probe> {
    const startedAt = performance.now()
    const { status, text } = await send({ hostname, port, path: '/readyz', agent: false }).catch((error: Error) => {
      return { status: 0, text: error.message }
    })
    const [, message = ''] = /"message":"([^"]*)"/.exec(text) ?? []
    return { startedAt, ms: performance.now() - startedAt, status, failing: message }
  }
  async function run(): Promise<void> {
    while (!stopped) {
      seen.push(await ask())
      await pause(READY_EVERY_MS)
    }
  }
  const running = run()
  return {
    last: () => seen.at(-1)?.status ?? 0,
    during(from: number, to: number) {
      const inside = seen.filter(({ startedAt }) => startedAt >= from && startedAt <= to)
      const notReady = inside.filter(({ status }) => status !== 200)
      const longestReadyMs = Math.max(0, ...seen.map(({ ms }) => ms))
      const ownReadyMs = Math.max(0, ...seen.map(({ startedAt, ms }) => ownMs(lateness, startedAt, startedAt + ms)))
      return {
        longestReadyMs,
        ownReadyMs,
        readyDuring: notReady.length > 0 ? `not ready: ${notReady.at(-1)?.failing}` : 'ready',
      }
    },
    async stop() {
      stopped = true
      await running
    },
  }
}
