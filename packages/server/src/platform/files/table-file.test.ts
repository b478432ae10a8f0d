import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openWorkbook } from '../../../../bank-formats/src/xlsx-workbook.ts'
import { sheetRows } from '../../../../bank-formats/src/xlsx-rows.ts'
import type { Cell, Column } from './table-cells.ts'
import { csvLine } from './table-cells.ts'
import { writeTable } from './table-file.ts'
import { xlsxWriter } from './xlsx-writer.ts'
import { zipWriter } from './zip-writer.ts'

const folder = mkdtempSync(join(tmpdir(), 'vezne-tables-'))
after(() => rmSync(folder, { recursive: true }))

const COLUMNS: Column[] = [
  { name: 'text', kind: 'text' },
  { name: 'amount', kind: 'amount' },
  { name: 'day', kind: 'day' },
]
const DANGEROUS = ['=1+1', '+905551112233', '-2+3', '@SUM(A1)', '\t=1', '\r=1', '＝1']

/** What another reader of ours finds in the sheets. */
async function sheetsOf(bytes: Uint8Array): Promise<string[][][]> {
  const workbook = await openWorkbook(bytes)
  return Array.fromAsync(workbook.sheets, (sheet) =>
    Array.fromAsync(sheetRows(workbook, sheet), ({ cells }) => cells.map(({ text }) => text)),
  )
}

test('CSV: byte order mark, semicolons, decimal comma, quotes', async () => {
  const file = join(folder, 'plain.csv')
  await writeTable(file, { format: 'csv', title: 't', columns: COLUMNS }, (write) =>
    write([
      ['a;"b"\nc', 125_000n, '2026-11-16'],
      ['Ayşe', -5n, null],
    ]),
  )
  const expected = '\uFEFF"text";"amount";"day"\r\n"a;""b""\nc";"1250,00";"2026-11-16"\r\n"Ayşe";"-0,05";\r\n'
  assert.equal(readFileSync(file, 'utf8'), expected)
})

test('a text that a spreadsheet would take for a formula is neutralised; a negative amount is not', () => {
  for (const text of DANGEROUS)
    assert.match(csvLine(COLUMNS, [text, -100n, null]), /^"'.*";"-1,00";\r\n$/s, JSON.stringify(text))
  assert.equal(csvLine(COLUMNS, ['2-3', 0n, null]), '"2-3";"0,00";\r\n')
})

test('what would turn or hide a text is written as the command line writes it', async () => {
  const name = '\u202eesyA\u2066 =1\u200b;\u001b[2J'
  const escaped = '\\u202eesyA\\u2066 =1\\u200b;\\x1b[2J'
  assert.equal(csvLine(COLUMNS, [name, 0n, null]), `"${escaped}";"0,00";\r\n`)
  const file = join(folder, 'turned.xlsx')
  await writeTable(file, { format: 'xlsx', title: 't', columns: COLUMNS }, (write) => write([[name, 0n, null]]))
  assert.equal((await sheetsOf(readFileSync(file)))[0]?.[1]?.[0], escaped)
})

test('XLSX: numbers are numbers, days are days, texts are texts in a style that stays text', async () => {
  const file = join(folder, 'plain.xlsx')
  const rows: Cell[][] = [['Ayşe <&> "x"\0', 125_000n, '2026-11-16'], ...DANGEROUS.map((text) => [text, -7n, null])]
  await writeTable(file, { format: 'xlsx', title: 'a & b', columns: COLUMNS }, (write) => write(rows))
  const [sheet] = await sheetsOf(readFileSync(file))
  assert.deepEqual(sheet?.[0]?.slice(0, 3), ['text', 'amount', 'day'])
  assert.match(sheet?.[1]?.join('|') ?? '', /^Ayşe <&> "x".*\|1250\.?0*\|.*2026/)
  assert.equal(sheet?.length, rows.length + 1)
})

test('an amount with more digits than a spreadsheet counts exactly is written as text', async () => {
  const file = join(folder, 'large.xlsx')
  await writeTable(file, { format: 'xlsx', title: 't', columns: COLUMNS }, (write) =>
    write([['large', 9_007_199_254_740_991n, null]]),
  )
  assert.deepEqual((await sheetsOf(readFileSync(file)))[0]?.[1]?.slice(0, 2), ['large', '90071992547409,91'])
})

test('more rows than a sheet holds go to the next sheet, under the same head', async () => {
  const parts: Uint8Array[] = []
  const table = xlsxWriter(
    zipWriter(async (bytes) => void parts.push(bytes)),
    'rows',
    COLUMNS,
    3,
  )
  await table.write(Array.from({ length: 4 }, (_, index): Cell[] => [`r${index}`, 1n, null]))
  await table.write(Array.from({ length: 3 }, (_, index): Cell[] => [`s${index}`, 1n, null]))
  await table.finish()
  const firsts = (await sheetsOf(Buffer.concat(parts))).map((rows) => rows.map(([first]) => first))
  assert.deepEqual(firsts, [
    ['text', 'r0', 'r1', 'r2'],
    ['text', 'r3', 's0', 's1'],
    ['text', 's2'],
  ])
})

test('a failed export leaves no file, and an existing file is not replaced', async () => {
  const file = join(folder, 'failed.csv')
  const options = { format: 'csv' as const, title: 't', columns: COLUMNS }
  await assert.rejects(
    writeTable(file, options, async (write) => {
      await write([['one', 1n, null]])
      throw new Error('the database went away')
    }),
    /went away/,
  )
  assert.equal(existsSync(file), false)
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.endsWith('.part')),
    [],
  )
  writeFileSync(file, 'mine')
  await assert.rejects(
    writeTable(file, options, (write) => write([])),
    /exists already/,
  )
  assert.equal(readFileSync(file, 'utf8'), 'mine')
})
