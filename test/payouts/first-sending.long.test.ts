import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bankApiConnection } from '../../packages/server/src/domain/connections/index.ts'
import { dispatchWithdrawals, findPayout } from '../../packages/server/src/domain/withdrawals/index.ts'
import { startWorkers } from '../../packages/server/src/edges/workers/worker-schedules.ts'
import { withdrawBody } from '../harness/examples.ts'
import { startPlainBank } from '../harness/plain-bank.ts'
import { startService } from '../harness/service.ts'
import { mustFind } from '../harness/history.ts'
import { until } from '../harness/until.ts'
import { istanbul } from '../../packages/server/src/kernel/istanbul.ts'

const service = await startService()
const { app } = service
const bank = await startPlainBank()
app.connections.push(bankApiConnection(bank.connection))
const shop = await service.merchant({ funds: 5_000_000n })

test('a process sends nothing before it has read the statement: what it shows as paid is not sent', async () => {
  const { body } = await shop.post('/v1/withdraw', withdrawBody({ amount: 10_000 }))
  const id = body.data.transactionId as string
  // As after a restore to the moment before it was sent: written down, and the bank has paid it.
  await dispatchWithdrawals(app)
  const payout = await findPayout(app.db, id)
  const account = await app.banks.account(payout?.sourceAccountId ?? '')
  bank.behave({ statement: () => 'reset' })
  const workers = startWorkers(app)
  try {
    const reads = bank.reads()
    await until(
      async () => bank.reads(),
      (now) => now >= reads + 4,
    )
    assert.deepEqual(bank.orders, [])
    const now = app.clock.now().toISOString()
    const line = {
      account: account?.iban,
      reference: 'B-1',
      amount: 10_000,
      direction: 'debit',
      valueDate: istanbul(new Date(now)).day,
      bookedAt: now,
      senderName: '',
      senderIban: null,
      narrative: `Para cekme ${id}`,
    }
    bank.behave({ statement: () => ({ status: 200, body: { lines: [line], cursor: '1', more: false } }) })
    // People decide: a debit names it, and we have not sent it.
    await until(
      () => mustFind(app, id),
      ({ state }) => state === 'unknown',
    )
    const next = await shop.post('/v1/withdraw', withdrawBody({ amount: 10_000 }))
    await until(
      () => mustFind(app, next.body.data.transactionId as string),
      ({ status }) => status === 'completed',
    )
    assert.deepEqual(bank.orders, [next.body.data.transactionId])
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()))
  }
})
