import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { openReceivables, reportDay } from '../../packages/server/src/domain/books/index.ts'
import { decideCorrection, returnByHand } from '../../packages/server/src/domain/matching/index.ts'
import { decideEnded, findPayout } from '../../packages/server/src/domain/withdrawals/index.ts'
import type { BankLine } from '../../packages/server/src/domain/statements/index.ts'
import { findLine, listLines } from '../../packages/server/src/domain/statements/index.ts'
import { istanbul, startOfDay } from '../../packages/server/src/kernel/istanbul.ts'
import { money } from '../../packages/server/src/kernel/refusals/facts.ts'
import type { Refusal } from '../../packages/server/src/platform/refusal.ts'
import { candidatesInWords } from '../harness/candidates.ts'
import { AYSE, MEHMET, openJournal } from '../harness/journal.ts'
import { AMOUNT, openPayoutLines } from '../harness/payout-lines.ts'
import { startWithBank } from '../harness/payouts.ts'
import { travelTo } from '../harness/until.ts'
import { refusal } from '../harness/refusals.ts'

// The bank debits a payout twice, or takes its return back.

const service = await startWithBank()
const { app } = service
const shop = await service.merchantWithMoney(1_000_000n)
const journal = await openJournal(app)
const { post, propose } = journal
const { sent, lineAbout, available } = openPayoutLines(service, shop)

const FIRST_DAY = istanbul(app.clock.now()).day

/** Each case ends with a day that is explained, and with nothing left to decide or owed. */
afterEach(async () => {
  await journal.assertSound()
  for (const day of new Set([FIRST_DAY, istanbul(app.clock.now()).day])) {
    const { accounts } = await reportDay(app, day)
    assert.deepEqual(
      accounts.filter(({ unexplained }) => unexplained !== 0n),
      [],
    )
  }
  const left = await listLines(app.db, undefined, 1000)
  assert.deepEqual(
    left.filter(({ state }) => state === 'suspense' || state === 'needs_review'),
    [],
  )
  assert.deepEqual(await openReceivables(app.db), [])
})

const arrives = async (id: string, changes: Partial<BankLine> = {}) =>
  journal.arrives('debit', 0n, await lineAbout(id, changes))
const comesBack = (id: string) => arrives(id, { direction: 'credit', narrative: `MUKERRER ISLEM DUZELTME ${id}` })
const reasonOf = async (lineId: string) => (await journal.stateOf(lineId)).slice(0, 2).join(' ')

async function candidatesOf(lineId: string) {
  return candidatesInWords(app, (await findLine(app.db, lineId)) ?? assert.fail('no line'))
}

/** A payout with its debit, and a second one. */
async function debitedTwice(): Promise<{ id: string; second: string }> {
  const id = await sent()
  await arrives(id)
  const second = await arrives(id)
  assert.equal(await reasonOf(second), 'needs_review payout_line_twice')
  return { id, second }
}

test('one of two debits is given back: the credit waits, and the two are a storno', async () => {
  const { id, second } = await debitedTwice()
  const before = await available()
  const credit = await comesBack(id)
  assert.equal(await reasonOf(credit), 'suspense payout_second_debit')
  assert.equal((await findPayout(app.db, id))?.state, 'sent')
  const [best, ...others] = await candidatesOf(credit)
  assert.equal(best?.next, `vezne journal propose storno --line ${credit} --line ${second}`)
  const itself = others.find((one) => one.id === id)
  assert.ok(itself?.next.includes(`vezne journal propose receivable --line ${second}, then `), itself?.next)
  await post('storno', { lineIds: [credit, second] })
  assert.equal(await available(), before)
  const returned = await arrives(id, { direction: 'credit', narrative: `IADE ${id}` })
  assert.equal(await reasonOf(returned), 'matched payout_returned')
})

