import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { UNATTRIBUTED, operatorActor } from '../../packages/server/src/kernel/actor.ts'
import { balanceOf, findDrift } from '../../packages/server/src/domain/ledger/index.ts'
import { addOperator, DECIDING } from '../../packages/server/src/domain/people/index.ts'
import { bankApiConnection, manualConnection } from '../../packages/server/src/domain/connections/index.ts'
import { matchPayoutLines } from '../../packages/server/src/domain/matching/index.ts'
import {
  queryPayoutStatus,
  decideDoubt,
  dispatchWithdrawals,
  findPayout,
  submitPayouts,
  callsOf,
} from '../../packages/server/src/domain/withdrawals/index.ts'
import { note } from '../../packages/server/src/kernel/refusals/note.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { openCommandLine } from '../harness/command-line.ts'
import { aWeekLater, endLeases } from '../harness/crash.ts'
import { withdrawBody } from '../harness/examples.ts'
import { ingest } from '../harness/payments.ts'
import type { Reply } from '../harness/plain-bank.ts'
import { accepted, neverSeen, startPlainBank } from '../harness/plain-bank.ts'
import { startService } from '../harness/service.ts'
import { mustFind, checkHistory } from '../harness/history.ts'
import { travelTo } from '../harness/until.ts'
import { istanbul } from '../../packages/server/src/kernel/istanbul.ts'

const service = await startService()
const { app } = service
const bank = await startPlainBank()
const connection = bankApiConnection(bank.connection)
const shop = await service.merchant({ funds: 5_000_000n })
const [ADA, BORA] = ['ada.aksoy', 'bora.boz'] as const
for (const name of [ADA, BORA]) await addOperator(app, UNATTRIBUTED, name, DECIDING)
const byBank = { ...app, connections: [connection] }
const byHand = { ...app, connections: [manualConnection] }
/** The bank that a payout was given to is no longer configured. */
const byAnother = { ...app, connections: [{ ...connection, name: 'bank-api:another' }] }
const pending: Reply = { status: 200, body: { status: 'pending' } }
const AMOUNT = 10_000n
const WEEK = 7 * 86_400

afterEach(async () => {
  bank.behave()
  await travelTo(app, 0)
})

const available = async () => (await balanceOf(app.db, shop.merchantId, 'TRY')).available
const callsFor = (id: string) => callsOf(app.db, shop.merchantId, id)
const paidTimes = (id: string) => bank.paid.filter((reference) => reference === id).length
const stateOf = async (id: string) => (await findPayout(app.db, id))?.state
const say = (operator: string, id: string, verdict: 'found' | 'not_found', evidence: string, on = aWeekLater(app)) =>
  decideDoubt(on, operatorActor(operator), id, { verdict, evidence, unproven: true })

async function withdraw(): Promise<string> {
  return (await shop.post('/v1/withdraw', withdrawBody())).body.data.transactionId
}

async function work(on: typeof app): Promise<void> {
  while ((await dispatchWithdrawals(on)) + (await submitPayouts(on)) + (await queryPayoutStatus(on)) > 0);
}

/** Two people say that it was not sent: the merchant has its money back, and no worker sends it any more. */
async function endsAsNotSent(id: string, before: bigint): Promise<void> {
  await assert.rejects(say(ADA, id, 'not_found', 'no'), { code: 'VALIDATION_ERROR' })
  assert.equal(await say(ADA, id, 'not_found', 'statement until noon'), 'waiting for a second person')
  await assert.rejects(say(ADA, id, 'not_found', 'statement until noon'), { code: 'INVALID_STATE' })
  assert.equal(await say(BORA, id, 'not_found', 'statement until noon'), 'failed')
  const { status, failureReason } = await mustFind(app, id)
  assert.deepEqual([status, failureReason, await available()], ['failed', 'not_sent', before])
  assert.deepEqual(await checkHistory(app, id), ['processing', 'failed'])
  await travelTo(app, 48 * 3600)
  await work(byBank)
  assert.deepEqual([paidTimes(id), await stateOf(id)], [0, 'failed'])
  assert.deepEqual(await findDrift(app.db), [])
}

