import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { findDrift } from '../../packages/server/src/domain/ledger/index.ts'
import { dismissLine } from '../harness/line-proposals.ts'
import {
  decideDoubt,
  decideEnded,
  dispatchWithdrawals,
  findPayout,
  queryPayoutStatus,
  submitPayouts,
} from '../../packages/server/src/domain/withdrawals/index.ts'
import { bankApiConnection } from '../../packages/server/src/domain/connections/index.ts'
import { aWeekLater } from '../harness/crash.ts'
import { openCommandLineOf } from '../harness/command-line.ts'
import { withdrawBody } from '../harness/examples.ts'
import { mustFind } from '../harness/history.ts'
import { AYSE, MEHMET, openJournal } from '../harness/journal.ts'
import type { Reply } from '../harness/plain-bank.ts'
import { accepted, neverSeen, startPlainBank } from '../harness/plain-bank.ts'
import { startService } from '../harness/service.ts'
import { travelTo } from '../harness/until.ts'
import { refusal } from '../harness/refusals.ts'

// A bank over HTTP says "rejected" or "never seen" although its statement or an earlier answer says otherwise.
const service = await startService()
const { app } = service
const bank = await startPlainBank()
app.connections.push(bankApiConnection(bank.connection))
const shop = await service.merchant({ funds: 50_000_000n })
const journal = await openJournal(app)
const run = openCommandLineOf(service)
const WEEKS = 20 * 86_400
const rejected: Reply = { status: 200, body: { status: 'rejected', reason: 'account_closed' } }
/** Another one in every test, so that the debit of one test is not similar to the payout of another. */
let amount = 10_000

afterEach(async () => {
  bank.behave()
  amount++
  await travelTo(app, 0)
  assert.deepEqual(await findDrift(app.db), [])
})

async function work(): Promise<void> {
  while ((await dispatchWithdrawals(app)) + (await submitPayouts(app)) + (await queryPayoutStatus(app)) > 0);
}

async function sent(submit: () => Reply): Promise<string> {
  bank.behave({ submit, find: () => ({ status: 503, body: 'busy' }) })
  const { transactionId } = (await shop.post('/v1/withdraw', withdrawBody({ amount }))).body.data
  await work()
  return transactionId as string
}

/** A debit of its account and amount whose text was cut off. */
async function debitLike(id: string, changes: { amount?: bigint; narrative?: string } = {}): Promise<string> {
  const source = await app.banks.account((await findPayout(app.db, id))?.sourceAccountId ?? '')
  const accountIban = source?.iban ?? ''
  return journal.arrives('debit', BigInt(amount), { accountIban, senderName: '', narrative: 'GIDEN', ...changes })
}

async function asked(hour: number, find: Reply): Promise<void> {
  bank.behave({ find: () => find })
  await travelTo(app, hour * 3660)
  await work()
}

async function assertInDoubt(id: string, why: string | null): Promise<void> {
  const { state, stateReason } = await mustFind(app, id)
  const orders = bank.orders.filter((reference) => reference === id).length
  assert.deepEqual([state, stateReason, orders], ['unknown', why, 1])
}

const EXPLAINED: [name: string, explain: (line: string, id: string) => Promise<unknown>][] = [
  ['as a charge', (line, id) => journal.post('bank_charge', { lineIds: [line], notPayouts: [id] })],
  [
    'by dismissing it',
    async (line) => {
      for (const actor of [AYSE, MEHMET]) await dismissLine(app, actor, line, 'an error of the bank')
    },
  ],
]

for (const [name, explain] of EXPLAINED) {
  test(`a similar debit was explained ${name}: rejected and never seen are not believed, two people end it`, async () => {
    const id = await sent(() => 'reset')
    await explain(await debitLike(id), id)
    await asked(1, rejected)
    await assertInDoubt(id, 'similar_debit_on_statement')
    await asked(3, neverSeen)
    await assertInDoubt(id, 'similar_debit_on_statement')
    assert.match((await run(['withdrawal', 'show', id])).output, /may be its debit, although two people said otherwise/)
    for (const actor of [AYSE, MEHMET])
      await decideDoubt(aWeekLater(app), actor, id, {
        verdict: 'not_found',
        evidence: 'asked the bank',
        unproven: true,
      })
    assert.equal((await mustFind(app, id)).state, 'failed')
  })
}

test('an unexplained line names it: rejected is not believed until the line is explained', async () => {
  const id = await sent(() => 'reset')
  const line = await debitLike(id, { amount: 1n, narrative: `Para cekme ${id}` })
  await asked(1, rejected)
  await assertInDoubt(id, 'named_on_statement')
  assert.match(
    (await run(['withdrawal', 'show', id])).output,
    new RegExp(`rejected \\(account_closed\\), but.*${line}`),
  )
})

