import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DayProof } from '../../packages/server/src/domain/books/index.ts'
import { reportDay } from '../../packages/server/src/domain/books/index.ts'
import { dismissLine } from '../harness/line-proposals.ts'
import { decideEnded, findPayout } from '../../packages/server/src/domain/withdrawals/index.ts'
import { listLines } from '../../packages/server/src/domain/statements/index.ts'
import { describeDay } from '../../packages/server/src/edges/cli/operator/books-day.ts'
import { addDays } from '../../packages/server/src/kernel/istanbul.ts'
import { AYSE, MEHMET, startBooks } from '../harness/books.ts'

const books = await startBooks()
const { app } = books

/** Differences over all accounts, by kind. */
function kindsOf({ accounts }: DayProof): Record<string, bigint> {
  const all = accounts.flatMap(({ differences }) => differences)
  return Object.fromEntries(
    [...Map.groupBy(all, ({ kind }) => kind)].map(([kind, rows]) => [
      kind,
      rows.reduce((sum, r) => sum + r.amount, 0n),
    ]),
  )
}

const unexplained = ({ accounts }: DayProof) => accounts.reduce((sum, one) => sum + one.unexplained, 0n)

test('a day with deposits, a payout without its debit, suspense and a charge: every difference is named, nothing is unexplained', async () => {
  const day = await books.later(1)
  const shop = await books.merchant()
  await books.deposit(shop.merchantId, 500_000n)
  const id = await books.payout(shop, 40_000)
  await books.take(
    await books.lineOf({ amount: 7_000n }),
    await books.lineOf({ amount: 250n, direction: 'debit', narrative: 'MASRAF' }),
  )
  await books.giveBalances(day)
  const proof = await books.prove(day)
  assert.deepEqual(kindsOf(proof), { payout_without_debit: 40_000n, debit_in_review: -250n })
  assert.equal(unexplained(proof), 0n)
  for (const account of proof.accounts.filter(({ closing }) => closing !== null)) {
    assert.equal(account.missingLines, 0n)
    const named = account.differences.reduce((sum, { amount }) => sum + amount, 0n)
    assert.equal(account.difference, named)
  }
  const without = proof.accounts.flatMap(({ differences }) => differences).find(({ amount }) => amount === 40_000n)
  assert.equal(without?.subject, id)

  const next = await books.later(1)
  await books.take(await books.debitOf(id))
  await books.giveBalances(next)
  assert.deepEqual(kindsOf(await books.prove(next)), { debit_in_review: -250n })
  const again = (await books.prove(day)).accounts.flatMap((one) => one.differences).find((d) => d.subject === id)
  assert.deepEqual([again?.kind, again?.otherDay], ['payout_without_debit', next], 'the day before, seen from today')
})

test('the ledger of the day: what merchants, fees and suspense have is the cash', async () => {
  const { balances } = await books.prove(books.today())
  const cash = balances.filter(({ kind }) => kind === 'bank_cash').reduce((sum, { balance }) => sum - balance, 0n)
  const others = balances.filter(({ kind }) => kind !== 'bank_cash').reduce((sum, { balance }) => sum + balance, 0n)
  assert.equal(others, cash)
  assert.ok(cash > 0n)
})

test('a bank balance that its lines do not make is unexplained', async () => {
  const day = await books.later(1)
  const shop = await books.merchant()
  const { collectingAccountId } = await books.deposit(shop.merchantId, 120_000n)
  await books.giveBalances(day, 5n)
  const account = (await books.prove(day)).accounts.find((one) => one.collectingAccountId === collectingAccountId)
  assert.deepEqual([account?.unexplained, account?.missingLines], [5n, 5n])
  await books.giveBalances(day)
  assert.equal(unexplained(await books.prove(day)), 0n)
})

test('without a balance of the bank the lines are still compared with the ledger', async () => {
  const day = await books.later(1)
  const shop = await books.merchant()
  const { collectingAccountId } = await books.deposit(shop.merchantId, 90_000n)
  const account = (await books.prove(day)).accounts.find((one) => one.collectingAccountId === collectingAccountId)
  assert.deepEqual([account?.closing, account?.unexplained], [null, 0n])
})

test('a line in suspense that is dismissed days later: on its day the books had it, the bank did not', async () => {
  const day = await books.later(1)
  await books.take(await books.lineOf({ amount: 3_333n }))
  const line = (await listLines(app.db, 'suspense', null)).find(({ amount }) => amount === 3_333n)
  const next = await books.later(1)
  for (const actor of [AYSE, MEHMET]) await dismissLine(app, actor, line?.id ?? '', 'shown twice by the bank')
  await books.giveBalances(day)
  const found = (await books.prove(day)).accounts.flatMap(({ differences }) => differences)
  const its = found.filter(({ subject }) => subject === line?.id)
  assert.deepEqual(
    its.map(({ kind, amount, otherDay }) => [kind, amount, otherDay]),
    [['booked_on_other_day', -3_333n, next]],
  )
  assert.equal(unexplained(await books.prove(day)), 0n)
  assert.equal(unexplained(await books.prove(next)), 0n)
})

test('a payout that two people know to be paid without a debit is no difference, unless the balance contradicts them', async () => {
  const day = await books.later(1)
  const shop = await books.merchant()
  await books.deposit(shop.merchantId, 500_000n)
  const id = await books.payout(shop, 30_000)
  const account = (await findPayout(app.db, id))?.sourceAccountId
  // `giveBalances` changes those of accounts that have lines of the day; the payout may leave from another than the deposit's.
  const accountIban = (await app.banks.account(account ?? ''))?.iban ?? ''
  await books.take(await books.lineOf({ accountIban, amount: 100n }))
  await books.later(6)
  for (const actor of [AYSE, MEHMET])
    await decideEnded(app, actor, id, { verdict: 'paid', evidence: 'the bank says so' })
  const proofOf = async () => {
    const { accounts } = await books.prove(day)
    const its = accounts.find(({ collectingAccountId }) => collectingAccountId === account)
    const kinds = its?.differences.filter(({ subject }) => subject === id || subject === '').map(({ kind }) => kind)
    return [kinds, its?.unexplained]
  }
  const { accounts } = await books.prove(day)
  const kinds = new Set(accounts.flatMap(({ differences }) => differences.map(({ kind }) => kind)))
  assert.ok(!kinds.has('payout_without_debit') && !kinds.has('unexplained'), 'before there is a balance')
  await books.giveBalances(day, -30_000n)
  assert.deepEqual(await proofOf(), [[], 0n], 'its balance shows that the money left')
  await books.giveBalances(day)
  assert.deepEqual(await proofOf(), [['paid_without_debit'], 30_000n], 'its balance does not show it')
  await books.take(await books.debitOf(id))
  assert.deepEqual(await proofOf(), [['payout_without_debit'], 0n], 'its debit came on a later day')
})

test('a day that does not exist is refused', async () => {
  await assert.rejects(books.prove('2026-02-30'), { why: 'day_malformed' })
  assert.equal(
    (await books.prove(addDays(books.today(), -400))).accounts.every((one) => one.ledger === 0n),
    true,
  )
})

test('suspense below zero: the day says what that is', async () => {
  const report = await reportDay(app, books.today())
  const some = report.balances.find(({ kind }) => kind === 'suspense') ?? assert.fail('no suspense')
  const said = (balance: bigint) =>
    describeDay({ ...report, balances: [{ ...some, balance }] }, app.clock.now()).filter((text) =>
      text.includes('the bank books them on a later one'),
    ).length
  assert.deepEqual([said(-208_500n), said(208_500n)], [1, 0])
})