test('to be sent by hand, and cannot be: two people end it', async () => {
  const before = await available()
  const id = await withdraw()
  await work(byHand)
  assert.deepEqual([(await mustFind(app, id)).state, await stateOf(id)], ['sending', 'asking'])
  await endsAsNotSent(id, before)
})

test('to be sent by hand, and found at the bank: two people settle it with its reference', async () => {
  const before = await available()
  const id = await withdraw()
  await work(byHand)
  await say(ADA, id, 'found', '0012345678')
  assert.equal(await say(BORA, id, 'found', '0012345678'), 'sent')
  const { status, bankReference } = await mustFind(app, id)
  assert.deepEqual([status, bankReference, await available()], ['completed', '0012345678', before - AMOUNT])
})

test('the bank says pending for ever: two people end it', async () => {
  const before = await available()
  bank.behave({ submit: () => pending, find: () => pending })
  const id = await withdraw()
  for (const hours of [0, 1, 2, 3]) {
    await travelTo(app, hours * 3600)
    await work(byBank)
  }
  assert.deepEqual([(await mustFind(app, id)).state, await stateOf(id)], ['sending', 'asking'])
  await endsAsNotSent(id, before)
})

test('written down for a bank that is no longer configured: two people end it', async () => {
  const before = await available()
  const id = await withdraw()
  await dispatchWithdrawals(byBank)
  await work(byAnother)
  assert.equal(await stateOf(id), 'ready')
  await endsAsNotSent(id, before)
})

test('its worker died while calling, and the bank is no longer configured: two people end it after the lease', async () => {
  const before = await available()
  const id = await withdraw()
  await dispatchWithdrawals(byBank)
  const dies = { ...connection, submit: () => Promise.reject(new Error('the process is gone')) }
  await assert.rejects(submitPayouts({ ...app, connections: [dies] }), /gone/)
  assert.equal(await stateOf(id), 'calling')
  await assert.rejects(say(ADA, id, 'not_found', 'statement until noon'), {
    code: 'INVALID_STATE',
    why: 'payout_being_sent',
  })
  await endLeases(app)
  await work(byAnother)
  assert.equal(await stateOf(id), 'calling')
  await endsAsNotSent(id, before)
})

test('an answer that comes after two people have decided changes nothing, and stays visible', async () => {
  const [gate, reached] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  bank.behave({
    submit: async (_, pay) => {
      reached.resolve()
      await gate.promise
      pay()
      return accepted
    },
  })
  const before = await available()
  const id = await withdraw()
  await dispatchWithdrawals(byBank)
  const logged: string[] = []
  const error = (_: object, message: string) => void logged.push(message)
  const sending = submitPayouts({ ...byBank, log: { ...app.log, error } as typeof app.log })
  await reached.promise
  await endLeases(app)
  for (const operator of [ADA, BORA]) await say(operator, id, 'not_found', 'statement until noon')
  gate.resolve()
  await sending
  assert.deepEqual([(await mustFind(app, id)).status, await available()], ['failed', before])
  const last = (await callsFor(id)).at(-1)
  assert.deepEqual([last?.kind, last?.outcome], ['submit', 'accepted'])
  assert.deepEqual(last?.detail, note('call_late', { said: 'B-1' }))
  assert.match(logged.join(), /person must look/)
})

test('what has ended is not decided about', async () => {
  const id = await withdraw()
  await assert.rejects(say(ADA, id, 'not_found', 'not in the list'), { code: 'NOT_FOUND' })
  await work(byBank)
  assert.equal((await mustFind(app, id)).status, 'completed')
  await assert.rejects(say(ADA, id, 'not_found', 'not in the list'), {
    code: 'INVALID_STATE',
    said: { why: 'payout_ended', facts: { state: 'sent', withdrawal: id } },
  })
})

