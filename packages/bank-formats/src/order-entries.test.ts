import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BANK_PROFILES } from './bank-profiles.ts'
import { readCsv } from './csv.ts'
import { MAX_HELD } from './order-entries.ts'
import { readOne, utf8 } from './testing/sheets.ts'

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

test('a missing line is an error that names the line after it, in either direction', async () => {
  await assert.rejects(read([A, C, D]), /line 3: the balance is 1250.00; expected 1050.00, from 1100.00 on line 2/)
  await assert.rejects(read([D, C, A]), /line 3: the balance is 1250.00; expected 1050.00, from 1100.00 on line 4/)
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

/** Rows of 10 KB, so that few lines make many megabytes. */
async function* longFile(newestFirst: boolean, read: { rows: number }) {
  const filler = 'x'.repeat(10_000)
  const rows = Math.ceil(MAX_HELD / 10_000) + 100
  yield utf8(`${HEADER}\n`)
  for (let index = 0; index < rows; index++) {
    const day = newestFirst ? rows - index : index + 1
    const date = new Date(Date.UTC(2000, 0, day)).toISOString().slice(0, 10)
    read.rows++
    yield utf8(`${date};${filler};1,00;${day},00;${day}\n`)
  }
}

test('a long file streams in ascending order, and is refused past 50 MB if the newest line is first', async () => {
  const reader = readCsv(BANK_PROFILES.garanti)
  const ascending = { rows: 0 }
  let lines = 0
  for await (const { kind } of reader(longFile(false, ascending))) {
    if (kind === 'line' && ++lines === 1)
      assert.ok(ascending.rows < 100, `${ascending.rows} rows read for the first line`)
  }
  assert.equal(lines, ascending.rows)
  const descending = reader(longFile(true, { rows: 0 }))
  await assert.rejects(descending.next(), /begins with its newest line may have 50 MB at most.*export a shorter period/)
})

test('who stops reading early ends the source', async () => {
  let ended = false
  async function* source() {
    try {
      yield* longFile(false, { rows: 0 })
    } finally {
      ended = true
    }
  }
  for await (const { kind } of readCsv(BANK_PROFILES.garanti)(source())) if (kind === 'line') break
  while (!ended) await Promise.resolve()
})
