import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import pg from 'pg'
import { findDrift } from '../../packages/server/src/domain/ledger/index.ts'
import { listLines } from '../../packages/server/src/domain/statements/index.ts'
import { matchPayoutLines } from '../../packages/server/src/domain/matching/index.ts'
import { queryPayoutStatus, findPayout } from '../../packages/server/src/domain/withdrawals/index.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { lockWaits } from '../harness/lock-waits.ts'
import { matchAll, ingest } from '../harness/payments.ts'
import { AMOUNT, openPayoutLines } from '../harness/payout-lines.ts'
import { startWithBank } from '../harness/payouts.ts'
import { startSecondProcess } from '../harness/service.ts'
import { checkHistory } from '../harness/history.ts'
import { travelTo, until } from '../harness/until.ts'

// One process learns of a return by the bank's answer, another by the statement.
const service = await startWithBank()
const { app } = service
const shop = await service.merchant()
// Accounts are locked in the order of their ids, which begin with the second: the bank's come after the merchant's.
await travelTo(app, 5)
await service.fund(shop.merchantId, 5_000_000n)
await travelTo(app, 0)
const other = await startSecondProcess(service)
const { ask, sent, lineAbout, faults, available, sendBack } = openPayoutLines(service, shop)

afterEach(async () => {
  await service.call('DELETE', 'faults')
  await travelTo(app, 0)
  assert.deepEqual(await findDrift(app.db), [])
})

const blocked = () => lockWaits(app.db)
const back = (id: string) => lineAbout(id, { direction: 'credit', narrative: `IADE ${id}` })
const RETURNED = ['processing', 'completed', 'returned']

/** In doubt at our side; the bank will say that it was sent and came back. */
async function inDoubt(): Promise<string> {
  await faults('error_after')
  const id = await sent()
  await service.call('DELETE', 'faults')
  await sendBack(id)
  return id
}

/** Runs while another connection holds this row. */
async function whileLocked(table: string, id: string, work: (release: () => Promise<unknown>) => Promise<void>) {
  const person = new pg.Client({ connectionString: service.databaseUrl })
  await person.connect()
  try {
    await person.query('begin')
    await person.query(`select 1 from ${table} where id = $1 for update`, [id])
    await work(() => person.query('commit'))
  } finally {
    await person.end()
  }
}

test('an answer that waits for a line holds no account that a line of another payout needs', async () => {
  const before = await available()
  const byLine = await ask()
  await service.work()
  const byAnswer = await inDoubt()
  const [one, two] = [await findPayout(app.db, byLine), await findPayout(app.db, byAnswer)]
  assert.equal(one?.sourceAccountId, two?.sourceAccountId)
  await ingest(app, [await back(byAnswer)])
  await matchAll(app)
  await ingest(app, [await back(byLine)])
  const [waiting] = await listLines(app.db, 'suspense', 1)
  await travelTo(app, 90)
  await whileLocked('bank_lines', waiting?.id ?? '', async (release) => {
    const asked = queryPayoutStatus(app)
    await until(blocked, (count) => count === 1)
    let matched = 0
    const matching = matchPayoutLines(other).then((count) => (matched = count))
    await until(async () => matched, Boolean)
    await release()
    assert.deepEqual([await asked, await matching], [1, 1])
  })
  assert.deepEqual([await checkHistory(app, byLine), await checkHistory(app, byAnswer)], [RETURNED, RETURNED])
  assert.equal(await available(), before)
})

test("an answer that waits for the merchant's account does not hold the bank's, which is locked after it", async () => {
  const id = await inDoubt()
  const payout = await findPayout(app.db, id)
  await travelTo(app, 90)
  const [account] = await app.db.query<{ id: string }>(sql`
    select id from accounts where merchant_id = ${shop.merchantId} and kind = 'merchant_available' and currency = 'TRY'`)
  await whileLocked('accounts', account?.id ?? '', async (release) => {
    const asked = queryPayoutStatus(app)
    await until(blocked, (count) => count === 1)
    const free = await app.db.query(sql`
      select 1 from accounts where kind = 'bank_cash' and subject = ${payout?.sourceAccountId} for update skip locked`)
    await release()
    assert.equal(await asked, 1)
    assert.equal(free.length, 1)
  })
  assert.deepEqual(await checkHistory(app, id), RETURNED)
})

test('the answer and the lines of the same payouts at once: no error, and each is booked once', async () => {
  const before = await available()
  const ids: string[] = []
  for (let count = 0; count < 6; count++) ids.push(await inDoubt())
  for (const id of ids) await ingest(app, [await lineAbout(id, {}), await back(id)])
  await travelTo(app, 90)
  const untilDone = async (work: () => Promise<number>) => {
    while ((await work()) > 0);
  }
  await Promise.all([untilDone(() => queryPayoutStatus(app)), untilDone(() => matchPayoutLines(other))])
  await matchAll(app)
  for (const id of ids) assert.deepEqual(await checkHistory(app, id), RETURNED)
  const booked = await app.db.query<{ amount: bigint }>(sql`
    select amount from transfers where kind = 'withdrawal_return' and subject_id = any(${ids}::text[])`)
  assert.deepEqual(
    booked.map(({ amount }) => amount),
    ids.map(() => BigInt(AMOUNT)),
  )
  assert.equal(await available(), before)
})
