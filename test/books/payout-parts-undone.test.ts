import assert from 'node:assert/strict'
import { test } from 'node:test'
import { returnByHand } from '../../packages/server/src/domain/matching/index.ts'
import { decideDoubt, decideEnded, findPayout } from '../../packages/server/src/domain/withdrawals/index.ts'
import { findLine } from '../../packages/server/src/domain/statements/index.ts'
import { DAY_MS } from '../../packages/server/src/platform/time/clock.ts'
import { aWeekLater } from '../harness/crash.ts'
import { AYSE, MEHMET, rejectEntry } from '../harness/journal.ts'
import { AMOUNT } from '../harness/payout-lines.ts'
import { startPayoutParts } from '../harness/payout-parts.ts'
import { refusal } from '../harness/refusals.ts'
import { travelTo } from '../harness/until.ts'

// What people said about the parts of a payout's debit turns out otherwise: every state has a way out.

const { app, journal, ...parts } = await startPayoutParts()
const { available, dayOf, differencesOn, lineAbout, part, halves, sent, unknown, assertIts } = parts
const { arrives, approve, post, propose, stateOf } = journal

test('the payout ended between proposal and approval: refused with the reason, and the way to go on', async () => {
  const id = await unknown()
  const lineIds = await halves(id)
  const { id: entry } = await propose('payout_debit', { lineIds, withdrawalId: id })
  const said = { verdict: 'not_found' as const, evidence: 'not on the list', unproven: true }
  await assert.rejects(decideDoubt(aWeekLater(app), AYSE, id, said), { why: 'payout_on_statement' })
  for (const actor of [AYSE, MEHMET]) await decideDoubt(aWeekLater(app), actor, id, { ...said, notLines: lineIds })
  await assert.rejects(approve(entry), refusal('payout_never_left', { state: 'failed', isRefund: false }))
  // Both parts are owed, and the merchant's balance settles both, never more than the payout.
  const before = await available()
  for (const line of lineIds) {
    const owed = await post('receivable', { lineIds: [line] })
    await post('receivable', { settles: owed, withdrawalId: id })
  }
  assert.equal(await available(), before - BigInt(AMOUNT))
  const more = await post('receivable', { lineIds: [await part(id, 100n)] })
  await assert.rejects(propose('receivable', { settles: more, withdrawalId: id }), { why: 'merchant_charged_in_full' })
})

test('the payout was accepted or came back between proposal and approval: it is proposed again', async () => {
  const id = await unknown()
  const lineIds = await halves(id)
  const terms = { lineIds, withdrawalId: id }
  const first = await propose('payout_debit', terms)
  for (const actor of [AYSE, MEHMET]) await decideDoubt(app, actor, id, { verdict: 'found', evidence: 'EKSTRE-77' })
  await assert.rejects(approve(first.id), { why: 'proposal_outdated' })
  await rejectEntry(app, MEHMET, first.id, 'the payout was accepted')
  const second = await propose('payout_debit', terms)
  const back = await arrives('credit', 0n, await lineAbout(id, { direction: 'credit' }))
  assert.deepEqual((await stateOf(back)).slice(0, 2), ['suspense', 'payout_no_debit'])
  await assert.rejects(approve(second.id), { why: 'proposal_outdated' })
  const before = await available()
  await post('payout_debit', terms)
  assert.equal((await findPayout(app.db, id))?.state, 'returned')
  assert.deepEqual((await stateOf(back)).slice(0, 2), ['matched', 'payout_returned'])
  assert.equal(await available(), before + BigInt(AMOUNT))
})

test('a completed payout that came back in between: refused with the reason, then only its lines are assigned', async () => {
  const id = await sent()
  const terms = { lineIds: await halves(id), withdrawalId: id }
  const { id: entry } = await propose('payout_debit', terms)
  const before = await available()
  const { accountIban } = await lineAbout(id, {})
  await returnByHand(app, AYSE, await arrives('credit', BigInt(AMOUNT), { accountIban }), id)
  await assert.rejects(approve(entry), { why: 'proposal_outdated' })
  await post('payout_debit', terms)
  assert.equal((await findPayout(app.db, id))?.state, 'returned')
  assert.equal(await available(), before + BigInt(AMOUNT))
})

test('taken back, the lines are unexplained and the payout has no debit; they can be its debit again', async () => {
  const id = await sent()
  const named = await part(id, 6000n)
  const cut = await part(id, 4000n, { narrative: 'GIDEN EFT' })
  const terms = { lineIds: [named, cut], withdrawalId: id }
  const entry = await post('payout_debit', terms)
  await post('reversal', {}, entry)
  for (const [line, candidate] of [
    [named, id],
    [cut, null],
  ] as const) {
    const found = await findLine(app.db, line)
    assert.deepEqual(
      [found?.state, found?.withdrawalId, found?.candidateWithdrawalId],
      ['needs_review', null, candidate],
    )
  }
  assert.deepEqual(await differencesOn(dayOf(0)), [['payout_without_debit', BigInt(AMOUNT)]])
  await assert.rejects(propose('reversal', {}, entry), { why: 'entry_taken_back' })
  await post('payout_debit', terms)
})

test('lines that were booked as receivables come back, and are the debit of the payout', async () => {
  const id = await sent()
  const lineIds = await halves(id)
  const owed = []
  for (const line of lineIds) owed.push(await post('receivable', { lineIds: [line] }))
  await assert.rejects(propose('payout_debit', { lineIds, withdrawalId: id }), {
    said: { why: 'line_explained', facts: { line: lineIds[0], kind: 'receivable', entry: owed[0] } },
  })
  for (const entry of owed) await post('reversal', {}, entry)
  await post('payout_debit', { lineIds, withdrawalId: id })
  await assertIts(id, lineIds)
})

test('the rest never comes: the payout ends as not paid, and its merchant is charged for the part', async () => {
  const id = await sent()
  const line = await part(id, 6000n)
  const owed = await post('receivable', { lineIds: [line] })
  await travelTo(app, (10 * DAY_MS) / 1000)
  const before = await available()
  for (const actor of [AYSE, MEHMET])
    await decideEnded(app, actor, id, { verdict: 'never_paid', evidence: 'the bank paid 60 of 100' })
  await post('receivable', { settles: owed, withdrawalId: id })
  assert.equal(await available(), before + BigInt(AMOUNT) - 6000n)
})
