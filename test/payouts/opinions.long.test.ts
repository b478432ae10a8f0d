import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { UNATTRIBUTED, operatorActor } from '../../packages/server/src/kernel/actor.ts'
import { bankApiConnection, manualConnection } from '../../packages/server/src/domain/connections/index.ts'
import { listQueues } from '../../packages/server/src/domain/doctor/index.ts'
import { todaysWork } from '../../packages/server/src/domain/overview/index.ts'
import {
  decideDoubt,
  decideEnded,
  dispatchWithdrawals,
  findPayout,
  notFoundRule,
  oldestUnknown,
  queryPayoutStatus,
  selectDoubtDecisions,
  submitPayouts,
  withdrawOpinion,
} from '../../packages/server/src/domain/withdrawals/index.ts'
import { listAudit } from '../../packages/server/src/domain/audit/index.ts'
import { addOperator, DECIDING } from '../../packages/server/src/domain/people/index.ts'
import { reportDay } from '../../packages/server/src/domain/books/index.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { istanbul } from '../../packages/server/src/kernel/istanbul.ts'
import { openCommandLine } from '../harness/command-line.ts'
import { laterBy } from '../harness/crash.ts'
import { withdrawBody } from '../harness/examples.ts'
import { mustFind } from '../harness/history.ts'
import { neverSeen, startPlainBank } from '../harness/plain-bank.ts'
import { startService } from '../harness/service.ts'
import { travelTo } from '../harness/until.ts'

const service = await startService()
const { app } = service
const bank = await startPlainBank()
const byBank = { ...app, connections: [bankApiConnection(bank.connection)] }
const shop = await service.merchant({ funds: 5_000_000n })
const [ADA, BORA, CEM] = ['ada.aksoy', 'bora.boz', 'cem.can'] as const
for (const name of [ADA, BORA, CEM]) await addOperator(app, UNATTRIBUTED, name, DECIDING)
const commands = openCommandLine({
  DATABASE_URL: service.databaseUrl,
  VEZNE_MASTER_KEY: app.config.masterKey.toString('hex'),
})
after(() => commands.stop())
afterEach(() => travelTo(app, 0))

const [MINUTE, DAY] = [60, 86_400]

async function work(on: typeof app): Promise<void> {
  while ((await dispatchWithdrawals(on)) + (await submitPayouts(on)) + (await queryPayoutStatus(on)) > 0);
}

/** Sent to a bank that never says what became of it. */
async function unknown(on = byBank): Promise<string> {
  bank.behave({ submit: () => 'reset', find: () => ({ status: 500, body: {} }) })
  const { transactionId: id } = (await shop.post('/v1/withdraw', withdrawBody())).body.data
  await work(on)
  return id
}

async function payoutOf(id: string) {
  const payout = await findPayout(app.db, id)
  assert.ok(payout)
  return payout
}

const found = (operator: string, id: string, evidence: string) =>
  decideDoubt(app, operatorActor(operator), id, { verdict: 'found', evidence })
const notFound = (operator: string, id: string, on = app, unproven = false) =>
  decideDoubt(on, operatorActor(operator), id, { verdict: 'not_found', evidence: 'not on the list', unproven })
const queue = async () => (await listQueues(app)).find(({ name }) => name === 'unknown_payouts')
const tile = async () => (await todaysWork(app)).find(({ name }) => name === 'unknown_payouts')

test('two people disagree: both are told, and a third ends it', async () => {
  const id = await unknown()
  assert.equal((await queue())?.forPeople, 0)
  assert.equal(await found(ADA, id, '1234567890'), 'waiting for a second person')
  assert.equal(await found(BORA, id, '1234567809'), 'opinions differ')
  assert.deepEqual([(await queue())?.forPeople, (await tile())?.count], [1, (await queue())?.count])
  const { output } = await commands.run(['withdrawal', 'show', id, '--as', ADA])
  assert.match(output, /opinions differ +A third person must look and agree with one of them/)
  assert.equal(await found(CEM, id, '1234567890'), 'sent')
  assert.equal((await queue())?.forPeople, 0)
})

