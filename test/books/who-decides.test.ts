import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { App } from '../../packages/server/src/compose.ts'
import type { JournalKind, Terms } from '../../packages/server/src/domain/books/index.ts'
import { findProposal, makeProposal } from '../../packages/server/src/domain/proposals/index.ts'
import { addOperator } from '../../packages/server/src/domain/people/index.ts'
import { matchByHand } from '../../packages/server/src/domain/matching/index.ts'
import { findLine } from '../../packages/server/src/domain/statements/index.ts'
import { findEntry } from '../../packages/server/src/domain/books/journal/store.ts'
import { operatorActor, UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { makeIban } from '../../packages/server/src/kernel/iban.ts'
import { depositBody } from '../harness/examples.ts'
import type { BankLine } from '../../packages/server/src/domain/statements/index.ts'
import type { Deposit } from '../../packages/server/src/domain/deposits/index.ts'
import { findDrift, NO_MERCHANT } from '../../packages/server/src/domain/ledger/index.ts'
import { dispatchWithdrawals, findWithdrawalById } from '../../packages/server/src/domain/withdrawals/index.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { setMatching } from '../../packages/server/src/domain/merchants/index.ts'
import { AYSE, openJournal, proposeEntry } from '../harness/journal.ts'
import { openPayoutLines } from '../harness/payout-lines.ts'
import { lineFor, someDeposits } from '../harness/payments.ts'
import { startWithBank } from '../harness/payouts.ts'

const service = await startWithBank()
const { app } = service
const journal = await openJournal(app)
const shop = await service.merchantWithMoney(5_000_000n)
// A line that the bank does not know of may make any account the one that pays.
await service.fundAccounts(1_000_000)
const other = await service.merchant()
const { sent, lineAbout } = openPayoutLines(service, shop)
/** The limit of one person. A sandbox has none. */
const LIMIT = 1_000_000n
const live: App = { ...app, sandbox: false }
const SENDER = { senderName: 'Veli Can', senderIban: makeIban('0062', '77') }

async function decide(on: App, kind: JournalKind, terms: Partial<Terms>, reverses: string | null = null) {
  const said = { kind, terms: { lineIds: [], ...terms }, reverses }
  return makeProposal(on, AYSE, 'journal.entry', said, { reason: 'as the bank says' })
}

const debit = (amount: bigint, narrative = 'MASRAF') => journal.arrives('debit', amount, { senderName: '', narrative })
const credit = (amount: bigint, changes = {}) => journal.arrives('credit', amount, { ...SENDER, ...changes })

/** Completed by one line, which a person matched. */
async function credited(amount: number): Promise<{ id: string; line: string }> {
  const { body } = await shop.post('/v1/deposit', depositBody({ amount }))
  const id = body.data.transactionId as string
  const line = await credit(BigInt(amount), { senderName: 'Ayşe Yılmaz' })
  await matchByHand(app, AYSE, line, id, 'the customer called')
  return { id, line }
}

/** A deposit of this merchant, and a line on its account whose text names it. */
async function naming(merchantId: string, amount: bigint, changes: Partial<BankLine> = {}) {
  const [deposit] = await someDeposits(app, merchantId, 1, amount)
  const line = deposit && (await lineFor(app, deposit, { senderName: 'Veli Can', ...changes }))
  return { deposit, line: line ?? assert.fail() }
}

/** What the bank owes us, and a credit of as much. */
async function owed(amount: bigint, changes: Partial<BankLine>): Promise<Partial<Terms>> {
  const asked = await decide(live, 'receivable', { lineIds: [await debit(amount)] })
  const entry = asked.state === 'applied' ? asked.result : assert.fail(asked.state)
  return { lineIds: [await journal.arrives('credit', amount, changes)], settles: entry.id }
}

type Case = [what: string, people: 1 | 2, on: App, make: () => Promise<[JournalKind, Partial<Terms>]>]

const CASES: Case[] = [
  ['a charge', 1, live, async () => ['bank_charge', { lineIds: [await debit(640n)] }]],
  ['a charge of the limit', 2, live, async () => ['bank_charge', { lineIds: [await debit(LIMIT)] }]],
  ['a charge of the limit, in a sandbox', 1, app, async () => ['bank_charge', { lineIds: [await debit(LIMIT)] }]],
  ['what the bank owes us', 1, live, async () => ['receivable', { lineIds: [await debit(50_000n)] }]],
  [
    'debits that the bank owes us, each below the limit and as much together',
    2,
    live,
    async () => ['receivable', { lineIds: [await debit(LIMIT - 100n), await debit(100n)] }],
  ],
  [
    'a debit that names a deposit, called a charge',
    2,
    live,
    async () => {
      const { line } = await naming(shop.merchantId, 41_000n, { direction: 'debit' })
      return ['bank_charge', { lineIds: [await journal.arrives('debit', 0n, line)] }]
    },
  ],
  [
    'a debit that names a deposit, owed by the bank',
    2,
    live,
    async () => {
      const { line } = await naming(shop.merchantId, 42_000n, { direction: 'debit' })
      return ['receivable', { lineIds: [await journal.arrives('debit', 0n, line)] }]
    },
  ],
  ['what the bank owes us, given back', 1, live, async () => ['receivable', await owed(43_000n, SENDER)]],
  [
    'what the bank owes us, given back by the second payment of a deposit',
    2,
    live,
    async () => {
      const { deposit, line } = await naming(other.merchantId, 44_000n)
      if (deposit) await journal.arrives('credit', 0n, await lineFor(app, deposit))
      return ['receivable', await owed(44_000n, { ...line, bankReference: app.ids.next() })]
    },
  ],
  [
    'a payment for two deposits, of which one gets more than it asked for',
    2,
    live,
    async () => {
      const one = await naming(shop.merchantId, 45_000n)
      const two = await naming(other.merchantId, 100n)
      const narrative = `${one.line.narrative} ${two.line.narrative}`
      const line = await journal.arrives('credit', 45_100n, { ...one.line, amount: 45_100n, narrative })
      const parts = [
        { depositId: one.deposit?.id ?? '', amount: 100n },
        { depositId: two.deposit?.id ?? '', amount: 45_000n },
      ]
      return ['deposit_payment', { lineIds: [line], parts }]
    },
  ],
  [
    'a debit of a small payout with much more',
    2,
    live,
    async () => {
      const withdrawalId = await sent({ amount: 1_000 })
      const line = await journal.arrives('debit', 0n, await lineAbout(withdrawalId, { amount: LIMIT + 1_000n }))
      return ['receivable', { lineIds: [line], withdrawalId }]
    },
  ],
  [
    'a return less costs, which the merchant bears',
    2,
    live,
    async () => {
      const withdrawalId = await sent({ amount: 20_000 })
      await journal.arrives('debit', 0n, await lineAbout(withdrawalId, { amount: 20_000n }))
      const back = await lineAbout(withdrawalId, { direction: 'credit', amount: 19_500n })
      const lineIds = [await journal.arrives('credit', 0n, back)]
      return ['payout_return', { lineIds, withdrawalId, costsBy: 'merchant' }]
    },
  ],
  [
    'a debit of a large payout with a charge',
    1,
    live,
    async () => {
      const withdrawalId = await sent({ amount: 900_000 })
      const line = await journal.arrives('debit', 0n, await lineAbout(withdrawalId, { amount: 900_640n }))
      return ['bank_charge', { lineIds: [line], withdrawalId }]
    },
  ],
  ['a refund to who paid', 1, live, async () => ['refund_unexplained', { lineIds: [await credit(70_000n)] }]],
  [
    'a refund to an account that the bank did not name',
    2,
    app,
    async () => ['refund_unexplained', { lineIds: [await credit(70_000n)], iban: makeIban('0062', '88'), name: 'B' }],
  ],
  ['a refund of the limit', 2, live, async () => ['refund_unexplained', { lineIds: [await credit(LIMIT)] }]],
  ['what a merchant was credited', 2, app, async () => ['unmatch', { depositId: (await credited(30_000)).id }]],
  [
    'money of the bank before the first statement, which no line shows',
    2,
    app,
    async () => ['opening_balance', { accountId: journal.there.id, amount: 1n, day: '2026-01-01' }],
  ],
]

for (const [what, people, on, make] of CASES)
  test(`${what}: ${people === 1 ? 'one person' : 'two people'}`, async () => {
    const [kind, terms] = await make()
    const asked = await decide(on, kind, terms)
    if (people === 2) return assert.equal(asked.state, 'open')
    const entry = asked.state === 'applied' ? asked.result : assert.fail(asked.state)
    const stored = await findEntry(app.db, entry.id)
    assert.deepEqual([stored?.proposedBy, stored?.approvedBy], ['ayse.yilmaz', null])
    for (const id of terms.lineIds ?? []) assert.equal((await findLine(app.db, id))?.state, 'matched')
    assert.deepEqual(await findDrift(app.db), [])
  })

const matchAlone = async (line: BankLine, deposit: Deposit | undefined, received: bigint) =>
  matchByHand(live, AYSE, await journal.arrives('credit', 0n, line), deposit?.id ?? '', 'the customer called', received)

test('a line is matched to what it names: in full by one person, in part or beside another deposit by two', async () => {
  const whole = await naming(shop.merchantId, 50_000n)
  const credited = await matchAlone({ ...whole.line, amount: 51_000n }, whole.deposit, 51_000n)
  assert.equal(credited.status, 'completed')
  const short = await naming(shop.merchantId, 52_000n)
  const two = { why: 'two_people_needed' }
  await assert.rejects(matchAlone({ ...short.line, amount: 51_999n }, short.deposit, 51_999n), two)
  const beside = await naming(other.merchantId, 53_000n)
  const narrative = `${beside.line.narrative} ${short.line.narrative}`
  await assert.rejects(matchAlone({ ...beside.line, narrative }, beside.deposit, 53_000n), two)
  await setMatching(app, UNATTRIBUTED, shop.merchantId, { amount: 'accept_received' })
  const taken = await naming(shop.merchantId, 54_000n, { narrative: 'HAVALE' })
  assert.equal((await matchAlone({ ...taken.line, amount: 100n }, taken.deposit, 100n)).status, 'completed')
})

test('whatever a merchant accepts, one person gives each of several deposits what it asked for', async () => {
  const taker = await service.merchant()
  await setMatching(app, UNATTRIBUTED, taker.merchantId, { amount: 'accept_received' })
  const [one, two] = [await naming(taker.merchantId, 46_000n), await naming(taker.merchantId, 46_000n)]
  const narrative = `${one.line.narrative} ${two.line.narrative}`
  const line = await journal.arrives('credit', 0n, { ...one.line, amount: 92_000n, narrative })
  const parts = [
    { depositId: one.deposit?.id ?? '', amount: 200n },
    { depositId: two.deposit?.id ?? '', amount: 91_800n },
  ]
  assert.equal((await decide(live, 'deposit_payment', { lineIds: [line], parts })).state, 'open')
})

test('in live a refund to who paid is sent without a further approval', async () => {
  const line = await credit(71_000n)
  const asked = await decide(live, 'refund_unexplained', { lineIds: [line] })
  assert.equal(asked.state, 'applied')
  const [refund] = await app.db.query<{ id: string }>(
    sql`select id from withdrawals where merchant_id = ${NO_MERCHANT} and amount = 71000`,
  )
  await dispatchWithdrawals(live)
  const { state, stateReason } = (await findWithdrawalById(app.db, refund?.id ?? '')) ?? assert.fail()
  assert.deepEqual([state, stateReason], ['sending', null])
})

test('one person books nothing about a line while a proposal about it is open, and may ask a second one', async () => {
  const line = await debit(910n)
  const { id } = await proposeEntry(app, AYSE, {
    kind: 'bank_charge',
    terms: { lineIds: [line] },
    reason: 'price list',
  })
  await assert.rejects(decide(app, 'bank_tax', { lineIds: [line] }), { why: 'proposal_open' })
  assert.equal((await findProposal(app.db, id))?.state, 'open')
  await journal.approve(id)
  assert.equal((await findLine(app.db, line))?.reason, 'bank_charge')
})

test('who may not decide about money books nothing alone', async () => {
  await addOperator(app, UNATTRIBUTED, 'sema.sel', ['support'])
  const said = { kind: 'bank_charge' as const, terms: { lineIds: [await debit(650n)] } }
  const asked = makeProposal(live, operatorActor('sema.sel'), 'journal.entry', said, { reason: 'as the bank says' })
  await assert.rejects(asked, { why: 'operator_without_right' })
})
