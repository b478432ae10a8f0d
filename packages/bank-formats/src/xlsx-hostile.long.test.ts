import assert from 'node:assert/strict'
import { test } from 'node:test'
import { zipSync } from 'fflate'
import { BankFileError } from './file-problems.ts'
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
  await assertRefused(Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1), /^file_is {"kind":"old_excel"}/)
  await assertRefused(
    utf8('<html xmlns:x="urn:schemas-microsoft-com:office:excel"><table>'),
    /^file_is {"kind":"html"}/,
  )
  await assertRefused(
    utf8('<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?><Workbook/>'),
    /^file_is {"kind":"excel_xml"}/,
  )
  await assertRefused(utf8('Tarih;Açıklama;Tutar;Bakiye\n'), /^format_differs {"found":"csv","expected":"xlsx"}/)
  await assertRefused(zipSync({ 'xl/none.xml': utf8('x') }), /^file_is {"kind":"zip"}/)
  await assertRefused(new Uint8Array(), /^file_empty/)
})

test('a zip bomb is refused before it is unpacked', async () => {
  // 20 MB of spaces in 20 KB, with its true length and with two false ones.
  const bomb = withPart(SHEET, `<worksheet>${' '.repeat(20 * 1024 * 1024)}</worksheet>`)
  await assertRefused(bomb, /"fault":"part_bomb"/)
  const lying = Uint8Array.from(bomb)
  const view = new DataView(lying.buffer)
  for (let at = 0; at < lying.length - 46; at++)
    if (view.getUint32(at, true) === 0x02014b50 && view.getUint32(at + 24, true) > 1e6)
      view.setUint32(at + 24, 1000, true)
  await assertRefused(lying, /"fault":"part_longer"/)
  for (let at = 0; at < lying.length - 46; at++)
    if (view.getUint32(at, true) === 0x02014b50 && view.getUint32(at + 24, true) === 1000)
      view.setUint32(at + 24, 1 << 30, true)
  await assertRefused(lying, /too_large {"what":"workbook","megabytes":100}/)
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
  await assertRefused(withPart('xl/sharedStrings.xml', `<sst>${texts}</sst>`), /"fault":"part_bomb"/)
  const rows = sheetWith('<row></row>'.repeat(200_000))
  assert.equal((await workUntilRefused(rows, {}, /"fault":"part_bomb"/)).rows, 0)
  const bytes = { bytes: 100 * 1024 * 1024 - 10 }
  assert.equal(
    (await workUntilRefused(sheetWith('<row/>'), bytes, /too_large {"what":"workbook","megabytes":100}/)).rows,
    0,
  )
})

test('texts, rows, elements, characters and sheets have bounds, however well they are packed', async () => {
  const texts = varied(300_001, (at) => `<si><t>${at}</t></si>`)
  await assertRefused(
    withPart('xl/sharedStrings.xml', `<sst>${texts}</sst>`),
    /too_many {"what":"texts","most":300000}/,
  )
  const rows = sheetWith(varied(110_000, (at) => `<row r="${at + 1}"/>`))
  assert.equal((await workUntilRefused(rows, {}, /too_many {"what":"rows","most":100000}/)).rows, 100_001)
  const elements = { elements: 3_999_990 }
  const spent = await workUntilRefused(
    sheetWith('<a/>'.repeat(1000)),
    elements,
    /too_many {"what":"elements","most":4000000}/,
  )
  assert.equal(spent.elements, 4_000_001)
  const sheets = varied(51, (at) => `<sheet name="${at}" id="s1"/>`)
  await assertRefused(
    withPart('xl/workbook.xml', `<workbook><sheets>${sheets}</sheets></workbook>`),
    /too_many {"what":"sheets","most":50}/,
  )
})

