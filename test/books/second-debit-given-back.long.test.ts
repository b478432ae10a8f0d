import assert from 'node:assert/strict'
import { test } from 'node:test'
import { returnByHand } from '../../packages/server/src/domain/matching/index.ts'
import { findPayout } from '../../packages/server/src/domain/withdrawals/index.ts'
import type { BankLine } from '../../packages/server/src/domain/statements/index.ts'
import { listLines } from '../../packages/server/src/domain/statements/index.ts'
import type { Refusal } from '../../packages/server/src/platform/refusal.ts'
import { openBooksOfPayouts } from '../harness/books-of-payouts.ts'
import { AYSE } from '../harness/journal.ts'
import { ingest, matchAll } from '../harness/payments.ts'
import { AMOUNT } from '../harness/payout-lines.ts'

// A payout is debited twice, and the bank gives the second debit back in any way. Its merchant never gets that money.

const { app, journal, sent, lineAbout, available, candidatesOf, follow, arrives } = await openBooksOfPayouts()
const A = BigInt(AMOUNT)

const comesBack = (id: string, changes: Partial<BankLine> = {}) =>
  arrives(id, { direction: 'credit', narrative: `MUKERRER DUZELTME ${id}`, ...changes })

async function debitedTwice(changes: Partial<BankLine> = {}) {
  const id = await sent()
  await arrives(id)
  const second = await arrives(id, changes)
  return { id, second, before: await available() }
}

const owed = (debit: string) => `vezne journal propose receivable --line ${debit}`
const settled = (credit: string, entry = 'ENTRY') =>
  `vezne journal propose receivable --line ${credit} --settles ${entry}`
const firstOf = async (line: string) => (await candidatesOf(line))[0]?.next ?? ''

async function assertNotReturned(id: string, before: bigint): Promise<void> {
  assert.equal((await findPayout(app.db, id))?.state, 'sent')
  assert.equal(await available(), before)
}

/** Every way to call the credit a return is refused while the debit is open, with what to do first. */
async function assertNoReturn(id: string, second: string, lines: string[]): Promise<void> {
  const says = (error: Refusal) => {
    const { withdrawal, lines: debits, credit } = error.said?.facts ?? {}
    assert.deepEqual([error.why, withdrawal, debits], ['payout_debited_further', id, [second]])
    assert.ok(lines.includes(credit as string))
    return true
  }
  if (lines.length === 1) await assert.rejects(returnByHand(app, AYSE, lines[0] ?? '', id), says)
  const terms = { lineIds: lines, withdrawalId: id }
  await assert.rejects(journal.propose('payout_return', terms), says)
  await assert.rejects(journal.propose('payout_return', { ...terms, costsBy: 'operator' }), says)
  for (const line of lines) {
    const found = await candidatesOf(line)
    for (const { next } of found.filter((one, place) => place === 0 || one.id === id))
      assert.doesNotMatch(next, /return/)
  }
}

test('in two credits that both name it: the debit is owed first, and each settles a part', async () => {
  const { id, second, before } = await debitedTwice()
  const [one, two] = [await comesBack(id, { amount: A - 2_100n }), await comesBack(id, { amount: 2_100n })]
  await assertNoReturn(id, second, [one, two])
  for (const line of [one, two])
    assert.ok((await firstOf(line)).includes(`${owed(second)}, then ${settled(line)}`), await firstOf(line))
  await follow(one)
  assert.match(await firstOf(two), /receivable --line \w+ --settles [0-9a-f]{24}$/)
  await follow(two)
  await assertNotReturned(id, before)
})

test('in two credits of which one names it: the other is advised to the same debit', async () => {
  const { id, second, before } = await debitedTwice()
  const named = await comesBack(id, { amount: A - 3_333n })
  const unnamed = await comesBack(id, { amount: 3_333n, narrative: 'DUZELTME' })
  await assertNoReturn(id, second, [named])
  assert.ok((await firstOf(unnamed)).includes(`${owed(second)}, then ${settled(unnamed)}`), await firstOf(unnamed))
  await follow(unnamed)
  await follow(named)
  await assertNotReturned(id, before)
})

test('less costs: the credit settles what came, and the rest is written off', async () => {
  const { id, second, before } = await debitedTwice()
  const less = await comesBack(id, { amount: A - 500n })
  await assertNoReturn(id, second, [less])
  const commands = await follow(less)
  assert.equal(commands.length, 3, commands.join())
  assert.match(commands[2] ?? '', /what will not come back: vezne journal propose bank_charge --settles ENTRY$/)
  await assertNotReturned(id, before)
})

test('on another of our accounts: it settles the debit there', async () => {
  const { id, second, before } = await debitedTwice()
  const source = (await findPayout(app.db, id))?.sourceAccountId
  const other = [journal.here, journal.there].find((one) => one.id !== source) ?? assert.fail('no other account')
  const far = await comesBack(id, { accountIban: other.iban })
  await assertNoReturn(id, second, [far])
  await follow(far)
  await assertNotReturned(id, before)
})

test('a second debit with a charge in it: the credit settles it, and the charge is written off', async () => {
  const { id, second, before } = await debitedTwice({ amount: A + 854n })
  const back = await comesBack(id)
  await assertNoReturn(id, second, [back])
  await follow(back)
  await assertNotReturned(id, before)
})

test('one equal credit that does not name it is no return either', async () => {
  const { id, second, before } = await debitedTwice()
  const back = await comesBack(id, { narrative: 'DUZELTME' })
  await assert.rejects(returnByHand(app, AYSE, back, id), { why: 'payout_debited_further' })
  assert.ok((await firstOf(back)).includes(owed(second)), await firstOf(back))
  await follow(back)
  await assertNotReturned(id, before)
})

test('a second debit in parts: they are owed together, and one credit settles them', async () => {
  const id = await sent()
  await arrives(id)
  const parts = [await arrives(id, { amount: A - 1_234n }), await arrives(id, { amount: 1_234n })]
  const before = await available()
  const back = await comesBack(id)
  await follow(back)
  assert.equal((await journal.stateOf(parts[0] ?? ''))[0], 'matched')
  await assertNotReturned(id, before)
})

test('a return that came before the second debit was read, on one page, waits for a person', async () => {
  const id = await sent()
  await arrives(id)
  const before = await available()
  const [credit, second] = [
    await lineAbout(id, { direction: 'credit', narrative: `MUKERRER DUZELTME ${id}` }),
    await lineAbout(id, {}),
  ]
  await ingest(app, [credit, second])
  await matchAll(app)
  await journal.bookAll()
  const lines = (await listLines(app.db, undefined, 1000)).filter(({ narrative }) => narrative.includes(id))
  const back = lines.find(({ direction }) => direction === 'credit') ?? assert.fail('no credit')
  assert.deepEqual([back.state, back.reason], ['suspense', 'payout_second_debit'])
  await follow(back.id)
  await assertNotReturned(id, before)
})

test('it was the return after all: once the debit is owed, a person may say so', async () => {
  const { id, second, before } = await debitedTwice()
  const credit = await comesBack(id)
  await assertNoReturn(id, second, [credit])
  const entry = await journal.post('receivable', { lineIds: [second] })
  assert.equal(await returnByHand(app, AYSE, credit, id), 'credited')
  assert.equal(await available(), before + A)
  await journal.post('receivable', { lineIds: [await comesBack(id)], settles: entry })
})
