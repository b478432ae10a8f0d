import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { listAudit } from '../../packages/server/src/domain/audit/index.ts'
import { entryIn, findProposal } from '../../packages/server/src/domain/proposals/index.ts'
import { suspendByHand } from '../../packages/server/src/domain/matching/index.ts'
import { dismissLine } from '../harness/line-proposals.ts'
import { merchantAccount } from '../../packages/server/src/domain/ledger/index.ts'
import {
  heldSubjects,
  lineSubject,
  addOperator,
  DECIDING,
  disableOperator,
  setRoles,
} from '../../packages/server/src/domain/people/index.ts'
import { operatorActor, UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { money } from '../../packages/server/src/kernel/refusals/facts.ts'
import { approveEntry, AYSE, MEHMET, openJournal, proposeEntry, rejectEntry } from '../harness/journal.ts'
import { payDeposit, someDeposits } from '../harness/payments.ts'
import { startService } from '../harness/service.ts'
import { candidatesInWords } from '../harness/candidates.ts'
import { findLine } from '../../packages/server/src/domain/statements/index.ts'
import { refusal } from '../harness/refusals.ts'

const service = await startService()
const { app } = service
const journal = await openJournal(app)
const { here, there, arrives, post, propose, of, stateOf, lastDecision } = journal
const shop = await service.merchant({ depositFee: { bps: 1000 } })

afterEach(() => journal.assertSound())

for (const [kind, account] of [
  ['bank_charge', 'bank_charges'],
  ['bank_tax', 'bank_taxes'],
  ['interest', 'interest'],
] as const) {
  test(`${kind}: a debit leaves the unexplained ones; a credit gives some of it back; reversed, both are as before`, async () => {
    const debit = await arrives('debit', 500n)
    const unexplained = await of('unexplained_debits')
    const id = await post(kind, { lineIds: [debit] })
    assert.deepEqual([await of(account), await of('unexplained_debits')], [-500n, unexplained + 500n])
    assert.deepEqual(await stateOf(debit), ['matched', kind, id, null, false])
    assert.deepEqual(await lastDecision(debit), ['matched', `journal_${kind}`, 'mehmet.kaya'])
    const credit = await arrives('credit', 200n)
    const [suspense, back] = [await of('suspense'), await post(kind, { lineIds: [credit] })]
    assert.deepEqual([await of(account), await of('suspense')], [-300n, suspense - 200n])
    await post('reversal', {}, back)
    assert.deepEqual(await stateOf(credit), ['suspense', 'journal_reversal', null, null, false])
    await post('reversal', {}, id)
    assert.deepEqual(await stateOf(debit), ['needs_review', 'journal_reversal', null, null, true])
    assert.deepEqual([await of(account), await of('unexplained_debits')], [0n, unexplained])
    await assert.rejects(propose('reversal', {}, id), { code: 'INVALID_STATE', why: 'entry_taken_back' })
  })
}

test('own funds: paid in by our own name, taken out again, and never more than there is', async () => {
  const ours = { senderName: here.title, senderIban: null, narrative: 'SERMAYE AVANSI' }
  const [inflow, outflow] = [await arrives('credit', 9_000n, ours), await arrives('debit', 4_000n, ours)]
  const next = async (id: string) =>
    (await candidatesInWords(app, (await findLine(app.db, id)) ?? assert.fail('no line')))[0]?.next
  assert.equal(await next(inflow), `vezne journal propose own_funds --line ${inflow}`)
  assert.equal(await next(outflow), `vezne journal propose fee_withdrawal --line ${outflow}`)
  const proposed = await propose('own_funds', { lineIds: [outflow] })
  await assert.rejects(journal.approve(proposed.id), { why: 'ledger_account_too_low' })
  await rejectEntry(app, MEHMET, proposed.id, 'paid in first')
  await post('own_funds', { lineIds: [inflow] })
  const id = await post('own_funds', { lineIds: [outflow] })
  assert.equal(await of('operator_funds'), 5_000n)
  await post('reversal', {}, id)
  assert.deepEqual([await of('operator_funds'), (await stateOf(outflow))[0]], [9_000n, 'needs_review'])
})

test('a charge and its tax are one entry with two bookings; reversed, both lines wait again', async () => {
  const [charge, tax] = [await arrives('debit', 1279n), await arrives('debit', 64n, { narrative: 'BSMV FAST MASRAFI' })]
  const before = [await of('bank_charges'), await of('bank_taxes'), await of('unexplained_debits')] as const
  const id = await post('bank_charge', { lineIds: [charge, tax] })
  assert.deepEqual(
    [await of('bank_charges'), await of('bank_taxes'), await of('unexplained_debits')],
    [before[0] - 1279n, before[1] - 64n, before[2] + 1343n],
  )
  assert.deepEqual(await stateOf(charge), ['matched', 'bank_charge', id, null, false])
  assert.deepEqual(await stateOf(tax), ['matched', 'bank_tax', id, null, false])
  await post('reversal', {}, id)
  for (const line of [charge, tax])
    assert.deepEqual(await stateOf(line), ['needs_review', 'journal_reversal', null, null, true])
  assert.deepEqual([await of('bank_charges'), await of('bank_taxes'), await of('unexplained_debits')], before)
  const others = [
    await arrives('debit', 66n),
    await arrives('credit', 64n),
    await arrives('debit', 64n, { accountIban: there.iban }),
  ]
  for (const other of others)
    await assert.rejects(propose('bank_charge', { lineIds: [charge, other] }), {
      code: 'VALIDATION_ERROR',
      why: 'charge_and_tax_missing',
      fields: ['line'],
    })
})

test('own_transfer: both lines are paired, and what did not arrive is a charge', async () => {
  const debit = await arrives('debit', 1000n, { narrative: 'VIRMAN' })
  const credit = await arrives('credit', 990n, { accountIban: there.iban, senderIban: here.iban })
  const [out, suspense, charges] = [
    await of('unexplained_debits'),
    await of('suspense', there),
    await of('bank_charges'),
  ]
  const id = await post('own_transfer', { lineIds: [credit, debit] })
  assert.deepEqual(
    [await of('unexplained_debits'), await of('suspense', there), await of('bank_charges')],
    [out + 1000n, suspense - 990n, charges - 10n],
  )
  assert.deepEqual(await stateOf(debit), ['matched', 'own_transfer', id, null, false])
  assert.deepEqual(await stateOf(credit), ['matched', 'own_transfer', id, null, false])
  const more = await arrives('credit', 2000n, { accountIban: there.iban })
  const less = await arrives('debit', 1999n)
  await assert.rejects(propose('own_transfer', { lineIds: [more, less] }), { why: 'transfer_more_arrived' })
  await assert.rejects(propose('own_transfer', { lineIds: [debit, credit] }), { why: 'line_not_open' })
})

test('fee_withdrawal: earned fees leave, never more; shares are fixed when it is proposed', async () => {
  const [deposit] = await someDeposits(app, shop.merchantId, 1, 10_000n)
  await payDeposit(app, deposit ?? assert.fail())
  const fees = merchantAccount('fees', shop.merchantId, 'TRY')
  assert.equal(await journal.balance(fees), 1000n)
  const tooMuch = await arrives('debit', 1001n)
  await assert.rejects(propose('fee_withdrawal', { lineIds: [tooMuch] }), {
    said: { why: 'fees_below_debit', facts: { took: money(1001n), earned: money(1000n) } },
  })
  const debit = await arrives('debit', 600n)
  const [first, second] = [await propose('fee_withdrawal', { lineIds: [debit] }), await arrives('debit', 700n)]
  const other = await propose('fee_withdrawal', { lineIds: [second] })
  await approveEntry(app, MEHMET, first.id)
  assert.equal(await journal.balance(fees), 400n)
  await assert.rejects(approveEntry(app, MEHMET, other.id), { why: 'ledger_account_too_low' })
})

test('opening_balance: once per account, on its day', async () => {
  const terms = { accountId: there.id, amount: 5000n, day: '2026-01-31' }
  const id = await post('opening_balance', terms)
  assert.equal(await of('operator_funds', there), 5000n)
  const [row] = await app.db.query<{ day: string }>(
    sql`select to_char(effective_on, 'YYYY-MM-DD') as day from transfers where subject_id = ${id}`,
  )
  assert.equal(row?.day, '2026-01-31')
  const second = await propose('opening_balance', terms)
  await assert.rejects(approveEntry(app, MEHMET, second.id), { why: 'opening_balance_booked' })
  await post('reversal', {}, id)
  assert.equal(await of('operator_funds', there), 0n)
  await approveEntry(app, MEHMET, second.id)
})

test('opening_balance: the account by its IBAN, with spaces too; its id is stored', async () => {
  const spaced = here.iban.replace(/(.{4})/g, '$1 ').toLowerCase()
  for (const accountId of [here.iban, spaced]) {
    const { id } = await propose('opening_balance', { accountId, amount: 100n, day: '2026-01-31' })
    const request = (await findProposal(app.db, id)) ?? assert.fail()
    assert.equal(entryIn(request)?.terms.accountId, here.id)
    await rejectEntry(app, MEHMET, id, 'only to see')
  }
  const unknown = propose('opening_balance', { accountId: 'TR00', amount: 100n, day: '2026-01-31' })
  await assert.rejects(unknown, { why: 'account_unknown' })
})

test('two different people who may decide, once, and exactly what was proposed', async () => {
  const debit = await arrives('debit', 70n)
  const entry = await propose('bank_charge', { lineIds: [debit] })
  await assert.rejects(approveEntry(app, AYSE, entry.id), { why: 'proposal_own' })
  await assert.rejects(approveEntry(app, UNATTRIBUTED, entry.id), { why: 'decider_missing' })
  const third = operatorActor('can.demir')
  await addOperator(app, UNATTRIBUTED, 'can.demir', DECIDING)
  const theirs = await proposeEntry(app, third, {
    kind: 'bank_tax',
    terms: { lineIds: [await arrives('debit', 71n)] },
    reason: 'as the bank says',
  })
  const lapsed = refusal('proposer_without_right', { proposedBy: 'can.demir', proposal: theirs.id })
  await setRoles(app, AYSE, 'can.demir', ['admin'])
  await assert.rejects(approveEntry(app, MEHMET, theirs.id), lapsed, 'has lost the role')
  await disableOperator(app, AYSE, 'can.demir')
  await assert.rejects(approveEntry(app, MEHMET, theirs.id), lapsed)
  await rejectEntry(app, AYSE, theirs.id, 'left the company')
  const answers = await Promise.allSettled([1, 2, 3].map(() => approveEntry(app, MEHMET, entry.id)))
  assert.deepEqual(answers.filter(({ status }) => status === 'fulfilled').length, 1)
  await assert.rejects(
    rejectEntry(app, AYSE, entry.id, 'too late'),
    refusal('proposal_decided', { state: 'applied', by: 'mehmet.kaya' }),
  )
  assert.equal((await findProposal(app.db, theirs.id))?.state, 'rejected')
})

test('who proposed an entry takes it back, with a reason; another person rejects it', async () => {
  const debit = await arrives('debit', 75n)
  const { id } = await propose('bank_charge', { lineIds: [debit] })
  await assert.rejects(rejectEntry(app, AYSE, id, 'no'), { code: 'VALIDATION_ERROR' })
  assert.equal((await heldSubjects(app, app.db, [lineSubject(debit)])).size, 1)
  await rejectEntry(app, AYSE, id, 'wrong line')
  assert.equal((await heldSubjects(app, app.db, [lineSubject(debit)])).size, 0)
  const { state, decidedBy, note } = (await findProposal(app.db, id)) ?? assert.fail()
  assert.deepEqual([state, decidedBy, note], ['withdrawn', 'ayse.yilmaz', 'wrong line'])
  await assert.rejects(
    approveEntry(app, MEHMET, id),
    refusal('proposal_decided', { state: 'withdrawn', by: 'ayse.yilmaz' }),
  )
  const [audited] = await listAudit(app.db, { subject: `proposal:${id}` }, 1)
  assert.deepEqual(audited?.after, { state: 'withdrawn', kind: 'journal.entry' })
  await post('bank_charge', { lineIds: [debit] })
})

test('an entry cannot be changed or deleted, and a proposal whose line has changed since is refused', async () => {
  const posted = await post('interest', { lineIds: [await arrives('credit', 81n)] })
  const credit = await arrives('credit', 80n)
  const { id } = await propose('interest', { lineIds: [credit] })
  for (const change of [
    sql`update journal_entries set kind = 'bank_tax' where id = ${posted}`,
    sql`update journal_entries set details = '{}' where id = ${posted}`,
    sql`update journal_entries set approved_by = 'can.demir' where id = ${posted}`,
    sql`delete from journal_entries where id = ${posted}`,
    sql`delete from journal_lines where journal_id = ${posted}`,
  ])
    await assert.rejects(app.db.query(change), { code: '23001' })
  await suspendByHand(app, MEHMET, credit)
  await assert.rejects(approveEntry(app, MEHMET, id), { why: 'proposal_outdated' })
})

test('while an entry about a line waits, no one dismisses the line; rejected, two people do', async () => {
  const credit = await arrives('credit', 90n)
  const { id } = await propose('interest', { lineIds: [credit] })
  const dismiss = (actor: typeof AYSE) => dismissLine(app, actor, credit, 'shown twice by the bank')
  await assert.rejects(dismiss(AYSE), { why: 'proposal_open' })
  await rejectEntry(app, MEHMET, id, 'the line is shown twice')
  await dismiss(AYSE)
  assert.equal((await dismiss(MEHMET)).state, 'dismissed')
})
