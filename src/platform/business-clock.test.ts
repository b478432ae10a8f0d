import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { cloneDatabase } from '../../test/harness/database.ts'
import { businessClock, moveClock, readOffsetSeconds } from './business-clock.ts'
import { openDb } from './db.ts'
import { openLog } from './log.ts'

const database = await cloneDatabase()
const log = openLog('silent')
const stops: (() => Promise<void>)[] = []
after(async () => {
  for (const stop of stops) await stop()
  await database.drop()
})

/** A process of the deployment: its own connections, its own clock. */
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
