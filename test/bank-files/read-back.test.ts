import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { test } from 'node:test'
import {
  BANK_PROFILES,
  collectStatements,
  detectFormat,
  readCamt,
  readCsv,
  readMt940,
} from '../../packages/bank-formats/src/index.ts'
import type { Statement, StatementLine, StatementReader } from '../../packages/bank-formats/src/index.ts'
import { accountStatement } from '../../packages/simulator/src/bank/files/account-statement.ts'
import type { AccountStatement, FileEntry } from '../../packages/simulator/src/bank/files/account-statement.ts'
import { setListing, deskOf } from '../../packages/simulator/src/bank/bank-bookings.ts'
import type { Booking } from '../../packages/simulator/src/bank/bookings.ts'
import { bookingDay } from '../../packages/simulator/src/bank/bookings.ts'
import type { FileRequest } from '../../packages/simulator/src/bank/files/write-statement.ts'
import { writeStatement } from '../../packages/simulator/src/bank/files/write-statement.ts'
import { executeOrder } from '../../packages/simulator/src/bank/orders/execute-order.ts'
import { makeIban } from '../../packages/simulator/src/iban.ts'
import { pain001 } from '../../packages/simulator/test/pain001.ts'
import { ACCOUNTS, DAY, liveTwoDays, openTestBank } from './simulated-bank.ts'

// The simulated bank writes with its own code, our readers read it: neither may be wrong alone.

type Layout = keyof typeof ACCOUNTS
const LAYOUTS = Object.keys(ACCOUNTS) as Layout[]
const isLayout = (format: string): format is Layout => format in ACCOUNTS
const readerOf = (format: string): StatementReader =>
  isLayout(format) ? readCsv(BANK_PROFILES[format]) : format.startsWith('mt') ? readMt940 : readCamt

async function* inPieces(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 1000) yield bytes.subarray(at, at + 1000)
}

function requestOf(account: string, changes: Partial<FileRequest>): FileRequest {
  return {
    ...{ account, from: DAY, to: DAY, format: 'camt.053', until: null, batch: null, withTimes: false },
    ...{ version: '02', encoding: 'utf-8' },
    ...changes,
  }
}

/** What every format tells. */
const essence = ({ direction, amount, bookedOn, bankReference }: StatementLine) => ({
  direction,
  amount,
  bookedOn,
  bankReference,
})
const written = (entry: Booking) => ({
  direction: entry.direction,
  amount: entry.amount,
  bookedOn: bookingDay(entry),
  bankReference: entry.number,
})

/** What only camt and MT tell. */
const details = (line: StatementLine) => ({
  ...essence(line),
  name: line.counterpartyName ?? '',
  iban: line.counterpartyIban ?? '',
  text: line.narrative,
  endToEnd: line.endToEndReference,
  reversal: line.reversal,
  returned: line.returned,
})
const writtenDetails = (entry: Booking) => ({
  ...written(entry),
  ...{ name: entry.name, iban: entry.iban, text: entry.text, endToEnd: entry.endToEnd },
  ...{ reversal: entry.reversal, returned: entry.returned },
})

function sumOf(entries: FileEntry[], direction: string): bigint {
  return entries.filter((one) => one.direction === direction).reduce((sum, { amount }) => sum + amount, 0n)
}

function assertSame(found: Statement, expected: AccountStatement, { format }: FileRequest): void {
  assert.equal(found.account.iban, expected.account)
  assert.equal(found.entries.length, expected.entries.length)
  assert.equal(found.credits, sumOf(expected.entries, 'credit'))
  assert.equal(found.debits, sumOf(expected.entries, 'debit'))
  if (!isLayout(format)) assert.deepEqual(found.entries.map(details), expected.entries.map(writtenDetails))
  else {
    assert.deepEqual(found.entries.map(essence), expected.entries.map(written))
    for (const [index, line] of found.entries.entries())
      assert.ok(line.narrative.includes(expected.entries[index]?.text as string), line.narrative)
  }
  if (['camt.052', 'camt.054', 'mt942', 'vakifbank'].includes(format)) return
  assert.equal(found.opening?.amount, expected.opening)
  assert.equal(found.closing?.amount, expected.closing)
}

function openLivedBank(t: TestContext, layout: Layout = 'ziraat') {
  const { bank, setTime } = openTestBank(t)
  const other = layout === 'ziraat' ? 'teb' : 'ziraat'
  liveTwoDays(bank, setTime, ACCOUNTS[layout], ACCOUNTS[other])
  return { bank, account: ACCOUNTS[layout] }
}

async function readBack(bank: ReturnType<typeof openLivedBank>['bank'], request: FileRequest) {
  const bytes = writeStatement(bank.books, request)
  const [found, ...more] = await collectStatements(readerOf(request.format)(inPieces(bytes)))
  assert.ok(found && more.length === 0)
  return { bytes, found, expected: accountStatement(bank.books, request) }
}