test('the second debit is owed: the credit waits, and settles it; a later one is the return', async () => {
  const { id, second } = await debitedTwice()
  const before = await available()
  const owed = await post('receivable', { lineIds: [second] })
  const credit = await comesBack(id)
  assert.equal(await reasonOf(credit), 'suspense payout_second_debit')
  const [best] = await candidatesOf(credit)
  assert.equal(best?.next, `vezne journal propose receivable --line ${credit} --settles ${owed}`)
  await post('receivable', { lineIds: [credit], settles: owed })
  assert.equal(await available(), before)
  const returned = await arrives(id, { direction: 'credit', narrative: `IADE ${id}` })
  assert.equal(await reasonOf(returned), 'matched payout_returned')
})

test('it was the return: a person says so once the second debit is owed', async () => {
  const { id, second } = await debitedTwice()
  const before = await available()
  const credit = await comesBack(id)
  await assert.rejects(returnByHand(app, AYSE, credit, id), {
    said: { why: 'payout_debited_further', facts: { withdrawal: id, lines: [second], credit } },
  })
  const owed = await post('receivable', { lineIds: [second] })
  assert.equal(await returnByHand(app, AYSE, credit, id), 'credited')
  assert.equal(await available(), before + BigInt(AMOUNT))
  const later = await arrives(id, { direction: 'credit', narrative: 'DUZELTME' })
  await post('receivable', { lineIds: [later], settles: owed })
})

test('a charge that names the payout is no second debit of it', async () => {
  const id = await sent()
  await arrives(id)
  const charge = await arrives(id, { amount: 639n, narrative: `EFT MASRAFI ${id}` })
  const credit = await arrives(id, { direction: 'credit', narrative: `IADE ${id}` })
  assert.equal(await reasonOf(credit), 'matched payout_returned')
  await post('bank_charge', { lineIds: [charge] })
})

/** A payout that came back by a credit, and whose return the bank then took back. */
async function returnTakenBack(changes: Partial<BankLine> = {}): Promise<{ id: string; debit: string }> {
  const id = await sent()
  await arrives(id)
  await arrives(id, { direction: 'credit', narrative: `IADE ${id}` })
  assert.equal((await findPayout(app.db, id))?.state, 'returned')
  return { id, debit: await arrives(id, { narrative: `IADE IPTAL ${id}`, ...changes }) }
}

test("the bank takes a return back: owed, and settled from the merchant's balance, once", async () => {
  const before = await available()
  const { id, debit } = await returnTakenBack()
  const [best] = await candidatesOf(debit)
  assert.equal(best?.next, `vezne journal propose receivable --line ${debit}`)
  const second = `vezne journal propose receivable --settles ENTRY --withdrawal ${id}`
  assert.ok(
    best?.reasons.some((reason) => reason.includes(second)),
    best?.reasons.join(),
  )
  const owed = await post('receivable', { lineIds: [debit] })
  const terms = { settles: owed, withdrawalId: id }
  await journal.approve((await propose('receivable', terms)).id)
  await assert.rejects(propose('receivable', terms), refusal('receivable_not_open'))
  assert.equal(await available(), before - BigInt(AMOUNT))
  const third = await post('receivable', { lineIds: [await arrives(id)] })
  await assert.rejects(propose('receivable', { settles: third, withdrawalId: id }), { why: 'merchant_charged_in_full' })
  await post('receivable', { lineIds: [await arrives(id, { direction: 'credit' })], settles: third })
})

test('a return taken back in parts is charged up to what the merchant got back', async () => {
  const before = await available()
  const id = await sent()
  await arrives(id)
  const back = await arrives(id, { direction: 'credit', amount: 9_500n, narrative: `IADE ${id}` })
  await post('payout_return', { lineIds: [back], withdrawalId: id, costsBy: 'merchant' })
  assert.equal(await available(), before - 500n)
  for (const amount of [6_000n, 3_500n]) {
    const part = await post('receivable', { lineIds: [await arrives(id, { amount })] })
    await post('receivable', { settles: part, withdrawalId: id })
  }
  assert.equal(await available(), before - BigInt(AMOUNT))
  const more = await post('receivable', { lineIds: [await arrives(id, { amount: 500n })] })
  await assert.rejects(propose('receivable', { settles: more, withdrawalId: id }), (error: Refusal) => {
    assert.equal(error.why, 'merchant_charged_in_full')
    const { of, charged, whole } = error.said?.facts ?? {}
    assert.deepEqual({ of, charged, whole }, { of: 'payout', charged: money(9_500n), whole: money(9_500n) })
    return true
  })
  await post('reversal', {}, more)
  const [charge] = await listLines(app.db, 'needs_review', null)
  await post('bank_charge', { lineIds: [charge?.id ?? ''] })
})

