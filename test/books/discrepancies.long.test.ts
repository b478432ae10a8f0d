import assert from 'node:assert/strict'
import { test } from 'node:test'
import { proveDay } from '../../packages/server/src/domain/books/index.ts'
import type { StoredLine } from '../../packages/server/src/domain/statements/index.ts'
import { closedUntil } from '../../packages/server/src/domain/ledger/index.ts'
import { addDays, istanbul } from '../../packages/server/src/kernel/istanbul.ts'
import { startBankDays } from '../harness/bank-days.ts'
import type { Discrepancy } from '../harness/discrepancies.ts'
import { discrepancyDesk } from '../harness/discrepancies.ts'
import { explainingPeople } from '../harness/explain-lines.ts'

const [WITHDRAWALS, DISCREPANCIES, SEED] = [1_000, 50, 7]

const days = await startBankDays([{ name: 'files', codes: ['0010', '0032'], format: 'camt.053' }])
const { app, accounts, journal } = days
const [files] = days.connections
assert.ok(files)
const desk = discrepancyDesk(days)
const before = days.tomorrow()
const day = addDays(before, 1)
const next = addDays(day, 1)
const shop = await days.merchant()
const ibans = accounts.map(({ iban }) => iban)
const people = explainingPeople(days, {
  merchantId: shop.merchantId,
  returnOf: ({ bankReference }) => made.find((one) => isReturn(one, bankReference))?.reference ?? undefined,
  partsOf: () => undefined,
})
const isReturn = ({ kind, bankNumbers }: Discrepancy, number: string | null) =>
  kind.startsWith('return_') && number !== null && bankNumbers.includes(number)
const amounts = new Map<string, bigint>()
let made: Discrepancy[] = []
const isDated = ({ kind }: Discrepancy) => kind === 'correction_date'

async function payDeposits(count: number, least: bigint): Promise<void> {
  for (let index = 0; index < count; index++)
    for (const account of accounts) {
      const { id, amount } = await days.paidDeposit(shop.merchantId, account, least + BigInt(index))
      amounts.set(id, amount)
    }
}

/** Each deposit has been credited from one line with its amount, and a payout that came back from one. */
async function mustCreditOnce(): Promise<void> {
  const credits = (await days.linesOf('matched')).filter(({ direction }) => direction === 'credit')
  const subjects = credits.map(({ depositId, withdrawalId }) => depositId ?? withdrawalId)
  assert.equal(new Set(subjects).size, credits.length)
  const returned = new Set(made.filter(({ kind }) => kind === 'return').map(({ reference }) => reference))
  for (const { depositId, withdrawalId, amount } of credits)
    if (withdrawalId === null) assert.equal(amount, amounts.get(depositId ?? ''))
    else assert.ok(returned.has(withdrawalId))
}

/** Lines that the bank counts, as it has them in its own books. */
async function mustHaveEveryBooking(of: string): Promise<void> {
  for (const account of accounts) {
    const { bookings } = await days.bankDay(account, of)
    const ours = (await days.linesOf('matched', 'suspense', 'needs_review')).filter(
      (line) => line.collectingAccountId === account.id && istanbul(line.bookedAt).day === of,
    )
    assert.deepEqual(
      ours.map(({ bankReference, direction, amount }) => `${bankReference} ${direction} ${amount}`).toSorted(),
      bookings.map(({ number, direction, amount }) => `${number} ${direction} ${amount}`).toSorted(),
    )
  }
}

test('a day with money, orders and reports of a part of it', async () => {
  await days.goTo(before, '10:00')
  await payDeposits(2, 5_000_000n)
  await days.goTo(before, '23:00')
  await days.exchange(files, { day: before })
  await days.takeIn()

  await days.goTo(day, '10:00')
  await payDeposits(12, 200_000n)
  for (let index = 0; index < WITHDRAWALS; index += 50)
    await Promise.all(Array.from({ length: 50 }, (_, more) => days.withdraw(shop, 9_000 + index + more)))
  await days.send()
  await days.exchange(files, null)
  await days.goTo(day, '12:00')
  await days.exchange(files, { format: 'camt.052', day, until: '12:00' })
  await days.takeIn()
  await days.goTo(day, '13:00')
  await payDeposits(12, 300_000n)
})

test(`${DISCREPANCIES} discrepancies of seed ${SEED}: each has a name, and none is credited to a merchant`, async () => {
  await days.goTo(day, '18:30')
  const body = { accounts: ibans, day, discrepancies: DISCREPANCIES, seed: SEED }
  made = (await days.call<{ discrepancies: Discrepancy[] }>('POST', 'days', body)).discrepancies
  assert.equal(made.length, DISCREPANCIES)
  await days.goTo(day, '19:00')
  await days.exchange(files, { format: 'camt.052', day, until: '19:00' })
  await days.takeIn()
  await days.goTo(day, '23:30')
  await days.exchange(files, { day })
  await days.takeIn()
  const problems: string[] = []
  for (const one of made.filter((each) => !isDated(each)))
    await desk.mustBeNamed(one).catch((error: Error) => problems.push(`${one.number}: ${error.message}`))
  assert.deepEqual(problems, [])
  await mustCreditOnce()
})

test('two people explain each of them; bookings moved to the next day are all that is not explained', async () => {
  await people.explainAll()
  await journal.assertSound()
  // Credited from the first report, and no longer on the statement of the day.
  const moved: StoredLine[] = []
  for (const one of made.filter(isDated)) moved.push(...(await desk.linesAbout(one)))
  assert.ok(moved.length > 0 && moved.every(({ state }) => state === 'matched'))
  const proof = await proveDay(app.db, day)
  for (const account of accounts) {
    const its = proof.accounts.find(({ iban }) => iban === account.iban)
    const gone = moved.filter((line) => line.collectingAccountId === account.id)
    const amount = gone.reduce((sum, line) => sum + line.amount, 0n)
    assert.deepEqual([its?.unexplained, its?.missingLines, its?.difference], [amount, -amount, -amount])
  }
})

test('the statement of the next day names these too; then both days close, and the books are those of the bank', async () => {
  await days.goTo(next, '20:00')
  await days.exchange(files, { day: next })
  await days.takeIn()
  for (const one of made.filter(isDated)) await desk.mustBeNamed(one)
  await people.explainAll()
  const refunds = made.filter(({ kind }) => ['wrong_account', 'foreign_currency', 'paid_twice'].includes(kind))
  await days.send()
  const { orders } = await days.exchange(files, { day: next })
  assert.equal(
    orders.reduce((sum, { accepted }) => sum + accepted, 0),
    refunds.length,
  )
  await days.takeIn()
  for (const one of [day, next]) await mustHaveEveryBooking(one)
  assert.deepEqual(await days.linesOf('new', 'needs_review', 'suspense'), [])
  await journal.assertSound()
  // A line that was replaced on the next day was in the books of its day until then.
  const kinds = (await days.mustEqualBank(day)).map(({ kind }) => kind)
  assert.deepEqual([...new Set(kinds)], ['booked_on_other_day'])
  assert.deepEqual(await days.mustEqualBank(next), [])
  await days.goTo(addDays(next, 1), '09:00')
  for (const one of [before, day]) await days.close(one)
  await days.close(next)
  assert.equal(await closedUntil(app.db), next)
})
