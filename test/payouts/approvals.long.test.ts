import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { UNATTRIBUTED, merchantActor, operatorActor } from '../../packages/server/src/kernel/actor.ts'
import { balanceOf, findDrift } from '../../packages/server/src/domain/ledger/index.ts'
import { setPayoutRules } from '../../packages/server/src/domain/merchants/index.ts'
import {
  approvalsOf,
  approveProposal,
  findProposal,
  makeProposal,
} from '../../packages/server/src/domain/proposals/index.ts'
import { addOperator, DECIDING, disableOperator } from '../../packages/server/src/domain/people/index.ts'
import {
  dispatchWithdrawals,
  cancelWithdrawal,
  rejectWithdrawal,
  stopOf,
} from '../../packages/server/src/domain/withdrawals/index.ts'
import { makeIban } from '../../packages/server/src/kernel/iban.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { approve, approveTwice, openApproval, seenOf } from '../harness/approvals.ts'
import { openCommandLineOf } from '../harness/command-line.ts'
import { aWeekLater } from '../harness/crash.ts'
import { withdrawBody } from '../harness/examples.ts'
import { startWithBank } from '../harness/payouts.ts'
import { mustFind, checkHistory } from '../harness/history.ts'

const service = await startWithBank()
const { app } = service
const run = openCommandLineOf(service)
const [ADA, BORA, GONE] = ['ada.aksoy', 'bora.boz', 'gone.gul'] as const
for (const name of [ADA, BORA, GONE]) await addOperator(app, UNATTRIBUTED, name, DECIDING)
await disableOperator(app, UNATTRIBUTED, GONE)

const THRESHOLD = 50_000
const shop = await service.merchantWithMoney(5_000_000n, { withdrawFee: { bps: 100 } })
await setPayoutRules(app, UNATTRIBUTED, shop.merchantId, { approvalThreshold: BigInt(THRESHOLD) })

type Shop = typeof shop
const REFUSED = { code: '23001' }

async function ask(changes: Record<string, unknown> = {}, from: Shop = shop): Promise<string> {
  const { body, code } = await from.post('/v1/withdraw', withdrawBody({ amount: THRESHOLD, ...changes }))
  assert.equal(code, undefined)
  return body.data.transactionId as string
}

async function waiting(): Promise<string> {
  const id = await ask()
  await service.work()
  assert.equal((await mustFind(app, id)).state, 'awaiting_approval')
  return id
}

async function where(id: string) {
  const { status, state, stateReason } = await mustFind(app, id)
  return { status, state, stateReason }
}

const sentTimes = async (id: string) => (await service.witness()).filter(({ reference }) => reference === id).length
const waits = (stateReason: string) => ({ status: 'pending', state: 'awaiting_approval', stateReason })
const settled = { status: 'completed', state: 'sent', stateReason: null }

test('from the threshold on it waits for two people, below it is sent', async () => {
  const [below, at] = [await ask({ amount: THRESHOLD - 1 }), await ask()]
  await service.work()
  assert.deepEqual(await where(below), settled)
  assert.deepEqual(await where(at), waits('amount'))
  assert.deepEqual(await checkHistory(app, at), [])
  assert.equal(await sentTimes(at), 0)
  await rejectWithdrawal(app, operatorActor(ADA), at, 'a test')
})

test('live: every payout of a merchant without rules waits for two people; rules that let more through take two', async () => {
  const live = { ...app, sandbox: false }
  const fresh = await service.merchantWithMoney(100_000n)
  const id = await ask({ amount: 100 }, fresh)
  await dispatchWithdrawals(live)
  assert.deepEqual(await where(id), waits('amount'))
  const ada = operatorActor(ADA)
  const rules = (change: Parameters<typeof setPayoutRules>[3]) => setPayoutRules(live, ada, fresh.merchantId, change)
  for (const loose of [{ approvalThreshold: 2n }, { dailyCount: 1 }])
    await assert.rejects(rules(loose), { why: 'two_people_needed' })
  await rules({ approvalThreshold: 1n })
  await setPayoutRules(app, ada, fresh.merchantId, { approvalThreshold: 1000n })
  const next = await ask({ amount: 100 }, fresh)
  await dispatchWithdrawals(live)
  assert.equal((await where(next)).state, 'sending')
  await rules({ approvalThreshold: null })
  const last = await ask({ amount: 100 }, fresh)
  await dispatchWithdrawals(live)
  assert.deepEqual(await where(last), waits('amount'), 'no rules are the cautious ones again')
})