test('an unexplained debit may be its own: rejected is not believed', async () => {
  const id = await sent(() => 'reset')
  await debitLike(id)
  await asked(1, rejected)
  await assertInDoubt(id, 'similar_debit_on_statement')
})

const HAS_ORDER: [name: string, reply: () => Reply][] = [
  ['accepted with another amount', () => ({ status: 200, body: { ...said, amount: amount + 1 } })],
  ['accepted with another recipient', () => ({ status: 200, body: { ...said, toIban: 'TR330006100519786457841326' } })],
  ['accepted with another reference', () => ({ status: 200, body: { ...said, reference: 'B-1' } })],
  ['accepted in another currency', () => ({ status: 200, body: { ...said, currency: 'EUR' } })],
  ['accepted without a reference of its own', () => ({ status: 200, body: { status: 'accepted' } })],
  ['pending with another amount', () => ({ status: 200, body: { status: 'pending', amount: amount + 1 } })],
  ['refused as a duplicate', () => ({ status: 200, body: { status: 'rejected', reason: 'duplicate_reference' } })],
  ['HTTP 409 as a duplicate', () => ({ status: 409, body: { error: 'already_exists' } })],
  ['HTTP 400 with the status accepted', () => ({ status: 400, body: { status: 'accepted' } })],
]
const said = { status: 'accepted', bankReference: 'B-1' }

for (const [name, reply] of HAS_ORDER) {
  test(`${name}, then never seen or rejected: it had the order, so nothing is sent again or given back`, async () => {
    const id = await sent(reply)
    await asked(1, neverSeen)
    await assertInDoubt(id, null)
    await asked(3, rejected)
    await assertInDoubt(id, null)
    await asked(5, accepted)
    assert.equal((await mustFind(app, id)).state, 'sent')
  })
}

test('pending, then rejected: an ordinary refusal', async () => {
  const id = await sent(() => ({ status: 200, body: { status: 'pending' } }))
  await asked(1, rejected)
  assert.equal((await mustFind(app, id)).state, 'failed')
})

test('sent again after a doubt: the reason of the doubt is gone', async () => {
  const id = await sent(() => 'reset')
  const line = await debitLike(id)
  await asked(1, neverSeen)
  await assertInDoubt(id, 'similar_debit_on_statement')
  bank.behave()
  const { transactionId: other } = (await shop.post('/v1/withdraw', withdrawBody({ amount }))).body.data
  await work()
  assert.equal((await run(['line', 'sent', line, '--withdrawal', other as string, '--as', 'ayse.yilmaz'])).code, 0)
  bank.behave({ find: () => neverSeen, submit: () => 'reset' })
  await travelTo(app, 3 * 3660)
  await work()
  assert.deepEqual(
    [(await mustFind(app, id)).stateReason, (await findPayout(app.db, id))?.reason, bank.orders.at(-1)],
    [null, null, id],
  )
})

test('the payout was refused after the proposal that a debit is not its own: the approval is refused', async () => {
  const id = await sent(() => 'reset')
  const line = await debitLike(id)
  const proposed = await journal.propose('bank_charge', { lineIds: [line], notPayouts: [id] })
  for (const actor of [AYSE, MEHMET])
    await decideDoubt(aWeekLater(app), actor, id, { verdict: 'not_found', evidence: 'asked the bank', unproven: true })
  const refused = refusal('payout_like_no_line', { withdrawal: id, state: 'failed' })
  await assert.rejects(journal.approve(proposed.id), refused)
})

test('a debit like a completed payout without one is not explained as something else by mistake', async () => {
  const id = await sent(() => accepted)
  const line = await debitLike(id)
  await assert.rejects(journal.propose('bank_charge', { lineIds: [line] }), {
    said: {
      why: 'line_like_debit_of_payout',
      facts: { line, withdrawal: id, like: 'amount', isOpen: false, has: 'all' },
    },
  })
  await journal.post('bank_charge', { lineIds: [line], notPayouts: [id] })
  await travelTo(app, WEEKS)
  const never = (as: string) =>
    run(['withdrawal', 'resolve', id, '--as', as, '--never-paid', 'the bank says that it failed'])
  assert.match((await never('ayse.yilmaz')).output, new RegExp(`Careful: bank line ${line} may be its debit`))
  const second = (await never('mehmet.kaya')).output
  assert.match(second, /returned[\s\S]*Careful/)
})

test('what the first person said of an ended payout is shown in their words', async () => {
  const id = await sent(() => accepted)
  await travelTo(app, WEEKS)
  await decideEnded(app, AYSE, id, { verdict: 'paid', evidence: 'receipt of the recipient' })
  const { output } = await run(['withdrawal', 'show', id, '--as', 'ayse.yilmaz'])
  assert.match(output, /ayse\.yilmaz: paid without a debit, receipt/)
  assert.doesNotMatch(output, /not found/)
})
