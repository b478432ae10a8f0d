import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { UNATTRIBUTED, operatorActor } from '../../packages/server/src/kernel/actor.ts'
import { balanceOf, findDrift } from '../../packages/server/src/domain/ledger/index.ts'
import { addOperator, DECIDING } from '../../packages/server/src/domain/people/index.ts'
import { bankApiConnection } from '../../packages/server/src/domain/connections/index.ts'
import type { BankLine } from '../../packages/server/src/domain/statements/index.ts'
import { decideCorrection } from '../../packages/server/src/domain/matching/index.ts'
import { findLine, idsNaming, listLines } from '../../packages/server/src/domain/statements/index.ts'
import {
  queryPayoutStatus,
  decideDoubt,
  dispatchWithdrawals,
  findPayout,
  submitPayouts,
  callsOf,
} from '../../packages/server/src/domain/withdrawals/index.ts'
import { aWeekLater } from '../harness/crash.ts'
import { withdrawBody } from '../harness/examples.ts'
import { matchAll, ingest } from '../harness/payments.ts'
import { neverSeen, startPlainBank } from '../harness/plain-bank.ts'
import { startService } from '../harness/service.ts'
import { mustFind } from '../harness/history.ts'
import { travelTo } from '../harness/until.ts'
import { istanbul } from '../../packages/server/src/kernel/istanbul.ts'

// A bank that pays what it does not answer, and whose search never finds it: only its statement shows the debit.
const service = await startService()
const { app } = service
const bank = await startPlainBank()
app.connections.push(bankApiConnection(bank.connection))
const shop = await service.merchant({ funds: 5_000_000n })
const accounts = (await app.banks.accounts()).filter(({ currency }) => currency === 'TRY')
const operators = ['ada.aksoy', 'bora.boz']
for (const name of operators) await addOperator(app, UNATTRIBUTED, name, DECIDING)
const HOUR = 3600
const AMOUNT = 10_000n

afterEach(async () => {
  bank.behave()
  await travelTo(app, 0)
  assert.deepEqual(await findDrift(app.db), [])
})

const ordersOf = (id: string) => bank.orders.filter((reference) => reference === id).length
const available = async () => (await balanceOf(app.db, shop.merchantId, 'TRY')).available

async function work(): Promise<void> {
  while ((await dispatchWithdrawals(app)) + (await submitPayouts(app)) + (await queryPayoutStatus(app)) > 0);
}

async function ask(): Promise<string> {
  return (await shop.post('/v1/withdraw', withdrawBody({ amount: Number(AMOUNT) }))).body.data.transactionId as string
}

/** Sent once; the bank has paid, did not answer, and does not find it when asked. */
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
  assert.equal(ordersOf(id), 1)
  return id
}

const sourceOf = async (id: string) => (await findPayout(app.db, id))?.sourceAccountId

async function debit(id: string, changes: Partial<BankLine> = {}): Promise<void> {
  const source = await app.banks.account((await sourceOf(id)) ?? accounts[0]?.id ?? '')
  const now = app.clock.now()
  await ingest(app, [
    {
      accountIban: source?.iban ?? '',
      bankReference: app.ids.next(),
      amount: AMOUNT,
      direction: 'debit',
      valueDate: istanbul(now).day,
      bookedAt: now,
      senderName: '',
      senderIban: null,
      narrative: `Para cekme ${id}`,
      ...changes,
    },
  ])
}

async function arrives(id: string, changes: Partial<BankLine> = {}): Promise<void> {
  await debit(id, changes)
  await matchAll(app)
}

/** In doubt with its reason, and sent no more, however often the bank is asked. */
async function assertInDoubt(id: string, orders: number): Promise<void> {
  for (const hours of [1, 2, 3, 4]) {
    await travelTo(app, hours * (HOUR + 60))
    await work()
  }
  const { state, stateReason } = await mustFind(app, id)
  assert.deepEqual([state, stateReason, ordersOf(id)], ['unknown', 'named_on_statement', orders])
  assert.equal((await findPayout(app.db, id))?.state, 'asking')
}

async function resolve(id: string, verdict: 'found' | 'not_found'): Promise<void> {
  for (const operator of operators)
    await decideDoubt(aWeekLater(app), operatorActor(operator), id, {
      verdict,
      evidence: 'dekont 123456',
      unproven: true,
      notLines: await idsNaming(app.db, id),
    })
}

