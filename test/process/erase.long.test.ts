import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { findDrift } from '../../packages/server/src/domain/ledger/index.ts'
import { addOperator, DECIDING } from '../../packages/server/src/domain/people/index.ts'
import { keepUnread } from '../../packages/server/src/domain/statements/index.ts'
import { findDepositById } from '../../packages/server/src/domain/deposits/index.ts'
import { ERASED, ERASED_IBAN } from '../../packages/server/src/kernel/erased.ts'
import { ibanProblem } from '../../packages/server/src/kernel/iban.ts'
import { note } from '../../packages/server/src/kernel/refusals/note.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { setCallbackUrl, runCallbacksOnce } from '../harness/callbacks.ts'
import { accepted, refused } from '../harness/envelope.ts'
import { commandsOf, tablesWith, wholeDatabase } from '../harness/erasing.ts'
import { depositBody, withdrawBody } from '../harness/examples.ts'
import { lineFor, matchAll, ingest } from '../harness/payments.ts'
import { startWithBank } from '../harness/payouts.ts'
import { startReceiver } from '../harness/receiver.ts'
import { checkEvents } from '../harness/history.ts'
import { travelTo, until } from '../harness/until.ts'

// One customer with a deposit and a withdrawal that ended, callbacks that arrived, notes of people and lines of banks.

const service = await startWithBank()
const { app, databaseUrl } = service
const { run, erase } = commandsOf(service)
const receiver = await startReceiver((received, response) => void response.writeHead(200).end(received.body))
const shop = await service.merchantWithMoney(5_000_000n)
await setCallbackUrl(app, shop.merchantId, receiver.url)
await addOperator(app, UNATTRIBUTED, 'ada.aksoy', DECIDING)

const [NAME, SENDER, IBAN, SENDER_IBAN] = [
  'Zeynep Kırmızıgül',
  'KIRMIZIGUL ZEYNEP',
  'TR620006200029500006291296',
  'TR330006100519786457841326',
]
const ID = 'musteri-4711'
const PERSONAL = [NAME, SENDER, IBAN, SENDER_IBAN, ID, 'zeynep.k', 'gizli not', 'kirmizi masa']
const metadata = { table: 'kirmizi masa' }
const named = ['--merchant', shop.merchantId, '--customer', ID]
const signed = ['--as', 'ada.aksoy', '--reason', 'request 2036/14']
const DECADE_SECONDS = 3654 * 86_400

let depositId = ''
let withdrawalId = ''
let open = ''

before(async () => {
  const customer = { id: ID, name: NAME, username: 'zeynep.k' }
  const recipient = { accountName: NAME, iban: IBAN, userId: ID, userName: 'zeynep.k', name: NAME, metadata }
  withdrawalId = accepted(await shop.post('/v1/withdraw', withdrawBody(recipient)), 201).transactionId
  // Before the deposit: its line is not from the simulated bank, so the bank has no such money to pay out.
  await service.work()
  depositId = accepted(await shop.post('/v1/deposit', depositBody({ customer, metadata })), 201).transactionId
  const deposit = (await findDepositById(app.db, depositId)) ?? assert.fail()
  await ingest(app, [await lineFor(app, deposit, { senderName: SENDER, senderIban: SENDER_IBAN })])
  await matchAll(app)
  await app.db.query(sql`
    insert into proposals (id, kind, target, payload, payload_sha256, description, seen_sha256, reason, proposed_by,
      proposed_at, state, decided_by, decided_at, note)
    values (${app.ids.next()}, 'withdrawal.approve', ${`withdrawal:${withdrawalId}`}, '{}', '', '[]', '', 'gizli not',
      'ada.aksoy', ${app.clock.now()}, 'applied', 'bora.boz', ${app.clock.now()}, 'gizli not')`)
  await app.db.query(sql`
    update withdrawals set stopped_by = 'ada.aksoy', stop_reason = 'gizli not', stopped_at = ${app.clock.now()}
    where id = ${withdrawalId}`)
  await app.db.query(sql`
    insert into doubt_decisions (merchant_id, withdrawal_id, submits, operator, verdict, evidence, decided_at)
    values (${shop.merchantId}, ${withdrawalId}, 1, 'ada.aksoy', 'found', 'gizli not', ${app.clock.now()})`)
  await app.db.query(sql`
    insert into payout_calls (merchant_id, withdrawal_id, number, kind, outcome, detail, called_at)
    values (${shop.merchantId}, ${withdrawalId}, 99, 'person', 'found', '"gizli not"', ${app.clock.now()})`)
  // As banks write it that show the ordering account on a debit: us.
  await app.db.query(sql`
    update bank_lines l set sender_name = a.title, sender_iban = a.iban from collecting_accounts a
    where a.id = l.collecting_account_id and l.id in (select line_id from line_parts where subject = ${withdrawalId})`)
  const why = note('unread_not_ours')
  const raws = [`{"from":"${SENDER}"}`, ...(await rawsOfOthers())]
  await app.db.transaction((tx) =>
    keepUnread(
      app,
      tx,
      'test',
      raws.map((raw) => ({ raw, why })),
    ),
  )
  await app.db.query(sql`update unread_lines set taken_in_at = ${app.clock.now()}`)
  await until(
    async () => {
      await runCallbacksOnce(app)
      return app.db.query(sql`select 1 from deliveries union all select 1 from events where position is null`)
    },
    (open) => open.length === 0,
  )
})