test('one approval is not enough, the same person twice is one, a second person releases it', async () => {
  const id = await waiting()
  await approve(app, operatorActor(ADA), id, 'called the customer')
  await service.work()
  assert.deepEqual(await where(id), waits('amount'))
  const { id: first, seenSha256 } = await openApproval(app, id)
  await approve(app, operatorActor(ADA), id)
  assert.equal((await openApproval(app, id)).id, first)
  const own = approveProposal(app, operatorActor(ADA), first, (await seenOf(app, id)).seen)
  await assert.rejects(own, { why: 'proposal_own' })
  const unseen = approveProposal(app, operatorActor(BORA), first, seenSha256)
  await assert.rejects(unseen, { why: 'proposal_outdated' }, 'its rows do not show the recipient')
  await service.work()
  assert.equal(await sentTimes(id), 0)
  await approve(app, operatorActor(BORA), id, 'checked as well')
  assert.deepEqual((await mustFind(app, id)).approvedBy, [ADA, BORA])
  await service.work()
  assert.deepEqual(await where(id), settled)
  assert.equal(await sentTimes(id), 1)
  assert.deepEqual(await checkHistory(app, id), ['processing', 'completed'])
  const { said, forged } = await approvalsOf(app, app.db, await mustFind(app, id))
  assert.deepEqual(
    said.map(({ person, decision, note }) => [person, decision, note]),
    [
      [ADA, 'approve', 'called the customer'],
      [BORA, 'approve', 'checked as well'],
    ],
  )
  assert.deepEqual(forged, [])
})

test('both are bound to what they saw: another hash, too few characters or another withdrawal is refused', async () => {
  const [id, other] = [await waiting(), await waiting()]
  const { seen } = await seenOf(app, id)
  const by = (name: string, hash: string) =>
    makeProposal(app, operatorActor(name), 'withdrawal.approve', { withdrawalId: id, seen: hash })
  const wrong = ['', seen.slice(0, 11), `${seen.slice(0, 11)}x`, `${seen}0`, (await seenOf(app, other)).seen]
  for (const hash of wrong) await assert.rejects(by(ADA, hash), { why: 'withdrawal_not_as_seen' }, hash)
  assert.equal((await by(ADA, seen.slice(0, 12))).state, 'open')
  for (const hash of wrong) await assert.rejects(by(BORA, hash), { why: 'withdrawal_not_as_seen' }, hash)
  assert.deepEqual(await where(id), waits('amount'))
  assert.equal((await by(BORA, seen)).state, 'applied')
  await service.work()
  assert.deepEqual(await where(id), settled)
  await rejectWithdrawal(app, operatorActor(ADA), other, 'a test')
})

test('on the command line: show prints what to give, and the second is bound to it, too', async () => {
  const id = await waiting()
  const approves = async (name: string, hash: string) =>
    run(['withdrawal', 'approve', id, '--seen', hash, '--as', name, '--note', 'called the customer'])
  const printed = async () => {
    const { output } = await run(['withdrawal', 'show', id])
    const [, hash = '', change] =
      /withdrawal approve \w{24} --seen (\w+) --as NAME(?:\n.*proposal reject (\w{24}))?/.exec(output) ?? []
    return { hash, change }
  }
  const { hash, change } = await printed()
  assert.equal(change, undefined)
  assert.match((await approves(ADA, hash.replace(/^./, 'x'))).errors, /not what you saw/)
  assert.match((await approves(ADA, hash)).output, /second person/)
  assert.equal((await printed()).change, (await openApproval(app, id)).id)
  assert.match((await approves(BORA, '0'.repeat(16))).errors, /not what you saw/)
  assert.deepEqual(await where(id), waits('amount'))
  assert.match((await approves(BORA, hash)).output, /queued/)
  assert.match(
    (await run(['withdrawal', 'show', id])).output,
    /approve +ada\.aksoy: called[^]*approve +bora\.boz: called/,
  )
})

test('unknown and disabled people decide nothing; neither does anybody about what does not wait', async () => {
  const id = await waiting()
  for (const name of ['nobody', GONE, '', "ada.aksoy' --"]) {
    await assert.rejects(approve(app, operatorActor(name), id), { code: 'NOT_FOUND' })
    await assert.rejects(rejectWithdrawal(app, operatorActor(name), id, 'a test'), { code: 'NOT_FOUND' })
  }
  await assert.rejects(approve(app, operatorActor(ADA), '0'.repeat(24)), { code: 'NOT_FOUND' })
  assert.deepEqual(await where(id), waits('amount'))
  await rejectWithdrawal(app, operatorActor(ADA), id, 'a test')
  await assert.rejects(approve(app, operatorActor(BORA), id), { code: 'INVALID_STATE' })
  const queued = await ask({ amount: 1000 })
  await assert.rejects(approve(app, operatorActor(ADA), queued), { code: 'INVALID_STATE' })
  await service.work()
})

