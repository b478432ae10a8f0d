import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BANK_PROFILES } from './bank-profiles.ts'
import { readCsv } from './csv.ts'
import { inOrder, MAX_HELD } from './order-entries.ts'
import type { StatementLine } from './statement.ts'
import { problemsOf } from '../test/bytes-of.ts'
import { readOne, utf8 } from '../test/sheets.ts'
import type { Entry } from './transaction-row.ts'

const HEADER = 'Tarih;Açıklama;Tutar;Bakiye;Dekont No'
const read = (rows: string[], above: string[] = []) =>
  readOne(readCsv(BANK_PROFILES.garanti), utf8([...above, HEADER, ...rows].join('\n')))
const order = async (rows: string[], above?: string[]) =>
  (await read(rows, above)).entries.map(({ bankReference }) => bankReference).join('')

// Four payments of three days: 1000 + 100 = 1100, + 200 = 1300, − 50 = 1250, + 5 = 1255.
const A = '01.03.2026;X;100,00;1.100,00;A'
const B = '02.03.2026;X;200,00;1.300,00;B'
const C = '02.03.2026;X;-50,00;1.250,00;C'
const D = '03.03.2026;X;5,00;1.255,00;D'

test('the order is that of the balances, however a file is sorted', async () => {
  assert.equal(await order([A, B, C, D]), 'ABCD')
  assert.equal(await order([D, C, B, A]), 'ABCD')
  assert.equal(await order([A, C, B, D]), 'ABCD', 'ascending days, newest first within a day')
  assert.equal(await order([D, B, C, A]), 'ABCD', 'descending days, oldest first within a day')
  assert.equal(await order([C, B]), 'BC', 'one day, newest first')
  assert.equal(await order([B, C]), 'BC', 'one day, oldest first')
})

test('opening and closing balance are those of the right order', async () => {
  const { opening, closing } = await read([D, C, B, A])
  assert.deepEqual(opening, { amount: 100_000n, currency: 'TRY', on: '2026-03-01' })
  assert.deepEqual(closing, { amount: 125_500n, currency: 'TRY', on: '2026-03-03' })
})

test('a line that is dated back keeps its place among the balances', async () => {
  const late = '28.02.2026;X;1,00;1.301,00;L'
  const rest = '02.03.2026;X;1,00;1.302,00;M'
  assert.equal(await order([A, B, late, rest]), 'ABLM')
  assert.equal(await order([rest, late, B, A]), 'ABLM')
})

test('where two orders fit, the time of day or the opening balance decides', async () => {
  const out = (time: string) => `01.03.2026${time};X;-100,00;900,00;O`
  const back = (time: string) => `01.03.2026${time};X;100,00;1.000,00;I`
  assert.equal(await order([out(' 09:00'), back(' 10:00')]), 'OI')
  assert.equal(await order([out(' 10:00'), back(' 09:00')]), 'IO')
  assert.equal(await order([out(''), back('')], ['Açılış Bakiyesi;900,00']), 'IO')
  assert.equal(await order([out(''), back('')], ['Açılış Bakiyesi;1.000,00']), 'OI')
})

const lira = (amount: number) => ({ minor: `${amount}00`, currency: 'TRY' })

test('a missing line is a problem that names the line after it, in either direction', async () => {
  const problem = (line: number) =>
    `line 3: balance_differs ${JSON.stringify({
      ...{ found: lira(1250), expected: lira(1050), before: lira(1100), beforeLine: line, change: lira(-50) },
    })}`
  assert.deepEqual(problemsOf(await read([A, C, D])), [problem(2)])
  assert.deepEqual(problemsOf(await read([D, C, A])), [problem(4)])
})

test('without balances the order of the file stays', async () => {
  const rows = ['2;02.03.2026;X;1,00;A', '1;01.03.2026;X;1,00;A']
  const bytes = utf8(['Fiş No;İşlem Tarihi;Açıklama;Tutar;B/A', ...rows].join('\n'))
  const { entries } = await readOne(readCsv(BANK_PROFILES.vakifbank), bytes)
  assert.deepEqual(
    entries.map(({ bankReference }) => bankReference),
    ['2', '1'],
  )
})

async function* longFile(read: { rows: number }) {
  yield utf8(`${HEADER}\n`)
  for (let day = 1; day <= 5000; day++) {
    const date = new Date(Date.UTC(2000, 0, day)).toISOString().slice(0, 10)
    read.rows++
    yield utf8(`${date};${'x'.repeat(300)};1,00;${day},00;${day}\n`)
  }
}

test('a file in ascending order streams: the first line is given before the rest is read', async () => {
  const source = { rows: 0 }
  let lines = 0
  for await (const { kind } of readCsv(BANK_PROFILES.garanti)(longFile(source))) {
    if (kind === 'line' && ++lines === 1) assert.ok(source.rows < 1000, `${source.rows} rows read for the first line`)
  }
  assert.equal(lines, 5000)
})

async function* megabytes(days: number[]): AsyncGenerator<Entry> {
  const { entries } = await read([A])
  for (const day of days) {
    const line = { ...(entries[0] as StatementLine), bookedOn: `2026-03-0${day}`, balance: BigInt(day) }
    yield { line, change: 1n, time: null, account: null, iban: null, size: MAX_HELD / 3 }
  }
}

test('what must be held to be put in order has a bound, what streams has none', async () => {
  const read = (days: number[]) => Array.fromAsync(inOrder(megabytes(days), () => null))
  assert.equal((await read([1, 2, 3, 4, 5, 6])).length, 6)
  assert.equal((await read([3, 2, 1])).length, 3)
  await assert.rejects(read([4, 3, 2, 1]), /too_large {"what":"newest_first","megabytes":50}/)
  await assert.rejects(read([1, 2, 2, 2, 2]), /too_large {"what":"day","megabytes":50}/)
})

test('who stops reading early ends the source', async () => {
  const { promise: ended, resolve } = Promise.withResolvers<string>()
  async function* source() {
    try {
      yield* longFile({ rows: 0 })
    } finally {
      resolve('ended')
    }
  }
  for await (const { kind } of readCsv(BANK_PROFILES.garanti)(source())) if (kind === 'line') break
  assert.equal(await ended, 'ended')
})
