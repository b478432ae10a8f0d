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
import { AYSE, openJournal, proposeEntry } from '../harness/journal.ts'
import { startService } from '../harness/service.ts'

const service = await startService()
const { app } = service
const journal = await openJournal(app)
const shop = await service.merchant()
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
    await journal.assertSound()
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
