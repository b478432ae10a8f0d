import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operatorActor, UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { makeIban } from '../../packages/server/src/kernel/iban.ts'
import { changeDeposits, findDeposit, lockDeposits } from '../../packages/server/src/domain/deposits/index.ts'
import { findDrift } from '../../packages/server/src/domain/ledger/index.ts'
import { addOperator, DECIDING, disableOperator } from '../../packages/server/src/domain/people/index.ts'
import { rejectWithdrawal, stopWithdrawal } from '../../packages/server/src/domain/withdrawals/index.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { seededRandom } from '../chaos/random.ts'
import { approve, approveTwice, endApproval } from '../harness/approvals.ts'
import { accepted } from '../harness/envelope.ts'
import { checkEvents, mustFind } from '../harness/history.ts'
import { startWithBank } from '../harness/payouts.ts'
import { paidDeposit, refundBody, refundPath, SENDER } from '../harness/refunds.ts'

const service = await startWithBank()
const { app } = service
const [ADA, BORA, CEM] = ['ada.aksoy', 'bora.boz', 'cem.can'] as const
for (const name of [ADA, BORA, CEM]) await addOperator(app, UNATTRIBUTED, name, DECIDING)
const [ada, bora, cem] = [operatorActor(ADA), operatorActor(BORA), operatorActor(CEM)]

await service.fundAccounts(2_000_000)

/** The simulated bank refuses transfers to it. */
const REFUSED = makeIban('0062', '90000001')
const OTHER = { iban: makeIban('0062', '1234'), accountName: 'Ali Kaya' }

type Shop = Awaited<ReturnType<typeof service.merchantWithMoney>>

async function refund(shop: Shop, id: string, changes: Record<string, unknown> = {}): Promise<string> {
  return accepted(await shop.post(refundPath(id), refundBody(changes)), 201).transactionId
}

async function refundedOf(shop: Shop, id: string): Promise<number> {
  return accepted(await shop.get(`/v1/transactions/${id}`), 200).refundedAmount ?? 0
}

test('a refund that is paid stays refunded; one that comes back can be refunded again', async () => {
  const shop = await service.merchantWithMoney(1_000_000n)
  const { id } = await paidDeposit(app, shop.merchantId)
  const paid = await refund(shop, id)
  await service.work()
  assert.deepEqual(await checkEvents(app, shop, paid), ['processing', 'completed'])
  assert.equal(await refundedOf(shop, id), 125_000)
  assert.deepEqual(await checkEvents(app, shop, id), ['completed', 'updated'])
  const transfer = (await service.witness()).find(({ reference }) => reference === paid)
  assert.deepEqual([transfer?.toIban, transfer?.amount], [SENDER.senderIban, 125_000])

  await service.call('POST', `transfers/${paid}/return`)
  await service.work()
  assert.deepEqual(await checkEvents(app, shop, paid), ['processing', 'completed', 'returned'])
  assert.equal(await refundedOf(shop, id), 0)
  assert.deepEqual(await checkEvents(app, shop, id), ['completed', 'updated', 'updated'])
  await refund(shop, id)
  assert.deepEqual(await findDrift(app.db), [])
})

test('a refund that the bank refuses, a person rejects or a person stops is no longer counted', async () => {
  const shop = await service.merchantWithMoney(1_000_000n)
  const { id } = await paidDeposit(app, shop.merchantId, { senderIban: REFUSED })
  const refusedByBank = await refund(shop, id, { amount: 100_000 })
  await service.work()
  assert.equal((await mustFind(app, refusedByBank)).status, 'failed')
  assert.equal(await refundedOf(shop, id), 0)
  await stopWithdrawal(app, ada, await refund(shop, id, { amount: 1 }), 'sent by mistake')
  assert.equal(await refundedOf(shop, id), 0)
  const unknown = await paidDeposit(app, shop.merchantId, { senderIban: null })
  await rejectWithdrawal(app, ada, await refund(shop, unknown.id, OTHER), 'another person')
  assert.equal(await refundedOf(shop, unknown.id), 0)
  assert.deepEqual(await checkEvents(app, shop, unknown.id), ['completed', 'updated', 'updated'])
  assert.deepEqual(await findDrift(app.db), [])
})

test('a recipient that the merchant named needs two people who may decide when they approve', async () => {
  const shop = await service.merchantWithMoney(1_000_000n)
  const { id } = await paidDeposit(app, shop.merchantId, { senderIban: null })
  const waiting = await refund(shop, id, OTHER)
  await service.work()
  assert.equal((await mustFind(app, waiting)).state, 'awaiting_approval')
  await approve(app, cem, waiting)
  await disableOperator(app, UNATTRIBUTED, CEM)
  await assert.rejects(approve(app, ada, waiting), { why: 'proposer_without_right' })
  await service.work()
  const { state, stateReason } = await mustFind(app, waiting)
  assert.deepEqual([state, stateReason], ['awaiting_approval', 'refund_recipient'])
  await endApproval(app, ada, waiting, 'no longer with us')
  await approveTwice(app, [ada, bora], waiting)
  await service.work()
  assert.equal((await mustFind(app, waiting)).status, 'completed')
})

