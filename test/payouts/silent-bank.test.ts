import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startWorkers } from '../../packages/server/src/edges/workers/worker-schedules.ts'
import { bankApiConnection } from '../../packages/server/src/domain/connections/index.ts'
import { makeIban } from '../../packages/server/src/kernel/iban.ts'
import { withdrawBody } from '../harness/examples.ts'
import { startWithBank } from '../harness/payouts.ts'
import { mustFind } from '../harness/history.ts'
import { until } from '../harness/until.ts'

const service = await startWithBank()
const { app } = service
// Waited for longer than this test takes on any machine: nothing here ends because of the time limit of a call.
app.connections.splice(0, 1, bankApiConnection({ ...service.bank, timeoutMs: 600_000 }))
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
  )
  assert.equal((await mustFind(app, silent)).state, 'sending')
})
