import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operatorActor, UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { decideCorrection, matchByHand } from '../../packages/server/src/domain/matching/index.ts'
import { dismissLine, restoreLine } from '../harness/line-proposals.ts'
import { makeProposal } from '../../packages/server/src/domain/proposals/index.ts'
import { balanceOf, findDrift } from '../../packages/server/src/domain/ledger/index.ts'
import type { BankLine } from '../../packages/server/src/domain/statements/index.ts'
import { addOperator, DECIDING } from '../../packages/server/src/domain/people/index.ts'
import { findLine, listLines } from '../../packages/server/src/domain/statements/index.ts'
import { makeIban } from '../../packages/server/src/kernel/iban.ts'
import type { Correction } from '../../packages/server/src/domain/matching/index.ts'
import { refusalForTerminal } from '../../packages/server/src/acts/refusals/say.ts'
import type { Refusal } from '../../packages/server/src/platform/refusal.ts'
import { reloadDeposit, lineFor, matchAll, someDeposits, ingest } from '../harness/payments.ts'
import { startSecondProcess, startService } from '../harness/service.ts'

// A sorgu no is unique only per sending bank and day: the number alone never says that two lines are one payment.

const service = await startService()
const { app, merchant } = service
for (const name of ['ayse', 'mehmet']) await addOperator(app, UNATTRIBUTED, name, DECIDING)

async function twoDeposits() {
  const shop = await merchant()
  const [first, second] = await someDeposits(app, shop.merchantId, 2)
  if (!first || !second) throw new Error('no deposits')
  // On one account, because a number is compared within one account.
  const line = { ...(await lineFor(app, first)), senderIban: 'TR620006200029500006291296' }
  return { shop, first, second, line }
}

async function linesWith(bankReference: string | null) {
  return (await listLines(app.db, undefined, 10_000)).filter((line) => line.bankReference === bankReference)
}

/** The line with this change, in the same account and with the same number. */
async function repeated(changes: Partial<BankLine>) {
  const { shop, first, line } = await twoDeposits()
  await ingest(app, [line])
  await matchAll(app)
  assert.equal((await reloadDeposit(app, first)).status, 'completed')
  await ingest(app, [{ ...line, ...changes }], 'another reading')
  await matchAll(app)
  return { shop, first, line, lines: await linesWith(line.bankReference) }
}

for (const [what, sender] of [
  ['another name and no IBAN', { senderName: 'Mehmet Demir', senderIban: null }],
  ['another IBAN', { senderName: 'Ayşe Yılmaz', senderIban: 'TR470000100100000350930001' }],
] as const) {
  test(`two payments with one number, amount and date, ${what}: both are credited`, async () => {
    const { shop, first, second, line } = await twoDeposits()
    const other = { ...line, ...sender, narrative: `FAST ${second.referenceCode} odeme` }
    await ingest(app, [sender.senderIban === null ? { ...line, senderIban: null } : line, other])
    await matchAll(app)
    assert.equal((await reloadDeposit(app, first)).status, 'completed')
    const { status, flags } = await reloadDeposit(app, second)
    // The second deposit may have another account; the money is kept in any case.
    assert.equal(second.collectingAccountId === first.collectingAccountId ? status : 'completed', 'completed')
    assert.equal((await linesWith(line.bankReference)).length, 2)
    assert.deepEqual(
      (await linesWith(line.bankReference)).filter(({ state }) => state === 'needs_review'),
      [],
    )
    assert.ok(!flags.includes('duplicate'))
    assert.ok((await balanceOf(app.db, shop.merchantId, 'TRY')).available >= 125_000n)
  })
}

test('everything equal: the same line, read again', async () => {
  const { lines, shop } = await repeated({})
  assert.equal(lines.length, 1)
  assert.equal((await balanceOf(app.db, shop.merchantId, 'TRY')).available, 125_000n)
})

const CORRECTIONS: [string, Partial<BankLine>][] = [
  ['another amount', { amount: 130_000n }],
  ['another value date', { valueDate: '2026-01-02' }],
  ['another time of booking', { bookedAt: new Date('2026-01-02T08:00:00Z') }],
  ['another text', { narrative: 'FAST odeme' }],
  ['the name cut short', { senderName: 'Ayşe Yıl' }],
  ['without the name', { senderName: '' }],
  ['without the IBAN', { senderIban: null }],
  ['another sender, all else equal', { senderName: 'FAST GELEN', senderIban: 'TR470000100100000350930001' }],
]

for (const [what, changes] of CORRECTIONS) {
  test(`the same number and sender with ${what}: kept beside the first, not credited`, async () => {
    const { shop, first, lines } = await repeated(changes)
    assert.equal(lines.length, 2)
    const suspect = lines.find(({ correctsLineId }) => correctsLineId !== null)
    assert.deepEqual([suspect?.state, suspect?.reason], ['needs_review', 'suspected_correction'])
    assert.equal(suspect?.correctsLineId, lines.find(({ state }) => state === 'matched')?.id)
    const { status, flags, receivedAmount } = await reloadDeposit(app, first)
    assert.deepEqual({ status, flags, receivedAmount }, { status: 'completed', flags: [], receivedAmount: 125_000n })
    assert.equal((await balanceOf(app.db, shop.merchantId, 'TRY')).available, 125_000n)
  })
}

