import assert from 'node:assert/strict'
import { test } from 'node:test'
import { merchantActor } from '../../packages/server/src/kernel/actor.ts'
import { findDeposit } from '../../packages/server/src/domain/deposits/index.ts'
import { findDrift } from '../../packages/server/src/domain/ledger/index.ts'
import { NO_FEE_TERMS } from '../../packages/server/src/domain/merchants/index.ts'
import { cancelWithdrawal, refundDeposit } from '../../packages/server/src/domain/withdrawals/index.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { ready, vezne } from '../harness/child-process.ts'
import { client } from '../harness/client.ts'
import { Crash, crashingWorker } from '../harness/crash.ts'
import { withdrawBody } from '../harness/examples.ts'
import { checkEvents } from '../harness/history.ts'
import { paidDeposit, refundBody, refundPath } from '../harness/refunds.ts'
import { startSecondProcess, startService } from '../harness/service.ts'

const service = await startService()
const { app } = service

const deadlocks = async () =>
  (
    await app.db.query<{ count: number }>(sql`
    select deadlocks::int as count from pg_stat_database where datname = current_database()`)
  )[0]?.count

function tally(codes: (string | undefined)[]) {
  const groups = Map.groupBy(codes, (code) => code ?? 'created')
  return Object.fromEntries([...groups].map(([code, list]) => [code, list.length]))
}

test('two serve processes, 20 refunds of a third at once: three are created, and equal requests create one', async () => {
  const env = {
    DATABASE_URL: service.databaseUrl,
    VEZNE_MASTER_KEY: app.config.masterKey.toString('hex'),
    VEZNE_DATA: '/nonexistent',
  }
  const children = [vezne(['serve'], env), vezne(['serve'], env)]
  const addresses = await Promise.all(children.map(ready))
  const shop = await service.merchant({ funds: 10_000_000n })
  const clients = addresses.map((address) => client(address, shop))
  const at = (index: number) => clients[index % 2] ?? assert.fail()
  const [parts, whole] = [await paidDeposit(app, shop.merchantId), await paidDeposit(app, shop.merchantId)]
  const thirds = Array.from({ length: 20 }, (_, index) => {
    return at(index).post(refundPath(parts.id), refundBody({ amount: 41_666 }))
  })
  const same = refundBody()
  const equal = Array.from({ length: 12 }, (_, index) => at(index).post(refundPath(whole.id), same))
  const others = Array.from({ length: 12 }, (_, index) => at(index).post('/v1/withdraw', withdrawBody()))
  const codes = async (answers: typeof thirds) => tally((await Promise.all(answers)).map(({ code }) => code))
  assert.deepEqual(await codes(thirds), { created: 3, AMOUNT_OUT_OF_RANGE: 17 })
  assert.deepEqual(await codes(equal), { created: 1, DUPLICATE_TRANSACTION: 11 })
  assert.deepEqual(await codes(others), { created: 12 })
  assert.equal((await findDeposit(app.db, shop.merchantId, parts.id))?.refundedAmount, 124_998n)
  assert.deepEqual(await checkEvents(app, shop, parts.id), ['completed', 'updated', 'updated', 'updated'])
  assert.deepEqual(await findDrift(app.db), [])
  for (const child of children) child.process.kill('SIGTERM')
  assert.deepEqual(await Promise.all(children.map(({ exited }) => exited)), [0, 0])
})

test('refunds and cancellations of the same deposit in two processes: no deadlock, and the sum is right after each', async () => {
  const second = await startSecondProcess(service)
  const { merchantId } = await service.merchant({ funds: 10_000_000n })
  const { id } = await paidDeposit(app, merchantId)
  const actor = merchantActor(merchantId)
  const before = await deadlocks()
  await Promise.all(
    [app, second, app, second].map(async (process) => {
      for (let round = 0; round < 10; round++) {
        const request = {
          processId: app.ids.next(),
          amount: 20_000n,
          feeTerms: NO_FEE_TERMS,
          signature: app.ids.next(),
        }
        const refund = await refundDeposit(process, actor, id, request)
        await cancelWithdrawal(process, actor, refund.id)
      }
    }),
  )
  assert.equal(await deadlocks(), before)
  const deposit = await findDeposit(app.db, merchantId, id)
  assert.deepEqual([deposit?.refundedAmount, deposit?.sequence], [0n, 81])
  assert.deepEqual(await findDrift(app.db), [])
})

test('a process that dies at any point of a refund leaves all of it or nothing', async () => {
  const { merchantId } = await service.merchant({ funds: 10_000_000n })
  const { id } = await paidDeposit(app, merchantId)
  const actor = merchantActor(merchantId)
  let refunded = 0n
  for (let dieAt = 1; ; dieAt++) {
    const { worker, isDead } = crashingWorker(app, dieAt)
    const request = { processId: app.ids.next(), amount: 100n, feeTerms: NO_FEE_TERMS, signature: app.ids.next() }
    await refundDeposit(worker, actor, id, request).catch((error: unknown) => assert.ok(error instanceof Crash))
    const [row] = await app.db.query(sql`
      select (select count(*)::int from withdrawals where process_id = ${request.processId}) as created,
        (select refunded_amount from deposits where id = ${id}) as refunded,
        (select coalesce(sum(amount), 0)::bigint from withdrawals where refund_of = ${id}) as live,
        (select count(*)::int from events where transaction_id = ${id}) as events,
        (select sequence from deposits where id = ${id}) as sequence`)
    const { created, refunded: shown, live, events, sequence } = row as Record<string, number | bigint>
    refunded += created === 1 ? 100n : 0n
    assert.deepEqual([shown, live, events], [refunded, refunded, sequence], `died at ${dieAt}`)
    if (!isDead()) break
  }
  assert.ok(refunded > 0n)
  assert.deepEqual(await findDrift(app.db), [])
})