test('a long text that many cells name is refused', async () => {
  const named = (length: number, cells: number) => {
    const sheet = `<worksheet><row>${'<c t="s"><v>0</v></c>'.repeat(cells)}</row></worksheet>`
    const texts = `<sst><si><t>${'x'.repeat(length)}</t></si></sst>`
    return zipSync({ ...xlsxParts([['Tarih']]), [SHEET]: utf8(sheet), 'xl/sharedStrings.xml': utf8(texts) })
  }
  await assertRefused(named(60_000, 2), /too_long {"what":"row","most":100000}/)
  await assertRefused(named(100_001, 1), /too_long {"what":"text","most":100000}/)
  const characters = { characters: 64 * 1024 * 1024 - 1000 }
  await workUntilRefused(named(500, 3), characters, /too_large {"what":"workbook","megabytes":64}/)
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
  await assertRefused(zipSync(many), /too_many {"what":"parts","most":1000}/)
  await assertRefused(zipSync({ 'xl/a': utf8('1'), 'xl/A': utf8('2') }), /{"fault":"part_twice","at":"xl\/A"}/)
})

test('a file of more than 50 MB is refused while it is read', async () => {
  let megabytes = 0
  async function* endless() {
    for (;;) {
      megabytes++
      yield new Uint8Array(1024 * 1024)
    }
  }
  await assert.rejects(readXlsx(BANK_PROFILES.garanti)(endless()).next(), /too_large {"what":"file","megabytes":50}/)
  assert.equal(megabytes, 51)
})

test('cells far away, rows out of order and cells that are there twice are refused', async () => {
  await assertRefused(
    sheetWith('<row r="1"><c r="BCDEF1"><v>1</v></c></row>'),
    /^sheet "Hareketler", line 1: .*{"fault":"cell_place","at":"BCDEF1"}/,
  )
  await assertRefused(sheetWith('<row r="1"><c r="XFE1"><v>1</v></c></row>'), /{"fault":"cell_place","at":"XFE1"}/)
  await assertRefused(
    sheetWith('<row r="1"><c r="XFD1"><v>1</v></c></row>'),
    /line 1, column 16384: too_many {"what":"columns","most":500}/,
  )
  await assertRefused(
    sheetWith('<row r="1"><c r="A1"><v>1</v></c><c r="A1"><v>2</v></c></row>'),
    /"fault":"cell_twice"/,
  )
  await assertRefused(sheetWith('<row r="1"><c r="A2"><v>1</v></c></row>'), /{"fault":"cell_place","at":"A2"}/)
  await assertRefused(sheetWith('<row r="2"/><row r="2"/>'), /{"fault":"row_order","at":"2"}/)
  await assertRefused(sheetWith('<row r="1048577"/>'), /{"fault":"row_order","at":"1048577"}/)
  await assertRefused(sheetWith('<row r="1"><c t="s"><v>7</v></c></row>'), /{"fault":"text_number","at":"7"}/)
  await assertRefused(sheetWith('<row r="1"><c><v>x</v></c></row>'), /column 1: .*{"fault":"number","at":"x"}/)
  await assertRefused(
    sheetWith(`<row r="1"><c t="str"><v>${'x '.repeat(60_000)}</v></c></row>`),
    /too_long {"what":"cell","most":100000}/,
  )
})

test('XML that grows, is cut off or is no XML is refused', async () => {
  const entities = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><worksheet>&b;</worksheet>'
  await assertRefused(withPart(SHEET, entities), /"fault":"(?:doctype|xml)"/)
  await assertRefused(withPart(SHEET, '<worksheet><sheetData>'), /{"fault":"xml","at":".*sheet1.xml"}/)
  await assertRefused(withPart(SHEET, Uint8Array.of(0x3c, 0x61, 0x3e, 0xff)), /"fault":"encoding"/)
  await assertRefused(withPart(SHEET, '<a>'.repeat(101)), /too_many {"what":"levels"/)
  const attributes = Array.from({ length: 101 }, (_, index) => `a${index}=""`).join(' ')
  await assertRefused(withPart(SHEET, `<worksheet ${attributes}/>`), /too_many {"what":"attributes"/)
  await assertRefused(withPart('xl/workbook.xml', '<workbook/>'), /"fault":"no_sheet"/)
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
