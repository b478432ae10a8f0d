import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { merchantActor } from '../../kernel/actor.ts'
import { payDeposit } from '../../../../../test/harness/payments.ts'
import { startService } from '../../../../../test/harness/service.ts'
import type { Queryable } from '../../platform/postgres/db.ts'
import type { Sql } from '../../platform/postgres/sql.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { notRefused } from '../../platform/refusal.ts'
import { openBankDirectory } from '../banks/index.ts'
import { openAccountPool } from './account-pool.ts'
import { claimPayment, createDeposits } from './index.ts'

const service = await startService()
const { app } = service
const { merchantId } = await service.merchant()

/** One bank with one account that has these daily limits on the number and amount of deposits. */
async function bankThatTakes(count: number, amount: bigint | null = null): Promise<string> {
  const [account] = await app.db.query<{ bankId: string }>(sql`
    update collecting_accounts set daily_count_limit = ${count}, daily_amount_limit = ${amount}
    where id = (select min(id) from collecting_accounts where daily_count_limit is null and currency = 'TRY')
    returning bank_id as "bankId"`)
  assert.ok(account)
  return account.bankId
}

/** The database, with query results delayed while `hold` is in effect. */
function holding() {
  let held: (() => void)[] | null = null
  const query: Queryable['query'] = async <Row>(statement: Sql) => {
    const rows = await app.db.query<Row>(statement)
    if (held) await new Promise<void>((letGo) => void held?.push(letGo))
    return rows
  }
  return {
    db: { ...app.db, query },
    hold: () => void (held = []),
    letGo: () => {
      const all = held ?? []
      held = null
      for (const one of all) one()
    },
    isHeld: () => (held?.length ?? 0) > 0,
  }
}

const turn = () => new Promise((resolve) => void setImmediate(resolve))

test('what is given out while the load is counted again is not forgotten: a daily limit holds', async (t) => {
  let now = performance.now()
  t.mock.method(performance, 'now', () => now)
  const bankId = await bankThatTakes(3)
  const { db, hold, letGo, isHeld } = holding()
  const banks = openBankDirectory(app)
  const pool = openAccountPool({ ...app, db, banks })
  const create = async () => {
    const customer = { id: 'c-1', name: 'Ayşe Yılmaz', username: 'ayse' }
    const request = {
      actor: merchantActor(merchantId),
      processId: randomUUID(),
      amount: 10_000n,
      currency: 'TRY',
      bankId,
      customer,
    }
    const [deposit] = await createDeposits({ ...app, banks, pool }, [request])
    return deposit && 'collectingAccountId' in deposit && deposit.collectingAccountId !== null
  }
  assert.equal(await create(), true)
  now += 3000
  hold()
  assert.equal(await create(), true, 'the second, by the old count')
  while (!isHeld()) await turn()
  assert.equal(await create(), true, 'the third, which the new count has not seen')
  letGo()
  for (let turns = 0; turns < 10; turns++) await turn()
  assert.equal(await create(), false)
  assert.equal(await create(), false)
})

/** Creates deposits of 100 TL and returns how many got an account. */
async function create(needs: Parameters<typeof createDeposits>[0], merchant: string, bankId: string, count: number) {
  const customer = { id: 'c-1', name: 'Ayşe Yılmaz', username: 'ayse' }
  const requests = Array.from({ length: count }, () => {
    return {
      actor: merchantActor(merchant),
      processId: randomUUID(),
      amount: 10_000n,
      currency: 'TRY',
      bankId,
      customer,
    }
  })
  const created = notRefused(await createDeposits(needs, requests))
  return created.filter(({ collectingAccountId }) => collectingAccountId !== null)
}

/** Simulates another process that starts now: all its state comes from the database. */
function afresh() {
  const banks = openBankDirectory(app)
  return { ...app, banks, pool: openAccountPool({ ...app, banks }) }
}

const FILLED: [string, number, bigint | null][] = [
  ['count', 20, null],
  ['amount', 1000, 200_000n],
]
for (const [name, count, amount] of FILLED) {
  test(`unpaid deposits of one merchant keep a fifth of the daily ${name} from others, all of it from itself`, async () => {
    const bankId = await bankThatTakes(count, amount)
    const { merchantId: another } = await service.merchant()
    assert.equal((await create(afresh(), merchantId, bankId, 25)).length, 20)
    assert.equal((await create(afresh(), merchantId, bankId, 5)).length, 0)
    assert.equal((await create(afresh(), another, bankId, 25)).length, 16)
  })

  test(`what customers have said to be sent counts in full against the daily ${name}`, async () => {
    const bankId = await bankThatTakes(count, amount)
    const { merchantId: another } = await service.merchant()
    const deposits = await create(afresh(), merchantId, bankId, 10)
    for (const deposit of deposits) await claimPayment(app, deposit)
    assert.equal((await create(afresh(), another, bankId, 25)).length, 10)
  })

  test(`so does what has arrived, against the daily ${name}`, async () => {
    const bankId = await bankThatTakes(count, amount)
    const { merchantId: another } = await service.merchant()
    for (const deposit of await create(afresh(), merchantId, bankId, 10)) await payDeposit(app, deposit)
    assert.equal((await create(afresh(), another, bankId, 25)).length, 10)
  })
}
