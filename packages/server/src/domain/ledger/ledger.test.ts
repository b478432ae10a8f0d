import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { compose } from '../../compose.ts'
import { cloneDatabase, testConfig } from '../../../../../test/harness/database.ts'
import type { Tx } from '../../platform/postgres/db.ts'
import type { Sql } from '../../platform/postgres/sql.ts'
import { sql } from '../../platform/postgres/sql.ts'
import type { AccountRef, NewEntry } from './index.ts'
import {
  balanceOf,
  bankAccount,
  findDrift,
  holdAccounts,
  lockAccounts,
  merchantAccount,
  openAccounts,
  placeHolds,
  postEntries,
  voidHold,
} from './index.ts'

const database = await cloneDatabase()
const app = compose(testConfig(), database.url)
after(async () => {
  await app.db.end()
  await database.drop()
})

const id = () => app.ids.next()
const available = (merchantId: string, currency = 'TRY') => merchantAccount('merchant_available', merchantId, currency)
const move = (from: AccountRef, to: AccountRef, amount: bigint): NewEntry => {
  return { kind: 'correction', merchantId: to.merchantId, subjectId: id(), transfers: [{ from, to, amount }] }
}

function post(entries: NewEntry[]): Promise<void> {
  return app.db.transaction(async (tx) => {
    const refs = entries.flatMap(({ transfers }) => transfers.flatMap(({ from, to }) => [from, to]))
    await postEntries(app, tx, await lockAccounts(tx, refs), entries)
  })
}

/** A merchant with this balance, paid in through a bank account of its own. */
async function funded(amount: bigint, currency = 'TRY') {
  const merchantId = id()
  const cash = bankAccount('bank_cash', id(), currency)
  const { held } = holdAccounts(merchantId, currency)
  await app.db.transaction((tx) => openAccounts(app, tx, [cash, available(merchantId, currency), held]))
  if (amount > 0n) await post([move(cash, available(merchantId, currency), amount)])
  return { merchantId, cash, account: available(merchantId, currency), held }
}

/** Without `owner`: the moves of these tests cross merchants, which no entry of the service does. */
const driftOfSums = async () => (await findDrift(app.db)).filter(({ what }) => what !== 'owner')

const total = async () =>
  (await app.db.query<{ sum: bigint | null }>(sql`select sum(balance)::bigint as sum from accounts`))[0]?.sum ?? 0n

test('whatever is moved, the ledger sums to zero, balances are what the transfers say, and drift is empty', async () => {
  const people = await Promise.all(Array.from({ length: 4 }, () => funded(1000n)))
  const refs = people.flatMap(({ cash, account }) => [cash, account])
  const index = fc.nat({ max: refs.length - 1 })
  const step = fc.tuple(index, index, fc.bigInt({ min: 1n, max: 700n })).filter(([from, to]) => from !== to)
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
      const entries = steps.map(([from, to, amount]) => move(refs[from] as AccountRef, refs[to] as AccountRef, amount))
      await post(entries).catch((error: { constraint?: string }) => {
        assert.equal(error.constraint, 'accounts_never_negative')
      })
      assert.equal(await total(), 0n)
    }),
    { numRuns: 60 },
  )
  assert.deepEqual(await driftOfSums(), [])
})

test('no merchant account falls below zero, not by one kuruş; cash at a bank may', async () => {
  const { merchantId, cash, account, held } = await funded(100n)
  await assert.rejects(post([move(account, cash, 101n)]), { code: '23514', constraint: 'accounts_never_negative' })
  await assert.rejects(post([move(held, account, 1n)]), { constraint: 'accounts_never_negative' })
  assert.deepEqual(await balanceOf(app.db, merchantId, 'TRY'), { available: 100n, held: 0n })
  await post([move(account, cash, 100n)])
  assert.deepEqual(await balanceOf(app.db, merchantId, 'TRY'), { available: 0n, held: 0n })
})

test('a transfer moves more than nothing, between two different accounts', async () => {
  const { cash, account } = await funded(100n)
  await assert.rejects(post([move(cash, account, 0n)]), { constraint: 'transfers_positive' })
  await assert.rejects(post([move(cash, account, -5n)]), { constraint: 'transfers_positive' })
  await assert.rejects(post([move(account, account, 5n)]), { constraint: 'transfers_between_two' })
})

test('a transfer between two currencies is refused by the foreign key', async () => {
  const [lira, euro] = [await funded(100n), await funded(100n, 'EUR')]
  await assert.rejects(post([move(lira.account, euro.account, 10n)]), {
    code: '23503',
    constraint: 'transfers_to_account',
  })
  assert.deepEqual(await balanceOf(app.db, euro.merchantId, 'EUR'), { available: 100n, held: 0n })
  assert.deepEqual(await balanceOf(app.db, euro.merchantId, 'TRY'), { available: 0n, held: 0n })
})

test('an account that is not open, or was not locked, is an error and no silent nothing', async () => {
  const { cash } = await funded(0n)
  await assert.rejects(post([move(cash, available(id()), 5n)]), /is not open or was not locked/)
  assert.equal(await total(), 0n)
})

