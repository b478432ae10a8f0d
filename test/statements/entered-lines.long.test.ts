import assert from 'node:assert/strict'
import { test } from 'node:test'
import { proveDay, undoFile } from '../../packages/server/src/domain/books/index.ts'
import { listAudit } from '../../packages/server/src/domain/audit/index.ts'
import {
  proposedAlike,
  rejectProposal,
  makeProposal,
  showProposal,
} from '../../packages/server/src/domain/proposals/index.ts'
import { decideCorrection } from '../../packages/server/src/domain/matching/index.ts'
import { connectAccount } from '../harness/connect-account.ts'
import { dismissLine, restoreLine } from '../harness/line-proposals.ts'
import { addOperator, DECIDING, disableOperator, setRoles } from '../../packages/server/src/domain/people/index.ts'
import { findEnteredOf, findLine, overdueUnconfirmed } from '../../packages/server/src/domain/statements/index.ts'
import { operatorActor, UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { addDays, startOfDay } from '../../packages/server/src/kernel/istanbul.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { openCommandLineOf } from '../harness/command-line.ts'
import { laterBy } from '../harness/crash.ts'
import { approveLine, isNewMoney, openOutage } from '../harness/entered-lines.ts'
import { AYSE, MEHMET } from '../harness/journal.ts'
import { lineFor, reloadDeposit, someDeposits } from '../harness/payments.ts'
import { startService } from '../harness/service.ts'
import { camt } from '../harness/statement-files.ts'

const service = await startService()
const { app } = service
for (const name of ['ayse.yilmaz', 'mehmet.kaya', 'ali.demir', 'zeynep.ak'])
  await addOperator(app, UNATTRIBUTED, name, DECIDING)
const shop = await service.merchant()
const WHY = 'typed the wrong line'

test('one person enters, another approves: nothing is booked before, what is booked stands, the proposal forgets', async () => {
  const { propose, lines, cash, settle, enter } = await openOutage(app)
  const proposed = await propose({ senderName: 'Ümmühan Kızılırmak' })
  await settle()
  assert.deepEqual([(await lines()).length, await cash()], [0, 0n])
  await assert.rejects(approveLine(app, AYSE, proposed), { why: 'proposal_own' })
  await assert.rejects(approveLine(app, UNATTRIBUTED, proposed), { why: 'decider_missing' })
  const done = await approveLine(app, MEHMET, proposed)
  await settle()
  assert.deepEqual([done.proposedBy, done.decidedBy], ['ayse.yilmaz', 'mehmet.kaya'])
  assert.deepEqual(await findEnteredOf(app.db, done.lineId), done)
  assert.deepEqual((await lines()).map((line) => [line.id, line.state, line.source, line.wholeDay]), [[done.lineId, 'suspense', 'manual', true]]) // prettier-ignore
  assert.equal(await cash(), 125_000n)
  await assert.rejects(approveLine(app, MEHMET, proposed), { why: 'proposal_decided' })
  const { payload, rows } = await showProposal(app, proposed.id)
  assert.deepEqual([payload, rows.filter(({ as }) => as === 'personal' || as === 'list')], ['null', []])
  const audited = JSON.stringify(await listAudit(app.db, {}, 100), (_, value: unknown) => typeof value === 'bigint' ? '' : value) // prettier-ignore
  assert.ok(audited.includes(`line:${done.lineId}`))
  assert.doesNotMatch(audited, /Kızılırmak/)
  for (const change of [sql`amount = 1`, sql`sender_name = 'X'`, sql`decided_by = 'ali.demir'`])
    await assert.rejects(
      app.db.query(sql`update entered_lines set ${change} where line_id = ${done.lineId}`),
      /terms of entered_lines are fixed/,
    )
  await assert.rejects(app.db.query(sql`delete from entered_lines`), /append-only/)
  await assert.rejects(enter({ bookedOn: '2099-01-01' }), { why: 'entered_day_wrong' })
  await assert.rejects(enter({ senderIban: 'TR00' }), { why: 'iban_wrong', fields: ['iban'] })
  await assert.rejects(enter({ amount: 0n }), { why: 'line_not_bookable' })
})

test('a booking is proposed once in whatever spelling; who asks for the same approves it, among several of the account', async () => {
  const { propose, lines, written } = await openOutage(app)
  const ask = (changes = {}) =>
    makeProposal(app, MEHMET, 'line.enter', { ...written, ...changes }, { reason: 'the bank is down' })
  const first = await propose()
  assert.equal((await propose()).id, first.id, 'the same person again')
  await assert.rejects(ask({ senderName: ' VELİ CAN ', narrative: 'kira' }), { why: 'proposal_open' })
  await propose({ amount: 70_000n })
  assert.equal((await proposedAlike(app, written)).map(({ id }) => id).join(), first.id)
  assert.deepEqual([(await ask()).state, (await lines()).length], ['applied', 1])
  const again = await propose({ amount: 80_000n })
  await rejectProposal(app, MEHMET, again.id, WHY)
  assert.notEqual((await propose({ amount: 80_000n })).id, again.id)
})

test('who lost the right to enter it, or is disabled, enters nothing that counts', async () => {
  const { propose, lines } = await openOutage(app)
  const proposed = await propose()
  const lapsed = { why: 'proposer_without_right' }
  await app.db.query(sql`update operators set disabled_at = now() where name = 'ayse.yilmaz'`)
  await assert.rejects(approveLine(app, MEHMET, proposed), lapsed)
  await app.db.query(sql`update operators set disabled_at = null where name = 'ayse.yilmaz'`)
  await setRoles(app, MEHMET, 'ayse.yilmaz', ['admin'])
  await assert.rejects(approveLine(app, MEHMET, proposed), lapsed, 'lost the role')
  await setRoles(app, MEHMET, 'ayse.yilmaz', ['cashier', 'approver', 'admin'])
  await disableOperator(app, MEHMET, 'ali.demir')
  await assert.rejects(approveLine(app, operatorActor('ali.demir'), proposed), { why: 'operator_disabled' })
  assert.deepEqual(await lines(), [])
})

test('an entered line pays its deposit; the real line refers to it, counts nothing, also when read again', async () => {
  const [deposit] = await someDeposits(app, shop.merchantId, 1)
  if (!deposit) assert.fail('no deposit')
  const { accountIban } = await lineFor(app, deposit)
  await connectAccount(app, accountIban, 'manual')
  const { enter, gives, real } = await openOutage(app)
  const narrative = `FAST ${deposit.referenceCode} odeme`
  const written = { accountIban, amount: deposit.amount, senderName: deposit.customer.name, narrative }
  const entered = await enter(written)
  assert.equal((await reloadDeposit(app, deposit)).status, 'completed')
  const line = real({ ...written, narrative: `${narrative} 12345` })
  await gives(line, line)
  await gives(line)
  const rows = await app.db.query<{ state: string }>(sql`
    select state, reason, corrects_line_id from bank_lines where bank_reference = ${line.bankReference}`)
  assert.deepEqual(rows, [{ state: 'dismissed', reason: 'entered_by_hand', corrects_line_id: entered }])
  assert.equal((await reloadDeposit(app, deposit)).receivedAmount, deposit.amount)
})

test('the real line came before the approval: it is refused, unless it is named as another payment', async () => {
  const { propose, gives, real, lines, cash, enter } = await openOutage(app)
  const proposed = await propose()
  assert.deepEqual(await gives(real({ senderName: 'Hasan Su' })), [['suspense', 'no_reference', null]])
  assert.equal((await showProposal(app, proposed.id)).isStale, false, 'lines of others come all day')
  assert.deepEqual(await gives(real()), [['suspense', 'no_reference', null]])
  const [, first] = await lines()
  assert.equal((await showProposal(app, proposed.id)).isStale, true)
  const repeats = { said: { why: 'entered_line_repeats', facts: { line: first?.id, state: 'suspense' } } }
  await assert.rejects(approveLine(app, MEHMET, proposed), repeats)
  await assert.rejects(propose(), repeats)
  assert.equal(await cash(), 250_000n)
  await assert.rejects(propose({ besides: ['none'] }), { why: 'entered_line_not_similar' })
  await rejectProposal(app, AYSE, proposed.id, WHY)
  await enter({ besides: [first?.id ?? ''] })
  assert.equal(await cash(), 375_000n)
})

test('a line of the same sender some days apart came before the approval: the proposal is not what was seen', async () => {
  const { propose, gives, real, today } = await openOutage(app)
  const proposed = await propose()
  await gives(real({ bookedAt: startOfDay(addDays(today, -3)) }))
  await assert.rejects(approveLine(app, MEHMET, proposed), { why: 'proposal_outdated' })
})

test('a real line without a number, of the next day and without a sender: counted once, with the date of the bank', async () => {
  const { enter, gives, real, cash, today, id } = await openOutage(app)
  const yesterday = addDays(today, -1)
  const entered = await enter({ bookedOn: yesterday })
  const line = real({ bankReference: null, senderName: '' })
  assert.deepEqual(await gives(line), [['dismissed', 'entered_by_hand', entered]])
  assert.deepEqual(await gives(line), [])
  assert.equal((await findLine(app.db, entered))?.valueDate, today)
  // A second equal payment in the same reading is new money.
  assert.deepEqual(await gives(line, line), [['suspense', 'no_reference', null]])
  assert.equal(await cash(), 250_000n)
  const { accounts } = await proveDay(app.db, yesterday)
  const proof = accounts.find(({ collectingAccountId }) => collectingAccountId === id)
  assert.deepEqual(
    proof?.differences.map(({ kind, amount }) => [kind, amount]),
    [['booked_on_other_day', -125_000n]],
  )
})

test('a known line that is read again is not taken for the entered one', async () => {
  const { enter, gives, real, lines, cash } = await openOutage(app)
  const line = real({ bankReference: null })
  await gives(line)
  const [first] = await lines()
  const entered = await enter({ besides: [first?.id ?? ''] })
  assert.deepEqual(await gives(line, line), [['dismissed', 'entered_by_hand', entered]])
  assert.equal(await cash(), 250_000n)
})

test('another sender or another day: a suspected correction, decided by a person; another amount is other money', async () => {
  const { enter, gives, real, lines, cash, today } = await openOutage(app)
  const entered = await enter()
  assert.deepEqual(await gives(real({ amount: 130_000n })), [['suspense', 'no_reference', null]])
  assert.deepEqual(await gives(real({ senderName: 'Hasan Su' })), [['needs_review', 'suspected_correction', entered]])
  const old = startOfDay(addDays(today, -4))
  assert.deepEqual(await gives(real({ bookedAt: old })), [['needs_review', 'suspected_correction', entered]])
  assert.equal(await cash(), 255_000n)
  const [, , other, late] = await lines()
  await isNewMoney(app, other?.id ?? '')
  await decideCorrection(app, AYSE, late?.id ?? '', 'same_money')
  assert.deepEqual(await gives(real()), [['suspense', 'no_reference', null]])
  assert.equal(await cash(), 505_000n)
})

test('two equal entered lines: a person says which is which, and a third payment is new money', async () => {
  const { enter, gives, real, lines, cash } = await openOutage(app)
  const first = await enter()
  const second = await enter({ besides: [first] })
  assert.equal(await cash(), 250_000n)
  assert.deepEqual(await gives(real(), real()), [
    ['needs_review', 'suspected_correction', first],
    ['needs_review', 'suspected_correction', second],
  ])
  for (const line of (await lines()).slice(2)) await decideCorrection(app, AYSE, line.id, 'same_money')
  assert.deepEqual(await gives(real()), [['suspense', 'no_reference', null]])
  assert.equal(await cash(), 375_000n)
})

test('of several lines in one reading the certain one replaces the entered line, the others are new', async () => {
  const { enter, gives, real, cash } = await openOutage(app)
  const entered = await enter()
  assert.deepEqual(await gives(real({ senderName: 'Hasan Su' }), real(), real()), [
    ['suspense', 'no_reference', null],
    ['dismissed', 'entered_by_hand', entered],
    ['suspense', 'no_reference', null],
  ])
  assert.equal(await cash(), 375_000n)
})

test('debits: replaced once; one that names a payout which the entered line does not name is kept as evidence', async () => {
  const { enter, gives, real, cash } = await openOutage(app)
  const first = await enter({ direction: 'debit' })
  assert.equal(await cash(), -125_000n)
  assert.deepEqual(await gives(real({ direction: 'debit' })), [['dismissed', 'entered_by_hand', first]])
  assert.equal(await cash(), -125_000n)
  const second = await enter({ direction: 'debit', amount: 70_000n })
  const naming = real({ direction: 'debit', amount: 70_000n, narrative: `EFT ${app.ids.next()}` })
  assert.deepEqual(await gives(naming), [['needs_review', 'suspected_correction', second]])
})

test('a file of the day is imported without a problem, replaces the line, and can be undone', async () => {
  const { enter, take, iban, today, cash, lines, settle } = await openOutage(app)
  const entered = await enter()
  const bookings = [
    { number: 'N1', amount: 125_000, sender: 'Veli Can', text: 'x' },
    { number: 'N2', amount: 5000, sender: 'Hasan', text: 'y' },
  ]
  const result = await take(camt('053', { iban, day: today, opening: 0, bookings }))
  await settle()
  assert.deepEqual([result.new, result.suspected, result.file.checks.filter(({ severity }) => severity === 'problem')], [2, 0, []]) // prettier-ignore
  assert.deepEqual((await lines()).map((line) => [line.reason, line.correctsLineId]), [['no_reference', null], ['entered_by_hand', entered], ['no_reference', null]]) // prettier-ignore
  assert.equal(await cash(), 130_000n)
  assert.equal(await undoFile(app, AYSE, result.file.id, 'the wrong file'), 2)
  assert.equal(await cash(), 125_000n)
  await take(camt('053', { iban, day: today, opening: 0, bookings }))
  await settle()
  assert.equal((await lines()).filter(({ reason }) => reason === 'entered_by_hand').length, 1)
  assert.equal(await cash(), 130_000n)
})

test('the command line: one enters, another enters the same, which books it', async () => {
  const { iban, today, lines } = await openOutage(app)
  const run = openCommandLineOf(service)
  const line = [
    '--amount',
    '1.250,00',
    '--direction',
    'credit',
    '--date',
    today,
    '--sender',
    'Veli Can',
    '--text',
    'odeme',
  ]
  const why = ['--why', 'the bank is down']
  const who = [...why, '--as', 'ayse.yilmaz']
  const said = await run(['line', 'enter', '--account', iban, ...line, ...who])
  const [, id = ''] = /Proposed as (\w+)/.exec(said.output) ?? assert.fail(said.errors)
  assert.match((await run(['proposal', 'show', id])).output, /otherParty +Veli Can/)
  assert.equal((await lines()).length, 0)
  const second = await run(['line', 'enter', '--account', iban, ...line, ...why, '--as', 'mehmet.kaya'])
  assert.match(second.output, /Booked:/)
  const [booked] = await lines()
  assert.match((await run(['line', 'enter', '--list'])).output, new RegExp(`${booked?.id} .*1\\.250,00 TL`))
  assert.deepEqual([booked?.amount, (await lines()).length], [125_000n, 1])
  assert.match((await run(['line', 'enter'])).errors, /Say one of/)
  const kurus = await run(['line', 'enter', '--account', iban, ...line, ...who, '--amount', '125000'])
  assert.match(kurus.errors, /like 1\.250,00/)
})

test('not replaced within three business days: a finding; two people dismiss it, and the real line is booked then', async () => {
  const { enter, gives, real, cash } = await openOutage(app)
  const entered = await enter()
  const later = laterBy(app, 20 * 86_400)
  const isOverdue = async (by = later) => (await overdueUnconfirmed(by)).some(({ id }) => id === entered)
  assert.deepEqual([await isOverdue(app), await isOverdue()], [false, true])
  const dismiss = async () => {
    await dismissLine(app, AYSE, entered, 'the bank does not know it')
    return (await dismissLine(app, MEHMET, entered, 'the bank does not know it')).state
  }
  assert.equal(await dismiss(), 'dismissed')
  assert.deepEqual([await isOverdue(), await cash()], [false, 0n])
  await assert.rejects(restoreLine(app, AYSE, entered), { why: 'line_was_entered' })
  assert.deepEqual(await gives(real()), [['suspense', 'no_reference', null]])
  assert.equal(await cash(), 125_000n)
})

test('a replaced line is no finding and is not dismissed; the real line can be booked in its place', async () => {
  const { enter, gives, real, lines, cash, settle } = await openOutage(app)
  const entered = await enter()
  await gives(real())
  assert.ok(!(await overdueUnconfirmed(laterBy(app, 20 * 86_400))).some(({ id }) => id === entered))
  await assert.rejects(dismissLine(app, AYSE, entered, 'not money at all'), { why: 'line_stands_for_another' })
  const bank = (await lines())[1]?.id ?? ''
  await decideCorrection(app, AYSE, bank, 'replaces')
  await settle()
  assert.deepEqual((await lines()).map(({ state, reason }) => [state, reason]), [['dismissed', 'replaced'], ['suspense', 'no_reference']]) // prettier-ignore
  assert.equal(await cash(), 125_000n)
  await assert.rejects(restoreLine(app, MEHMET, entered), { why: 'line_was_entered' })
})

test('a second real line replaced the entered one meanwhile: the first cannot replace it too', async () => {
  const { enter, gives, real, lines, cash } = await openOutage(app)
  const entered = await enter()
  await gives(real({ senderName: 'Hasan Su' }))
  assert.deepEqual(await gives(real()), [['dismissed', 'entered_by_hand', entered]])
  const suspected = (await lines())[1]?.id ?? ''
  await assert.rejects(decideCorrection(app, AYSE, suspected, 'replaces'), { why: 'line_stands_for_another' })
  await isNewMoney(app, suspected)
  await gives()
  assert.equal(await cash(), 250_000n)
})

test('dismissed by two people while the real line arrives: one of the two is in the books', async () => {
  for (let round = 0; round < 8; round++) {
    const { enter, gives, real, cash, settle } = await openOutage(app)
    const entered = await enter()
    await dismissLine(app, AYSE, entered, 'the bank does not know it')
    const second = dismissLine(app, MEHMET, entered, 'the bank does not know it').catch((error: unknown) => error)
    await Promise.all([second, gives(real())])
    await settle()
    assert.equal(await cash(), 125_000n)
  }
})
