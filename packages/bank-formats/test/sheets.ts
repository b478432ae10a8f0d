import { zipSync } from 'fflate'
import { collectStatements } from '../src/statement.ts'
import type { Bytes, Statement, StatementReader } from '../src/statement.ts'

// Writers for tests: small files as banks and spreadsheets write them.

export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

const TURKISH: Record<string, number> = { Ğ: 0xd0, İ: 0xdd, Ş: 0xde, ğ: 0xf0, ı: 0xfd, ş: 0xfe, '€': 0x80 }

export const windows1254 = (text: string): Uint8Array =>
  Uint8Array.from(text, (letter) => TURKISH[letter] ?? letter.charCodeAt(0))

export function utf16(text: string, order: 'le' | 'be'): Uint8Array {
  const view = new DataView(new ArrayBuffer(text.length * 2))
  for (let at = 0; at < text.length; at++) view.setUint16(at * 2, text.charCodeAt(at), order === 'le')
  return new Uint8Array(view.buffer)
}

export async function* inPieces(bytes: Uint8Array, size = 1 << 16): Bytes & AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

export async function readOne(reader: StatementReader, bytes: Uint8Array, size?: number): Promise<Statement> {
  const [statement, more] = await collectStatements(reader(inPieces(bytes, size)))
  if (!statement || more) throw new Error('expected one statement')
  return statement
}

/** A number or text as it stands in the file, a date as serial number, a formula with its stored value. */
export type TestCell =
  | string
  | null
  | { number: string }
  | { serial: string }
  | { formula: string }
  | { inline: string }

export type XlsxOptions = { from1904?: boolean; dateFormat?: string; prefix?: string; sheetName?: string }

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

function columnName(column: number): string {
  const letter = String.fromCharCode(65 + ((column - 1) % 26))
  return column <= 26 ? letter : `${columnName(Math.floor((column - 1) / 26))}${letter}`
}

/** The parts of a workbook whose sheet has these rows. */
export function xlsxParts(rows: TestCell[][], options: XlsxOptions = {}): Record<string, Uint8Array> {
  const { from1904 = false, dateFormat = 'dd\\.mm\\.yyyy', prefix = '', sheetName = 'Hareketler' } = options
  const texts: string[] = []
  const cellXml = (cell: TestCell, ref: string) => {
    if (cell === null) return ''
    if (typeof cell === 'string') return `<c r="${ref}" t="s"><v>${texts.push(cell) - 1}</v></c>`
    if ('number' in cell) return `<c r="${ref}" s="0"><v>${cell.number}</v></c>`
    if ('serial' in cell) return `<c r="${ref}" s="1"><v>${cell.serial}</v></c>`
    if ('formula' in cell) return `<c r="${ref}"><f>SUM(A1:A2)</f><v>${cell.formula}</v></c>`
    return `<c r="${ref}" t="inlineStr"><is><t>${escaped(cell.inline)}</t></is></c>`
  }
  const rowXml = (row: TestCell[], line: number) =>
    `<row r="${line}">${row.map((cell, index) => cellXml(cell, `${columnName(index + 1)}${line}`)).join('')}</row>`
  const sheet = `<worksheet><sheetData>${rows.map((row, index) => rowXml(row, index + 1)).join('')}</sheetData></worksheet>`
  const prefixed = (xml: string) => (prefix === '' ? xml : xml.replaceAll(/<(\/?)(\w)/g, `<$1${prefix}:$2`))
  const namespace = `xmlns${prefix === '' ? '' : `:${prefix}`}="urn:sheet"`
  const part = (xml: string) =>
    utf8(`<?xml version="1.0" encoding="UTF-8"?>${prefixed(xml).replace(/>/, ` ${namespace}>`)}`)
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"/>`
  return {
    '[Content_Types].xml': utf8('<Types/>'),
    '_rels/.rels': utf8(`<Relationships>${relation('a', 'officeDocument', 'xl/workbook.xml')}</Relationships>`),
    'xl/workbook.xml': part(
      `<workbook><workbookPr date1904="${from1904 ? 1 : 0}"/><sheets><sheet name="${escaped(sheetName)}" sheetId="1" id="s1"/></sheets></workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': utf8(
      `<Relationships>${relation('s1', 'worksheet', 'worksheets/sheet1.xml')}${relation('s2', 'sharedStrings', '/xl/sharedStrings.xml')}${relation('s3', 'styles', './styles.xml')}</Relationships>`,
    ),
    'xl/worksheets/sheet1.xml': part(sheet),
    'xl/sharedStrings.xml': part(
      `<sst>${texts.map((text) => `<si><t xml:space="preserve">${escaped(text)}</t></si>`).join('')}</sst>`,
    ),
    'xl/styles.xml': part(
      `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="${escaped(dateFormat)}"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="4"/><xf numFmtId="164"/></cellXfs></styleSheet>`,
    ),
  }
}

export const xlsxOf = (rows: TestCell[][], options?: XlsxOptions): Uint8Array => zipSync(xlsxParts(rows, options))