test('two people decide while a worker takes it: it is sent, or its money is back, never both', async () => {
  for (let round = 0; round < 10; round++) {
    const before = await available()
    const id = await withdraw()
    await dispatchWithdrawals(byBank)
    await say(ADA, id, 'not_found', 'statement until noon')
    const deciding = say(BORA, id, 'not_found', 'statement until noon').catch((error: Error) => error)
    await Promise.all([deciding, submitPayouts(byBank)])
    const { status } = await mustFind(app, id)
    assert.ok(status === 'completed' || status === 'failed', status)
    const paid = status === 'completed'
    assert.deepEqual([paidTimes(id), await available()], [Number(paid), paid ? before - AMOUNT : before])
  }
})

/** The debit of a payout, as the bank's statement has it; answers what became of the line. */
async function debitOf(id: string): Promise<string> {
  const account = await app.banks.account((await findPayout(app.db, id))?.sourceAccountId ?? '')
  const bookedAt = app.clock.now()
  const [accountIban, bankReference] = [account?.iban ?? '', app.ids.next()]
  const day = { valueDate: istanbul(bookedAt).day, bookedAt }
  const sender = { senderName: '', senderIban: null, narrative: `Para cekme REF:${id}` }
  await ingest(app, [{ accountIban, bankReference, amount: AMOUNT, direction: 'debit', ...day, ...sender }])
  while ((await matchPayoutLines(app)) > 0);
  const [line] = await app.db.query<{ fate: string }>(
    sql`select state || ' ' || reason as fate from bank_lines where bank_reference = ${bankReference}`,
  )
  return line?.fate ?? ''
}

test('no worker sent it, a person did in the bank program: its line is its own, or one to worry about', async () => {
  const [found, notFound] = [await withdraw(), await withdraw()]
  await dispatchWithdrawals(byBank)
  for (const operator of [ADA, BORA]) {
    await say(operator, found, 'found', '0012345678')
    await say(operator, notFound, 'not_found', 'statement until noon')
  }
  assert.equal(await debitOf(found), 'matched payout_sent')
  assert.equal(await debitOf(notFound), 'needs_review payout_taken_back')
  assert.deepEqual(await findDrift(app.db), [])
})

const commands = openCommandLine({
  DATABASE_URL: service.databaseUrl,
  VEZNE_MASTER_KEY: app.config.masterKey.toString('hex'),
})
after(() => commands.stop())

test('vezne: the bank said pending, so whoever says not found is warned; never seen warns nobody', async () => {
  bank.behave({ submit: () => pending, find: () => pending })
  const id = await withdraw()
  await work(byBank)
  await travelTo(app, WEEK)
  await work(byBank)
  const resolve = (...options: string[]) => commands.run(['withdrawal', 'resolve', id, '--as', ...options])
  const shown = await commands.run(['withdrawal', 'show', id])
  assert.match(shown.output, /the bank said pending/)
  const first = await resolve(ADA, '--not-found', 'not in the list')
  assert.match(first.output, /waiting for a second person\.\n.*the bank said pending/)
  const found = await resolve(BORA, '--found', '0012345678', '--json')
  assert.deepEqual(JSON.parse(found.output), { outcome: 'opinions differ', warning: null })
  bank.behave({ submit: () => 'reset', find: () => neverSeen })
  await travelTo(app, WEEK + 2 * 3600)
  await work(byBank)
  assert.match((await resolve(ADA, '--take-back', 'was too quick')).output, /opinion taken back/)
  assert.doesNotMatch((await resolve(ADA, '--not-found', 'not in the list')).output, /pending/)
  const payouts = await commands.run(['payout', 'list'])
  assert.match(payouts.output, /bank-api:127\.0\.0\.1/)
})
