import assert from 'node:assert/strict'
import { test } from 'node:test'
import { zipSync } from 'fflate'
import { BankFileError } from './bank-file-error.ts'
import { BANK_PROFILES } from './bank-profiles.ts'
import type { StatementEvent } from './statement.ts'
import { inPieces, utf8, xlsxOf, xlsxParts } from '../test/sheets.ts'
import { PIECE_BYTES } from './pieces.ts'
import type { Work } from './xlsx-bounds.ts'
import { sheetRows } from './xlsx-rows.ts'
import { openWorkbook } from './xlsx-workbook.ts'
import { listParts, unpack } from './xlsx-zip.ts'
import { fittingProfiles, readXlsx } from './xlsx.ts'

const SHEET = 'xl/worksheets/sheet1.xml'

async function assertRefused(bytes: Uint8Array, message: RegExp): Promise<void> {
  await assert.rejects(Array.fromAsync(readXlsx(BANK_PROFILES.garanti)(inPieces(bytes))), (error) => {
    assert.ok(error instanceof BankFileError, String(error))
    assert.match(error.message, message)
    return true
  })
}

const withPart = (name: string, xml: string | Uint8Array) =>
  zipSync({ ...xlsxParts([['Tarih']]), [name]: typeof xml === 'string' ? utf8(xml) : xml })
const sheetWith = (rows: string) => withPart(SHEET, `<worksheet><sheetData>${rows}</sheetData></worksheet>`)

test('other files are named as what they are, with what to do', async () => {
  await assertRefused(
    Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1),
    /^line 1: expected an .xlsx file; this is an old Excel file \(\.xls\)/,
  )
  await assertRefused(
    utf8('<html xmlns:x="urn:schemas-microsoft-com:office:excel"><table>'),
    /an HTML page, even if it is named \.xls; open it/,
  )
  await assertRefused(
    utf8('<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?><Workbook/>'),
    /Excel 2003.*save it as \.xlsx/,
  )
  await assertRefused(utf8('Tarih;Açıklama;Tutar;Bakiye\n'), /expected an \.xlsx file; this is a table/)
  await assertRefused(zipSync({ 'xl/none.xml': utf8('x') }), /no spreadsheet; expected an \.xlsx file/)
  await assertRefused(new Uint8Array(), /the file is empty/)
})

test('a zip bomb is refused before it is unpacked', async () => {
  // 20 MB of spaces in 20 KB, with its true length and with two false ones.
  const bomb = withPart(SHEET, `<worksheet>${' '.repeat(20 * 1024 * 1024)}</worksheet>`)
  await assertRefused(bomb, /grows more than 200 times when unpacked/)
  const lying = Uint8Array.from(bomb)
  const view = new DataView(lying.buffer)
  for (let at = 0; at < lying.length - 46; at++)
    if (view.getUint32(at, true) === 0x02014b50 && view.getUint32(at + 24, true) > 1e6)
      view.setUint32(at + 24, 1000, true)
  await assertRefused(lying, /is longer than it says/)
  for (let at = 0; at < lying.length - 46; at++)
    if (view.getUint32(at, true) === 0x02014b50 && view.getUint32(at + 24, true) === 1000)
      view.setUint32(at + 24, 1 << 30, true)
  await assertRefused(lying, /has more than 104857600 bytes; export a shorter period/)
})

/** Different enough to be packed less than 200 times. */
const varied = (count: number, one: (index: number) => string) =>
  Array.from({ length: count }, (_, at) => one(at)).join('')

/** What reading a sheet cost until it was refused; `before` is what other parts cost. */
async function workUntilRefused(bytes: Uint8Array, before: Partial<Work>, message: RegExp): Promise<Work> {
  const workbook = await openWorkbook(bytes)
  Object.assign(workbook.work, before)
  const read = async () => {
    for (const sheet of workbook.sheets) for await (const _ of sheetRows(workbook, sheet));
  }
  await assert.rejects(read, message)
  return workbook.work
}

