import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { findDepositById } from '../../packages/server/src/domain/deposits/index.ts'
import { balanceOf } from '../../packages/server/src/domain/ledger/index.ts'
import { findLine, listLines } from '../../packages/server/src/domain/statements/index.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { openCommandLine } from '../harness/command-line.ts'
import { openAdvice } from '../harness/follow-advice.ts'
import { openJournal } from '../harness/journal.ts'
import { ingest, lineFor, matchAll, someDeposits } from '../harness/payments.ts'
import { startService } from '../harness/service.ts'

// A credited line comes again with its number and another amount. What is printed is followed, and the books are the bank's.

const service = await startService()
const { app } = service
const shop = await service.merchant()
const journal = await openJournal(app)
const { run, stop } = openCommandLine({
  DATABASE_URL: service.databaseUrl,
  VEZNE_MASTER_KEY: app.config.masterKey.toString('hex'),
})
after(stop)
const { take, follow } = openAdvice(app, run)
afterEach(() => journal.assertSound())

async function corrected(from: bigint, to: bigint) {
  const [deposit] = await someDeposits(app, shop.merchantId, 1, from)
  const { id } = deposit ?? assert.fail('no deposit')
  const line = await lineFor(app, deposit ?? assert.fail(), {})
  for (const amount of [from, to]) {
    await ingest(app, [{ ...line, amount }])
    await matchAll(app)
  }
  const lines = await listLines(app.db, 'needs_review', 10)
  const suspect = lines.find((one) => one.amount === to) ?? assert.fail('no correction')
  return { id, suspect: suspect.id, first: suspect.correctsLineId ?? '' }
}

const refusal = async (command: string) => {
  const { code, errors } = await run([...command.replace('vezne ', '').split(' '), '--as', 'ayse.yilmaz'])
  assert.notEqual(code, 0)
  return errors
}
const received = async (id: string) => {
  const deposit = await findDepositById(app.db, id)
  return [deposit?.status, deposit?.receivedAmount]
}
const available = async () => (await balanceOf(app.db, shop.merchantId, 'TRY')).available

for (const [from, to] of [
  [100_000n, 95_000n],
  [90_000n, 93_000n],
] as const)
  test(`${from} and then ${to}: the refusals lead to the amount that the bank counts`, async () => {
    const { id, suspect, first } = await corrected(from, to)
    const before = await available()
    const same = await refusal(`vezne line correction ${suspect} --same-money`)
    const [replace = ''] = /vezne line correction \w+ --replaces/.exec(same) ?? []
    const refused = await refusal(replace)
    const [unmatch = '', again = '', match = ''] = refused.match(/vezne .*/g) ?? []
    await take(unmatch)
    await take(again)
    assert.equal((await findLine(app.db, first))?.state, 'dismissed')
    assert.deepEqual(await follow(suspect, { KURUS: `${to}` }), [`${match} --received KURUS`])
    assert.deepEqual(await received(id), ['completed', to])
    assert.equal(await available(), before - from + to)
    const events = await app.db.query<{ type: string }>(
      sql`select type from events where transaction_id = ${id} order by sequence`,
    )
    assert.equal(events.at(-1)?.type, 'deposit.completed')
  })

test('the bank counts the first: two people dismiss the second', async () => {
  const { id, suspect } = await corrected(70_000n, 71_000n)
  const said = await refusal(`vezne line correction ${suspect} --same-money`)
  await take(/vezne line dismiss \w+/.exec(said)?.[0] ?? '')
  assert.equal((await findLine(app.db, suspect))?.state, 'dismissed')
  assert.deepEqual(await received(id), ['completed', 70_000n])
})
