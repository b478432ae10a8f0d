import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { UNATTRIBUTED, operatorActor } from '../../packages/server/src/kernel/actor.ts'
import { findDrift } from '../../packages/server/src/domain/ledger/index.ts'
import { addOperator, DECIDING } from '../../packages/server/src/domain/people/index.ts'
import { bankApiConnection } from '../../packages/server/src/domain/connections/index.ts'
import type { BankLine } from '../../packages/server/src/domain/statements/index.ts'
import { listLines } from '../../packages/server/src/domain/statements/index.ts'
import { debitByHand } from '../../packages/server/src/domain/matching/index.ts'
import {
  dispatchWithdrawals,
  findPayout,
  queryPayoutStatus,
  submitPayouts,
} from '../../packages/server/src/domain/withdrawals/index.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { DAY_MS } from '../../packages/server/src/platform/time/clock.ts'
import { openCommandLineOf } from '../harness/command-line.ts'
import { withdrawBody } from '../harness/examples.ts'
import { matchAll, ingest } from '../harness/payments.ts'
import { neverSeen, startPlainBank } from '../harness/plain-bank.ts'
import { startService } from '../harness/service.ts'
import { mustFind } from '../harness/history.ts'
import { travelTo } from '../harness/until.ts'
import { istanbul } from '../../packages/server/src/kernel/istanbul.ts'

// A bank that pays what it does not answer, has "never seen" it, and cuts the text of its debit: the id is not to be recognised.
const service = await startService()
const { app } = service
const bank = await startPlainBank()
app.connections.push(bankApiConnection(bank.connection))
const shop = await service.merchant({ funds: 50_000_000n })
const accounts = (await app.banks.accounts()).filter(({ currency }) => currency === 'TRY')
const ada = operatorActor('ada.aksoy')
for (const name of ['ada.aksoy', 'bora.boz']) await addOperator(app, UNATTRIBUTED, name, DECIDING)
const run = openCommandLineOf(service)
const RECIPIENT = withdrawBody().iban
/** Another one in every test, so that the debit of one test is not similar to the payout of another. */
let amount = 10_000

afterEach(async () => {
  bank.behave()
  amount++
  await travelTo(app, 0)
  assert.deepEqual(await findDrift(app.db), [])
})

const ordersOf = (id: string) => bank.orders.filter((reference) => reference === id).length

async function work(): Promise<void> {
  while ((await dispatchWithdrawals(app)) + (await submitPayouts(app)) + (await queryPayoutStatus(app)) > 0);
}

async function ask(): Promise<string> {
  return (await shop.post('/v1/withdraw', withdrawBody({ amount }))).body.data.transactionId as string
}

async function sentInSilence(): Promise<string> {
  bank.behave({ submit: () => 'reset', find: () => neverSeen })
  const id = await ask()
  await work()
  return id
}

async function cutDebit(id: string, changes: Partial<BankLine> = {}): Promise<void> {
  const source = await app.banks.account((await findPayout(app.db, id))?.sourceAccountId ?? '')
  const now = app.clock.now()
  const line: BankLine = {
    accountIban: source?.iban ?? '',
    bankReference: app.ids.next(),
    amount: BigInt(amount),
    direction: 'debit',
    valueDate: istanbul(now).day,
    bookedAt: now,
    senderName: '',
    senderIban: null,
    narrative: `Para cekme ${id.slice(0, 19)}`,
    ...changes,
  }
  await ingest(app, [line])
}

async function hoursPass(...hours: number[]): Promise<void> {
  for (const hour of hours) {
    await travelTo(app, hour * 3660)
    await work()
  }
}

async function assertInDoubt(id: string): Promise<void> {
  const { state, stateReason } = await mustFind(app, id)
  assert.deepEqual([state, stateReason, ordersOf(id)], ['unknown', 'similar_debit_on_statement', 1])
}

const lineOf = async () => {
  const line = (await listLines(app.db, undefined, 100)).find((one) => one.amount === BigInt(amount))
  return line ?? assert.fail('no line has this amount')
}

const SIMILAR: [name: string, changes: (id: string) => Promise<Partial<BankLine>> | Partial<BankLine>][] = [
  ['without a recipient', () => ({})],
  ['to its recipient', () => ({ senderIban: RECIPIENT })],
  [
    'to its recipient, written otherwise',
    () => ({ senderIban: `${RECIPIENT.toLowerCase().slice(0, 4)} ${RECIPIENT.slice(4)}` }),
  ],
  ['with a recipient that is no IBAN', () => ({ senderIban: `${RECIPIENT.slice(0, 6)}****1296` })],
  [
    'with our own account as recipient',
    async (id) => ({
      senderIban: (await app.banks.account((await findPayout(app.db, id))?.sourceAccountId ?? ''))?.iban ?? '',
    }),
  ],
  ['dated the day before', () => ({ bookedAt: new Date(app.clock.now().getTime() - DAY_MS + 60_000) })],
]