test('a small file of many equal texts or rows is refused by its directory, before a row is read', async () => {
  const texts = '<si><t>aaaaaaaaaaaaaaaaaaaa</t></si>'.repeat(100_000)
  await assertRefused(withPart('xl/sharedStrings.xml', `<sst>${texts}</sst>`), /grows more than 200 times/)
  const rows = sheetWith('<row></row>'.repeat(200_000))
  assert.equal((await workUntilRefused(rows, {}, /grows more than 200 times/)).rows, 0)
  const bytes = { bytes: 100 * 1024 * 1024 - 10 }
  assert.equal((await workUntilRefused(sheetWith('<row/>'), bytes, /more than 104857600 bytes; export/)).rows, 0)
})

test('texts, rows, elements, characters and sheets have bounds, however well they are packed', async () => {
  const texts = varied(300_001, (at) => `<si><t>${at}</t></si>`)
  await assertRefused(
    withPart('xl/sharedStrings.xml', `<sst>${texts}</sst>`),
    /more than 300000 texts; export a shorter/,
  )
  const rows = sheetWith(varied(110_000, (at) => `<row r="${at + 1}"/>`))
  assert.equal((await workUntilRefused(rows, {}, /more than 100000 rows; export a shorter/)).rows, 100_001)
  const elements = { elements: 3_999_990 }
  const spent = await workUntilRefused(sheetWith('<a/>'.repeat(1000)), elements, /more than 4000000 elements/)
  assert.equal(spent.elements, 4_000_001)
  const sheets = varied(51, (at) => `<sheet name="${at}" id="s1"/>`)
  await assertRefused(
    withPart('xl/workbook.xml', `<workbook><sheets>${sheets}</sheets></workbook>`),
    /more than 50 sheets/,
  )
})

test('a long text that many cells name is refused', async () => {
  const named = (length: number, cells: number) => {
    const sheet = `<worksheet><row>${'<c t="s"><v>0</v></c>'.repeat(cells)}</row></worksheet>`
    const texts = `<sst><si><t>${'x'.repeat(length)}</t></si></sst>`
    return zipSync({ ...xlsxParts([['Tarih']]), [SHEET]: utf8(sheet), 'xl/sharedStrings.xml': utf8(texts) })
  }
  await assertRefused(named(60_000, 2), /a row of more than 100000 characters/)
  await assertRefused(named(100_001, 1), /a text of more than 100000 characters/)
  const characters = { characters: 64 * 1024 * 1024 - 1000 }
  await workUntilRefused(named(500, 3), characters, /more than 67108864 characters/)
})

test('a workbook is read in small pieces, and others have their turn between them', async () => {
  const lines = Array.from({ length: 20_000 }, (_, at) => `<row r="${at + 1}"><c><v>${at}</v></c></row>`).join('')
  const bytes = sheetWith(lines)
  const workbook = await openWorkbook(bytes)
  const part = listParts(bytes).get(SHEET)
  assert.ok(part)
  for (const piece of unpack(bytes, part, part.unpacked)) assert.ok(piece.length <= PIECE_BYTES)
  let turns = 0
  let isOver = false
  const count = () => {
    turns++
    if (!isOver) setImmediate(count)
  }
  count()
  for await (const _ of sheetRows(workbook, workbook.sheets[0] ?? { name: '', part: '' }));
  isOver = true
  assert.ok(turns >= part.unpacked / PIECE_BYTES, `${turns} turns for ${part.unpacked} bytes`)
})

test('all profiles are tried on one reading of the workbook', async () => {
  let bytesRead = 0
  async function* counted() {
    bytesRead += SMALL.length
    yield SMALL
  }
  const { fitting } = await fittingProfiles(counted(), Object.values(BANK_PROFILES))
  assert.ok(fitting.some(({ id }) => id === 'garanti'))
  assert.equal(bytesRead, SMALL.length)
})

test('a zip with too many parts, or one part twice, is refused', async () => {
  const many = Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`xl/${index}`, new Uint8Array()]))
  await assertRefused(zipSync(many), /it has 1001 parts; expected 1000 at most/)
  await assertRefused(zipSync({ 'xl/a': utf8('1'), 'xl/A': utf8('2') }), /it has "xl\/A" twice/)
})

