import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { UNATTRIBUTED, operatorActor } from '../../packages/server/src/kernel/actor.ts'
import { findDrift } from '../../packages/server/src/domain/ledger/index.ts'
import { addOperator, DECIDING } from '../../packages/server/src/domain/people/index.ts'
import { bankApiConnection, fetchLines } from '../../packages/server/src/domain/connections/index.ts'
import { idsNaming, listLines } from '../../packages/server/src/domain/statements/index.ts'
import {
  queryPayoutStatus,
  decideDoubt,
  dispatchWithdrawals,
  findPayout,
  submitPayouts,
  callsOf,
} from '../../packages/server/src/domain/withdrawals/index.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { aWeekLater } from '../harness/crash.ts'
import { openCommandLineOf } from '../harness/command-line.ts'
import { withdrawBody } from '../harness/examples.ts'
import { matchAll, untilDone } from '../harness/payments.ts'
import { neverSeen, startPlainBank } from '../harness/plain-bank.ts'
import { startService } from '../harness/service.ts'
import { mustFind } from '../harness/history.ts'
import { travelTo } from '../harness/until.ts'
import { istanbul } from '../../packages/server/src/kernel/istanbul.ts'

// A bank that pays what it does not answer and then has "never seen" it. Anything on its statement that names the payout, however
// it is written and whatever was made of it, must keep the payout from being sent again.
const service = await startService()
const { app } = service
const bank = await startPlainBank()
const connection = bankApiConnection(bank.connection)
app.connections.push(connection)
const shop = await service.merchant({ funds: 5_000_000n })
const account = (await app.banks.accounts()).find(({ currency }) => currency === 'TRY')
const operators = ['ada.aksoy', 'bora.boz']
for (const name of operators) await addOperator(app, UNATTRIBUTED, name, DECIDING)
const run = openCommandLineOf(service)
const AMOUNT = 10_000
let cursor = 0

// What cannot be booked: the database refuses to give these lines to their payouts.
const UNBOOKABLE = 'bozuk'
await app.db.query(sql`
  create function refuse_for_test() returns trigger language plpgsql as $$
  begin raise exception 'made to fail' using errcode = '23514'; end $$`)
await app.db.query(sql`
  create trigger refuse_for_test before update on bank_lines for each row
  when (new.state = 'matched' and new.bank_reference like 'bozuk%') execute function refuse_for_test()`)

afterEach(async () => {
  bank.behave()
  await travelTo(app, 0)
  assert.deepEqual(await findDrift(app.db), [])
})

const work = () =>
  untilDone(async () => (await dispatchWithdrawals(app)) + (await submitPayouts(app)) + (await queryPayoutStatus(app)))

async function ask(): Promise<string> {
  return (await shop.post('/v1/withdraw', withdrawBody({ amount: AMOUNT }))).body.data.transactionId as string
}

/** Paid, not answered, and not found when asked. */
async function sentInSilence(): Promise<string> {
  bank.behave({
    submit: (_, pay) => {
      pay()
      return 'reset'
    },
    find: () => neverSeen,
  })
  const id = await ask()
  await work()
  return id
}

async function shows(id: string, changes: object): Promise<void> {
  const source = await app.banks.account((await findPayout(app.db, id))?.sourceAccountId ?? account?.id ?? '')
  const now = app.clock.now().toISOString()
  const line = {
    account: source?.iban,
    reference: app.ids.next(),
    amount: AMOUNT,
    direction: 'debit',
    valueDate: istanbul(new Date(now)).day,
    bookedAt: now,
    senderName: '',
    senderIban: null,
    narrative: `Para cekme ${id}`,
    ...changes,
  }
  bank.behave({
    find: () => neverSeen,
    statement: () => ({ status: 200, body: { lines: [line], cursor: String(++cursor), more: false } }),
  })
  await untilDone(() => fetchLines(app, connection))
  await matchAll(app)
}

/** However often the bank says that it never saw it. */
async function assertNotSentAgain(id: string, orders: number): Promise<void> {
  for (const hours of [1, 2, 3, 4]) {
    await travelTo(app, hours * 3660)
    await work()
  }
  const { state, stateReason } = await mustFind(app, id)
  const sent = bank.orders.filter((reference) => reference === id).length
  assert.deepEqual([state, stateReason, sent], ['unknown', 'named_on_statement', orders])
}

