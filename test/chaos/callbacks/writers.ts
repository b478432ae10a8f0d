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
  /** Ids of events whose transaction was rolled back: nobody may ever hear of them. */
  rolledBack: string[]
  isDone: () => boolean
  /** Resolves when everything has been written, or when told to stop; rejects when a write failed. */
  finished: Promise<void>
  stop: () => void
}

type Story = { merchantId: string; transactionId: string; next: number; last: number }

const BEAT_MS = 10
const BATCH_SIZE = 6
/** So many transactions are under way at the same time at most, each with one to seven events. */
const OPEN_STORIES = 400
const LONGEST_STORY = 7
const NEW_ONE_IN = 3
const ROLLED_BACK_PERCENT = 5
/** Of a hundred writes so many take their time to commit: numbers given out early become visible late. */
const LINGERING_PERCENT = 3
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
  const idle: Story[] = []
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

  function begin(): Story {
    const merchantId = merchantIds[random.below(merchantIds.length)] as string
    return { merchantId, transactionId: app.ids.next(), next: 1, last: random.between(1, LONGEST_STORY) }
  }

  /** Nobody else writes about a story meanwhile, as the domain's row locks see to. */
  function take(): Story {
    const isNew = idle.length === 0 || (idle.length < OPEN_STORIES && random.below(NEW_ONE_IN) === 0)
    if (isNew) return begin()
    return idle.splice(random.below(idle.length), 1)[0] as Story
  }

  async function write(stories: Story[]): Promise<void> {
    const list = stories.flatMap(({ merchantId, transactionId, next, last }) => {
      const count = Math.min(last - next + 1, random.below(5) === 0 ? 2 : 1)
      return Array.from({ length: count }, (_, index) => telling(random, merchantId, transactionId, next + index))
    })
    written += list.length
    const taken: string[] = []
    const ids = { next: () => taken[taken.push(app.ids.next()) - 1] as string }
    const isDoomed = random.below(100) < ROLLED_BACK_PERCENT
    const isLingering = random.below(100) < LINGERING_PERCENT
    let committedAt = 0
    try {
      await app.db.transaction(async (tx) => {
        await recordEvents({ ...app, ids }, tx, list)
        if (isLingering) await tx.query(sql`select pg_sleep(0.3)`)
        if (isDoomed) throw ON_PURPOSE
        committedAt = performance.timeOrigin + performance.now()
      })
    } catch (error) {
      if (error !== ON_PURPOSE) throw error
      rolledBack.push(...taken)
      idle.push(...stories)
      return
    }
    list.forEach(({ data: _, ...event }, index) => recorded.push({ ...event, id: taken[index] as string, committedAt }))
    for (const story of stories) {
      story.next += list.filter(({ transactionId }) => transactionId === story.transactionId).length
      if (story.next <= story.last) idle.push(story)
    }
  }

  const beat = setInterval(() => {
    const wanted = ((performance.now() - began) / 1000) * perSecond
    while (!isDone() && written < wanted && running < BATCH_SIZE) {
      running++
      const stories = Array.from({ length: random.between(1, 4) }, take)
      void write(stories)
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

function telling(random: SeededRandom, merchantId: string, transactionId: string, sequence: number) {
  const type = EVENT_TYPES[random.below(EVENT_TYPES.length)] as string
  // Letters of two and four bytes, and lengths from a few bytes to kilobytes: what is signed is what is sent.
  const description = 'Ödeme 🧾 '.repeat(random.below(20) === 0 ? 300 : random.below(10))
  return { merchantId, transactionId, sequence, type, data: { transactionId, sequence, description } }
}
