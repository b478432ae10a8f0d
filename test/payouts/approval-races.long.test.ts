import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UNATTRIBUTED, merchantActor, operatorActor } from '../../packages/server/src/kernel/actor.ts'
import { balanceOf, findDrift } from '../../packages/server/src/domain/ledger/index.ts'
import { setPayoutRules } from '../../packages/server/src/domain/merchants/index.ts'
import { addOperator, DECIDING } from '../../packages/server/src/domain/people/index.ts'
import {
  dispatchWithdrawals,
  cancelWithdrawal,
  createWithdrawals,
  rejectWithdrawal,
} from '../../packages/server/src/domain/withdrawals/index.ts'
import { notRefused, Refusal } from '../../packages/server/src/platform/refusal.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { approve } from '../harness/approvals.ts'
import { withdrawFee } from '../harness/fees.ts'
import { startWithBank } from '../harness/payouts.ts'

const ROUNDS = 1000
const BATCH_SIZE = 4
const AMOUNT = 1000n
const PEOPLE = ['ada.aksoy', 'bora.boz', 'cem.can'] as const

const service = await startWithBank()
const { app } = service
for (const name of PEOPLE) await addOperator(app, UNATTRIBUTED, name, DECIDING)
const FUNDS = 5_000_000n
const { merchantId } = await service.merchantWithMoney(FUNDS)
await setPayoutRules(app, UNATTRIBUTED, merchantId, { approvalThreshold: AMOUNT })

async function allWaiting(): Promise<string[]> {
  const terms = {
    actor: merchantActor(merchantId),
    amount: AMOUNT,
    currency: 'TRY',
    bankId: null,
    feeTerms: withdrawFee(),
  }
  const who = { accountName: 'Ayşe Yılmaz', userId: 'u-1', userName: 'ayse', name: 'Ayşe Yılmaz' }
  const requests = Array.from({ length: ROUNDS }, () => ({
    ...{ ...terms, ...who, processId: app.ids.next() },
    iban: 'TR620006200029500006291296',
  }))
  const created = notRefused(await createWithdrawals(app, requests))
  while ((await dispatchWithdrawals(app)) > 0);
  return created.map(({ id }) => id)
}

type Effects = { approvals: number; stopped: number }

/**
 * Two approve and one stops it, all at once, each of them first in its turn; every other time one has approved before, or it is
 * also being sent.
 */
async function race(id: string, round: number): Promise<Effects> {
  const approves = (name: string) => () => approve(app, operatorActor(name), id).then(() => 'approved')
  const stop = () =>
    (round % 2 === 0
      ? cancelWithdrawal(app, merchantActor(merchantId), id)
      : rejectWithdrawal(app, operatorActor(PEOPLE[2]), id, 'a test')
    ).then(() => 'stopped')
  const [one, other] = [approves(PEOPLE[0]), approves(PEOPLE[1])]
  const before = round % 8 < 4 ? [await one()] : []
  // A rejection comes too late in some, however slow the second approval is.
  if (round % 8 === 1) before.push(await other())
  const racers = [[one, other, stop], [other, stop], [stop]][before.length] ?? []
  const first = round % racers.length
  const order = [...racers.slice(first), ...racers.slice(0, first)]
  const sending = round % 4 < 2 ? dispatchWithdrawals(app) : undefined
  const answers = await Promise.allSettled(order.map((racer) => racer()))
  await sending
  for (const answer of answers) {
    if (answer.status === 'fulfilled') continue
    assert.ok(answer.reason instanceof Refusal, String(answer.reason))
    assert.equal(answer.reason.code, 'INVALID_STATE')
  }
  const done = [...before, ...answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))]
  return {
    approvals: done.filter((word) => word === 'approved').length,
    stopped: done.filter((word) => word === 'stopped').length,
  }
}

type Row = { id: string; status: string; sequence: number; told: string; numbered: string } & {
  yes: number
  open: number
  no: number
  approvedBy: string[] | null
}

test(`two approve while one cancels or rejects, ${ROUNDS} times: one effect each`, async () => {
  const ids = await allWaiting()
  assert.equal(ids.length, ROUNDS)
  const effects = new Map<string, Effects>()
  for (let round = 0; round < ROUNDS; round += BATCH_SIZE) {
    const some = ids.slice(round, round + BATCH_SIZE)
    await Promise.all(some.map(async (id, index) => effects.set(id, await race(id, round + index))))
  }
  await service.work()
  const rows = await app.db.query<Row>(sql`
    select w.id, w.status, w.sequence,
      (select (count(*) + count(*) filter (where state = 'applied'))::int from proposals
        where target = 'withdrawal:' || w.id) as yes,
      (select count(*)::int from proposals where target = 'withdrawal:' || w.id and state = 'open') as open,
      (w.stopped_at is not null)::int as no, w.approved_by as "approvedBy",
      (select string_agg(sequence || type, ' ' order by sequence) from events where transaction_id = w.id) as told,
      (select string_agg(sequence || from_status || '>' || to_status, ' ' order by sequence)
        from status_history where transaction_id = w.id) as numbered
    from withdrawals w where w.merchant_id = ${merchantId}`)
  const sent = Map.groupBy(await service.witness(), ({ reference }) => reference)
  const counts = { completed: 0, failed: 0 }
  for (const row of rows) {
    const effect = effects.get(row.id)
    const stopped = row.status === 'failed'
    counts[stopped ? 'failed' : 'completed']++
    assert.equal(row.yes, effect?.approvals)
    assert.equal(stopped, effect?.stopped === 1)
    assert.ok(row.no <= Number(stopped))
    assert.equal(row.open, 0, 'no approval waits for what has ended or was approved')
    assert.equal(row.yes === 2, row.approvedBy !== null)
    if (!stopped) assert.deepEqual(row.approvedBy?.toSorted(), PEOPLE.slice(0, 2))
    assert.equal(sent.get(row.id)?.length ?? 0, stopped ? 0 : 1)
    assert.equal(row.told, stopped ? '1withdrawal.failed' : '1withdrawal.processing 2withdrawal.completed')
    assert.equal(row.numbered, stopped ? '1pending>failed' : '1pending>processing 2processing>completed')
    assert.equal(row.sequence, stopped ? 1 : 2)
  }
  assert.equal(counts.completed + counts.failed, ROUNDS)
  assert.ok(counts.completed > 0 && counts.failed > 0, JSON.stringify(counts))
  const available = FUNDS - BigInt(counts.completed) * AMOUNT
  assert.deepEqual(await balanceOf(app.db, merchantId, 'TRY'), { available, held: 0n })
  assert.deepEqual(await findDrift(app.db), [])
})