/** Lines of someone else at each of our accounts. */
async function rawsOfOthers(): Promise<string[]> {
  const accounts = await app.db.query<{ iban: string; title: string }>(sql`select iban, title from collecting_accounts`)
  return accounts.map(({ iban, title }) => `{"to":"${iban}","at":"${title}","from":"Baska Biri"}`)
}

test('within the retention it is refused, and a dry run changes nothing and counts', async () => {
  for (const id of [depositId, withdrawalId]) assert.equal((await get(id)).status, 'completed')
  const untouched = await wholeDatabase(databaseUrl)
  for (const secret of PERSONAL.slice(0, 7))
    assert.ok(tablesWith(untouched, [secret]).length > 0, `${secret} is stored`)
  const early = await erase([...named, ...signed], 1)
  assert.deepEqual(
    early.transactions.map((one) => [one.transactionId, one.outcome]),
    [
      [depositId, 'refused'],
      [withdrawalId, 'refused'],
    ],
  )
  for (const one of early.transactions) assert.match('why' in one ? one.why : '', /must be kept until 20\d\d.*3653/)
  const dry = await erase([...named, '--despite-retention', '--dry-run'])
  assert.deepEqual(
    dry.transactions.map(({ outcome }) => outcome),
    ['would be erased', 'would be erased'],
  )
  const { events, delivery_attempts, payout_calls, ...others } = dry.rows
  assert.ok((events ?? 0) >= 3 && delivery_attempts === events && (payout_calls ?? 0) >= 1)
  assert.deepEqual(others, {
    deposits: 1,
    bank_lines: 2,
    // Its own, and the recipient's side of the payout, which the statement shows too.
    unread_lines: 2,
    withdrawals: 1,
    payouts: 1,
    doubt_decisions: 1,
    proposals: 1,
  })
  assert.deepEqual(await wholeDatabase(databaseUrl), untouched)
})

test('a reason, and in live a name, must be given; a customer needs its merchant', async () => {
  for (const [options, why] of [
    [[...named, '--despite-retention', '--as', 'ada.aksoy'], /--reason/],
    [[...named, '--transaction', depositId, ...signed], /--transaction alone/],
    [['--customer', ID, ...signed], /--merchant and --customer/],
    [['--merchant', shop.merchantId, '--customer', '--/--', ...signed], /--transaction/],
  ] as const) {
    const { code, errors } = await run(['erase', ...options])
    assert.equal(code, 2, options.join(' '))
    assert.match(errors, why)
  }
  assert.equal((await run(['erase', ...named, '--as', 'nobody.known', '--reason', 'request'])).code, 1)
  assert.equal((await run(['erase', '--transaction', 'f'.repeat(24), ...signed])).code, 1)
})