test('a correction read once more is known; a third variant is kept too', async () => {
  const { line, lines } = await repeated({ amount: 130_000n })
  assert.equal(lines.length, 2)
  assert.equal((await ingest(app, [line, { ...line, amount: 130_000n }])).imported, 0)
  await ingest(app, [{ ...line, amount: 140_000n }])
  await matchAll(app)
  assert.equal((await linesWith(line.bankReference)).length, 3)
})

test('a line and its correction in one page: the first is credited, the second waits', async () => {
  const { first, line } = await twoDeposits()
  await ingest(app, [line, { ...line, amount: 1n }, line])
  await matchAll(app)
  const { status, receivedAmount } = await reloadDeposit(app, first)
  assert.deepEqual([status, receivedAmount], ['completed', 125_000n])
  assert.deepEqual((await linesWith(line.bankReference)).map(({ state }) => state).toSorted(), [
    'matched',
    'needs_review',
  ])
})

test('two processes read two variants at once: one is credited, the other waits', async () => {
  const other = await startSecondProcess(service)
  for (let round = 0; round < 10; round++) {
    const { first, line } = await twoDeposits()
    await Promise.all([
      ingest(app, [line]),
      ingest(other, [{ ...line, narrative: `${line.narrative} duzeltme` }], 'a file'),
    ])
    await matchAll(app)
    assert.deepEqual((await linesWith(line.bankReference)).map(({ state }) => state).toSorted(), [
      'matched',
      'needs_review',
    ])
    assert.equal((await reloadDeposit(app, first)).receivedAmount, 125_000n)
  }
})

test('what a bank writes where it has no number is no number: thousands of lines come in', async () => {
  const { line } = await twoDeposits()
  for (let page = 0; page < 6; page++) {
    const lines = Array.from({ length: 500 }, (_, index) => ({
      ...line,
      bankReference: '-',
      senderName: `Kisi Soyad${page * 500 + index}`,
      senderIban: null,
      narrative: `odeme ${page} ${index}`,
    }))
    assert.equal((await ingest(app, lines)).imported, 500)
    assert.equal((await ingest(app, lines)).imported, 0)
  }
  await matchAll(app)
})

test('a correction of one of sixty lines with one number is not booked, however old the line is', async () => {
  const { first, line } = await twoDeposits()
  const numbered = { ...line, bankReference: 'YOK' }
  await ingest(app, [numbered])
  await matchAll(app)
  const others = Array.from({ length: 60 }, (_, index) => ({
    ...numbered,
    amount: 1000n + BigInt(index),
    senderName: `Baska Kisi${index}`,
    senderIban: makeIban('0062', String(index)),
    narrative: `odeme ${index}`,
  }))
  await ingest(app, others)
  await ingest(app, [{ ...numbered, valueDate: '2026-01-02' }])
  await matchAll(app)
  const { receivedAmount, flags } = await reloadDeposit(app, first)
  assert.deepEqual([receivedAmount, flags], [125_000n, []])
  const suspect = (await linesWith('YOK')).find(({ valueDate }) => valueDate === '2026-01-02')
  assert.deepEqual([suspect?.state, suspect?.reason], ['needs_review', 'suspected_correction'])
  // All of it read again, in one page: nothing is new.
  assert.equal((await ingest(app, [numbered, ...others])).imported, 0)
})

/** The first line was credited: two people say so. */
async function isNewMoney(lineId: string): Promise<void> {
  await assert.rejects(decideCorrection(app, operatorActor('ayse'), lineId, 'new_money'), { why: 'two_people_needed' })
  for (const name of ['ayse', 'mehmet']) await makeProposal(app, operatorActor(name), 'line.new_money', { lineId })
}

test('two people say that it is new money: it is judged like any other line', async () => {
  const { shop, first, lines } = await repeated({ valueDate: '2026-01-02' })
  const suspect = lines.find(({ correctsLineId }) => correctsLineId !== null)
  await isNewMoney(suspect?.id ?? '')
  await matchAll(app)
  const judged = await findLine(app.db, suspect?.id ?? '')
  assert.deepEqual([judged?.state, judged?.reason], ['suspense', 'duplicate'])
  assert.deepEqual((await reloadDeposit(app, first)).flags, ['duplicate'])
  assert.equal((await balanceOf(app.db, shop.merchantId, 'TRY')).available, 125_000n)
})

