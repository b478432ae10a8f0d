import type { ChildProcess } from 'node:child_process'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import type { App } from '../../packages/server/src/compose.ts'
import { compose, prepare } from '../../packages/server/src/compose.ts'
import { distributeEvents, recordEvents } from '../../packages/server/src/domain/webhooks/index.ts'
import { createMerchant } from '../../packages/server/src/domain/merchants/index.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { addTestEndpoint } from '../../test/harness/callbacks.ts'
import { testConfig } from '../../test/harness/database.ts'
import type { Run } from '../creation.ts'
import { makeEmptyDatabase } from '../databases.ts'
import { rate, ratioFrom } from '../report.ts'
import { CONNECTIONS } from './settings.ts'

type Round = { bare: number; vezne: number }
type Pace = { rounds: number; events: number }
type Counts = { accepted: number; attempts: number; open: number }

/**
 * A round takes less than a second, and the speed of the machine varies by half between rounds, so many rounds are
 * needed.
 */
const FULL: Pace = { rounds: 15, events: 10_000 }
const QUICK: Pace = { rounds: 1, events: 3000 }
/**
 * Receiver CPU, network and disk are shared by both senders; half of the rate is left for signing, claiming and
 * recording.
 */
const MIN_BARE_RATIO = 0.5

/** Recorded in batches, as a burst of payments would be. */
const PER_TRANSACTION = 500
const DATA = { transactionId: '', type: 'deposit', amount: 125_000, currency: 'TRY', status: 'completed', sequence: 1 }

/**
 * Deliveries per second, counted by the receiver: claimed, signed, sent and recorded, compared with a bare loop of
 * posts. Events are queued beforehand, because in production that happens when payments are made.
 */
export async function benchCallbacks({ serverUrl, quick, say, stops }: Run) {
  const pace = quick ? QUICK : FULL
  const databaseUrl = await makeEmptyDatabase(serverUrl, 'bench_callbacks')
  const app = compose(testConfig(), databaseUrl)
  await prepare(app)
  const children = { receiver: start('receiver'), bare: start('bare'), worker: start('worker', databaseUrl) }
  stops.push(async () => {
    const exits = Object.values(children).map((child) => once(child, 'exit'))
    for (const child of Object.values(children)) child.disconnect()
    await Promise.all(exits)
    await app.db.end()
  })
  const ready = (child: ChildProcess) => once(child, 'message') as Promise<[{ ready: string }]>
  const [[{ ready: url }]] = await Promise.all([ready(children.receiver), ready(children.bare), ready(children.worker)])
  const { merchantId } = await createMerchant(app, UNATTRIBUTED, { name: 'Callbacks' })
  // More concurrent requests than connections, so that requests wait inside the sender, as in the bare loop.
  await addTestEndpoint(app, merchantId, { url, maxConcurrent: 12 * CONNECTIONS, maxPerSecond: 100_000 })
  const rounds: Round[] = []
  // The first round warms up the JIT and caches and is not counted.
  for (let round = 0; round <= pace.rounds; round++) {
    const bodies = await record(app, merchantId, pace.events)
    const measured = await measureRound(children, { url, bodies })
    say(
      `callbacks ${round}/${pace.rounds}  bare ${rate({ perSecond: measured.bare })}/s, vezne ${rate({ perSecond: measured.vezne })}/s`,
    )
    if (round > 0) rounds.push(measured)
  }
  const expected = pace.events * (pace.rounds + 1)
  const counts = await count(app)
  const right = counts.accepted === expected && counts.attempts === expected && counts.open === 0
  say(
    `\n${right ? 'right' : 'WRONG'}  callbacks: ${counts.accepted} accepted in ${counts.attempts} attempts, of ${expected}; ${counts.open} left\n`,
  )
  const ratio = ratioFrom(rounds.map(({ bare, vezne }) => vezne / bare))
  const what = `callbacks, ${CONNECTIONS} connections: vezne ÷ bare undici loop`
  const targets = [{ what, ratio, atLeast: MIN_BARE_RATIO, reached: ratio.median >= MIN_BARE_RATIO }]
  return { pace, rounds, counts, targets, right }
}

type Children = Record<'receiver' | 'bare' | 'worker', ChildProcess>

async function measureRound(
  { receiver, bare, worker }: Children,
  order: { url: string; bodies: string[] },
): Promise<Round> {
  const events = order.bodies.length
  const bareRate = await timed(receiver, events, () => void bare.send(order))
  const vezneRate = await timed(receiver, events, () => void worker.send({ go: true }))
  worker.send({ go: false })
  await once(worker, 'message')
  return { bare: bareRate, vezne: vezneRate }
}

async function count(app: App): Promise<Counts> {
  const [found] = await app.db.query<Counts>(sql`
    select (select count(*)::int from delivery_attempts where outcome = 'accepted') as accepted,
      (select count(*)::int from delivery_attempts) as attempts, (select count(*)::int from deliveries) as open`)
  return found ?? { accepted: 0, attempts: 0, open: 0 }
}

function start(name: string, databaseUrl?: string): ChildProcess {
  const file = fileURLToPath(import.meta.resolve(`./${name}.ts`))
  return fork(file, { env: { PATH: process.env['PATH'], ...(databaseUrl && { DATABASE_URL: databaseUrl }) } })
}

/** Records and queues events. Returns their bodies, so that the bare loop posts the same ones. */
async function record(app: App, merchantId: string, count: number): Promise<string[]> {
  for (let written = 0; written < count; written += PER_TRANSACTION) {
    const list = Array.from({ length: Math.min(PER_TRANSACTION, count - written) }, () => {
      const transactionId = app.ids.next()
      const data = { ...DATA, transactionId, customer: { id: 'c-1', name: 'Ayşe Yılmaz', username: 'ayse' } }
      return { merchantId, transactionId, sequence: 1, type: 'deposit.completed', data }
    })
    await app.db.transaction((tx) => recordEvents(app, tx, list))
  }
  const rows = await app.db.query<{ body: string }>(sql`select body from events where position is null`)
  while ((await distributeEvents(app)) > 0);
  return rows.map(({ body }) => body)
}

async function timed(receiver: ChildProcess, events: number, begin: () => void): Promise<number> {
  receiver.send({ expect: events })
  await once(receiver, 'message')
  begin()
  const [{ seconds }] = (await once(receiver, 'message')) as [{ seconds: number }]
  return events / seconds
}