test('a person corrects a wrong reference: the earlier one stays in the history and in the audit', async () => {
  const id = await unknown()
  await found(ADA, id, '1234567890')
  await found(BORA, id, '1234567809')
  await assert.rejects(found(BORA, id, ' 1234567809'), {
    code: 'INVALID_STATE',
    said: { why: 'opinion_given_already', facts: { person: BORA, needs: 'second' } },
  })
  assert.equal(await found(BORA, id, '1234567890'), 'waiting for a third person')
  const [last] = await listAudit(app.db, { subject: `withdrawal:${id}`, action: 'payout.decide' }, 1)
  assert.deepEqual(last?.before, { state: 'asking', verdict: 'found' })
  assert.equal(await found(CEM, id, '1234567890'), 'sent')
  const said = await selectDoubtDecisions(app.db, await payoutOf(id))
  assert.deepEqual(
    said.map(({ operator, evidence }) => [operator, evidence]),
    [
      [ADA, '1234567890'],
      [BORA, '1234567809'],
      [BORA, '1234567890'],
      [CEM, '1234567890'],
    ],
  )
})

test('a person takes an opinion back while nothing is decided; then it no longer counts', async () => {
  const id = await unknown()
  const takeBack = (name: string) => withdrawOpinion(app, operatorActor(name), id, 'looked at the wrong account')
  await assert.rejects(takeBack(ADA), { code: 'INVALID_STATE', why: 'opinion_missing' })
  await found(ADA, id, '1234567890')
  await assert.rejects(withdrawOpinion(app, operatorActor(ADA), id, 'no'), { code: 'VALIDATION_ERROR' })
  await takeBack(ADA)
  assert.equal((await queue())?.forPeople, 0)
  assert.equal(await found(BORA, id, '1234567890'), 'waiting for a second person')
  const shown = await commands.run(['withdrawal', 'show', id, '--as', BORA])
  assert.match(shown.output, new RegExp(`${ADA}: found, 1234567890[\\s\\S]*${ADA}: took it back, looked at the wrong`))
  assert.equal(await found(ADA, id, '1234567890'), 'sent')
  await assert.rejects(takeBack(ADA), { code: 'INVALID_STATE', why: 'opinion_decided' })
  const [entry] = await listAudit(app.db, { subject: `withdrawal:${id}` }, 10)
  assert.ok(entry)
})

test('what was said before a payout was completed is no opinion about its debit', async () => {
  const id = await unknown()
  for (const name of [ADA, BORA]) await found(name, id, '1234567890')
  const later = laterBy(app, 7 * DAY)
  const never = { verdict: 'never_paid' as const, evidence: 'the bank says so' }
  assert.equal(await decideEnded(later, operatorActor(ADA), id, never), 'waiting for a second person')
  assert.equal(await decideEnded(later, operatorActor(BORA), id, { ...never, verdict: 'paid' }), 'opinions differ')
  assert.equal(await decideEnded(later, operatorActor(BORA), id, never), 'waiting for a third person')
  assert.equal(await decideEnded(later, operatorActor(CEM), id, never), 'returned')
})

test('"not found" is refused until the day and the next business day are over, also after the bank was asked', async () => {
  const id = await unknown()
  const early = { code: 'INVALID_STATE', why: 'payout_may_still_show' }
  await assert.rejects(notFound(ADA, id, laterBy(app, 42)), early)
  await assert.rejects(notFound(ADA, id, laterBy(app, 42), true), early)
  await travelTo(app, 5 * MINUTE)
  await work(byBank)
  await assert.rejects(notFound(ADA, id), early)
  const rule = await notFoundRule(app, app.db, await payoutOf(id))
  assert.equal(rule.state, 'early')
  const from = rule.state === 'early' ? (rule.from.getTime() - app.clock.now().getTime()) / 1000 : 0
  assert.ok(from > DAY - 5 * MINUTE && from < 12 * DAY, `${from}`)
  const day = istanbul(laterBy(app, from).clock.now()).day
  const until = { ...early, said: { why: 'payout_may_still_show', facts: { from: day } } }
  await assert.rejects(notFound(ADA, id, laterBy(app, from - 1)), until)
  const { output } = await commands.run(['withdrawal', 'show', id])
  assert.match(output, new RegExp(`resolve +--not-found only from ${day} on: `))
  for (const name of [ADA, BORA]) await notFound(name, id, laterBy(app, from + 1), true)
  assert.equal((await mustFind(app, id)).failureReason, 'not_sent')
})