for (const table of ['transfers', 'status_history']) {
  test(`${table} is append-only: update, delete and truncate are refused`, async () => {
    await funded(100n)
    const unknown = { code: '23001', message: `table ${table} is append-only` }
    const run = (statement: string) =>
      app.db.transaction((tx) => tx.query({ text: statement, values: [] } as unknown as Sql))
    await run(`insert into ${table} select * from ${table} where false`)
    await run(rowFor(table))
    await assert.rejects(run(`update ${table} set merchant_id = merchant_id`), unknown)
    await assert.rejects(run(`delete from ${table}`), unknown)
    await assert.rejects(run(`truncate ${table}`), unknown)
    await assert.rejects(run(`truncate ${table} cascade`), unknown)
  })
}

function rowFor(table: string): string {
  if (table === 'transfers') return 'select 1'
  return `insert into ${table} (merchant_id, transaction_id, sequence, from_status, to_status, changed_at)
    values ('${id()}', '${id()}', 1, 'pending', 'failed', '2026-01-01')`
}

test('a hold resolves exactly once: of 4 who give it back at once one succeeds, 100 times over', async () => {
  const { merchantId } = await funded(100_000n)
  const { available: account, held } = holdAccounts(merchantId, 'TRY')
  for (let round = 0; round < 100; round++) {
    const subjectId = id()
    await app.db.transaction(async (tx) => {
      const hold = { merchantId, subjectId, currency: 'TRY', amount: 700n }
      await placeHolds(app, tx, await lockAccounts(tx, [account, held]), [hold])
    })
    const answers = await Promise.allSettled(
      Array.from({ length: 4 }, () => app.db.transaction((tx) => voidHold(app, tx, { merchantId, subjectId }))),
    )
    const lost = answers.filter((answer) => answer.status === 'rejected')
    assert.equal(lost.length, 3)
    for (const { reason } of lost) assert.match(String(reason), /was resolved before/)
  }
  assert.deepEqual(await balanceOf(app.db, merchantId, 'TRY'), { available: 100_000n, held: 0n })
  assert.deepEqual(await driftOfSums(), [])
})

test('more than there is cannot be held, and a second hold for the same withdrawal is refused', async () => {
  const { merchantId, account, held } = await funded(100n)
  const subjectId = id()
  const place = (amount: bigint) =>
    app.db.transaction(async (tx) => {
      const accounts = await lockAccounts(tx, [account, held])
      await placeHolds(app, tx, accounts, [{ merchantId, subjectId, currency: 'TRY', amount }])
    })
  await assert.rejects(place(101n), { constraint: 'accounts_never_negative' })
  await place(60n)
  await assert.rejects(place(10n), { constraint: 'holds_pkey' })
  assert.deepEqual(await balanceOf(app.db, merchantId, 'TRY'), { available: 40n, held: 60n })
})

test('overlapping sets locked in any order by two transactions: 200 rounds without a deadlock', async () => {
  const refs = await Promise.all(Array.from({ length: 12 }, async () => (await funded(0n)).account))
  const shuffled = () =>
    refs
      .map((ref) => [Math.random(), ref] as const)
      .toSorted(([a], [b]) => a - b)
      .map(([, ref]) => ref)
  const lockSome = () =>
    app.db.transaction(async (tx) => {
      await lockAccounts(tx, shuffled().slice(0, 8))
      await tx.query(sql`select 1`)
    })
  for (let round = 0; round < 200; round++) await Promise.all([lockSome(), lockSome()])
})

test('the same new accounts opened in opposite order by two transactions: 20 rounds without a deadlock', async () => {
  for (let round = 0; round < 20; round++) {
    const refs = Array.from({ length: 200 }, () => bankAccount('bank_cash', id(), 'TRY'))
    const open = (list: AccountRef[]) => app.db.transaction((tx: Tx) => openAccounts(app, tx, list))
    await Promise.all([open(refs), open(refs.toReversed())])
  }
})

test('drift finds a balance that no transfer explains, and a held balance that no hold explains', async () => {
  const { merchantId, account, held } = await funded(100n)
  assert.deepEqual(await driftOfSums(), [])
  const plant = (kind: string, by: number) =>
    app.db.query(
      sql`update accounts set balance = balance + ${by} where merchant_id = ${merchantId} and kind = ${kind}`,
    )
  await plant('merchant_available', 1)
  const [found, ...more] = await driftOfSums()
  assert.equal(more.length, 0)
  assert.deepEqual({ ...found, id: '' }, { what: 'balance', id: '', stored: 101n, derived: 100n })
  await plant('merchant_available', -1)

  await post([move(account, held, 30n)])
  const [unheld, ...others] = await driftOfSums()
  assert.equal(others.length, 0)
  assert.deepEqual({ ...unheld, id: '' }, { what: 'held', id: '', stored: 30n, derived: 0n })
  await post([move(held, account, 30n)])
  assert.deepEqual(await driftOfSums(), [])
})
