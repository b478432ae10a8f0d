import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { operatorActor, UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { findDrift } from '../../packages/server/src/domain/ledger/index.ts'
import { setPayoutRules } from '../../packages/server/src/domain/merchants/index.ts'
import { addOperator, DECIDING } from '../../packages/server/src/domain/people/index.ts'
import {
  findPayout,
  forgedPayouts,
  forgedWithdrawals,
  rejectWithdrawal,
  stopWithdrawal,
} from '../../packages/server/src/domain/withdrawals/index.ts'
import { listAside } from '../../packages/server/src/domain/set-aside/index.ts'
import type { Sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { approve, approveTwice } from '../harness/approvals.ts'
import { withdrawBody } from '../harness/examples.ts'
import { mustFind } from '../harness/history.ts'
import { startWithBank } from '../harness/payouts.ts'

// Someone who can write to the database, past its triggers, but lacks the master key: nothing that they wrote or changed is sent.
const service = await startWithBank()
const { app, work, witness } = service
const shop = await service.merchantWithMoney(9_000_000n)
const [ada, bora] = [operatorActor('ada.aksoy'), operatorActor('bora.boz')]
for (const name of ['ada.aksoy', 'bora.boz']) await addOperator(app, UNATTRIBUTED, name, DECIDING)
await setPayoutRules(app, UNATTRIBUTED, shop.merchantId, { approvalThreshold: 50_000n })
const EVIL = 'TR330006100519786457841326'
const LIMIT = 100

afterEach(async () => assert.deepEqual(await findDrift(app.db), []))

const ask = async (amount: number) =>
  (await shop.post('/v1/withdraw', withdrawBody({ amount }))).body.data.transactionId as string
const sentFor = async (id: string) => (await witness()).filter(({ reference }) => reference === id).length

function pastTriggers(change: Sql): Promise<unknown> {
  return app.db.transaction(async (tx) => {
    await tx.query(sql`set local session_replication_role = replica`)
    await tx.query(change)
  })
}

/** The router sets it aside, others go on, the doctor names it, and a person stops it. */
async function assertNotSent(id: string): Promise<void> {
  const good = await ask(1000)
  await work()
  assert.deepEqual([await sentFor(id), await sentFor(good)], [0, 1])
  const { state, stateReason } = await mustFind(app, id)
  assert.deepEqual([state, stateReason], ['queued', 'cannot_be_booked'])
  const aside = (await listAside(app.db, LIMIT)).find((one) => one.id === id)
  assert.match(aside?.error ?? '', new RegExp(`mark of withdrawal ${id}`))
  assert.deepEqual(await forgedWithdrawals(app, LIMIT), [id])
  await stopWithdrawal(app, ada, id, 'not as it was asked for')
  await work()
  assert.deepEqual([(await mustFind(app, id)).state, await sentFor(id)], ['failed', 0])
  assert.deepEqual(await forgedWithdrawals(app, LIMIT), [])
}

const BOTH = ['ada.aksoy', 'bora.boz']

for (const [what, set] of [
  ['another IBAN', sql`iban = ${EVIL}`],
  ['another name', sql`account_name = 'Evil'`],
  ['another fee', sql`fee = fee + 1`],
  ['a mark of its own', sql`mark = repeat('0', 64)`],
  ['no mark', sql`mark = null`],
  ['two people who did not approve it', sql`approved_by = ${BOTH}::text[]`],
  ['a settlement that it is not', sql`settlement = true`],
] as const)
  test(`one that is queued, with ${what}: not sent`, async () => {
    const id = await ask(2000)
    await pastTriggers(sql`update withdrawals set ${set} where id = ${id}`)
    await assertNotSent(id)
  })

test('one that waits for approval, queued with two names in SQL: not sent', async () => {
  const id = await ask(60_000)
  await work()
  await pastTriggers(sql`
    update withdrawals set state = 'queued', state_reason = null, approved_by = ${BOTH}::text[] where id = ${id}`)
  await assertNotSent(id)
})

test('the mark of another approval does not fit', async () => {
  const [id, approved] = [await ask(60_000), await ask(60_000)]
  await work()
  await approveTwice(app, [ada, bora], approved)
  await pastTriggers(sql`
    update withdrawals w set state = 'queued', state_reason = null, approved_by = other.approved_by, mark = other.mark
    from withdrawals other where other.id = ${approved} and w.id = ${id}`)
  await assertNotSent(id)
  assert.equal(await sentFor(approved), 1)
})

test('approved, and the amount raised before it is sent: not sent', async () => {
  const id = await ask(60_000)
  await work()
  await approveTwice(app, [ada, bora], id)
  await pastTriggers(sql`update withdrawals set amount = amount + 1 where id = ${id}`)
  await assertNotSent(id)
})

test('one that waits for approval and was changed in SQL, in what no card shows: no one can approve it', async () => {
  const id = await ask(60_000)
  await work()
  await pastTriggers(sql`update withdrawals set approval_required = true where id = ${id}`)
  await assert.rejects(approve(app, ada, id), { why: 'withdrawal_not_recorded' })
  await rejectWithdrawal(app, ada, id, 'not as it was asked for')
  assert.equal((await mustFind(app, id)).state, 'failed')
})

test('a row that was inserted as queued: not sent, whatever mark it has', async () => {
  const own = await ask(3000)
  const copy = async (mark: Sql) => {
    const id = app.ids.next()
    await app.db.query(sql`
      insert into withdrawals (merchant_id, id, process_id, amount, fee, currency, status, iban, account_name, user_id, user_name,
        name, created_at, updated_at, mark)
      select merchant_id, ${id}, ${id}, amount, fee, currency, status, iban, account_name, user_id, user_name, name, created_at,
        updated_at, ${mark}
      from withdrawals where id = ${own}`)
    return id
  }
  const forged = [await copy(sql`null`), await copy(sql`mark`)]
  await work()
  for (const id of forged) {
    assert.equal(await sentFor(id), 0)
    assert.equal((await mustFind(app, id)).stateReason, 'cannot_be_booked')
  }
  assert.equal(await sentFor(own), 1)
  assert.deepEqual((await forgedWithdrawals(app, LIMIT)).toSorted(), forged.toSorted())
  for (const id of forged) await stopWithdrawal(app, ada, id, 'no one asked for it')
})

for (const [what, set] of [
  ['with another IBAN', sql`iban = ${EVIL}`],
  ['as it is, before two people approve it', sql`state = state`],
] as const)
  test(`past the router, a withdrawal ${what} and its payout, alike: in doubt, not sent`, async () => {
    const id = await ask(60_000)
    await work()
    const [source] = await app.banks.accounts()
    await pastTriggers(sql`update withdrawals set ${set} where id = ${id}`)
    await app.db.query(sql`
      update withdrawals set state = 'sending', status = 'processing', rail = 'fast', source_account_id = ${source?.id}
      where id = ${id}`)
    await app.db.query(sql`
      insert into payouts (merchant_id, withdrawal_id, source_account_id, connection, rail, amount, currency, iban, account_name,
        description, purpose_code, state, next_at, created_at, updated_at)
      select merchant_id, id, ${source?.id}, ${service.connection.name}, 'fast', amount, currency, iban, account_name,
        'Para cekme ' || id, '06', 'ready', now() - interval '1 minute', now(), now() from withdrawals where id = ${id}`)
    await work()
    assert.equal(await sentFor(id), 0)
    const payout = await findPayout(app.db, id)
    assert.deepEqual([payout?.state, payout?.reason], ['asking', 'differs_from_withdrawal'])
    assert.equal((await mustFind(app, id)).state, 'unknown')
    assert.ok((await forgedPayouts(app, LIMIT)).includes(id))
  })
