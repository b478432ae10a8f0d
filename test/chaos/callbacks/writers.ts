import { recordEvents } from '../../../packages/server/src/domain/webhooks/index.ts'
import { sql } from '../../../packages/server/src/platform/postgres/sql.ts'
import type { SeededRandom } from '../random.ts'
import type { World } from './world.ts'
import { EVENT_TYPES } from './world.ts'

export type Recorded = {
  id: string
  merchantId: string
  transactionId: string
  sequence: number
  type: string
  /** Real time in milliseconds, just before the commit was sent. */
  committedAt: number
}

export type Writers = {
  recorded: Recorded[]
  /** Ids of events whose transaction was rolled back: they may never be sent. */
  rolledBack: string[]
  isDone: () => boolean
  /** Resolves when everything is written or after `stop`; rejects if a write fails. */
  finished: Promise<void>
  stop: () => void
}

type OpenTransaction = { merchantId: string; transactionId: string; next: number; last: number }

const BEAT_MS = 10
const BATCH_SIZE = 6
/** So many transactions are under way at the same time at most, each with one to seven events. */
const OPEN_TRANSACTIONS = 400
const MOST_EVENTS = 7
const NEW_ONE_IN = 3
const ROLLED_BACK_PERCENT = 5
/** Percentage of writes that commit slowly: their numbers are assigned early and become visible late. */
const SLOW_COMMIT_PERCENT = 3
const ON_PURPOSE = new Error('rolled back on purpose')

/** Records events as the domain does, beside a change and in its transaction, at a steady pace. */
export function startWriters(
  { app, addresses }: World,
  random: SeededRandom,
  { events, perSecond }: { events: number; perSecond: number },
): Writers {
  const merchantIds = [...new Set(addresses.map(({ merchantId }) => merchantId))]
  const recorded: Recorded[] = []
  const rolledBack: string[] = []
  const idle: OpenTransaction[] = []
  const end = Promise.withResolvers<void>()
  const began = performance.now()
  let written = 0
  let running = 0
  let stopped = false
  const isDone = () => stopped || recorded.length >= events

  function fail(error: unknown): void {
    stopped = true
    end.reject(error)
  }

  function begin(): OpenTransaction {
    const merchantId = merchantIds[random.below(merchantIds.length)] as string
    return { merchantId, transactionId: app.ids.next(), next: 1, last: random.between(1, MOST_EVENTS) }
  }

  /** No one else writes about it meanwhile; in the domain row locks ensure this. */
  function take(): OpenTransaction {
    const isNew = idle.length === 0 || (idle.length < OPEN_TRANSACTIONS && random.below(NEW_ONE_IN) === 0)
    if (isNew) return begin()
    return idle.splice(random.below(idle.length), 1)[0] as OpenTransaction
  }

  async function write(transactions: OpenTransaction[]): Promise<void> {
    const list = transactions.flatMap(({ merchantId, transactionId, next, last }) => {
      const count = Math.min(last - next + 1, random.below(5) === 0 ? 2 : 1)
      return Array.from({ length: count }, (_, index) => newEvent(random, merchantId, transactionId, next + index))
    })
    written += list.length
    const taken: string[] = []
    const ids = { next: () => taken[taken.push(app.ids.next()) - 1] as string }
    const isRolledBack = random.below(100) < ROLLED_BACK_PERCENT
    const isSlow = random.below(100) < SLOW_COMMIT_PERCENT
    let committedAt = 0
    try {
      await app.db.transaction(async (tx) => {
        await recordEvents({ ...app, ids }, tx, list)
        if (isSlow) await tx.query(sql`select pg_sleep(0.3)`)
        if (isRolledBack) throw ON_PURPOSE
        committedAt = performance.timeOrigin + performance.now()
      })
    } catch (error) {
      if (error !== ON_PURPOSE) throw error
      rolledBack.push(...taken)
      idle.push(...transactions)
      return
    }
    list.forEach(({ data: _, ...event }, index) => recorded.push({ ...event, id: taken[index] as string, committedAt }))
    for (const transaction of transactions) {
      transaction.next += list.filter(({ transactionId }) => transactionId === transaction.transactionId).length
      if (transaction.next <= transaction.last) idle.push(transaction)
    }
  }

  const beat = setInterval(() => {
    const wanted = ((performance.now() - began) / 1000) * perSecond
    while (!isDone() && written < wanted && running < BATCH_SIZE) {
      running++
      const transactions = Array.from({ length: random.between(1, 4) }, take)
      void write(transactions)
        .catch(fail)
        .finally(() => running--)
    }
    if (isDone() && running === 0) {
      clearInterval(beat)
      end.resolve()
    }
  }, BEAT_MS)
  return { recorded, rolledBack, isDone, finished: end.promise, stop: () => void (stopped = true) }
}

function newEvent(random: SeededRandom, merchantId: string, transactionId: string, sequence: number) {
  const type = EVENT_TYPES[random.below(EVENT_TYPES.length)] as string
  // Letters of two and four bytes, and lengths from a few bytes to kilobytes: what is signed is what is sent.
  const description = 'Ödeme 🧾 '.repeat(random.below(20) === 0 ? 300 : random.below(10))
  return { merchantId, transactionId, sequence, type, data: { transactionId, sequence, description } }
}