test('a deposit cannot be left with less than was refunded: refused, and by the database too', async () => {
  const shop = await service.merchantWithMoney(1_000_000n)
  const { merchantId } = shop
  const { id } = await paidDeposit(app, merchantId)
  await refund(shop, id, { amount: 100_000 })
  const leaveWith = (receivedAmount: bigint) =>
    app.db.transaction(async (tx) => {
      const [deposit = assert.fail()] = await lockDeposits(tx, [merchantId], [id])
      await changeDeposits(app, tx, [{ deposit, changes: { receivedAmount } }])
    })
  const refunded = { minor: '100000', currency: 'TRY' }
  await assert.rejects(leaveWith(99_999n), {
    said: {
      why: 'deposit_below_refunds',
      facts: { deposit: id, refunded, received: { minor: '99999', currency: 'TRY' } },
    },
  })
  await assert.rejects(app.db.query(sql`update deposits set received_amount = 99999 where id = ${id}`), {
    constraint: 'deposits_refunded_within_received',
  })
  await assert.rejects(app.db.query(sql`update deposits set refunded_amount = 125001 where id = ${id}`), {
    constraint: 'deposits_refunded_within_received',
  })
  await leaveWith(100_000n)
})

test('what was asked for is fixed', async () => {
  const shop = await service.merchantWithMoney(1_000_000n)
  const { id } = await paidDeposit(app, shop.merchantId)
  const made = await refund(shop, id, { reason: 'iade' })
  for (const change of [
    sql`refund_of = null`,
    sql`refund_reason = 'other'`,
    sql`settlement = true`,
    sql`approval_required = true`,
  ])
    await assert.rejects(app.db.query(sql`update withdrawals set ${change} where id = ${made}`), /append-only/)
})

test('any sequence of refunds and outcomes: refunded is the sum of the live ones, within what was received; the books agree', async () => {
  const shop = await service.merchantWithMoney(2_000_000n)
  const chance = seededRandom(7)
  const deposits = [
    await paidDeposit(app, shop.merchantId),
    await paidDeposit(app, shop.merchantId, { senderIban: REFUSED }),
    await paidDeposit(app, shop.merchantId, { senderIban: null }),
  ]
  const made: string[] = []
  const steps = [
    async () => {
      const { id } = deposits[chance.below(3)] ?? assert.fail()
      const amount = chance.below(5) === 0 ? {} : { amount: chance.between(1, 80_000) }
      const to = id === deposits[2]?.id ? OTHER : {}
      const { body } = await shop.post(refundPath(id), refundBody({ ...amount, ...to }))
      if (body.success) made.push(body.data.transactionId)
    },
    async () => void (await shop.post(`/v1/transactions/${pick()}/cancel`, undefined)),
    async () => void (await stopWithdrawal(app, ada, pick(), 'a random step').catch(() => null)),
    async () => void (await rejectWithdrawal(app, ada, pick(), 'a test').catch(() => null)),
    async () => {
      for (const person of [ada, bora]) await approve(app, person, pick()).catch(() => null)
    },
    async () => service.work(),
    async () => {
      const [settled] = await app.db.query<{ id: string }>(sql`
        select id from withdrawals where merchant_id = ${shop.merchantId} and state = 'sent' order by id limit 1`)
      if (settled) await service.call('POST', `transfers/${settled.id}/return`)
      await service.readStatement()
    },
  ]
  const pick = () => made[chance.below(made.length)] ?? '0'.repeat(24)
  for (let step = 0; step < 60; step++) {
    const isNew = chance.below(5) < 2
    await (steps[isNew ? 0 : chance.below(steps.length)] ?? assert.fail())()
    for (const { id } of deposits) {
      const deposit = (await findDeposit(app.db, shop.merchantId, id)) ?? assert.fail()
      const [{ live } = assert.fail()] = await app.db.query<{ live: bigint }>(sql`
        select coalesce(sum(amount), 0)::bigint as live from withdrawals
        where refund_of = ${id} and status <> 'failed' and state <> 'returned'`)
      assert.equal(deposit.refundedAmount, live, `after step ${step}`)
      assert.ok(live <= deposit.receivedAmount)
      await checkEvents(app, shop, id)
    }
  }
  assert.deepEqual(await findDrift(app.db), [])
  const states = new Set(await Promise.all(made.map(async (id) => (await mustFind(app, id)).state)))
  for (const state of ['returned', 'failed'] as const) assert.ok(states.has(state), state)
})