test('a person says that it is the same money: it is set aside and books nothing', async () => {
  const { lines } = await repeated({ narrative: 'FAST odeme' })
  const suspect = lines.find(({ correctsLineId }) => correctsLineId !== null)
  const id = suspect?.id ?? ''
  await decideCorrection(app, operatorActor('ayse'), id, 'same_money')
  await matchAll(app)
  const set = await findLine(app.db, id)
  assert.deepEqual([set?.state, set?.reason], ['dismissed', 'same_money'])
  await isNewMoney(id)
  await matchAll(app)
  assert.equal((await findLine(app.db, id))?.state, 'suspense')
  await assert.rejects(decideCorrection(app, operatorActor('ayse'), id, 'same_money'), { why: 'two_people_needed' })
  assert.deepEqual(await findDrift(app.db), [])
})

test('a line that was replaced by mistake is brought back by another person, once', async () => {
  const { line } = await twoDeposits()
  await ingest(app, [{ ...line, narrative: 'kodsuz' }])
  await matchAll(app)
  await ingest(app, [{ ...line, narrative: 'baska' }])
  const suspect = (await linesWith(line.bankReference)).find(({ correctsLineId }) => correctsLineId !== null)
  const first = suspect?.correctsLineId ?? ''
  await decideCorrection(app, operatorActor('ayse'), suspect?.id ?? '', 'replaces')
  await matchAll(app)
  assert.equal((await findLine(app.db, first))?.state, 'dismissed')
  // Its replacement is in suspense: both would be in the books.
  const facts = { line: first, replacement: suspect?.id, state: 'suspense' }
  const standing = { said: { why: 'line_replacement_stands', facts } }
  await assert.rejects(restoreLine(app, operatorActor('mehmet'), first), standing)
  for (const actor of ['ayse', 'mehmet'].map(operatorActor))
    await dismissLine(app, actor, suspect?.id ?? '', 'the first was right')
  await restoreLine(app, operatorActor('mehmet'), first)
  await matchAll(app)
  assert.equal((await findLine(app.db, first))?.state, 'suspense')
  await assert.rejects(restoreLine(app, operatorActor('mehmet'), first), { why: 'line_not_in_state' })
  assert.deepEqual(await findDrift(app.db), [])
})

test('three versions of one line: the last one can still replace the one that stands', async () => {
  const { first, line } = await twoDeposits()
  for (const amount of [100_000n, 110_000n, 125_000n]) {
    await ingest(app, [{ ...line, amount, narrative: amount === 125_000n ? line.narrative : 'kodsuz' }])
    await matchAll(app)
  }
  for (const amount of [110_000n, 125_000n]) {
    const version = (await linesWith(line.bankReference)).find((one) => one.amount === amount)
    await decideCorrection(app, operatorActor('ayse'), version?.id ?? '', 'replaces')
    await matchAll(app)
  }
  assert.equal((await reloadDeposit(app, first)).status, 'completed')
  assert.deepEqual((await linesWith(line.bankReference)).map(({ state }) => state).toSorted(), [
    'dismissed',
    'dismissed',
    'matched',
  ])
  assert.deepEqual(await findDrift(app.db), [])
})

test('a line whose replacement was replaced too is not restored while the last one is in suspense', async () => {
  const { line } = await twoDeposits()
  const amounts = [1000n, 1100n, 1200n]
  for (const amount of amounts) {
    await ingest(app, [{ ...line, amount, narrative: 'kodsuz' }])
    await matchAll(app)
  }
  const versions = await linesWith(line.bankReference)
  const [first, second, third] = amounts.map((amount) => versions.find((one) => one.amount === amount)?.id ?? '')
  for (const id of [second, third]) {
    await decideCorrection(app, operatorActor('ayse'), id ?? '', 'replaces')
    await matchAll(app)
  }
  const why = 'line_replacement_stands'
  for (const id of [first, second])
    await assert.rejects(restoreLine(app, operatorActor('mehmet'), id ?? ''), {
      said: { why, facts: { line: id, replacement: third, state: 'suspense' } },
    })
})

test('a line that was credited cannot be replaced; the refusal says what can be done', async () => {
  const { lines } = await repeated({ amount: 130_000n })
  const suspect = lines.find(({ correctsLineId }) => correctsLineId !== null)
  const refused = (found: Correction, shown: RegExp) =>
    assert.rejects(decideCorrection(app, operatorActor('ayse'), suspect?.id ?? '', found), (error: Refusal) => {
      assert.match(refusalForTerminal(error).join('\n'), shown)
      return true
    })
  await refused(
    'replaces',
    /was credited to deposit.*unmatch --deposit .* --to processing\n.*--replaces\n.*line match.*line dismiss.*--new-money/s,
  )
  await refused('same_money', /1.300,00 TL on this line, 1.250,00 TL on the first.*--replaces\n.*line dismiss/s)
})

test('a suspected correction cannot be matched by hand before somebody has said what it is', async () => {
  const { shop, lines } = await repeated({ amount: 130_000n })
  const suspect = lines.find(({ correctsLineId }) => correctsLineId !== null)
  const [open] = await someDeposits(app, shop.merchantId, 1)
  await assert.rejects(matchByHand(app, operatorActor('ayse'), suspect?.id ?? '', open?.id ?? ''), {
    why: 'line_may_repeat',
  })
})
