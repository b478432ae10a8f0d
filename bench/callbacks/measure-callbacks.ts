import type { ChildProcess } from 'node:child_process'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { compose } from '../../src/compose.ts'
import { recordEvents } from '../../src/domain/callbacks/index.ts'
import { createMerchant } from '../../src/domain/merchants/index.ts'
import { sql } from '../../src/platform/sql.ts'
import { another } from '../../test/harness/callbacks.ts'
import { testConfig } from '../../test/harness/database.ts'
import { CONNECTIONS } from './settings.ts'

export type CallbackRound = { bare: number; vezne: number }
export type CallbackResult = { rounds: CallbackRound[]; events: number; delivered: number; attempts: number }
type Pace = { rounds: number; events: number }

/** Recorded in lists, as a burst of payments would. */
const PER_TRANSACTION = 500
const DATA = { transactionId: '', type: 'deposit', amount: 125_000, currency: 'TRY', status: 'completed', sequence: 1 }

/** Delivered a second, by the receiver's count: the whole way from the outbox to the record, against a bare loop of posts. */
export async function measureCallbacks(
  databaseUrl: string,
  { rounds, events }: Pace,
  say: (line: string) => void,
): Promise<CallbackResult> {
  const app = compose(testConfig(), databaseUrl)
  const children = { receiver: start('receiver'), bare: start('bare'), worker: start('worker', databaseUrl) }
  try {
    const [{ ready: url }] = (await once(children.receiver, 'message')) as [{ ready: string }]
    const { merchantId } = await createMerchant(app, { name: 'Callbacks' })
    // More under way than there are connections: whoever waits for one waits in the sender, as in the bare loop's queue.
    const pace = { maxConcurrent: 4 * CONNECTIONS, maxPerSecond: 10_000 }
    await another(app, merchantId, { url, ...pace })
    const measured: CallbackRound[] = []
    // The first round is for the compilers and the caches, and is not counted.
    for (let round = 0; round <= rounds; round++) {
      const bodies = await record(app, merchantId, events)
      const [bare, vezne] = [
        await timed(children.receiver, events, () => void children.bare.send({ url, bodies })),
        await timed(children.receiver, events, () => void children.worker.send({ go: true })),
      ]
      children.worker.send({ go: false })
      await once(children.worker, 'message')
      say(`callbacks ${round}/${rounds}  bare ${Math.round(bare)}/s, vezne ${Math.round(vezne)}/s`)
      if (round > 0) measured.push({ bare, vezne })
    }
    const [found] = await app.db.query<{ delivered: number; attempts: number }>(sql`
      select (select count(*)::int from deliveries where state = 'delivered') as delivered,
        (select count(*)::int from delivery_attempts) as attempts`)
    return { rounds: measured, events: events * (rounds + 1), ...(found ?? { delivered: 0, attempts: 0 }) }
  } finally {
    for (const child of Object.values(children)) child.disconnect()
    await app.db.end()
  }
}

function start(name: string, databaseUrl?: string): ChildProcess {
  const file = fileURLToPath(import.meta.resolve(`./${name}.ts`))
  return fork(file, { env: { PATH: process.env['PATH'], ...(databaseUrl && { DATABASE_URL: databaseUrl }) } })
}

/** Written and not yet distributed; answers the bodies, so that the bare loop posts the same. */
async function record(app: ReturnType<typeof compose>, merchantId: string, count: number): Promise<string[]> {
  for (let written = 0; written < count; written += PER_TRANSACTION) {
    const list = Array.from({ length: Math.min(PER_TRANSACTION, count - written) }, () => {
      const transactionId = app.ids.next()
      const data = { ...DATA, transactionId, customer: { id: 'c-1', name: 'Ayşe Yılmaz', username: 'ayse' } }
      return { merchantId, transactionId, sequence: 1, type: 'deposit.completed', data }
    })
    await app.db.transaction((tx) => recordEvents(app, tx, list))
  }
  const rows = await app.db.query<{ body: string }>(sql`select body from events where position is null`)
  return rows.map(({ body }) => body)
}

async function timed(receiver: ChildProcess, events: number, begin: () => void): Promise<number> {
  receiver.send({ expect: events })
  await once(receiver, 'message')
  begin()
  const [{ seconds }] = (await once(receiver, 'message')) as [{ seconds: number }]
  return events / seconds
}