test('neither bank nor statement shows it after that time: both people must confirm that they are sure', async () => {
  bank.behave({ submit: () => 'reset', find: () => ({ status: 500, body: {} }) })
  const { transactionId: id } = (await shop.post('/v1/withdraw', withdrawBody())).body.data
  await dispatchWithdrawals(byBank)
  await submitPayouts(byBank)
  const later = laterBy(app, 14 * DAY)
  await assert.rejects(notFound(ADA, id, later), { code: 'INVALID_STATE', why: 'payout_unproven' })
  assert.equal(await notFound(ADA, id, later, true), 'waiting for a second person')
  const [said] = await listAudit(app.db, { subject: `withdrawal:${id}`, action: 'payout.decide' }, 1)
  assert.equal((said?.after as { unproven?: boolean } | undefined)?.unproven, true)
  assert.equal(await notFound(BORA, id, later, true), 'failed')
})

test('to be sent by hand: people know whether they sent it, and confirm it at any time', async () => {
  const id = await unknown({ ...app, connections: [manualConnection] })
  await assert.rejects(notFound(ADA, id), { code: 'INVALID_STATE', why: 'payout_unproven' })
  for (const name of [ADA, BORA]) await notFound(name, id, app, true)
  assert.equal((await mustFind(app, id)).status, 'failed')
})

test('a query does not make an unknown payout younger', async () => {
  const id = await unknown()
  const since = (await payoutOf(id)).unknownSince
  assert.ok(since)
  await travelTo(app, 13 * 3600)
  await work(byBank)
  assert.ok((await payoutOf(id)).queries > 0)
  assert.deepEqual((await payoutOf(id)).unknownSince, since)
  const { open } = await reportDay(app, istanbul(app.clock.now()).day)
  const ages = [
    (await tile())?.oldest,
    (await queue())?.oldest,
    (await oldestUnknown(app.db)).bank,
    open.unknownPayouts[0]?.oldest,
  ]
  for (const oldest of ages) assert.ok(oldest && oldest <= since, `${oldest?.toISOString()}`)
})

test('what one person has found at the bank is not sent again, whatever another says and the bank responds', async () => {
  const id = await unknown()
  await found(ADA, id, '1234567890')
  await found(BORA, id, '1234567891')
  const sent = bank.orders.length
  bank.behave({ find: () => neverSeen })
  await travelTo(app, 2 * 60 * MINUTE)
  await work(byBank)
  assert.equal((await payoutOf(id)).state, 'asking')
  assert.equal(bank.orders.length, sent, 'not sent again')
  assert.equal(await found(CEM, id, '1234567890'), 'sent', 'two agree after all')
})

test('a finding that was taken back, by its giver or in SQL, still keeps the payout from being sent again by itself', async () => {
  const [taken, forged] = [await unknown(), await unknown()]
  for (const id of [taken, forged]) await found(ADA, id, '1234567890')
  await withdrawOpinion(app, operatorActor(ADA), taken, 'another payout')
  await app.db.oneStatement((tx) =>
    tx.query(sql`
      insert into doubt_decisions (merchant_id, withdrawal_id, submits, operator, verdict, evidence, decided_at, number)
      select merchant_id, withdrawal_id, submits, operator, 'withdrawn', 'I was wrong', decided_at, 2
      from doubt_decisions where withdrawal_id = ${forged}`),
  )
  const sent = bank.orders.length
  bank.behave({ find: () => neverSeen })
  await travelTo(app, 2 * 60 * MINUTE)
  await work(byBank)
  for (const id of [taken, forged]) assert.equal((await payoutOf(id)).state, 'asking')
  assert.equal(bank.orders.length, sent, 'not sent again')
})

test('queries that failed are no proof that it was not sent: both people must confirm that nothing shows it', async () => {
  const id = await unknown()
  await travelTo(app, 30 * MINUTE)
  await work(byBank)
  await travelTo(app, 7 * DAY)
  assert.equal((await notFoundRule(app, app.db, await payoutOf(id))).state, 'unproven')
  await assert.rejects(notFound(ADA, id), { why: 'payout_unproven' })
})
