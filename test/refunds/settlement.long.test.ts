import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Actor } from '../../packages/server/src/kernel/actor.ts'
import { operatorActor, UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { istanbul, startOfDay } from '../../packages/server/src/kernel/istanbul.ts'
import { makeIban } from '../../packages/server/src/kernel/iban.ts'
import { balanceOf, findDrift } from '../../packages/server/src/domain/ledger/index.ts'
import type { Schedule } from '../../packages/server/src/domain/merchants/index.ts'
import {
  changeFees,
  changesOf,
  dueDay,
  findSettlementAccount,
  freezeMerchant,
  registerSettlementAccount,
  setPayoutRules,
  setSettlementSchedule,
  unfreezeMerchant,
} from '../../packages/server/src/domain/merchants/index.ts'
import { makeProposal } from '../../packages/server/src/domain/proposals/index.ts'
import { addOperator, DECIDING, disableOperator } from '../../packages/server/src/domain/people/index.ts'
import { lastSettlements, requestSettlement, settleDue } from '../../packages/server/src/domain/withdrawals/index.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { openCommandLineOf } from '../harness/command-line.ts'
import { Crash, crashingWorker, laterBy } from '../harness/crash.ts'
import { accepted } from '../harness/envelope.ts'
import { withdrawBody } from '../harness/examples.ts'
import { checkEvents, mustFind } from '../harness/history.ts'
import { startWithBank } from '../harness/payouts.ts'
import { startSecondProcess } from '../harness/service.ts'

const service = await startWithBank()
const { app } = service
const run = openCommandLineOf(service)
const [ADA, BORA, CEM] = ['ada.aksoy', 'bora.boz', 'cem.can'] as const
for (const name of [ADA, BORA, CEM]) await addOperator(app, UNATTRIBUTED, name, DECIDING)
const [ada, bora, cem] = [operatorActor(ADA), operatorActor(BORA), operatorActor(CEM)]
const OWN = { iban: makeIban('0062', '777'), title: 'Kitap Evi A.Ş.' }
const EVERY_DAY: Schedule = { every: 'day', weekday: null, minute: 0, minimum: 1n }
const DAY_SECONDS = 86_400
/** Noon in Istanbul tomorrow and the day after: no test runs over midnight. */
const toNoon =
  Math.round((startOfDay(istanbul(app.clock.now()).day).getTime() - app.clock.now().getTime()) / 1000) +
  1.5 * DAY_SECONDS
const noon = laterBy(app, toNoon)
const nextNoon = laterBy(app, toNoon + DAY_SECONDS)
const { day: today } = istanbul(noon.clock.now())

const ask = async (actor: Actor, merchantId: string, account = OWN) =>
  (await makeProposal(app, actor, 'merchant.settlement_account', { merchantId, ...account }, { atOnce: true })).state

async function register(merchantId: string, account = OWN): Promise<void> {
  assert.deepEqual([await ask(ada, merchantId, account), await ask(bora, merchantId, account)], ['open', 'applied'])
}

async function shopWith(funds: bigint, schedule: Schedule = EVERY_DAY) {
  const shop = await service.merchant({ funds })
  await register(shop.merchantId)
  await setSettlementSchedule(noon, ada, shop.merchantId, schedule)
  return shop
}

const settlementsOf = (merchantId: string) => lastSettlements(app.db, merchantId, 50)

test('the account is registered by two people, and so is a change of it; both are recorded', async () => {
  const { merchantId } = await service.merchant()
  assert.equal(await ask(ada, merchantId), 'open')
  assert.equal(await ask(ada, merchantId), 'open', 'the same person does not count twice')
  const other = { ...OWN, title: 'Başka Biri' }
  await assert.rejects(ask(bora, merchantId, other), { why: 'proposal_open' })
  assert.equal(await findSettlementAccount(app, merchantId), null)
  assert.equal(await ask(bora, merchantId), 'applied')
  assert.equal(await ask(cem, merchantId, other), 'open', 'a change is proposed anew')
  assert.equal(await ask(cem, merchantId), 'unchanged')
  assert.deepEqual(await findSettlementAccount(app, merchantId), OWN)
  const changes = await changesOf(app.db, merchantId)
  assert.deepEqual(
    changes.filter(({ what }) => what === 'settlement.account').map(({ changedBy, after }) => [changedBy, after]),
    [
      [BORA, { iban: 'TR40…0777' }],
      [CEM, { state: 'unchanged', kind: 'merchant.settlement_account' }],
    ],
  )
  await assert.rejects(registerSettlementAccount(app, ada, merchantId, OWN), { why: 'two_people_needed' })
  await assert.rejects(ask(UNATTRIBUTED, merchantId, other), { code: 'VALIDATION_ERROR' })
  const [ours] = await app.banks.accounts()
  await assert.rejects(ask(ada, merchantId, { ...OWN, iban: ours?.iban ?? '' }), { why: 'settlement_account_ours' })
  await assert.rejects(ask(ada, merchantId, { ...OWN, iban: 'TR1' }), { code: 'INVALID_IBAN' })
  await assert.rejects(app.db.query(sql`update settlement_accounts set iban = 'x'`), /append-only/)
})

test('a proposal of a person who was disabled since does not count', async () => {
  const { merchantId } = await service.merchant()
  await addOperator(app, UNATTRIBUTED, 'deniz.dal', DECIDING)
  await ask(operatorActor('deniz.dal'), merchantId)
  await disableOperator(app, UNATTRIBUTED, 'deniz.dal')
  await assert.rejects(ask(ada, merchantId), { why: 'proposer_without_right' })
  assert.equal(await findSettlementAccount(app, merchantId), null)
})

test('on request: all that is available leaves without a fee and without approval, and a second one of the day has -2', async () => {
  const shop = await service.merchantWithMoney(500_000n)
  const { merchantId } = shop
  await assert.rejects(requestSettlement(app, ada, merchantId), { why: 'settlement_account_missing' })
  await register(merchantId)
  await changeFees(app, UNATTRIBUTED, merchantId, { withdraw: { fixed: 100n } })
  await setPayoutRules(app, UNATTRIBUTED, merchantId, { approvalThreshold: 1000n, dailyAmount: 400_000n })
  const first = await requestSettlement(noon, ada, merchantId)
  const shown = accepted(await shop.get(`/v1/transactions/${first.id}`), 200)
  assert.deepEqual(
    [shown.processId, shown.amount, shown.fee, shown.settlement, shown.iban, shown.accountName],
    [`settlement-${today}`, 500_000, 0, true, OWN.iban, OWN.title],
  )
  assert.deepEqual(await balanceOf(app.db, merchantId, 'TRY'), { available: 0n, held: 500_000n })
  await assert.rejects(requestSettlement(app, ada, merchantId), {
    said: {
      why: 'settlement_nothing_to_send',
      facts: { available: { minor: '0', currency: 'TRY' }, unconfirmed: null },
    },
  })
  await service.work()
  assert.deepEqual(await checkEvents(app, shop, first.id), ['processing', 'completed'])
  await service.fund(merchantId, 900n)
  const own = await shop.post('/v1/withdraw', withdrawBody({ amount: 100, processId: `settlement-${today}-2` }))
  const { transactionId } = accepted(own, 201)
  await service.work()
  assert.equal((await mustFind(app, transactionId)).status, 'completed', 'a settlement does not use up daily limits')
  const second = await requestSettlement(noon, bora, merchantId)
  assert.equal(second.processId, `settlement-${today}-3`, 'the merchant has used -2')
  assert.deepEqual(
    (await settlementsOf(merchantId)).map(({ requestedBy }) => requestedBy),
    [BORA, ADA],
  )
  assert.deepEqual(await findDrift(app.db), [])
})

test('an account that was replaced before its settlement left: two people approve it', async () => {
  const shop = await service.merchantWithMoney(100_000n)
  await register(shop.merchantId)
  const { id } = await requestSettlement(app, ada, shop.merchantId)
  await register(shop.merchantId, { ...OWN, iban: makeIban('0062', '778') })
  await service.work()
  const { state, stateReason } = await mustFind(app, id)
  assert.deepEqual([state, stateReason], ['awaiting_approval', 'settlement_account'])
})

test('by schedule: once a day in two processes, whatever the clock does', async () => {
  const { merchantId } = await shopWith(300_000n)
  assert.equal(await settleDue(noon), 0, 'set after the time of that day')
  const second = laterBy(await startSecondProcess(service), toNoon + DAY_SECONDS)
  await Promise.all([nextNoon, second, nextNoon, second].map((process) => settleDue(process)))
  assert.deepEqual(await balanceOf(app.db, merchantId, 'TRY'), { available: 0n, held: 300_000n })
  const { day: dayAfter } = istanbul(nextNoon.clock.now())
  const made = await settlementsOf(merchantId)
  assert.deepEqual(
    made.map(({ day, amount }) => [day, amount]),
    [[dayAfter, 300_000n]],
  )
  assert.equal((await mustFind(app, made[0]?.withdrawalId ?? '')).processId, `settlement-${dayAfter}`)
  await settleDue(noon)
  await settleDue(nextNoon)
  assert.equal((await settlementsOf(merchantId)).length, 1, 'the clock went back and forth')
  await assert.rejects(
    app.db.query(sql`
      insert into settlements (merchant_id, day, number, amount, created_at) values (${merchantId}, ${dayAfter}, 9, 0, now())`),
    { constraint: 'settlements_one_scheduled' },
  )
})

test('below the minimum nothing leaves, the row says so, and the next day tries again', async () => {
  const { merchantId } = await shopWith(5000n, { ...EVERY_DAY, minimum: 5001n })
  await settleDue(nextNoon)
  assert.deepEqual(
    (await settlementsOf(merchantId)).map(({ amount, withdrawalId }) => [amount, withdrawalId]),
    [[0n, null]],
  )
  await setSettlementSchedule(noon, ada, merchantId, { ...EVERY_DAY, minimum: 5000n })
  await settleDue(nextNoon)
  assert.equal((await settlementsOf(merchantId)).length, 1)
  await settleDue(laterBy(nextNoon, DAY_SECONDS))
  assert.equal((await settlementsOf(merchantId))[0]?.amount, 5000n)
})

test('a frozen merchant waits, and is settled when the freeze ends', async () => {
  const { merchantId } = await shopWith(5000n)
  await freezeMerchant(app, UNATTRIBUTED, merchantId, 'a test of it')
  await settleDue(nextNoon)
  assert.deepEqual(await settlementsOf(merchantId), [])
  await assert.rejects(requestSettlement(app, ada, merchantId), {
    said: { why: 'settlement_held_up', facts: { by: 'merchant_frozen' } },
  })
  await unfreezeMerchant(app, UNATTRIBUTED, merchantId, 'the test ends')
  await settleDue(nextNoon)
  assert.equal((await settlementsOf(merchantId)).length, 1)
})

test('a process that dies at any point settles all or nothing, and the next one finishes', async () => {
  for (let dieAt = 1; ; dieAt++) {
    const { merchantId } = await shopWith(5000n)
    const { worker, isDead } = crashingWorker(nextNoon, dieAt)
    const silent = { ...worker, log: { ...worker.log, error: () => undefined } as typeof worker.log }
    await settleDue(silent).catch((error: unknown) => assert.ok(error instanceof Crash))
    const { held } = await balanceOf(app.db, merchantId, 'TRY')
    assert.equal((await settlementsOf(merchantId)).length, held === 0n ? 0 : 1, `died at ${dieAt}`)
    await settleDue(nextNoon)
    assert.equal((await settlementsOf(merchantId)).length, 1)
    if (!isDead()) break
  }
  assert.deepEqual(await findDrift(app.db), [])
})

test('dueDay: the latest time up to now, in Istanbul, and none before the schedule was set', () => {
  const setAt = new Date('2026-11-10T12:00:00Z')
  const daily = { ...EVERY_DAY, minute: 9 * 60, setAt }
  const weekly = { ...daily, every: 'week' as const, weekday: 1 }
  const at = (time: string) => new Date(`2026-11-${time}Z`)
  assert.equal(dueDay(daily, at('10T13:00')), null, 'set after 09:00 of that day')
  assert.equal(dueDay(daily, at('11T05:59')), null)
  assert.equal(dueDay(daily, at('11T06:00')), '2026-11-11')
  assert.equal(dueDay(daily, at('12T05:59')), '2026-11-11')
  assert.equal(dueDay(daily, at('12T22:30')), '2026-11-12', 'already the 13th in Istanbul')
  assert.equal(dueDay(weekly, at('16T05:59')), null)
  assert.equal(dueDay(weekly, at('16T06:00')), '2026-11-16')
  assert.equal(dueDay(weekly, at('22T23:00')), '2026-11-16')
  assert.equal(dueDay({ ...daily, every: 'week', weekday: 7 }, at('16T06:00')), '2026-11-15')
})

test('the command line: register, schedule, settle, show', async () => {
  const { merchantId: id } = await service.merchant({ funds: 123_400n })
  const account = ['merchant', 'settlement-account', id, '--iban', OWN.iban, '--title', OWN.title]
  assert.match((await run([...account, '--as', ADA])).output, /^Proposed as [0-9a-f]{24}\./)
  assert.match((await run([...account, '--as', BORA])).output, /^Registered\./)
  const weekly = [
    'merchant',
    'settlement',
    id,
    '--weekly',
    'Monday',
    '--at',
    '10:30',
    '--minimum',
    '100000',
    '--as',
    ADA,
  ]
  assert.match((await run(weekly)).output, /schedule +every monday at 10:30, from 1\.000,00 TL on/)
  const wrong = [
    ['--weekly', 'pazar'],
    ['--daily', '--off'],
    ['--daily', '--at', '25:00'],
    ['--daily', '--minimum', '0'],
  ]
  for (const options of wrong) assert.equal((await run(['merchant', 'settlement', id, ...options])).code, 2)
  assert.match((await run(['merchant', 'settle', id, '--as', ADA])).output, /^1\.234,00 TL will be sent as settlement-/)
  assert.match((await run(['merchant', 'settlement', id])).output, new RegExp(`1\\.234,00 TL .*${ADA}`))
  assert.match((await run(['merchant', 'settlement', id, '--off', '--as', ADA])).output, /schedule +off/)
  assert.match((await run(['merchant', 'history', id])).output, /settlement\.schedule/)
})