for (const [name, changes] of SIMILAR) {
  test(`a debit of its amount and account ${name}: "never seen" is not believed, two people end it`, async () => {
    const id = await sentInSilence()
    await cutDebit(id, await changes(id))
    await matchAll(app)
    await hoursPass(1, 2, 3)
    await assertInDoubt(id)
    const { id: lineId, state, reason } = await lineOf()
    assert.deepEqual([state, reason], ['needs_review', 'outgoing'])
    const { output } = await run(['withdrawal', 'show', id])
    assert.match(output, new RegExp(`bank line ${lineId} may be its debit`))
    assert.match((await run(['payout', 'list'])).output, new RegExp(`${id} .*similar_debit_on_statement`))
    const found = (as: string) => run(['withdrawal', 'resolve', id, '--as', as, '--found', '0012345678'])
    await found('ada.aksoy')
    assert.match((await found('bora.boz')).output, /sent/)
    await debitByHand(app, ada, lineId, id)
    assert.equal((await findPayout(app.db, id))?.state, 'sent')
    assert.doesNotMatch((await run(['withdrawal', 'show', id])).output, /^on a statement/m)
  })
}

test('who says that it was not found is warned of the debit', async () => {
  const id = await sentInSilence()
  await cutDebit(id)
  await matchAll(app)
  await travelTo(app, 7 * 86_400)
  const notFound = (as: string) =>
    run(['withdrawal', 'resolve', id, '--as', as, '--not-found', 'asked the bank', '--unproven'])
  await notFound('ada.aksoy')
  assert.match((await notFound('bora.boz')).output, /failed[\s\S]*Careful: bank line \S+ may be its debit/)
})

const OTHER: [name: string, changes: () => Promise<Partial<BankLine>> | Partial<BankLine>][] = [
  ['that names another withdrawal', async () => ({ narrative: `Para cekme ${await ask()}` })],
  ['of another amount', () => ({ amount: BigInt(amount) + 5_000_000n })],
  ['to someone else', () => ({ senderIban: 'TR330006100519786457841326' })],
  ['from before it was sent', () => ({ bookedAt: new Date(app.clock.now().getTime() - DAY_MS - 60_000) })],
  ['on another account', () => ({ accountIban: accounts.at(-1)?.iban ?? '' })],
  ['that is a credit', () => ({ direction: 'credit' })],
]

for (const [name, changes] of OTHER) {
  test(`a line ${name} keeps no payout: it is sent again`, async () => {
    const id = await sentInSilence()
    await cutDebit(id, await changes())
    await matchAll(app)
    bank.behave({ find: () => neverSeen })
    await hoursPass(1)
    assert.deepEqual([(await mustFind(app, id)).state, ordersOf(id)], ['sent', 2])
  })
}

test('read after "never seen" and before the second sending, and not yet matched: it is not sent', async () => {
  const id = await sentInSilence()
  await travelTo(app, 3660)
  await queryPayoutStatus(app)
  assert.equal((await findPayout(app.db, id))?.state, 'ready')
  await cutDebit(id)
  await work()
  await assertInDoubt(id)
  await matchAll(app)
  await hoursPass(3, 5)
  await assertInDoubt(id)
})

test('a first sending is not kept by a debit of its amount', async () => {
  bank.behave()
  const id = await ask()
  await dispatchWithdrawals(app)
  await cutDebit(id)
  await matchAll(app)
  await work()
  assert.deepEqual([(await mustFind(app, id)).state, ordersOf(id)], ['sent', 1])
})

test('the debit turns out to be that of another payout, or no separate money: the payout goes on', async () => {
  for (const explain of ['another payout', 'dismissed']) {
    bank.behave()
    const other = await ask()
    await work()
    const id = await sentInSilence()
    await cutDebit(id)
    await matchAll(app)
    await hoursPass(1, 2)
    await assertInDoubt(id)
    const line = await lineOf()
    if (explain === 'another payout') await debitByHand(app, ada, line.id, other)
    else await app.db.query(sql`update bank_lines set state = 'dismissed' where id = ${line.id}`)
    bank.behave({ find: () => neverSeen })
    await hoursPass(4)
    assert.deepEqual([(await mustFind(app, id)).state, ordersOf(id)], ['sent', 2])
    await travelTo(app, 0)
    amount++
  }
})