test('after the retention everything personal is gone from every table; the books stay, and the record has no personal data', async () => {
  await travelTo(app, DECADE_SECONDS)
  const untouched = await wholeDatabase(databaseUrl)
  const events = accepted(await shop.get(`/v1/events?transactionId=${depositId}`), 200).events
  open = accepted(
    await shop.post('/v1/deposit', depositBody({ customer: { id: ID, name: 'Z', username: 'z' } })),
    201,
  ).transactionId
  const done = await erase([...named, ...signed], 1)
  assert.deepEqual(
    done.transactions.map((one) => [one.transactionId, one.outcome]),
    [
      [depositId, 'erased'],
      [open, 'refused'],
      [withdrawalId, 'erased'],
    ],
  )
  assert.match(JSON.stringify(done.transactions), /pending, so it is not final yet/)
  const after = await wholeDatabase(databaseUrl)
  after.set('deposits', after.get('deposits')?.filter((row) => !row.includes(open)) ?? [])
  assert.deepEqual(tablesWith(after, PERSONAL), [])
  const kept = await app.db.query(sql`select 1 from unread_lines where raw = any(${await rawsOfOthers()}::text[])`)
  assert.equal(kept.length, (await rawsOfOthers()).length, 'lines of other people')
  for (const books of ['transfers', 'accounts', 'holds', 'match_decisions', 'deliveries'])
    assert.deepEqual(after.get(books), untouched.get(books), books)
  assert.deepEqual(await findDrift(app.db), [])
  const [first] = events
  await shown(first.eventId)
})

async function shown(eventId: string): Promise<void> {
  const [deposit, withdrawal] = [await get(depositId), await get(withdrawalId)]
  assert.deepEqual(deposit.customer, { id: ERASED, name: ERASED, username: ERASED })
  assert.deepEqual(deposit.metadata, { erased: true })
  assert.deepEqual([deposit.amount, deposit.status], [125_000, 'completed'])
  const { iban, accountName, userId, userName, name } = withdrawal
  assert.deepEqual([iban, accountName, userId, userName, name], [ERASED_IBAN, ...Array<string>(4).fill(ERASED)])
  // The newest event still equals GET.
  await checkEvents(app, shop, depositId)
  await checkEvents(app, shop, withdrawalId)
  const event = accepted(await shop.get(`/v1/events/${eventId}`), 200)
  assert.equal(JSON.parse(event.payload).data.customer.name, ERASED)
  for (const text of [NAME, SENDER_IBAN, IBAN, 'zeynep.k']) {
    const { output } = await run(['find', text, '--json'])
    assert.deepEqual(JSON.parse(output).found, [], text)
  }
}

const byType = (a: { type?: unknown }, b: { type?: unknown }) => (String(a.type) < String(b.type) ? -1 : 1)
const get = async (id: string) => accepted(await shop.get(`/v1/transactions/${id}`), 200)

test('an erased event is not sent again, neither by API nor by command', async () => {
  const { events } = accepted(await shop.get(`/v1/events?transactionId=${depositId}`), 200)
  const [{ eventId }] = events
  const error = refused(await shop.post(`/v1/events/${eventId}/resend`, undefined), 409, 'INVALID_STATE')
  assert.match(error.message, /personal data .* was erased/)
  const { code, errors } = await run(['events', 'resend', eventId, '--merchant', shop.merchantId])
  assert.equal(code, 1)
  assert.match(errors, /was erased/)
})

test('a second run changes nothing and adds no record', async () => {
  const { output } = await run(['erasures', '--json'])
  const { erasures } = JSON.parse(output) as { erasures: Record<string, unknown>[] }
  assert.deepEqual(
    erasures
      .toSorted(byType)
      .map(({ transactionId, type, askedFor, operator, reason, despiteRetention }) => [
        transactionId,
        type,
        askedFor,
        operator,
        reason,
        despiteRetention,
      ]),
    [
      [depositId, 'deposit', 'customer', 'ada.aksoy', 'request 2036/14', false],
      [withdrawalId, 'withdrawal', 'customer', 'ada.aksoy', 'request 2036/14', false],
    ],
  )
  assert.deepEqual(
    (await erase([...named, ...signed], 1)).transactions.map(({ transactionId }) => transactionId),
    [open],
  )
  for (const id of [depositId, withdrawalId]) {
    const [one] = (await erase(['--transaction', id, ...signed])).transactions
    assert.deepEqual([one?.outcome, one && 'rows' in one && one.rows], ['nothing left', {}])
  }
  assert.equal((await run(['erasures', '--json'])).output, output)
})

test('the marker of an IBAN is well-formed for readers, and no one can be paid to it', async () => {
  assert.match(ERASED_IBAN, /^TR\d{24}$/)
  assert.match(ibanProblem(ERASED_IBAN) ?? '', /erased/)
  refused(await shop.post('/v1/withdraw', withdrawBody({ iban: ERASED_IBAN })), 400, 'INVALID_IBAN')
})
