import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { operatorActor, UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { bankCash, findDrift } from '../../packages/server/src/domain/ledger/index.ts'
import { debitByHand, listWithoutDebit, returnByHand } from '../../packages/server/src/domain/matching/index.ts'
import { dismissLine } from '../harness/line-proposals.ts'
import { decideEnded, decideDoubt, findPayout, insertCall } from '../../packages/server/src/domain/withdrawals/index.ts'
import { addOperator, DECIDING } from '../../packages/server/src/domain/people/index.ts'
import type { BankLine } from '../../packages/server/src/domain/statements/index.ts'
import { listLines } from '../../packages/server/src/domain/statements/index.ts'
import { openCommandLineOf } from '../harness/command-line.ts'
import { ingest, matchAll } from '../harness/payments.ts'
import { AMOUNT, openPayoutLines } from '../harness/payout-lines.ts'
import { startWithBank } from '../harness/payouts.ts'
import { mustFind, checkHistory } from '../harness/history.ts'
import { travelTo } from '../harness/until.ts'

// The bank accepted a payout, and its money never left. Statements of the simulated bank are not read here.
const service = await startWithBank()
const { app } = service
for (const name of ['ayse', 'mehmet', 'zeynep']) await addOperator(app, UNATTRIBUTED, name, DECIDING)
const [AYSE, MEHMET] = [operatorActor('ayse'), operatorActor('mehmet')]
const shop = await service.merchantWithMoney(5_000_000n, { withdrawFee: { bps: 100 } })
const { sent, lineAbout, available, faults } = openPayoutLines(service, shop)
const run = openCommandLineOf(service)
const WEEKS = 20 * 86_400
const EVIDENCE = 'the bank says rejected'

afterEach(async () => {
  await service.call('DELETE', 'faults')
  await travelTo(app, 0)
  assert.deepEqual(await findDrift(app.db), [])
})

const cash = async () => (await bankCash(app.db)).reduce((total, { amount }) => total + amount, 0n)
const decide = (actor: typeof AYSE, id: string, verdict: 'never_paid' | 'paid' = 'never_paid') =>
  decideEnded(app, actor, id, { verdict, evidence: EVIDENCE })

async function neverPaid(): Promise<string> {
  const id = await sent()
  await travelTo(app, WEEKS)
  for (const actor of [AYSE, MEHMET]) await decide(actor, id)
  return id
}

async function arrives(line: BankLine): Promise<string> {
  await ingest(app, [line])
  await matchAll(app)
  const stored = (await listLines(app.db, undefined, 100)).find((one) => one.bankReference === line.bankReference)
  return stored?.id ?? assert.fail('no line')
}

test('accepted, and no debit after two business days: two people give the money back, as for a return', async () => {
  const [before, cashBefore] = [await available(), await cash()]
  const id = await sent()
  await assert.rejects(decide(AYSE, id), { why: 'payout_debit_may_come' })
  await travelTo(app, WEEKS)
  assert.equal(await decide(AYSE, id), 'waiting for a second person')
  await assert.rejects(decide(AYSE, id), {
    said: { why: 'opinion_given_already', facts: { person: 'ayse', needs: 'second' } },
  })
  assert.equal((await mustFind(app, id)).state, 'sent')
  assert.equal(await decide(MEHMET, id), 'returned')
  const { status, state, fee } = await mustFind(app, id)
  assert.deepEqual([status, state, (await checkHistory(app, id)).at(-1)], ['completed', 'returned', 'returned'])
  assert.deepEqual([await available(), await cash()], [before - fee, cashBefore])
  assert.deepEqual([(await findPayout(app.db, id))?.reason, await listWithoutDebit(app, 10)], ['never_paid', []])
  await assert.rejects(decide(operatorActor('zeynep'), id), {
    said: { why: 'payout_unsent', facts: { state: 'returned', withdrawal: id, money: 'merchant' } },
  })
})

test('who said found while it was in doubt may say never paid later', async () => {
  await faults('error_after')
  const id = await sent()
  const found = { verdict: 'found' as const, evidence: 'BR-0012345' }
  for (const actor of [AYSE, MEHMET]) await decideDoubt(app, actor, id, found)
  await travelTo(app, WEEKS)
  for (const actor of [AYSE, MEHMET]) await decide(actor, id)
  assert.equal((await findPayout(app.db, id))?.state, 'returned')
})

const openLine = (line: string, withdrawal: string) => ({
  why: 'payout_line_unexplained',
  facts: { line, isUnread: false, withdrawal },
})

test('refused while a debit could be its: the same account and amount, or its name on a line', async () => {
  const id = await sent()
  await travelTo(app, WEEKS)
  const [equal, naming] = [
    await arrives(await lineAbout(id, { narrative: 'CEKME' })),
    await arrives(await lineAbout(id, { amount: 1n })),
  ]
  for (const line of [equal, naming]) {
    await assert.rejects(decide(AYSE, id), { said: openLine(line, id) })
    for (const actor of [AYSE, MEHMET]) await dismissLine(app, actor, line, 'not a booking')
  }
  assert.equal(await decide(AYSE, id), 'waiting for a second person')
  await service.readStatement()
  await assert.rejects(decide(MEHMET, id), { why: 'payout_debit_known' })
})

test('its debit appears afterwards: it needs review and names the payout; its return cancels it', async () => {
  const id = await neverPaid()
  const [before, cashBefore] = [await available(), await cash()]
  const debit = await arrives(await lineAbout(id, {}))
  const shown = async () => {
    const { state, reason, candidateWithdrawalId } =
      (await listLines(app.db, undefined, 100)).find((line) => line.id === debit) ?? {}
    return [state, reason, candidateWithdrawalId]
  }
  assert.deepEqual(await shown(), ['needs_review', 'payout_taken_back', id])
  await assert.rejects(debitByHand(app, AYSE, debit, id), { why: 'debit_payout_not_paid' })
  const back = await lineAbout(id, { direction: 'credit', narrative: 'IADE' })
  assert.equal(await returnByHand(app, AYSE, await arrives(back), id), 'cancelled')
  assert.equal((await shown())[0], 'matched')
  assert.deepEqual([await available(), await cash()], [before, cashBefore])
})

test('returned, and no debit was ever read: two people say that it was paid, and it is no longer listed', async () => {
  const id = await sent()
  await returnByHand(app, AYSE, await arrives(await lineAbout(id, { direction: 'credit', narrative: 'IADE' })), id)
  await travelTo(app, WEEKS)
  assert.deepEqual(
    (await listWithoutDebit(app, 10)).map(({ withdrawalId }) => withdrawalId),
    [id],
  )
  await assert.rejects(decide(AYSE, id), { said: { why: 'payout_not_accepted', facts: { state: 'returned' } } })
  for (const actor of [AYSE, MEHMET]) await decide(actor, id, 'paid')
  assert.deepEqual(await listWithoutDebit(app, 10), [])
})

test('the command line: never paid, and paid although the bank shows no debit of its own', async () => {
  const [first, second] = [await sent(), await sent()]
  await travelTo(app, WEEKS)
  const line = await arrives(await lineAbout(first, { amount: BigInt(AMOUNT) * 2n, narrative: `${first} ${second}` }))
  const resolve = (id: string, as: string, option: string) =>
    run(['withdrawal', 'resolve', id, '--as', as, option, 'one debit for two'])
  assert.match(
    (await resolve(first, 'ayse', '--paid-without-debit')).errors,
    new RegExp(`Line ${line} may be the debit`),
  )
  for (const actor of [AYSE, MEHMET]) await dismissLine(app, actor, line, 'the sum of two payouts', [first, second])
  for (const id of [first, second]) {
    assert.match((await resolve(id, 'ayse', '--paid-without-debit')).output, /waiting for a second person/)
    assert.match((await resolve(id, 'mehmet', '--paid-without-debit')).output, /paid/)
    assert.equal((await findPayout(app.db, id))?.state, 'sent')
  }
  assert.deepEqual(await listWithoutDebit(app, 10), [])
  // The bank's last word was pending, which is about another decision.
  const payout = (await findPayout(app.db, first)) ?? assert.fail('no payout')
  const pending = { kind: 'submit', outcome: 'pending', detail: '' } as const
  await app.db.transaction((tx) => insertCall(tx, payout, pending, app.clock.now()))
  const { output } = await resolve(first, 'zeynep', '--never-paid')
  assert.match(output, /waiting for a second person/)
  assert.doesNotMatch(output, /Not found/)
  assert.match((await run(['withdrawal', 'resolve', first, '--as', 'ayse'])).errors, /exactly one of/)
})

test('an unexplained debit may be its own: the refusal names every way to explain it', async () => {
  const id = await sent()
  const line = await arrives(await lineAbout(id, { narrative: 'GIDEN' }))
  await travelTo(app, WEEKS)
  await assert.rejects(decide(AYSE, id), { said: openLine(line, id) })
  const { errors } = await run(['withdrawal', 'resolve', id, '--as', 'ayse', '--never-paid', 'the bank says so'])
  assert.match(
    errors,
    new RegExp(
      `Line ${line} may be the debit.*If the line is not valid at the bank, two people dismiss it.*\\n +vezne line sent ${line} [^]*vezne line return ${line} [^]*vezne journal propose payout_debit [^]*vezne journal propose KIND [^]*vezne line dismiss`,
    ),
  )
})