const NOT_FOUND = { verdict: 'not_found' as const, evidence: 'asked the bank', unproven: true }
const elsewhere = 'TR330006100519786457841326'
const EVIDENCE: [name: string, changes: (id: string) => object][] = [
  ['a debit that cannot be booked', () => ({ reference: UNBOOKABLE + app.ids.next() })],
  ['a debit with its amount as text', () => ({ amount: '100.00' })],
  ['a debit in another currency', () => ({ currency: 'USD' })],
  ['a debit without a number', () => ({ reference: null })],
  [
    'an unread debit whose id is cut by a line break',
    (id) => ({ amount: '1', narrative: `${id.slice(0, 12)}\n${id.slice(12).toUpperCase()}` }),
  ],
  ['an unread debit that names it in another field', (id) => ({ amount: null, narrative: '', endToEndId: id })],
  ['its return before its debit', () => ({ direction: 'credit' })],
  ['a part of its return', () => ({ direction: 'credit', amount: AMOUNT - 500 })],
  ['a return from someone else', () => ({ direction: 'credit', senderIban: elsewhere })],
  ['the other side', () => ({ account: elsewhere, direction: 'credit', senderIban: account?.iban })],
]

for (const [name, changes] of EVIDENCE) {
  test(`the statement shows ${name}: "never seen" is not believed; two people end it, and are warned`, async () => {
    const id = await sentInSilence()
    await shows(id, changes(id))
    await assertNotSentAgain(id, 1)
    const words = (await callsOf(app.db, shop.merchantId, id)).map(({ detail }) => JSON.stringify(detail)).join('\n')
    assert.match(words, /"doubt_on_statement"/)
    const { output } = await run(['withdrawal', 'show', id])
    assert.match(output, /(bank line|unread line) \S+ names it/)
    assert.match((await run(['find', id])).output, /names the withdrawal/)
    await travelTo(app, 7 * 86_400)
    const notLines = await idsNaming(app.db, id)
    const [line = assert.fail('no line')] = notLines
    await assert.rejects(decideDoubt(app, operatorActor('ada.aksoy'), id, NOT_FOUND), {
      code: 'INVALID_STATE',
      said: { why: 'payout_on_statement', facts: { line, withdrawal: id } },
    })
    await decideDoubt(app, operatorActor('ada.aksoy'), id, { ...NOT_FOUND, notLines })
    const says = ['withdrawal', 'resolve', id, '--as', 'bora.boz', '--not-found', 'asked the bank', '--unproven']
    const blind = await run(says)
    assert.match(blind.errors, new RegExp(`--not-line=${line}`), 'the second must have seen it, too')
    const ended = await run([...says, ...notLines.map((one) => `--not-line=${one}`)])
    assert.match(ended.output, /The payout: failed[\s\S]*Careful: (bank line|unread line) \S+ names it/)
  })
}

for (const [name, changes] of EVIDENCE) {
  test(`${name} is on the statement before the first sending: it is not sent`, async () => {
    const id = await ask()
    await untilDone(() => dispatchWithdrawals(app))
    await shows(id, changes(id))
    await assertNotSentAgain(id, 0)
    await assert.rejects(decideDoubt(aWeekLater(app), operatorActor('ada.aksoy'), id, NOT_FOUND), {
      why: 'payout_on_statement',
    })
    const said = { ...NOT_FOUND, notLines: await idsNaming(app.db, id) }
    for (const operator of operators) await decideDoubt(aWeekLater(app), operatorActor(operator), id, said)
  })
}

test('a debit that cannot be booked shows which payout it names', async () => {
  const id = await sentInSilence()
  await shows(id, { reference: UNBOOKABLE + app.ids.next() })
  const line = (await listLines(app.db, 'needs_review', 100)).find(
    ({ candidateWithdrawalId }) => candidateWithdrawalId === id,
  )
  assert.equal(line?.reason, 'cannot_be_booked')
})

test('a credit that names a withdrawal without a payout: when its turn comes it is not sent', async () => {
  const id = await ask()
  await shows(id, { direction: 'credit' })
  await assertNotSentAgain(id, 0)
})

test('what names another payout holds up no one', async () => {
  const other = await sentInSilence()
  await shows(other, { currency: 'USD' })
  bank.behave()
  const id = await ask()
  await work()
  assert.equal((await mustFind(app, id)).status, 'completed')
})