const DIFFERS: [name: string, changes: (source?: string) => Partial<BankLine>][] = [
  ['5 kuruş more', () => ({ amount: AMOUNT + 5n })],
  ['5 kuruş less', () => ({ amount: AMOUNT - 5n })],
  [
    'another account of ours',
    (source) => ({ accountIban: accounts.find(({ id }) => id !== source)?.iban ?? assert.fail() }),
  ],
]

for (const [name, changes] of DIFFERS) {
  test(`the statement shows the debit with ${name}: not sent again; two people end it`, async () => {
    const id = await sentInSilence()
    await arrives(id, changes(await sourceOf(id)))
    await assertInDoubt(id, 1)
    const words = (await callsOf(app.db, shop.merchantId, id)).map(({ detail }) => JSON.stringify(detail)).join('\n')
    for (const part of [
      /"doubt_on_statement"/,
      /"statement_line_names"/,
      /"direction":"debit"/,
      /"state":"needs_review"/,
    ])
      assert.match(words, part)
    await resolve(id, 'found')
    assert.equal((await mustFind(app, id)).status, 'completed')
  })
}

for (const separator of [' ', '.', '-', '\n', ' - ']) {
  test(`the debit's id is broken by ${JSON.stringify(separator)}: it settles the payout`, async () => {
    const id = await sentInSilence()
    await arrives(id, { narrative: `PARA CEKME ${id.slice(0, 14)}${separator}${id.slice(14)} FAST` })
    await travelTo(app, HOUR)
    await work()
    assert.deepEqual([(await mustFind(app, id)).status, ordersOf(id)], ['completed', 1])
  })
}

test('a debit that names two payouts: neither is sent again', async () => {
  const [one, other] = [await sentInSilence(), await sentInSilence()]
  await arrives(one, { narrative: `${one} ${other}` })
  await assertInDoubt(one, 1)
  await assertInDoubt(other, 1)
  for (const id of [one, other]) await resolve(id, 'found')
})

test('a debit that is read and not judged yet: the payout is not sent meanwhile', async () => {
  const id = await sentInSilence()
  await debit(id)
  await travelTo(app, HOUR)
  await work()
  assert.equal(ordersOf(id), 1)
  await matchAll(app)
  assert.equal((await mustFind(app, id)).status, 'completed')
})

test('written down, not sent yet, and a debit names it: it is not sent', async () => {
  const before = await available()
  const id = await ask()
  await dispatchWithdrawals(app)
  await arrives(id)
  await assertInDoubt(id, 0)
  await resolve(id, 'not_found')
  assert.deepEqual([(await mustFind(app, id)).status, await available()], ['failed', before])
})

test('no payout yet, and a debit names the withdrawal: when its hour comes it is in doubt and not sent', async () => {
  const before = await available()
  const id = await ask()
  await arrives(id)
  const line = (await listLines(app.db, 'needs_review', 100)).find(
    ({ candidateWithdrawalId }) => candidateWithdrawalId === id,
  )
  assert.equal(line?.reason, 'outgoing')
  await assertInDoubt(id, 0)
  await resolve(id, 'not_found')
  assert.deepEqual([(await mustFind(app, id)).status, await available()], ['failed', before])
})

test('the debit of a payout is booked again under another date: a person ends it as the same money', async () => {
  const id = await sentInSilence()
  await arrives(id)
  assert.equal((await mustFind(app, id)).status, 'completed')
  await arrives(id, { valueDate: '2026-01-02' })
  const twice = (await listLines(app.db, 'needs_review', 100)).find(
    ({ candidateWithdrawalId }) => candidateWithdrawalId === id,
  )
  assert.equal(twice?.reason, 'payout_line_twice')
  await assert.rejects(decideCorrection(app, operatorActor('ada.aksoy'), twice?.id ?? '', 'replaces'), {
    why: 'line_not_repeat',
  })
  await decideCorrection(app, operatorActor('ada.aksoy'), twice?.id ?? '', 'same_money')
  assert.equal((await findLine(app.db, twice?.id ?? ''))?.state, 'dismissed')
  await decideCorrection(app, operatorActor('bora.boz'), twice?.id ?? '', 'new_money')
  await matchAll(app)
  assert.equal((await findLine(app.db, twice?.id ?? ''))?.reason, 'payout_line_twice')
})

test('a debit that names none of ours holds up no one', async () => {
  const id = await ask()
  // An id of before this deployment: one that it could have given would say that the database has lost a payout.
  await arrives(id, { narrative: 'Para cekme 5f00000000000000000000aa' })
  await work()
  assert.deepEqual([(await mustFind(app, id)).status, ordersOf(id)], ['completed', 1])
})