test('a rejection says why, in five characters or more', async () => {
  const id = await waiting()
  for (const note of ['', ' no ', 'dört'])
    await assert.rejects(rejectWithdrawal(app, operatorActor(ADA), id, note), { code: 'VALIDATION_ERROR' })
  assert.deepEqual(await where(id), waits('amount'))
  await rejectWithdrawal(app, operatorActor(ADA), id, ' not him ')
  const stop = await stopOf(app.db, await mustFind(app, id))
  assert.deepEqual([stop?.operator, stop?.reason], [ADA, 'not him'])
})

test('one no fails it, and the money is back with its fee', async () => {
  const before = await balanceOf(app.db, shop.merchantId, 'TRY')
  const id = await waiting()
  assert.notDeepEqual(await balanceOf(app.db, shop.merchantId, 'TRY'), before)
  await approve(app, operatorActor(ADA), id)
  await rejectWithdrawal(app, operatorActor(BORA), id, 'not him')
  assert.deepEqual(await where(id), { status: 'failed', state: 'failed', stateReason: null })
  assert.equal((await mustFind(app, id)).failureReason, 'rejected_by_operator')
  assert.deepEqual(await checkHistory(app, id), ['failed'])
  assert.deepEqual(await balanceOf(app.db, shop.merchantId, 'TRY'), before)
  await service.work()
  assert.equal(await sentTimes(id), 0)
  assert.deepEqual(await findDrift(app.db), [])
})

test('the merchant cancels while an approval waits: it ends with the withdrawal, and no other does', async () => {
  const other = await waiting()
  await approve(app, operatorActor(ADA), other)
  const before = await balanceOf(app.db, shop.merchantId, 'TRY')
  const id = await waiting()
  await approve(app, operatorActor(ADA), id)
  const { id: proposal, seenSha256 } = await openApproval(app, id)
  assert.equal(
    (await cancelWithdrawal(app, merchantActor(shop.merchantId), id))?.failureReason,
    'cancelled_by_merchant',
  )
  await assert.rejects(approve(app, operatorActor(BORA), id), { why: 'withdrawal_awaits_no_approval' })
  await assert.rejects(approveProposal(app, operatorActor(BORA), proposal, seenSha256), { why: 'proposal_decided' })
  const ended = await findProposal(app.db, proposal)
  assert.deepEqual([ended?.state, ended?.decidedBy], ['expired', null])
  assert.deepEqual(await app.db.query(sql`select 1 from proposal_subjects where proposal_id = ${proposal}`), [])
  assert.deepEqual(await balanceOf(app.db, shop.merchantId, 'TRY'), before)
  assert.deepEqual(await checkHistory(app, id), ['failed'])
  await approve(app, operatorActor(BORA), other)
  await service.work()
  assert.deepEqual(await where(other), settled)
})

test('an approval that no second person gave for a week counts no more', async () => {
  const id = await waiting()
  await approve(app, operatorActor(ADA), id)
  const later = aWeekLater(app)
  await approve(later, operatorActor(BORA), id)
  assert.deepEqual(await where(id), waits('amount'))
  await approve(later, operatorActor(ADA), id)
  assert.deepEqual((await mustFind(app, id)).approvedBy, [BORA, ADA])
  await service.work()
})

test('the tables hold it too: two different people, and nothing edited or removed', async () => {
  const id = await waiting()
  await approve(app, operatorActor(ADA), id)
  for (const people of [[ADA], [ADA, ADA], [ADA, BORA, GONE], []])
    await assert.rejects(app.db.query(sql`update withdrawals set approved_by = ${people}::text[] where id = ${id}`), {
      code: '23514',
      constraint: 'withdrawals_approved_by_two',
    })
  const edits = [
    sql`update proposals set proposed_by = ${BORA} where target = ${`withdrawal:${id}`}`,
    sql`update proposals set reason = 'another' where target = ${`withdrawal:${id}`}`,
    sql`delete from proposals where target = ${`withdrawal:${id}`}`,
    sql`truncate proposals`,
    sql`update withdrawals set amount = amount + 1 where id = ${id}`,
    sql`update withdrawals set fee = 0 where id = ${id}`,
    sql`update withdrawals set iban = ${makeIban('0062', '1')} where id = ${id}`,
    sql`update withdrawals set account_name = 'Mallory' where id = ${id}`,
  ]
  for (const edit of edits) await assert.rejects(app.db.query(edit), REFUSED, edit.text)
  await rejectWithdrawal(app, operatorActor(BORA), id, 'a test')
})

