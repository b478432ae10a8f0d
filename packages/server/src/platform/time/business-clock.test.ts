import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { cloneDatabase } from '../../../../../test/harness/database.ts'
import { until } from '../../../../../test/harness/until.ts'
import { businessClock, moveClock, readOffsetSeconds } from './business-clock.ts'
import type { Db } from '../postgres/db.ts'
import { openDb } from '../postgres/db.ts'
import { openLog } from '../log.ts'
import type { Sql } from '../postgres/sql.ts'
import { sql } from '../postgres/sql.ts'

const database = await cloneDatabase()
const log = openLog('silent')
const stops: (() => Promise<void>)[] = []
after(async () => {
  for (const stop of stops) await stop()
  await database.drop()
})

/** A process of the deployment with its own connections and clock. */
async function startProcess() {
  const db = openDb({ url: database.url, log })
  const clock = businessClock()
  let heard = Promise.withResolvers<void>()
  const unfollow = await clock.follow(db, () => heard.resolve())
  stops.push(async () => {
    await unfollow()
    await db.end()
  })
  async function moved() {
    await heard.promise
    heard = Promise.withResolvers<void>()
  }
  // Plus zero: a millisecond behind rounds to minus zero.
  const ahead = () => Math.round((clock.now().getTime() - Date.now()) / 1000) + 0
  return { db, moved, ahead, unfollow }
}

const DAY = 86_400

test('every process of a deployment travels together, forth and back; a new one joins where they are', async () => {
  const [one, two] = [await startProcess(), await startProcess()]
  assert.deepEqual([one.ahead(), two.ahead()], [0, 0])
  for (const offset of [1800, 30 * DAY, -DAY, 0, 7 * DAY]) {
    await one.db.transaction((tx) => moveClock(tx, offset))
    await Promise.all([one.moved(), two.moved()])
    assert.deepEqual([one.ahead(), two.ahead()], [offset, offset])
    assert.equal(await readOffsetSeconds(two.db), offset)
  }
  const three = await startProcess()
  assert.equal(three.ahead(), 7 * DAY)
})

test('a move that is rolled back moves nobody', async () => {
  const [one, two] = [await startProcess(), await startProcess()]
  const before = one.ahead()
  await assert.rejects(
    one.db.transaction(async (tx) => {
      await moveClock(tx, before + DAY)
      throw new Error('changed my mind')
    }),
    /changed my mind/,
  )
  assert.equal(await readOffsetSeconds(two.db), before)
  assert.equal(two.ahead(), before)
})

test('a clock that follows nothing is real time', () => {
  const before = Date.now()
  const now = businessClock().now().getTime()
  assert.ok(before <= now && now <= Date.now())
})

/** A machine whose clock is off by this much. */
function machine(aheadMs: number) {
  const state = { aheadMs }
  return { state, host: { now: () => new Date(Date.now() + state.aheadMs) } }
}

async function follow(options: Parameters<typeof businessClock>[0], wrap = (db: Db) => db) {
  const db = openDb({ url: database.url, log })
  const clock = businessClock(options)
  const began = performance.now()
  const unfollow = await clock.follow(wrap(db), () => undefined)
  const tookMs = performance.now() - began
  stops.push(async () => {
    await unfollow()
    await db.end()
  })
  /** Zero between two readings of the machine's clock, however long it took from one to the other. */
  const offMs = () => {
    const before = Date.now()
    const now = clock.now().getTime()
    return Math.min(now - before, 0) + Math.max(now - Date.now(), 0)
  }
  return { db, offMs, tookMs }
}

/** Two clocks of this machine, read to the millisecond. */
const EXACT_MS = 5
const NEAR_MS = 900

for (const aheadMs of [40_000, -40_000, 3 * 3_600_000]) {
  test(`a machine whose clock is ${aheadMs / 1000} s ahead has the database's time, and keeps it when its clock is set`, async () => {
    const { state, host } = machine(aheadMs)
    const { offMs, tookMs } = await follow({ movable: false, host, measureEveryMs: 20 })
    // As exactly as one round trip tells it, from the first moment.
    assert.ok(Math.abs(offMs()) <= tookMs + EXACT_MS, `${offMs()} ms off after ${tookMs} ms`)
    state.aheadMs = 7000
    await until(
      () => Promise.resolve(offMs()),
      (off) => Math.abs(off) < NEAR_MS,
    )
  })
}

test('a slow round trip does not move a clock that is right', async () => {
  const slow = (db: Db): Db => ({
    ...db,
    async query<Row>(statement: Sql) {
      const rows = await db.query<Row>(statement)
      await db.query(sql`select pg_sleep(1.5)`)
      return rows
    },
  })
  const { offMs } = await follow({ movable: false }, slow)
  assert.ok(Math.abs(offMs()) <= EXACT_MS, `${offMs()} ms off`)
})

test('live: the offset of a sandbox moves nothing', async () => {
  const { db, offMs } = await follow({ movable: false, measureEveryMs: 20 })
  await db.transaction((tx) => moveClock(tx, DAY))
  const { offMs: afterwards } = await follow({ movable: false })
  assert.ok(Math.abs(offMs()) < NEAR_MS && Math.abs(afterwards()) < NEAR_MS)
  await db.transaction((tx) => moveClock(tx, 0))
})

test('a clock that is no longer followed asks nothing more: the pool can end', async () => {
  const db = openDb({ url: database.url, log })
  const unfollow = await businessClock({ measureEveryMs: 1 }).follow(db, () => undefined)
  await unfollow()
  await db.end()
})
