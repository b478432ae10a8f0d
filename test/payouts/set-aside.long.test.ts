import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, test } from 'node:test'
import { bookDebits, returnRefunds } from '../../packages/server/src/domain/books/index.ts'
import { merchantActor, operatorActor, UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { fetchLines } from '../../packages/server/src/domain/connections/index.ts'
import { expireDeposits, findDeposit, leaveBlockedAccounts } from '../../packages/server/src/domain/deposits/index.ts'
import { balanceOf, findDrift, NO_MERCHANT } from '../../packages/server/src/domain/ledger/index.ts'
import {
  dispatchWithdrawals,
  findPayout,
  queryPayoutStatus,
  submitPayouts,
  cancelWithdrawal,
  lastSettlements,
  listWithdrawals,
  settleDue,
  stopWithdrawal,
} from '../../packages/server/src/domain/withdrawals/index.ts'
import { addOperator, DECIDING } from '../../packages/server/src/domain/people/index.ts'
import { setSettlementSchedule } from '../../packages/server/src/domain/merchants/index.ts'
import { listAside } from '../../packages/server/src/domain/set-aside/index.ts'
import { findLine } from '../../packages/server/src/domain/statements/index.ts'
import { distributeEvents } from '../../packages/server/src/domain/webhooks/index.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { raw } from 'sql-template-tag'
import { MINUTE_MS } from '../../packages/server/src/platform/time/clock.ts'
import { openCommandLineOf } from '../harness/command-line.ts'
import { addEvents, claimOnly, deliveriesOf, recordOnly, setCallbackUrl } from '../harness/callbacks.ts'
import { withdrawBody } from '../harness/examples.ts'
import { mustFind } from '../harness/history.ts'
import { openJournal } from '../harness/journal.ts'
import { ingest, matchAll, someDeposits, unknownPayment } from '../harness/payments.ts'
import { until } from '../harness/until.ts'
import { startWithBank } from '../harness/payouts.ts'
import { registerAccount } from '../harness/settlements.ts'
import { makeIban } from '../../packages/server/src/kernel/iban.ts'

// One row that cannot be processed, among others that can.
const service = await startWithBank()
const { witness } = service
let minutesLater = 0
const now = () => new Date(service.app.clock.now().getTime() + minutesLater * MINUTE_MS)
const app = { ...service.app, clock: { ...service.app.clock, now } }
const ADA = operatorActor('ada.aksoy')
for (const name of ['ada.aksoy', 'bora.boz']) await addOperator(app, UNATTRIBUTED, name, DECIDING)
const RECIPIENT = makeIban('0062', '12345678')
const run = openCommandLineOf(service)

const shop = await service.merchantWithMoney(5_000_000n, { withdrawFee: { bps: 100 } })
const { merchantId } = shop

async function work(): Promise<void> {
  while ((await dispatchWithdrawals(app)) + (await submitPayouts(app)) + (await queryPayoutStatus(app)) > 0);
}

async function ask(count: number): Promise<string[]> {
  const ids: string[] = []
  for (let n = 0; n < count; n++) {
    const { body } = await shop.post('/v1/withdraw', withdrawBody({ amount: 10_000 }))
    ids.push(body.data.transactionId as string)
  }
  return ids
}

const asides = async () => (await listAside(app.db, 10)).map(({ what, id, failures }) => [what, id, failures])
const sentTimes = async (id: string) => (await witness()).filter(({ reference }) => reference === id).length
const statusOf = async (id: string) => (await mustFind(app, id)).status
const statuses = (ids: string[]) => Promise.all(ids.map(statusOf))
const resolveHold = (id: string) =>
  app.db.query(sql`update holds set state = 'voided', resolved_at = now() where subject_id = ${id}`)
const doctor = async () => {
  const { output } = await run(['doctor', '--json'])
  return (JSON.parse(output) as { checks: { check: string; ok: boolean; found: string }[] }).checks.find(
    ({ check }) => check === 'rows set aside',
  )
}

/** Another event has the number of the next change: the database refuses to write that. */
const poison = (id: string, sequence: number) =>
  app.db.query(sql`
    insert into events (id, merchant_id, transaction_id, sequence, type, body, created_at)
    values (${app.ids.next()}, ${merchantId}, ${id}, ${sequence}, 'withdrawal.updated', '{}', now())`)
const cure = (id: string, sequence: number) =>
  app.db.query(sql`delete from events where transaction_id = ${id} and sequence = ${sequence}`)

afterEach(async () => {
  assert.deepEqual(await findDrift(app.db), [])
  assert.deepEqual(await asides(), [])
})

test('a hold that was resolved before: 19 of 20 go, the culprit is named, and stopping it gives the money back once', async () => {
  const before = await balanceOf(app.db, merchantId, 'TRY')
  const ids = await ask(20)
  const culprit = ids[3] as string
  await resolveHold(culprit)
  await work()
  const others = ids.filter((id) => id !== culprit)
  assert.deepEqual(new Set(await statuses(others)), new Set(['completed']))
  for (const id of others) assert.equal(await sentTimes(id), 1)
  const { status, state, stateReason } = await mustFind(app, culprit)
  assert.deepEqual([status, state, stateReason], ['pending', 'queued', 'cannot_be_booked'])
  assert.deepEqual(await asides(), [['withdrawal', culprit, 1]])
  const check = await doctor()
  assert.equal(check?.ok, false)
  assert.ok(check?.found.includes(culprit))

  // It is tried again later, by itself, and does not hold up the others then.
  const [next] = (await ask(1)) as [string]
  minutesLater += 11
  assert.equal(await dispatchWithdrawals(app), 2)
  assert.deepEqual(await asides(), [['withdrawal', culprit, 2]])
  await work()
  assert.deepEqual(await statuses([next, culprit]), ['completed', 'pending'])

  await stopWithdrawal(app, ADA, culprit, 'its hold was resolved before')
  assert.equal(await statusOf(culprit), 'failed')
  const paid = 20n * 10_100n
  assert.deepEqual(await balanceOf(app.db, merchantId, 'TRY'), { available: before.available - paid, held: 0n })
  minutesLater += 11
  await dispatchWithdrawals(app)
  assert.equal((await doctor())?.ok, true)
})

test('the merchant can cancel such a withdrawal too', async () => {
  const before = await balanceOf(app.db, merchantId, 'TRY')
  const [id] = (await ask(1)) as [string]
  await resolveHold(id)
  assert.equal((await cancelWithdrawal(app, merchantActor(merchantId), id))?.status, 'failed')
  assert.deepEqual(await balanceOf(app.db, merchantId, 'TRY'), before)
})

test('a withdrawal that goes again once its cause is gone', async () => {
  const ids = await ask(3)
  const culprit = ids[0] as string
  await poison(culprit, 1)
  await work()
  assert.deepEqual(await statuses(ids), ['pending', 'completed', 'completed'])
  assert.deepEqual(await asides(), [['withdrawal', culprit, 1]])
  await cure(culprit, 1)
  minutesLater += 11
  assert.equal(await dispatchWithdrawals(app), 1)
  await work()
  assert.equal(await statusOf(culprit), 'completed')
})

test('an answer of the bank that cannot be recorded: the others end, it is in doubt, and is never sent twice', async () => {
  const ids = await ask(5)
  const culprit = ids[2] as string
  await dispatchWithdrawals(app)
  await poison(culprit, 2)
  await work()
  assert.deepEqual((await statuses(ids)).filter((status) => status === 'completed').length, 4)
  const payout = await findPayout(app.db, culprit)
  assert.deepEqual([payout?.state, payout?.reason], ['asking', 'cannot_be_booked'])
  assert.deepEqual(await asides(), [['payout', culprit, 1]])
  assert.equal(await sentTimes(culprit), 1)
  await cure(culprit, 2)
  minutesLater += 11
  await work()
  assert.equal(await statusOf(culprit), 'completed')
  assert.equal(await sentTimes(culprit), 1)
})

test('a deposit that cannot expire: the others do', async () => {
  const deposits = await someDeposits(app, merchantId, 3, 100_000n)
  const [culprit, ...others] = deposits.map(({ id }) => id) as [string, string, string]
  await poison(culprit, 1)
  minutesLater += 24 * 60
  await fetchLines(app, service.connection)
  while ((await expireDeposits(app)) > 0);
  const status = async (id: string) => (await findDeposit(app.db, merchantId, id))?.status
  assert.deepEqual(await Promise.all([culprit, ...others].map(status)), ['pending', 'expired', 'expired'])
  assert.deepEqual(await asides(), [['deposit', culprit, 1]])
  await cure(culprit, 1)
  minutesLater += 11
  while ((await expireDeposits(app)) > 0);
  assert.equal(await status(culprit), 'expired')
})

// The bad row of every other batch: the database refuses what the worker writes for it.

type Three = [string, string, string]
type Batch = {
  ids: Three
  /** The rows of a table that are refused, which makes the first of `ids` fail. */
  refuse: [table: string, which: string]
  /** Kind and id under which the row is named. */
  named: [what: string, id: string]
  work: () => Promise<unknown>
  isDone: (id: string) => Promise<boolean>
}

const all = (run: () => Promise<number>) => async () => {
  while ((await run()) > 0);
}
const three = async (make: () => Promise<string>): Promise<Three> => [await make(), await make(), await make()]
const answer = {
  ...{ outcome: 'accepted' as const, status: 200, problem: null, body: '', retryAfterSeconds: null },
  ...{ connectMs: 0, waitMs: 0, readMs: 0 },
}
const sendDue = async () => {
  const claimed = await claimOnly(app)
  await recordOnly(
    app,
    claimed.map((claim) => ({ claim, answer, at: app.clock.now() })),
  )
}
const isDelivered = async (id: string) => (await deliveriesOf(app, id)).every(({ state }) => state === 'delivered')
const lineOf = async (id: string) => (await findLine(app.db, id)) ?? assert.fail()

async function arrivedLine(direction: 'credit' | 'debit'): Promise<string> {
  const bankReference = app.ids.next()
  await ingest(app, [await unknownPayment(app, { direction, bankReference, amount: 777n })])
  await matchAll(app)
  const [row] = await app.db.query<{ id: string }>(
    sql`select id from bank_lines where bank_reference = ${bankReference}`,
  )
  return row?.id ?? assert.fail()
}

async function receivingShop(): Promise<{ id: string; endpointId: string }> {
  const { merchantId: id } = await service.merchant()
  const endpoint = await setCallbackUrl(app, id, 'http://127.0.0.1:9/callbacks', { maxPerSecond: 1000 })
  return { id, endpointId: endpoint.id }
}

const BATCHES: Record<string, () => Promise<Batch>> = {
  async 'book-debits'() {
    const ids = await three(() => arrivedLine('debit'))
    const isDone = async (id: string) => (await lineOf(id)).isBooked
    const refuse: Batch['refuse'] = ['bank_lines', `id = '${ids[0]}' and booked_unexplained`]
    return { ids, refuse, named: ['line', ids[0]], work: all(() => bookDebits(app)), isDone }
  },
  async 'return-refunds'() {
    const { post } = await openJournal(app)
    const entries = new Map<string, string>()
    const ids = await three(async () => {
      const line = await arrivedLine('credit')
      const entry = await post('refund_unexplained', { lineIds: [line], iban: RECIPIENT })
      const page = { before: 'g', notBefore: '', from: new Date(0), to: new Date(8.64e15), limit: 1 }
      const [withdrawal] = await listWithdrawals(app.db, NO_MERCHANT, { ...page, processId: entry })
      await stopWithdrawal(app, ADA, withdrawal?.id ?? '', 'asked for by its sender')
      entries.set(line, entry)
      return line
    })
    const refuse: Batch['refuse'] = ['bank_lines', `id = '${ids[0]}' and reason = 'refund_failed'`]
    const isDone = async (id: string) => (await lineOf(id)).reason === 'refund_failed'
    return { ids, refuse, named: ['refund', entries.get(ids[0]) ?? ''], work: () => returnRefunds(app), isDone }
  },
  async 'distribute-events'() {
    const { id } = await receivingShop()
    const ids = await three(() => addEvents(app, id, { count: 2 }))
    // Both wait: the second must not arrive before the first.
    const isDone = async (one: string) =>
      (await deliveriesOf(app, one)).map(({ state }) => state).join() === 'waiting,behind'
    const refuse: Batch['refuse'] = ['deliveries', `transaction_id = '${ids[0]}' and state = 'waiting'`]
    return { ids, refuse, named: ['event', ids[0]], work: all(() => distributeEvents(app)), isDone }
  },
  async 'deliver-callbacks'() {
    const { id, endpointId } = await receivingShop()
    const ids = await three(() => addEvents(app, id))
    await all(() => distributeEvents(app))()
    const [{ eventId } = assert.fail()] = await deliveriesOf(app, ids[0])
    const refuse: Batch['refuse'] = ['delivery_attempts', `event_id = '${eventId}'`]
    return { ids, refuse, named: ['callback', `${eventId}/${endpointId}`], work: sendDue, isDone: isDelivered }
  },
  async 'deliver-callbacks, an endpoint'() {
    const shops = [await receivingShop(), await receivingShop(), await receivingShop()] as const
    const ids: Three = [
      await addEvents(app, shops[0].id),
      await addEvents(app, shops[1].id),
      await addEvents(app, shops[2].id),
    ]
    await all(() => distributeEvents(app))()
    const { endpointId } = shops[0]
    const refuse: Batch['refuse'] = ['delivery_claims', `endpoint_id = '${endpointId}'`]
    return { ids, refuse, named: ['callback', endpointId], work: sendDue, isDone: isDelivered }
  },
  async 'settle-merchants'() {
    const ids = await three(async () => {
      const { merchantId: id } = await service.merchant({ funds: 50_000n })
      await registerAccount(app, ['ada.aksoy', 'bora.boz'], id)
      await setSettlementSchedule(app, ADA, id, { every: 'day', weekday: null, minute: 0, minimum: 1n })
      return id
    })
    minutesLater += 2 * 24 * 60
    const refuse: Batch['refuse'] = ['settlements', `merchant_id = '${ids[0]}'`]
    const isDone = async (id: string) => (await lastSettlements(app.db, id, 1)).length === 1
    return { ids, refuse, named: ['settlement', ids[0]], work: () => settleDue(app), isDone }
  },
  async 'leave-blocked-accounts'() {
    const deposits = await someDeposits(app, merchantId, 3, 100_000n)
    const ids = deposits.map(({ id }) => id) as Three
    const blocked = deposits[0]?.collectingAccountId ?? assert.fail()
    await app.db.query(sql`update collecting_accounts set state = 'blocked' where id = ${blocked}`)
    await app.db.query(sql`update deposits set collecting_account_id = ${blocked} where id = any(${ids}::text[])`)
    const accountOf = async (id: string) => (await findDeposit(app.db, merchantId, id))?.collectingAccountId
    await until(
      () => app.banks.blockedAccounts(),
      (found) => found.length > 0,
    )
    const refuse: Batch['refuse'] = ['deposits', `id = '${ids[0]}' and collecting_account_id <> '${blocked}'`]
    const isDone = async (id: string) => (await accountOf(id)) !== blocked
    return { ids, refuse, named: ['deposit', ids[0]], work: all(() => leaveBlockedAccounts(app)), isDone }
  },
}

for (const [name, prepare] of Object.entries(BATCHES))
  test(`${name}: one bad row stops no other, is named, and goes once it is mended`, async () => {
    const { ids, refuse, named, work: runWorker, isDone } = await prepare()
    const [table, which] = refuse
    await app.db.query(sql`${raw(`alter table ${table} add constraint one_bad_row check (not (${which})) not valid`)}`)
    for (let run = 0; run < 2; run++) await runWorker()
    assert.deepEqual(await Promise.all(ids.map(isDone)), [false, true, true])
    assert.deepEqual(await asides(), [[...named, 1]])
    assert.ok((await doctor())?.found.includes(named[1]))
    await app.db.query(sql`${raw(`alter table ${table} drop constraint one_bad_row`)}`)
    minutesLater += 11
    await runWorker()
    assert.equal(await isDone(ids[0]), true)
  })

/** Workers without rows of which one could stop another, and why. */
const NO_ROWS: Record<string, string[]> = {
  'one answer about everything': ['check-ledger', 'check-books', 'check-payouts', 'check-sending', 'verify-audit'],
  'writes what this process knows': ['record-runs', 'write-audit-head', 'load-connections', 'fill-source-of-record'],
  'one statement that deletes or ends by age': [
    'expire-changes',
    ...['prune-spent-requests', 'prune-api-calls', 'prune-logins', 'prune-uploads', 'prune-events'],
  ],
  'a file at a time, which keeps its own problem': ['import-inboxes', 'resume-imports'],
}
/** Bad rows of these are tested above, and those of lines in `test/deposits/quarantine.long.test.ts`, `test/books/line-rules.test.ts`
 * and `test/books/said-by-lines.test.ts`.
 */
const ABOVE = [
  ...['dispatch-withdrawals', 'submit-payouts', 'ask-payouts', 'send-order-files', 'expire-deposits'],
  ...['match-lines', 'match-payout-lines', 'apply-rules', 'book-said'],
]

test('every worker is in one of these lists', () => {
  const folder = join(import.meta.dirname, '../../packages/server/src/edges/workers')
  const text = ['worker-schedules.ts', 'inboxes.ts'].map((file) => readFileSync(join(folder, file), 'utf8')).join()
  const names = [...text.matchAll(/(?:name: |callers\()'([a-z-]+)'/g)].map(([, name = '']) => name)
  const listed = [
    ...Object.keys(BATCHES).filter((name) => !name.includes(',')),
    ...Object.values(NO_ROWS).flat(),
    ...ABOVE,
  ]
  assert.deepEqual(names.toSorted(), listed.toSorted())
})
