import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { findDrift } from '../../packages/server/src/domain/ledger/index.ts'
import { bankApiConnection } from '../../packages/server/src/domain/connections/index.ts'
import {
  queryPayoutStatus,
  dispatchWithdrawals,
  findPayout,
  submitPayouts,
} from '../../packages/server/src/domain/withdrawals/index.ts'
import { startWorkers } from '../../packages/server/src/edges/workers/worker-schedules.ts'
import type { Poller } from '../../packages/server/src/platform/concurrency/poller.ts'
import { startWorker, working } from '../chaos/workers.ts'
import { endLeases, laterBy } from '../harness/crash.ts'
import { withdrawBody } from '../harness/examples.ts'
import { accepted, startPlainBank } from '../harness/plain-bank.ts'
import { startService } from '../harness/service.ts'
import { mustFind } from '../harness/history.ts'
import { until } from '../harness/until.ts'

const service = await startService()
const { app } = service
const bank = await startPlainBank()
app.connections.push(bankApiConnection(bank.connection))
const shop = await service.merchant({ funds: 5_000_000n })

const PAYOUTS = 40
/** The statement is read as often as payouts are asked about, once a second in each process. */
const TURNS_OF_BOTH = 6

let stopChild = async () => {}
after(() => stopChild())

async function startWorkerAhead(seconds: number): Promise<void> {
  const child = startWorker({
    NODE_OPTIONS: `--import=${import.meta.resolve('../harness/clock-ahead.ts')}`,
    CLOCK_AHEAD_SECONDS: String(seconds),
    DATABASE_URL: service.databaseUrl,
    VEZNE_MASTER_KEY: app.config.masterKey.toString('hex'),
    VEZNE_BANK_API_URL: bank.connection.baseUrl,
    VEZNE_BANK_API_KEY: bank.connection.key,
  })
  stopChild = async () => {
    child.process.kill('SIGTERM')
    await child.exited
  }
  await working(child)
}

async function withdraw(): Promise<string> {
  return (await shop.post('/v1/withdraw', withdrawBody({ amount: 1000 }))).body.data.transactionId
}

// Within what is tolerated: a worker whose clock is further off does nothing at all (test/faults/clock.long.test.ts).
for (const seconds of [4, -4]) {
  test(`a second worker whose clock is ${seconds} s ahead: each payout is sent once`, async () => {
    // Nothing has happened at the bank while a call is under way, so asking too early finds nothing.
    bank.behave({
      submit: async (_, pay) => {
        const seen = bank.reads()
        const reads = () => Promise.resolve(bank.reads())
        // On a slow machine not for longer than the caller waits for an answer.
        await until(reads, (now) => now >= seen + TURNS_OF_BOTH, 6000).catch(() => undefined)
        pay()
        return accepted
      },
    })
    const ids = await Promise.all(Array.from({ length: PAYOUTS }, withdraw))
    const before = bank.orders.length
    let workers: Poller[] = []
    const startHere = () => Promise.resolve((workers = startWorkers(app)))
    const startAhead = () => startWorkerAhead(seconds)
    // The one with the earlier time first: the other may believe that the leases it finds are over.
    const [first, second] = seconds > 0 ? [startHere, startAhead] : [startAhead, startHere]
    await first()
    await until(
      () => Promise.resolve(bank.orders.length),
      (orders) => orders > before,
    )
    await second()
    await until(
      async () => (await Promise.all(ids.map((id) => mustFind(app, id)))).map(({ status }) => status),
      (found) => found.every((status) => status === 'completed'),
    )
    await Promise.all(workers.map((worker) => worker.stop()))
    await stopChild()
    const mine = (list: string[]) => list.filter((reference) => ids.includes(reference)).toSorted()
    assert.deepEqual(mine(bank.orders), ids.toSorted())
    assert.deepEqual(mine(bank.paid), ids.toSorted())
    assert.deepEqual(await findDrift(app.db), [])
  })
}

test('a payout that is being sent is taken over when its lease has ended, not when business time has moved on', async () => {
  const [gate, reached] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  bank.behave({
    submit: async (_, pay) => {
      reached.resolve()
      await gate.promise
      pay()
      return accepted
    },
  })
  const id = await withdraw()
  await dispatchWithdrawals(app)
  const sending = submitPayouts(app)
  await reached.promise
  assert.equal(await queryPayoutStatus(laterBy(app, 24 * 3600)), 0)
  assert.equal((await findPayout(app.db, id))?.state, 'calling')
  await endLeases(app)
  assert.equal(await queryPayoutStatus(app), 1)
  gate.resolve()
  await sending
})
