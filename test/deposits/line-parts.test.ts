import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { matchByHand, suspendByHand } from '../../packages/server/src/domain/matching/index.ts'
import { findLine, linesOfDeposit, listLines, lockLine } from '../../packages/server/src/domain/statements/index.ts'
import type { Deposit } from '../../packages/server/src/domain/deposits/index.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { untilOneWaits } from '../harness/lock-waits.ts'
import { ingest, lineFor, matchAll, payDeposit, someDeposits } from '../harness/payments.ts'
import { startService } from '../harness/service.ts'

const service = await startService()
const { app } = service
const { merchantId } = await service.merchant()

type Row = { kind: string; subject: string; merchantId: string; amount: bigint }
const partsOf = (lineId: string) =>
  app.db.query<Row>(sql`
    select kind, subject, merchant_id as "merchantId", amount from line_parts where line_id = ${lineId} order by kind`)

const addPart = (lineId: string, kind: string, subject: string, amount: bigint) => sql`
  insert into line_parts (line_id, kind, subject, merchant_id, amount, explained_at)
  values (${lineId}, ${kind}, ${subject}, ${merchantId}, ${amount}, ${app.clock.now()})`

async function newDeposit(): Promise<Deposit> {
  const [deposit] = await someDeposits(app, merchantId, 1)
  return deposit as Deposit
}

/** A line in suspense that is for no deposit. Returns its id. */
async function freeLine(amount = 1000n): Promise<string> {
  const line = await lineFor(app, await newDeposit(), { narrative: 'kim bilir', amount })
  await ingest(app, [line])
  await matchAll(app)
  return (await listLines(app.db, 'suspense', 100)).find((one) => one.bankReference === line.bankReference)?.id ?? ''
}

test('a credited line has one part, its deposit, in full', async () => {
  const deposit = await payDeposit(app, await newDeposit())
  const [line] = await linesOfDeposit(app.db, merchantId, deposit.id)
  assert.deepEqual([line?.state, line?.depositId, line?.merchantId], ['matched', deposit.id, merchantId])
  assert.deepEqual(await partsOf(line?.id ?? ''), [
    { kind: 'deposit', subject: deposit.id, merchantId, amount: deposit.amount },
  ])
})

test('a line that is held for a deposit has it as its part, until a person frees it', async () => {
  const deposit = await payDeposit(app, await newDeposit(), { amount: 100n })
  const [held] = await linesOfDeposit(app.db, merchantId, deposit.id)
  const id = held?.id ?? ''
  assert.deepEqual([held?.state, (await partsOf(id)).length], ['suspense', 1])
  await suspendByHand(app, UNATTRIBUTED, id)
  assert.deepEqual(await partsOf(id), [])
  assert.deepEqual(await linesOfDeposit(app.db, merchantId, deposit.id), [])
  assert.equal((await findLine(app.db, id))?.depositId, null)
  const other = await newDeposit()
  await matchByHand(app, UNATTRIBUTED, id, other.id, null, 100n)
  assert.deepEqual(await partsOf(id), [{ kind: 'deposit', subject: other.id, merchantId, amount: 100n }])
})

for (const [what, kind, amount, constraint] of [
  ['of nothing', 'deposit', 0n, 'line_parts_positive'],
  ['of a kind that does not exist', 'gift', 1n, 'line_parts_known_kind'],
  ['of more than the line has', 'deposit', 1001n, 'line_parts_within_line'],
  ['of a line that nobody has explained', 'payout_return', 1000n, 'line_parts_of_matched'],
] as const) {
  test(`a part ${what} is refused`, async () => {
    const id = await freeLine()
    await assert.rejects(
      app.db.transaction((tx) => tx.query(addPart(id, kind, 'd', amount))),
      { constraint },
    )
    assert.deepEqual(await partsOf(id), [])
  })
}

test('two processes that explain one line at once: together never more than the line has', async () => {
  const id = await freeLine()
  const parts = ['a', 'b', 'c', 'd'].map((subject) =>
    app.db.transaction((tx) => tx.query(addPart(id, 'deposit', subject, 600n))),
  )
  const outcomes = await Promise.allSettled(parts)
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
  assert.equal((await partsOf(id)).length, 1)
})

test('a line may be for several subjects, up to its amount', async () => {
  const id = await freeLine()
  await app.db.transaction(async (tx) => {
    await tx.query(addPart(id, 'deposit', 'a', 400n))
    await tx.query(addPart(id, 'deposit', 'b', 600n))
  })
  assert.equal((await partsOf(id)).length, 2)
})

test('a payout has one debit and one return', async () => {
  for (const [kind, constraint] of [
    ['payout', 'line_parts_one_debit'],
    ['payout_return', 'line_parts_one_return'],
  ] as const) {
    const [subject, first, second] = [app.ids.next(), await freeLine(), await freeLine()]
    const match = (id: string) =>
      app.db.transaction(async (tx) => {
        await tx.query(addPart(id, kind, subject, 1000n))
        await tx.query(sql`update bank_lines set state = 'matched' where id = ${id}`)
      })
    await match(first)
    await assert.rejects(match(second), { constraint })
  }
})

test('the parts of a matched line make all of it: less is refused, when it is matched and later', async () => {
  const id = await freeLine()
  const constraint = 'bank_lines_matched_in_full'
  const match = sql`update bank_lines set state = 'matched' where id = ${id}`
  await assert.rejects(
    app.db.transaction((tx) => tx.query(match)),
    { constraint },
  )
  const deposit = await payDeposit(app, await newDeposit())
  const [line] = await linesOfDeposit(app.db, merchantId, deposit.id)
  const remove = sql`delete from line_parts where line_id = ${line?.id}`
  await assert.rejects(
    app.db.transaction((tx) => tx.query(remove)),
    { constraint },
  )
})

test('who waits for a line reads what it is for now, not what it was for before', async () => {
  const deposit = await payDeposit(app, await newDeposit(), { amount: 100n })
  const id = (await linesOfDeposit(app.db, merchantId, deposit.id))[0]?.id ?? ''
  const second = await app.db.transaction(async (tx) => {
    await lockLine(tx, id)
    const after = app.db.transaction((other) => lockLine(other, id))
    await untilOneWaits(app.db)
    await tx.query(sql`delete from line_parts where line_id = ${id}`)
    return { after }
  })
  assert.deepEqual([(await second.after)?.state, (await second.after)?.depositId], ['suspense', null])
})