test('not for a payout whose merchant does not have the money, nor for a debit that does not name it', async () => {
  const { id, second } = await debitedTwice()
  const owed = await post('receivable', { lineIds: [second] })
  const charge = (withdrawalId: string) => propose('receivable', { settles: owed, withdrawalId })
  await assert.rejects(charge(id), {
    said: { why: 'payout_not_back', facts: { withdrawal: id, state: 'sent' } },
  })
  await post('receivable', { lineIds: [await comesBack(id)], settles: owed })
  const { id: returned, debit } = await returnTakenBack({ narrative: 'IADE IPTAL' })
  const unnamed = await post('receivable', { lineIds: [debit] })
  await assert.rejects(propose('receivable', { settles: unnamed, withdrawalId: returned }), {
    said: {
      why: 'debit_not_tied_to_payout',
      facts: { line: debit, withdrawal: returned, because: 'has_debit' },
    },
  })
  await post('receivable', { lineIds: [await journal.arrives('credit', BigInt(AMOUNT))], settles: unnamed })
})

test("a payout debited on two of our accounts is owed on each, and settled from the merchant's balance", async () => {
  const before = await available()
  const id = await sent()
  const source = (await findPayout(app.db, id))?.sourceAccountId
  const other = [journal.here, journal.there].find((one) => one.id !== source) ?? assert.fail('no other account')
  const own = await arrives(id, { amount: 6_000n })
  const far = await arrives(id, { amount: 4_000n, accountIban: other.iban })
  const unnamed = await arrives(id, { amount: 1n, accountIban: other.iban, narrative: 'HATALI' })
  const owed = new Map<string, string>()
  for (const line of [own, far, unnamed]) owed.set(line, await post('receivable', { lineIds: [line] }))
  await travelTo(app, 10 * 86_400)
  const decision = { verdict: 'never_paid' as const, evidence: 'asked the bank' }
  for (const actor of [AYSE, MEHMET]) await decideEnded(app, actor, id, decision)
  const settle = (line: string) => post('receivable', { settles: owed.get(line) ?? '', withdrawalId: id })
  await assert.rejects(settle(unnamed), {
    said: { why: 'debit_not_tied_to_payout', facts: { line: unnamed, withdrawal: id, because: 'account' } },
  })
  for (const line of [own, far]) await settle(line)
  assert.equal(await available(), before - BigInt(AMOUNT))
  assert.deepEqual([await journal.of('receivables', other), await journal.of('unexplained_debits', other)], [-1n, 0n])
  const credit = await journal.arrives('credit', 1n)
  await post('receivable', { lineIds: [credit], settles: owed.get(unnamed) ?? '' })
})

test('a second debit that repeats the first on another day: the same money is offered beside what is owed', async () => {
  const id = await sent()
  await travelTo(app, 12 * 86_400)
  const onDay = (days: number) => {
    const bookedAt = new Date(startOfDay(FIRST_DAY).getTime() + (days * 24 + 12) * 3_600_000)
    return { bookedAt, valueDate: istanbul(bookedAt).day }
  }
  const commands = async (line: string) =>
    (await candidatesOf(line)).filter((one) => one.id === id).map(({ next }) => next)
  await arrives(id, onDay(10))
  const second = await arrives(id, onDay(10))
  assert.deepEqual(await commands(second), [`vezne journal propose receivable --line ${second}`])
  await post('storno', { lineIds: [second, await comesBack(id)] })
  const redated = await arrives(id, onDay(11))
  assert.deepEqual(await commands(redated), [
    `vezne journal propose receivable --line ${redated}`,
    `vezne line correction ${redated} --same-money`,
  ])
  assert.equal((await decideCorrection(app, AYSE, redated, 'same_money')).state, 'dismissed')
})