test('a file of more than 50 MB is refused while it is read', async () => {
  let megabytes = 0
  async function* endless() {
    for (;;) {
      megabytes++
      yield new Uint8Array(1024 * 1024)
    }
  }
  await assert.rejects(readXlsx(BANK_PROFILES.garanti)(endless()).next(), /more than 50 MB; export a shorter period/)
  assert.equal(megabytes, 51)
})

test('cells far away, rows out of order and cells that are there twice are refused', async () => {
  await assertRefused(
    sheetWith('<row r="1"><c r="BCDEF1"><v>1</v></c></row>'),
    /^sheet "Hareketler", line 1: "BCDEF1" is not a cell/,
  )
  await assertRefused(
    sheetWith('<row r="1"><c r="XFE1"><v>1</v></c></row>'),
    /"XFE1" is not a cell of this row; expected A to XFD/,
  )
  await assertRefused(
    sheetWith('<row r="1"><c r="XFD1"><v>1</v></c></row>'),
    /line 1, column 16384: expected each cell once, in 500 columns/,
  )
  await assertRefused(
    sheetWith('<row r="1"><c r="A1"><v>1</v></c><c r="A1"><v>2</v></c></row>'),
    /expected each cell once/,
  )
  await assertRefused(sheetWith('<row r="1"><c r="A2"><v>1</v></c></row>'), /"A2" is not a cell of this row/)
  await assertRefused(sheetWith('<row r="2"/><row r="2"/>'), /found row "2" after this; expected rows in order/)
  await assertRefused(sheetWith('<row r="1048577"/>'), /found row "1048577"/)
  await assertRefused(sheetWith('<row r="1"><c t="s"><v>7</v></c></row>'), /text "7" is not in the table of texts/)
  await assertRefused(sheetWith('<row r="1"><c><v>x</v></c></row>'), /column 1: "x" is not a number/)
  await assertRefused(
    sheetWith(`<row r="1"><c t="str"><v>${'x '.repeat(60_000)}</v></c></row>`),
    /a cell of more than 100000 characters/,
  )
})

test('XML that grows, is cut off or is no XML is refused', async () => {
  const entities = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><worksheet>&b;</worksheet>'
  await assertRefused(withPart(SHEET, entities), /has a document type|is not XML/)
  await assertRefused(withPart(SHEET, '<worksheet><sheetData>'), /sheet1.xml" is not XML/)
  await assertRefused(withPart(SHEET, Uint8Array.of(0x3c, 0x61, 0x3e, 0xff)), /is not UTF-8/)
  await assertRefused(withPart(SHEET, '<a>'.repeat(101)), /is nested too deeply/)
  const attributes = Array.from({ length: 101 }, (_, index) => `a${index}=""`).join(' ')
  await assertRefused(withPart(SHEET, `<worksheet ${attributes}/>`), /an element with too many attributes/)
  await assertRefused(withPart('xl/workbook.xml', '<workbook/>'), /it has no sheet/)
})

const SMALL = xlsxOf([
  ['Tarih', 'Açıklama', 'Tutar', 'Bakiye'],
  ['01.03.2026', 'A', { number: '5' }, { number: '5' }],
])

/** What is read, or null if the file is refused. */
async function outcome(bytes: Uint8Array): Promise<StatementEvent[] | null> {
  try {
    return await Array.fromAsync(readXlsx(BANK_PROFILES.garanti)(inPieces(bytes)))
  } catch (error) {
    assert.ok(error instanceof BankFileError, String(error))
    return null
  }
}

test('cut off at any place, a file is refused', async () => {
  assert.equal((await outcome(SMALL))?.length, 3)
  for (let length = 0; length < SMALL.length; length++)
    assert.equal(await outcome(SMALL.subarray(0, length)), null, `${length} bytes`)
})

test('with any bit changed, a file is refused or says the same', async () => {
  const right = await outcome(SMALL)
  for (let at = 0; at < SMALL.length; at++) {
    const changed = Uint8Array.from(SMALL)
    changed[at] = (changed[at] ?? 0) ^ (1 << (at % 8))
    const found = await outcome(changed)
    if (found) assert.deepEqual(found, right, `byte ${at}`)
  }
})