const FORMATS: Pick<FileRequest, 'format' | 'version'>[] = [
  ...(['camt.053', 'camt.052', 'camt.054'] as const).flatMap((format) => [
    { format, version: '02' as const },
    { format, version: '08' as const },
  ]),
  { format: 'mt940', version: '02' },
  { format: 'mt942', version: '02' },
  ...LAYOUTS.map((format) => ({ format, version: '02' as const })),
]

for (const { format, version } of FORMATS) {
  const name = format.startsWith('camt') ? `${format}.001.${version}` : format
  test(`${name} of the simulated bank is read as what its ledger says`, async (t) => {
    const { bank, account } = openLivedBank(t, isLayout(format) ? format : 'ziraat')
    for (const encoding of ['utf-8', 'windows-1254'] as const) {
      for (const withTimes of [false, true]) {
        for (const from of [DAY, '2026-11-15']) {
          const request = requestOf(account, { format, version, encoding, withTimes, from })
          const { found, expected, bytes } = await readBack(bank, request)
          assert.ok(expected.entries.length >= (format === 'camt.054' ? 6 : 13))
          assertSame(found, expected, request)
          const detected = detectFormat(bytes)
          assert.equal(detected.format, isLayout(format) ? 'csv' : format.replace(/^camt.*/, 'camt'))
        }
      }
    }
  })
}

test('the days before and after have balances without bookings', async (t) => {
  const { bank, account } = openLivedBank(t)
  for (const format of ['camt.053', 'mt940', 'ziraat'] as const) {
    const before = await readBack(bank, requestOf(account, { format, from: '2026-11-01', to: '2026-11-01' }))
    assert.equal(before.found.entries.length, 0)
    const after = await readBack(bank, requestOf(account, { format, from: '2026-11-17', to: '2026-11-17' }))
    assert.equal(after.found.entries.length, 0)
    assert.equal(after.expected.opening, bank.accounts().find(({ iban }) => iban === account)?.balance)
    if (format !== 'ziraat') assert.equal(after.found.opening?.amount, after.expected.opening)
  }
})

test('a file of a part of the day has what was booked until then, and leaves out what is listed late', async (t) => {
  const { bank, account } = openLivedBank(t)
  const until = `${DAY}T09:30:00.000Z`
  const early = await readBack(bank, requestOf(account, { format: 'camt.052', until }))
  const whole = await readBack(bank, requestOf(account, { format: 'camt.052' }))
  assert.ok(early.found.entries.length > 5 && early.found.entries.length < whole.found.entries.length)
  const number = early.found.entries[1]?.bankReference ?? ''
  setListing(deskOf(bank.books), account, number, 'late')
  const numbers = async (format: FileRequest['format']) =>
    (await readBack(bank, requestOf(account, { format }))).found.entries.map(({ bankReference }) => bankReference)
  for (const format of ['camt.052', 'camt.054', 'mt942'] as const) assert.ok(!(await numbers(format)).includes(number))
  for (const format of ['camt.053', 'mt940', 'ziraat'] as const) assert.ok((await numbers(format)).includes(number))
})

test('a booking listed twice stands twice where no balances would show it', async (t) => {
  const { bank, account } = openLivedBank(t)
  const { found } = await readBack(bank, requestOf(account, {}))
  const number = found.entries[0]?.bankReference ?? ''
  setListing(deskOf(bank.books), account, number, 'twice')
  for (const { format, version } of FORMATS) {
    const read = await readBack(bank, requestOf(account, { format, version }))
    const times = read.found.entries.filter(({ bankReference }) => bankReference === number).length
    const expected = ['camt.052', 'camt.054', 'mt942', 'vakifbank'].includes(format) ? 2 : 1
    assert.equal(times, expected, format)
  }
})

test('payouts booked as one are opened into their details again; a table has only their sum', async (t) => {
  const { bank, account } = openLivedBank(t)
  const to = makeIban('0064', '1000000000005010')
  const payments = [1, 2, 3].map((one) => ({ endToEnd: `e${one}`, to, amount: `${one}0.05`, text: 'Çekim ödemesi' }))
  const bytes = Buffer.from(pain001({ from: account, payments }))
  const report = { version: '03', level: 'group', settle: 'now' } as const
  executeOrder(bank.books, { receipt: 'R1', name: 'order.xml', folder: '', bytes, report })
  for (const version of ['02', '08'] as const) {
    const { found, expected } = await readBack(bank, requestOf(account, { version, batch: true }))
    const batch = expected.entries.find((entry) => entry.details.length > 1)
    assert.equal(batch?.amount, 6015n)
    const opened = found.entries.filter((line) => line.batch !== null)
    assert.deepEqual(opened.map(details), batch.details.map(writtenDetails).map(withText(batch.text)))
    assert.equal(opened[0]?.batch?.bankReference, batch.number)
    assert.equal(found.closing?.amount, expected.closing)
  }
  for (const format of ['mt940', 'ziraat'] as const) {
    const { found, expected } = await readBack(bank, requestOf(account, { format, batch: true }))
    assertSame(found, expected, requestOf(account, { format }))
  }
})

/** The text of the entry stands behind that of each detail. */
const withText =
  (text: string) =>
  <T extends { text: string }>(line: T): T => ({ ...line, text: `${line.text} ${text}` })