test('what was approved is what is sent: the terms of a payout cannot be edited before the bank is called', async () => {
  const id = await ask({ amount: 1000 })
  await dispatchWithdrawals(app)
  const edits = [
    sql`update payouts set iban = ${makeIban('0062', '1')} where withdrawal_id = ${id}`,
    sql`update payouts set amount = amount + 1 where withdrawal_id = ${id}`,
    sql`update payouts set account_name = 'Mallory' where withdrawal_id = ${id}`,
  ]
  const taken: string[] = []
  for (const edit of edits) {
    const undone = app.db.transaction(async (tx) => {
      await tx.query(edit)
      taken.push(edit.text)
      throw new Error('undone')
    })
    await assert.rejects(undone)
  }
  await service.work()
  assert.deepEqual(taken, [])
})

test('a state set to queued by hand is no approval', async () => {
  const id = await waiting()
  await approve(app, operatorActor(ADA), id)
  await app.db.query(sql`update withdrawals set state = 'queued', state_reason = null where id = ${id}`)
  await service.work()
  assert.deepEqual(await where(id), waits('amount'))
  assert.equal(await sentTimes(id), 0)
  await rejectWithdrawal(app, operatorActor(BORA), id, 'a test')
})

for (const [rule, change, reason] of [
  ['amount a day', { dailyAmount: 2500n }, 'merchant_day'],
  ['count a day', { dailyCount: 2 }, 'merchant_day'],
  ['amount a day and IBAN', { dailyIbanAmount: 2500n }, 'iban_day'],
  ['count a day and IBAN', { dailyIbanCount: 2 }, 'iban_day'],
] as const) {
  test(`${rule}: what goes beyond it waits, another IBAN only if the rule is the merchant's`, async () => {
    const other = await service.merchantWithMoney(1_000_000n)
    await setPayoutRules(app, UNATTRIBUTED, other.merchantId, change)
    const [first, second] = [await ask({ amount: 1000 }, other), await ask({ amount: 1000 }, other)]
    await service.work()
    const third = await ask({ amount: 1000 }, other)
    const elsewhere = await ask({ amount: 1000, iban: makeIban('0062', '77') }, other)
    await service.work()
    assert.deepEqual([await where(first), await where(second)], [settled, settled])
    assert.deepEqual(await where(third), waits(reason))
    assert.deepEqual(await where(elsewhere), reason === 'iban_day' ? settled : waits(reason))
    await approveTwice(app, [operatorActor(ADA), operatorActor(BORA)], third)
    await service.work()
    assert.deepEqual(await where(third), settled)
  })
}

test('a daily rule counts those of the same list, and not what the bank refused', async () => {
  const other = await service.merchantWithMoney(1_000_000n)
  await setPayoutRules(app, UNATTRIBUTED, other.merchantId, { dailyCount: 1 })
  const refused = await ask({ amount: 1000, iban: makeIban('0062', '90000001') }, other)
  await service.work()
  assert.equal((await where(refused)).status, 'failed')
  const both = [await ask({ amount: 1000 }, other), await ask({ amount: 1000 }, other)]
  await service.work()
  // Which of two in the same second comes first is not defined; that only one is sent is.
  const states = await Promise.all(both.map(where))
  assert.equal(states.filter((one) => isDeepStrictEqual(one, settled)).length, 1)
  const waiting = states.findIndex((one) => isDeepStrictEqual(one, waits('merchant_day')))
  await rejectWithdrawal(app, operatorActor(ADA), both[waiting] ?? assert.fail('both were sent'), 'a test')
})

test('the first payout to an IBAN is marked, until one has been completed', async () => {
  const other = await service.merchantWithMoney(1_000_000n)
  const marked = async (account: string) => {
    const id = await ask({ amount: 1000, iban: makeIban('0062', account) }, other)
    await service.work()
    return (await mustFind(app, id)).firstTimeIban
  }
  assert.deepEqual([await marked('88'), await marked('88'), await marked('89')], [true, false, true])
  assert.deepEqual([await marked('90000001'), await marked('90000001')], [true, true])
})
