import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { expireDeposits } from '../../packages/server/src/domain/deposits/index.ts'
import { bankApiConnection } from '../../packages/server/src/domain/connections/index.ts'
import { startWorkers } from '../../packages/server/src/edges/workers/worker-schedules.ts'
import { businessClock } from '../../packages/server/src/platform/time/business-clock.ts'
import { realClock } from '../../packages/server/src/platform/time/clock.ts'
import { startWorker, working } from '../chaos/workers.ts'
import { depositBody } from '../harness/examples.ts'
import { startPlainBank } from '../harness/plain-bank.ts'
import { startService } from '../harness/service.ts'
import { travelTo, until } from '../harness/until.ts'

const service = await startService()
const { app } = service
const bank = await startPlainBank()
app.connections.push(bankApiConnection(bank.connection))
const shop = await service.merchant()
const stops: (() => Promise<unknown>)[] = []
after(async () => {
  for (const stop of stops) await stop()
})

const createDeposit = async () => (await shop.post('/v1/deposit', depositBody())).body.data.transactionId
const statusOf = async (id: string) => (await shop.get(`/v1/transactions/${id}`)).body.data.status
const MINUTES_40 = 2_400_000
/** Both follow the database: each as exactly as one round trip tells it. */
const CLOCKS_DIFFER_MS = 2000

/** Workers on a machine whose clock can be set, with what they log. */
async function startHere() {
  const machine = { aheadMs: 0 }
  const logged: string[] = []
  const say = (_: object, message: string) => void logged.push(message)
  const clock = businessClock({ host: { now: () => new Date(realClock.now().getTime() + machine.aheadMs) } })
  const unfollow = await clock.follow(app.db, () => undefined)
  const log = { ...app.log, error: say, warn: say, info: say } as typeof app.log
  return { machine, logged, unfollow, one: { ...app, clock, log } }
}

test('a clock that jumps ahead by 40 minutes does not take business time along: no fresh deposit expires', async () => {
  const { machine, one, unfollow } = await startHere()
  const id = await createDeposit()
  machine.aheadMs = MINUTES_40
  const before = app.clock.now().getTime()
  const now = one.clock.now().getTime()
  const between = before - CLOCKS_DIFFER_MS <= now && now <= app.clock.now().getTime() + CLOCKS_DIFFER_MS
  assert.ok(between, `${now - before} ms after the clock of the service`)
  await expireDeposits(one)
  await unfollow()
  assert.equal(await statusOf(id), 'pending')
})

test('workers whose clock is 40 minutes off do nothing and say so once; they go on when it is right', async () => {
  const { machine, logged, one, unfollow } = await startHere()
  machine.aheadMs = MINUTES_40
  const before = bank.reads()
  const workers = startWorkers(one)
  stops.push(() => Promise.all(workers.map((worker) => worker.stop())), unfollow)
  await until(
    () => Promise.resolve(logged),
    (lines) => lines.some((line) => /2(399|400)[.\d]* s ahead of the database's: no work is done/.test(line)),
  )
  for (const worker of workers) worker.poke()
  assert.equal(bank.reads(), before)
  machine.aheadMs = 0
  await until(
    () => Promise.resolve(bank.reads()),
    (reads) => reads > before,
  )
  assert.equal(logged.filter((line) => line.includes('no work is done')).length, 1)
  assert.equal(logged.filter((line) => line.includes('correct again')).length, 1)
  // A sandbox that travels is at another business time, and its machine's clock is right.
  const id = await createDeposit()
  await travelTo(app, 3600)
  await until(
    () => statusOf(id),
    (status) => status === 'expired',
  )
  await travelTo(app, 0)
})

test('vezne work with a clock an hour ahead: it says so in its log and does not ask the bank', async () => {
  for (const stop of stops.splice(0)) await stop()
  const child = startWorker({
    NODE_OPTIONS: `--import=${import.meta.resolve('../harness/clock-ahead.ts')}`,
    CLOCK_AHEAD_SECONDS: '3600',
    DATABASE_URL: service.databaseUrl,
    VEZNE_LOG: 'info',
    VEZNE_MASTER_KEY: app.config.masterKey.toString('hex'),
    VEZNE_BANK_API_URL: bank.connection.baseUrl,
    VEZNE_BANK_API_KEY: bank.connection.key,
  })
  stops.push(async () => {
    child.process.kill('SIGTERM')
    await child.exited
  })
  const before = bank.reads()
  await working(child)
  await until(
    () => Promise.resolve(child.errors()),
    (lines) => /this machine's clock is 3(599|600)[.\d]* s ahead of the database's: no work is done/.test(lines),
  )
  assert.equal(bank.reads(), before)
})
