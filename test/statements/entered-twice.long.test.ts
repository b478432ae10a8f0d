import assert from 'node:assert/strict'
import { test } from 'node:test'
import { approveProposal, makeProposal } from '../../packages/server/src/domain/proposals/index.ts'
import { decideCorrection, matchByHand } from '../../packages/server/src/domain/matching/index.ts'
import { dismissLine, restoreLine } from '../harness/line-proposals.ts'
import { addOperator, DECIDING } from '../../packages/server/src/domain/people/index.ts'
import type { LineToEnter } from '../../packages/server/src/domain/statements/index.ts'
import { findLine, selectUnconfirmed } from '../../packages/server/src/domain/statements/index.ts'
import { operatorActor, UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { addDays, startOfDay } from '../../packages/server/src/kernel/istanbul.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { openCommandLineOf } from '../harness/command-line.ts'
import { openOutage } from '../harness/entered-lines.ts'
import { AYSE, MEHMET } from '../harness/journal.ts'
import { reloadDeposit, someDeposits } from '../harness/payments.ts'
import { startService } from '../harness/service.ts'

const service = await startService()
const { app } = service
for (const name of ['ayse.yilmaz', 'mehmet.kaya', 'zeynep.ak']) await addOperator(app, UNATTRIBUTED, name, DECIDING)
const ZEYNEP = operatorActor('zeynep.ak')
const shop = await service.merchant()

/** Two deposits of one customer and one amount, and an account whose bank is down. AYSE enters, MEHMET confirms. */
async function twoDeposits(amount: bigint) {
  const [a, b] = await someDeposits(app, shop.merchantId, 2, amount)
  if (!a || !b) return assert.fail('no deposits')
  const outage = await openOutage(app)
  await app.db.query(sql`update deposits set collecting_account_id = ${outage.id} where id in (${a.id}, ${b.id})`)
  const written = { amount, senderName: a.customer.name, narrative: `FAST ${a.referenceCode}` }
  const statuses = async () => [(await reloadDeposit(app, a)).status, (await reloadDeposit(app, b)).status]
  const newest = async () => (await outage.lines()).at(-1)?.id ?? assert.fail('no line')
  const enter = (changes: Partial<LineToEnter> = {}) => outage.enter({ ...written, ...changes })
  return { ...outage, a, b, written, statuses, newest, enter }
}

const newMoney = (actor: typeof AYSE, lineId: string) => makeProposal(app, actor, 'line.new_money', { lineId })
const enteredIt = (line: string) => ({ said: { why: 'first_line_entered_by', facts: { line, name: 'ayse.yilmaz' } } })

test('the bank’s line of an entered payment: that it is new money say two people, neither of whom entered it', async () => {
  const { enter, real, gives, written, b, statuses, newest, settle, cash, today } = await twoDeposits(90_059n)
  const entered = await enter({ bookedOn: addDays(today, -2) })
  assert.deepEqual(await gives(real(written)), [['needs_review', 'suspected_correction', entered]])
  const line = await newest()
  await assert.rejects(decideCorrection(app, AYSE, line, 'new_money'), { why: 'two_people_needed' })
  await assert.rejects(decideCorrection(app, MEHMET, line, 'new_money'), { why: 'two_people_needed' })
  await assert.rejects(newMoney(AYSE, line), enteredIt(line))
  await assert.rejects(matchByHand(app, AYSE, line, b.id), { why: 'line_may_repeat' })
  const asked = await newMoney(MEHMET, line)
  if (asked.state !== 'open') return assert.fail(asked.state)
  const { id, seenSha256, rows } = asked.proposal
  const facts = Object.fromEntries(rows.map(({ field, after }) => [field, after]))
  assert.deepEqual([facts['enteredBy'], facts['dayEntered']], ['ayse.yilmaz', addDays(today, -2)])
  assert.doesNotMatch(JSON.stringify(rows), new RegExp(written.senderName), 'no personal data in proposals')
  await assert.rejects(matchByHand(app, AYSE, line, b.id), { why: 'line_may_repeat' })
  await assert.rejects(approveProposal(app, AYSE, id, seenSha256), enteredIt(line))
  await assert.rejects(approveProposal(app, MEHMET, id, seenSha256), { why: 'proposal_own' })
  assert.deepEqual([await statuses(), await cash()], [['completed', 'pending'], 90_059n])
  await approveProposal(app, ZEYNEP, id, seenSha256)
  await settle()
  assert.equal(await cash(), 180_118n)
})

test('the same of a line that was dismissed as the entered one, also on the command line', async () => {
  const { enter, real, gives, written, newest, cash } = await twoDeposits(70_071n)
  const entered = await enter()
  assert.deepEqual(await gives(real(written)), [['dismissed', 'entered_by_hand', entered]])
  const line = await newest()
  const run = openCommandLineOf(service)
  const say = (name: string) => run(['line', 'correction', line, '--new-money', '--as', name])
  assert.match((await say('ayse.yilmaz')).errors, /ayse\.yilmaz entered the line that \w+ may repeat/)
  assert.match((await say('mehmet.kaya')).output, /Nothing is changed until another person approves it/)
  assert.equal(await cash(), 70_071n)
  assert.match((await say('zeynep.ak')).output, /It goes to the matcher/)
})

const sameMoney = (actor: typeof AYSE, lineId: string) => makeProposal(app, actor, 'line.same_money', { lineId })

test('a line of another sender or with another code: that it is the entered payment say two people, neither of whom entered it', async () => {
  const { enter, real, gives, written, newest, b, statuses, cash } = await twoDeposits(60_061n)
  await enter()
  for (const changes of [{ senderName: 'Hasan Su' }, { narrative: `FAST ${b.referenceCode}` }]) {
    await gives(real({ ...written, ...changes }))
    const line = await newest()
    for (const actor of [AYSE, MEHMET])
      await assert.rejects(decideCorrection(app, actor, line, 'same_money'), { why: 'two_people_needed' })
    await assert.rejects(sameMoney(AYSE, line), enteredIt(line))
  }
  const line = await newest()
  assert.equal((await sameMoney(MEHMET, line)).state, 'open')
  assert.deepEqual([await statuses(), await cash()], [['completed', 'pending'], 60_061n])
  assert.equal((await sameMoney(ZEYNEP, line)).state, 'applied')
  assert.equal((await findLine(app.db, line))?.reason, 'same_money')
  await assert.rejects(decideCorrection(app, MEHMET, line, 'new_money'), { why: 'two_people_needed' })
})

test('a line that was called other money by mistake is the same money again, by two others, and the entered one is shown', async () => {
  const { enter, real, gives, written, newest, settle, cash, today } = await twoDeposits(60_063n)
  const entered = await enter({ bookedOn: addDays(today, -3) })
  await gives(real({ ...written, narrative: 'kira' }))
  const line = await newest()
  for (const actor of [MEHMET, ZEYNEP]) await newMoney(actor, line)
  await settle()
  assert.deepEqual([(await findLine(app.db, line))?.state, await cash()], ['suspense', 120_126n])
  await assert.rejects(decideCorrection(app, MEHMET, line, 'same_money'), { why: 'two_people_needed' })
  for (const actor of [MEHMET, ZEYNEP]) await sameMoney(actor, line)
  await settle()
  assert.deepEqual([(await findLine(app.db, line))?.state, await cash()], ['dismissed', 60_063n])
  assert.deepEqual(await selectUnconfirmed(app.db, [entered]), [])
})

test('a dismissed payment is seen by who enters it again, and may repeat the entered one when it comes back', async () => {
  const { real, gives, written, newest, propose, enter, today } = await twoDeposits(60_065n)
  await gives(real({ ...written, narrative: 'kira' }))
  const line = await newest()
  for (const actor of [AYSE, MEHMET]) await dismissLine(app, actor, line, 'the bank does not know it')
  await assert.rejects(propose({ ...written, narrative: '' }), {
    said: { why: 'entered_line_repeats', facts: { line, state: 'dismissed' } },
  })
  const entered = await enter({ narrative: '', besides: [line], bookedOn: today })
  for (const actor of [AYSE, MEHMET]) await restoreLine(app, actor, line)
  const { state, reason, correctsLineId } = (await findLine(app.db, line)) ?? assert.fail('no line')
  assert.deepEqual([state, reason, correctsLineId], ['needs_review', 'suspected_correction', entered])
})

test('a payment that was entered with a day long before: its code tells that it may be the same', async () => {
  const { enter, real, gives, written, today } = await twoDeposits(50_051n)
  const entered = await enter({ bookedOn: addDays(today, -20) })
  assert.deepEqual(await gives(real(written)), [['needs_review', 'suspected_correction', entered]])
  assert.deepEqual(await gives(real({ ...written, narrative: 'kira', bookedAt: startOfDay(today) })), [
    ['suspense', 'no_reference', null],
  ])
})

test('two payments of one customer, one of them entered: each deposit gets its own, in both orders and in parts', async () => {
  for (const [amount, order] of [
    [30_031n, 'BA'],
    [30_032n, 'AB'],
    [30_033n, 'B then A'],
  ] as const) {
    const { enter, real, gives, written, a, b, statuses, cash } = await twoDeposits(amount)
    const entered = await enter()
    const lineOf = { A: real(written), B: real({ ...written, narrative: `FAST ${b.referenceCode}` }) }
    if (order === 'B then A') {
      // A person decides whether it is the entered one with another code.
      assert.deepEqual(await gives(lineOf.B), [['needs_review', 'suspected_correction', entered]])
      assert.deepEqual(await gives(lineOf.A), [['dismissed', 'entered_by_hand', entered]])
      assert.deepEqual([await statuses(), await cash()], [['completed', 'pending'], amount])
      continue
    }
    const given = await gives(...Array.from(order, (one) => lineOf[one as 'A' | 'B']))
    const reasons = { A: ['dismissed', 'entered_by_hand', entered], B: ['matched', 'exact', null] }
    assert.deepEqual(
      given,
      Array.from(order, (one) => reasons[one as 'A' | 'B']),
    )
    assert.deepEqual([await statuses(), await cash()], [['completed', 'completed'], amount * 2n], a.id)
  }
})

test('both were entered: each line of the bank replaces the one with its code', async () => {
  const { enter, real, gives, written, b, cash } = await twoDeposits(31_031n)
  const ofB = { ...written, narrative: `FAST ${b.referenceCode}` }
  const first = await enter()
  const second = await enter({ ...ofB, besides: [first] })
  assert.deepEqual(await gives(real(ofB), real(written)), [
    ['dismissed', 'entered_by_hand', second],
    ['dismissed', 'entered_by_hand', first],
  ])
  assert.equal(await cash(), 62_062n)
})

test('of equal payments without a code the one with the text that was entered replaces it', async () => {
  const { enter, real, gives } = await openOutage(app)
  const entered = await enter({ narrative: 'ekim kirası' })
  assert.deepEqual(await gives(real({ narrative: 'KASIM KIRASI' }), real({ narrative: 'EKIM KIRASI' })), [
    ['suspense', 'no_reference', null],
    ['dismissed', 'entered_by_hand', entered],
  ])
})

test('a name without a letter or digit is refused, and is no one’s where it was entered before', async () => {
  const { enter, propose, real, gives } = await openOutage(app)
  for (const senderName of ['.', '\u200b\u200b', ' - '])
    await assert.rejects(propose({ senderName }), { why: 'entered_name_missing', fields: ['sender'] })
  const entered = await enter()
  await app.db.query(sql`update bank_lines set sender_name = '.' where id = ${entered}`)
  assert.deepEqual(await gives(real({ senderName: 'Zeki Zengin' })), [
    ['needs_review', 'suspected_correction', entered],
  ])
})
