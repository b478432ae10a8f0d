import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startWorkers } from '../../packages/server/src/edges/workers/worker-schedules.ts'
import { makeIban } from '../../packages/server/src/kernel/iban.ts'
import { withdrawBody } from '../harness/examples.ts'
import { startWithBank } from '../harness/payouts.ts'
import { mustFind } from '../harness/history.ts'
import { until } from '../harness/until.ts'

/** Less than the ten seconds that a bank is waited for, so that nothing here can have ended by that. */
const WITHIN_MS = 9000

const service = await startWithBank()
const { app } = service
const shop = await service.merchantWithMoney(5_000_000n)

async function withdrawTo(ending: string): Promise<string> {
  const body = withdrawBody({ amount: 1000, iban: makeIban('0062', `9000${ending}`) })
  return (await shop.post('/v1/withdraw', body)).body.data.transactionId
}

test('the bank does not answer one order: forty others are completed meanwhile', async () => {
  const silent = await withdrawTo('0005')
  const others = await Promise.all(Array.from({ length: 40 }, () => withdrawTo('1234')))
  const workers = startWorkers(app)
  after(async () => {
    // The silent call ends with its bank.
    await service.bank.stop()
    await Promise.all(workers.map((worker) => worker.stop()))
  })
  await until(
    async () => (await Promise.all(others.map((id) => mustFind(app, id)))).map(({ status }) => status),
    (found) => found.every((status) => status === 'completed'),
    WITHIN_MS,
  )
  assert.equal((await mustFind(app, silent)).stage, 'submitted')
})
