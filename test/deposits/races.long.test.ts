import assert from 'node:assert/strict'
import { test } from 'node:test'
import { merchantActor } from '../../packages/server/src/kernel/actor.ts'
import { cancelDeposit, expireDeposits } from '../../packages/server/src/domain/deposits/index.ts'
import { matchLines } from '../../packages/server/src/domain/matching/index.ts'
import { balanceOf, findDrift } from '../../packages/server/src/domain/ledger/index.ts'
import { moveClock } from '../../packages/server/src/platform/time/business-clock.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { lineFor, matchAll, someDeposits, ingest } from '../harness/payments.ts'
import { startService } from '../harness/service.ts'
import { travelTo } from '../harness/until.ts'

const { app, merchant } = await startService()

const RACES = 1000
const BATCH_SIZE = 50

test(`${RACES} races of expiry against payment against cancellation: one final state each, stray money in suspense`, async () => {
  const shop = await merchant()
  for (let round = 0; round < RACES / BATCH_SIZE; round++) {
    await travelTo(app, 0)
    const deposits = await someDeposits(app, shop.merchantId, BATCH_SIZE, 1000n)
    await ingest(app, await Promise.all(deposits.map((deposit) => lineFor(app, deposit))))
    // Time is up for all of them at the moment their money arrives and their merchant cancels.
    await travelTo(app, 31 * 60)
    const cancels = deposits.map(({ merchantId, id }) =>
      cancelDeposit(app, merchantActor(merchantId), id).catch(() => null),
    )
    await Promise.all([...cancels, expireDeposits(app), matchLines(app), expireDeposits(app), matchLines(app)])
    await matchAll(app)
  }
  const states = await app.db.query<{ status: string; count: number; bad: number }>(sql`
    select d.status, count(*)::int as count,
      count(*) filter (where d.sequence <> (select count(*) from status_history h where h.merchant_id = d.merchant_id and h.transaction_id = d.id)
        or d.sequence <> (select count(*) from events e where e.merchant_id = d.merchant_id and e.transaction_id = d.id))::int as bad
    from deposits d where d.merchant_id = ${shop.merchantId} group by d.status`)
  const count = Object.fromEntries(states.map(({ status, count: n }) => [status, n]))
  assert.equal((count['completed'] ?? 0) + (count['cancelled'] ?? 0), RACES, JSON.stringify(count))
  assert.ok(
    states.every(({ bad }) => bad === 0),
    'history, events and sequence differ',
  )
  assert.equal((await balanceOf(app.db, shop.merchantId, 'TRY')).available, BigInt(count['completed'] ?? 0) * 1000n)
  const [stray] = await app.db.query<{ sum: bigint }>(sql`
    select coalesce(sum(balance), 0)::bigint as sum from accounts where kind = 'suspense'`)
  assert.equal(stray?.sum, BigInt(count['cancelled'] ?? 0) * 1000n)
  assert.deepEqual(await findDrift(app.db), [])
  await app.db.transaction((tx) => moveClock(tx, 0))
})
