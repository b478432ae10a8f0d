import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { operatorActor, UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { distributeEvents, eraseEvents, resendFailed } from '../../packages/server/src/domain/webhooks/index.ts'
import { rejectProposal, showProposal } from '../../packages/server/src/domain/proposals/index.ts'
import type { Deposit } from '../../packages/server/src/domain/deposits/index.ts'
import { eraseTransaction } from '../../packages/server/src/domain/erasures/index.ts'
import { addOperator, DECIDING } from '../../packages/server/src/domain/people/index.ts'
import { findEnteredOf, keepUnread } from '../../packages/server/src/domain/statements/index.ts'
import { stopWithdrawal } from '../../packages/server/src/domain/withdrawals/index.ts'
import { ERASED } from '../../packages/server/src/kernel/erased.ts'
import { note } from '../../packages/server/src/kernel/refusals/note.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { deliveriesOf, setCallbackUrl, runCallbacksOnce } from '../harness/callbacks.ts'
import { accepted } from '../harness/envelope.ts'
import { openOutage } from '../harness/entered-lines.ts'
import { commandsOf } from '../harness/erasing.ts'
import { depositBody, withdrawBody } from '../harness/examples.ts'
import { MEHMET } from '../harness/journal.ts'
import { lockWaits } from '../harness/lock-waits.ts'
import { reloadDeposit, payDeposit, lineFor, matchAll, someDeposits, ingest } from '../harness/payments.ts'
import { answer, ok, startReceiver } from '../harness/receiver.ts'
import { setMode } from '../harness/roles.ts'
import { startService } from '../harness/service.ts'
import { until } from '../harness/until.ts'

// When erasing is refused, what a second run goes on with, and what must not bring the data back.

const service = await startService()
const { app, databaseUrl } = service
const { erase } = commandsOf(service)
const now = ['--despite-retention', '--reason', 'the law allows it']

/** Completed, and its callbacks are nobody's: the merchant has no endpoint with an address. */
async function paid(count = 1): Promise<Deposit[]> {
  const shop = await service.merchant()
  const deposits = await someDeposits(app, shop.merchantId, count)
  await ingest(app, await Promise.all(deposits.map((deposit) => lineFor(app, deposit))))
  await matchAll(app)
  await runCallbacksOnce(app)
  return Promise.all(deposits.map((deposit) => reloadDeposit(app, deposit)))
}

async function paidOne(): Promise<Deposit> {
  const [deposit] = await paid()
  return deposit ?? assert.fail()
}

async function eraseOne({ id }: Deposit, expected = 0) {
  const { transactions } = await erase(['--transaction', id, ...now], expected)
  return transactions[0] ?? assert.fail()
}

const whyNot = async (deposit: Deposit) => {
  const one = await eraseOne(deposit, 1)
  assert.equal((await reloadDeposit(app, deposit)).customer.name, deposit.customer.name)
  return 'why' in one ? one.why : assert.fail(one.outcome)
}

const linesOf = ({ id }: Deposit) =>
  app.db.query<{ state: string; sender: string; iban: string | null; narrative: string }>(sql`
    select l.state, l.sender_name as sender, l.sender_iban as iban, l.narrative
    from bank_lines l join line_parts p on p.line_id = l.id where p.subject = ${id} order by l.id`)

test('refused while an event is on its way; what was given up is erased, and is then not sent again', async () => {
  const receiver = await startReceiver(answer(500))
  const shop = await service.merchant()
  await setCallbackUrl(app, shop.merchantId, receiver.url)
  const [made] = await someDeposits(app, shop.merchantId, 1)
  const deposit = await payDeposit(app, made ?? assert.fail())
  assert.match(await whyNot(deposit), /has not been delivered/)
  while ((await distributeEvents(app)) > 0);
  assert.match(await whyNot(deposit), /has not been delivered/)
  await app.db.query(sql`
    update deliveries set since = since - interval '31 days' where transaction_id = ${deposit.id}`)
  await runCallbacksOnce(app)
  const states = async () => (await deliveriesOf(app, deposit.id)).map(({ state }) => state)
  assert.deepEqual(await states(), ['given_up'])
  assert.equal((await eraseOne(deposit)).outcome, 'erased')
  receiver.behave(ok)
  assert.equal(await resendFailed(app, UNATTRIBUTED, shop.merchantId, deposit.createdAt), 0)
  await runCallbacksOnce(app)
  assert.deepEqual(await states(), ['given_up'])
  assert.equal(receiver.all.length, 1)
})

test('resending all that failed while it is being erased sends nothing', async () => {
  const receiver = await startReceiver(answer(500))
  const shop = await service.merchant()
  await setCallbackUrl(app, shop.merchantId, receiver.url)
  const [made] = await someDeposits(app, shop.merchantId, 1)
  const deposit = await payDeposit(app, made ?? assert.fail())
  while ((await distributeEvents(app)) > 0);
  await app.db.query(sql`
    update deliveries set since = since - interval '31 days' where transaction_id = ${deposit.id}`)
  await runCallbacksOnce(app)
  let resent: Promise<number> | undefined
  await app.db.transaction(async (tx) => {
    await eraseEvents(app, tx, deposit, (data) => ({ ...data, customer: ERASED }))
    resent = resendFailed(app, UNATTRIBUTED, shop.merchantId, deposit.createdAt)
    // It waits for the queues. Meanwhile this transaction must not be idle.
    await until(
      async () => {
        await tx.query(sql`select 1`)
        return lockWaits(app.db)
      },
      (waiting) => waiting > 0,
    )
  })
  assert.equal(await resent, 0)
  assert.deepEqual(
    (await deliveriesOf(app, deposit.id)).map(({ state }) => state),
    ['given_up'],
  )
})

test('refused while late money may come', async () => {
  const shop = await service.merchant()
  const [late] = await someDeposits(app, shop.merchantId, 1)
  const deposit = late ?? assert.fail()
  await app.db.query(sql`update deposits set status = 'expired' where id = ${deposit.id}`)
  assert.match(await whyNot(deposit), /late money may still arrive until/)
  await app.db.query(sql`update deposits set expires_at = expires_at - interval '31 days' where id = ${deposit.id}`)
  assert.equal((await eraseOne(deposit)).outcome, 'erased')
})

test('an erased line that is read again is known, with and without a number; another one of its number waits for a person', async () => {
  const shop = await service.merchant()
  for (const bankReference of ['0099887', null]) {
    const [made] = await someDeposits(app, shop.merchantId, 1)
    const deposit = made ?? assert.fail()
    const line = await lineFor(app, deposit, { bankReference, senderIban: 'TR330006100519786457841326' })
    await ingest(app, [line])
    await matchAll(app)
    await runCallbacksOnce(app)
    assert.equal((await eraseOne(deposit)).outcome, 'erased')
    const erased = [{ state: 'matched', sender: ERASED, iban: null, narrative: ERASED }]
    assert.deepEqual(await linesOf(deposit), erased)
    const { imported, known } = await ingest(app, [line], 'read again')
    assert.deepEqual([imported, known], [0, 1])
    assert.deepEqual(await linesOf(deposit), erased)
    if (bankReference === null) continue
    const corrected = await ingest(app, [{ ...line, senderName: 'Ayşe Yılmaz Demir', narrative: 'FAST' }], 'corrected')
    assert.deepEqual([corrected.imported, corrected.suspected], [1, 1])
    assert.match(
      await whyNot({ ...deposit, customer: { ...deposit.customer, name: ERASED } }),
      /is waiting for a decision/,
    )
  }
})

test('lines that are about it and wait for a person keep their text, and the command says so', async () => {
  const deposit = await paidOne()
  const raw = `{"text":"odeme ${deposit.referenceCode}"}`
  await app.db.transaction((tx) => keepUnread(app, tx, 'test', [{ raw, why: note('unread_not_ours') }]))
  // Paid a second time: the money is in suspense, and no one's yet.
  await ingest(app, [await lineFor(app, deposit)])
  await matchAll(app)
  await runCallbacksOnce(app)
  const one = await eraseOne(deposit)
  assert.ok(one.outcome === 'erased')
  assert.match(one.kept.join('\n'), /bank line \w+ may be about it and waits in suspense/)
  assert.match(one.kept.join('\n'), /1 unread line/)
  const unread = await app.db.query<{ raw: string }>(sql`select raw from unread_lines where taken_in_at is null`)
  assert.deepEqual(unread, [{ raw }])
})

test('what people entered of its line is erased with it; a proposal to enter one forgets when it ends', async () => {
  for (const name of ['ayse.yilmaz', 'mehmet.kaya']) await addOperator(app, UNATTRIBUTED, name, DECIDING)
  const shop = await service.merchant()
  const [made] = await someDeposits(app, shop.merchantId, 1, 7_700n)
  const deposit = made ?? assert.fail()
  const outage = await openOutage(app)
  await app.db.query(sql`update deposits set collecting_account_id = ${outage.id} where id = ${deposit.id}`)
  const sender = { senderName: deposit.customer.name, senderIban: 'TR330006100519786457841326' }
  const written = { ...sender, amount: deposit.amount, narrative: `FAST ${deposit.referenceCode}` }
  const lineId = await outage.enter(written)
  await outage.gives(outage.real({ ...written, narrative: `${written.narrative} 12345` }))
  const { id } = await outage.propose({ ...sender, amount: 9_900n })
  await runCallbacksOnce(app)
  const one = await eraseOne(deposit)
  assert.ok(one.outcome === 'erased')
  assert.equal(one.rows['entered_lines'], 1)
  const entered = await findEnteredOf(app.db, lineId)
  assert.deepEqual([entered?.senderName, entered?.senderIban, entered?.narrative], [ERASED, null, ERASED])
  assert.match((await showProposal(app, id)).payload, new RegExp(sender.senderIban), 'it waits')
  await rejectProposal(app, MEHMET, id, 'the bank gave it')
  const { payload, rows } = await showProposal(app, id)
  assert.equal(payload, 'null')
  assert.doesNotMatch(JSON.stringify(rows), new RegExp(`${sender.senderIban}|${sender.senderName}`))
})

test('a run that ends in the middle has erased whole transactions; the next one goes on with the rest', async () => {
  const deposits = await paid(3)
  const merchantId = deposits[0]?.merchantId ?? ''
  const [, middle] = deposits.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const whole = ['--merchant', merchantId, '--customer', 'c-1', ...now]
  const other = new pg.Client({ connectionString: databaseUrl })
  await other.connect()
  await other.query('begin')
  await other.query('select 1 from deposits where id = $1 for update', [middle?.id])
  await assert.rejects(erase(whole))
  const names = async () =>
    (await Promise.all(deposits.map((deposit) => reloadDeposit(app, deposit)))).filter(
      ({ customer }) => customer.name === ERASED,
    )
  assert.equal((await names()).length, 1)
  await other.query('rollback')
  await other.end()
  const { transactions } = await erase(whole)
  assert.equal(transactions.length, 2)
  assert.equal((await names()).length, 3)
  const records = await app.db.query(
    sql`select 1 from erasures where merchant_id = ${merchantId} and despite_retention`,
  )
  assert.equal(records.length, 3)
})

test('two at once: one erases it, the other finds nothing left', async () => {
  const deposit = await paidOne()
  const subject = { kind: 'deposit' as const, merchantId: deposit.merchantId, id: deposit.id }
  const terms = {
    askedFor: 'transaction' as const,
    reason: 'at once',
    despiteRetention: true,
    dryRun: false,
  }
  const outcomes = await Promise.all([1, 2, 3].map(() => eraseTransaction(app, UNATTRIBUTED, subject, terms)))
  assert.deepEqual(outcomes.map(({ outcome }) => outcome).toSorted(), ['erased', 'nothing left', 'nothing left'])
})

test('a customer is found by its id exactly as the merchant wrote it, and no one else', async () => {
  const shop = await service.merchant()
  const ids = ['7', '77', 'ÇÖ/Ş 1', 'İ', "o'x\\y:*|&!", '😀', 'a b', 'A B', 'u'.repeat(64), '§-ß']
  const create = (id: string) =>
    shop.post('/v1/deposit', depositBody({ customer: { id, name: 'Ayşe Yılmaz', username: 'ayse' } }))
  for (const id of ids) {
    const open = accepted(await create(id), 201).transactionId
    const ended = accepted(await create(id), 201).transactionId
    accepted(await shop.post(`/v1/transactions/${ended}/cancel`, undefined), 200)
    await runCallbacksOnce(app)
    const { transactions } = await erase(['--merchant', shop.merchantId, '--customer', id, '--dry-run'], 1)
    assert.deepEqual(new Set(transactions.map((one) => one.transactionId)), new Set([open, ended]), id)
  }
})

test('the checkout page of an erased deposit still opens, and the same processId is still a duplicate', async () => {
  const shop = await service.merchant()
  const body = depositBody({ customer: { id: 'c-9', name: 'Zeynep Kırmızıgül', username: 'zk' } })
  const created = accepted(await shop.post('/v1/deposit', body), 201)
  accepted(await shop.post(`/v1/transactions/${created.transactionId}/cancel`, undefined), 200)
  await runCallbacksOnce(app)
  await erase(['--merchant', shop.merchantId, '--customer', 'c-9', ...now])
  const door = await fetch(created.checkoutUrl, { redirect: 'manual' })
  const cookie = door.headers.get('set-cookie')?.split(';')[0] ?? ''
  const page = await fetch(new URL(door.headers.get('location') ?? '', created.checkoutUrl), { headers: { cookie } })
  assert.equal(page.status, 200)
  assert.doesNotMatch(await page.text(), /Zeynep/)
  assert.equal((await shop.post('/v1/deposit', body)).code, 'DUPLICATE_TRANSACTION')
})

test('in live the command of one person proposes, and the same command of another erases', async () => {
  for (const name of ['ada.aksoy', 'bora.boz']) await addOperator(app, UNATTRIBUTED, name, DECIDING)
  const shop = await service.merchant({ funds: 50_000n })
  const { transactionId: id } = accepted(await shop.post('/v1/withdraw', withdrawBody()), 201)
  await stopWithdrawal(app, operatorActor('ada.aksoy'), id, 'asked for by the shop')
  while ((await distributeEvents(app)) > 0);
  await setMode(databaseUrl, 'live')
  const live = commandsOf(service, { VEZNE_MODE: 'live', VEZNE_PUBLIC_URL: 'https://pay.example' })
  const as = async (name: string, expected: number, more = now) => {
    const { transactions } = await live.erase(['--transaction', id, '--as', name, ...more], expected)
    return transactions[0] ?? assert.fail('nothing reported')
  }
  assert.equal((await as('ada.aksoy', 1, ['--reason', 'the law allows it'])).outcome, 'refused')
  const [first, again] = [await as('ada.aksoy', 1), await as('ada.aksoy', 1)]
  assert.equal(first.outcome, 'proposed')
  assert.deepEqual(again, first)
  assert.equal((await as('bora.boz', 0, [...now, '--dry-run'])).outcome, 'would be erased')
  assert.equal((await as('bora.boz', 0)).outcome, 'erased')
})
