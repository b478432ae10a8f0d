import { BANK_PROFILES } from './bank-profiles.ts'
import type { BankProfile } from './bank-profile.ts'
import { SEPARATORS, splitRow } from './csv-rows.ts'
import { foldLabel } from './fold-text.ts'
import { matchHeader } from './header-row.ts'
import { encodingOf } from './text-encoding.ts'

export type DetectedFormat = {
  format: 'camt' | 'mt940' | 'mt942' | 'pain.002' | 'csv' | 'xlsx' | null
  /** The bank, where a table shows it. */
  profile: BankProfile | null
  /** How it was recognised, or what to do. */
  reason: string
}

/** So much is looked at. */
const HEAD = 64 * 1024

/** Says what a file is, from its first kilobytes. The reader of that format then checks the whole. */
export function detectFormat(
  head: Uint8Array,
  profiles: readonly BankProfile[] = Object.values(BANK_PROFILES),
): DetectedFormat {
  if (head.length === 0) return unknown('the file is empty')
  return detectOther(head) ?? detectTable(textOf(head), profiles)
}

/** What is recognised by more than a header, or null: then the file may be a table. */
export function detectOther(head: Uint8Array): DetectedFormat | null {
  const notText = detectBinary(head.subarray(0, HEAD))
  if (notText) return notText
  const text = textOf(head)
  return detectXml(text) ?? detectMt(text)
}

function textOf(head: Uint8Array): string {
  const bytes = head.subarray(0, HEAD)
  return new TextDecoder(encodingOf(bytes)).decode(bytes).replaceAll(/\r\n?/g, '\n')
}

const unknown = (reason: string): DetectedFormat => ({ format: null, profile: null, reason })
const known = (format: DetectedFormat['format'], reason: string, profile: BankProfile | null = null) => ({
  format,
  profile,
  reason,
})

/** What to do with files that pretend to be spreadsheets. */
const OLD_EXCEL =
  'an old Excel file (.xls) or one with a password; open it in a spreadsheet and save it as .xlsx without a password, or as CSV'
const HTML_TABLE =
  'an HTML page, even if it is named .xls; open it in a spreadsheet and save it as .xlsx, or export CSV from the bank'
const EXCEL_XML = 'an XML spreadsheet of Excel 2003; open it in a spreadsheet and save it as .xlsx'

const NO_TEXT = 'no text, such as an image; export the statement as CSV, XLSX, MT940 or camt'

/** A NUL is half a character in UTF-16, and in no other text. */
const isText = (bytes: Uint8Array) => encodingOf(bytes).startsWith('utf-16') || !bytes.includes(0)

const begins = (bytes: Uint8Array, signature: number[]) => signature.every((byte, at) => bytes[at] === byte)

function detectBinary(bytes: Uint8Array): DetectedFormat | null {
  if (begins(bytes, [0xd0, 0xcf, 0x11, 0xe0])) return unknown(OLD_EXCEL)
  if (begins(bytes, [0x25, 0x50, 0x44, 0x46])) return unknown('a PDF; export the statement as CSV, XLSX, MT940 or camt')
  if (!begins(bytes, [0x50, 0x4b, 0x03, 0x04])) return isText(bytes) ? null : unknown(NO_TEXT)
  const names = new TextDecoder('windows-1254').decode(bytes)
  return /\[Content_Types\]\.xml|xl\/|_rels\//.test(names)
    ? known('xlsx', 'a zip file with the parts of a spreadsheet')
    : unknown('a zip file that is no spreadsheet; unpack it and import what is inside')
}

const XML_ROOTS: [RegExp, DetectedFormat['format'], string][] = [
  [/camt\.053|BkToCstmrStmt/, 'camt', 'camt.053'],
  [/camt\.052|BkToCstmrAcctRpt/, 'camt', 'camt.052'],
  [/camt\.054|BkToCstmrDbtCdtNtfctn/, 'camt', 'camt.054'],
  [/pain\.002|CstmrPmtStsRpt/, 'pain.002', 'pain.002'],
]

/** The business header of ISO 20022, which may stand before the message. */
function withoutHeader(text: string): string {
  const [open, prefix = ''] = /<(\w{1,60}:)?AppHdr\b/.exec(text) ?? []
  if (open === undefined) return text
  const [from, close] = [text.indexOf(open), `</${prefix}AppHdr>`]
  const to = text.indexOf(close, from)
  return text.slice(0, from) + (to < 0 ? '' : text.slice(to + close.length))
}

function detectXml(text: string): DetectedFormat | null {
  const start = text.trimStart()
  if (!start.startsWith('<')) return null
  if (/<(?:!DOCTYPE\s+html|html|table|meta|style)\b/i.test(start.slice(0, 4096))) return unknown(HTML_TABLE)
  if (/mso-application|schemas-microsoft-com:office:spreadsheet/.test(start)) return unknown(EXCEL_XML)
  // Only names and namespaces of elements count, not what the bank wrote between them.
  const tags = (withoutHeader(start).match(/<[^!?][^>]{0,2000}>/g) ?? []).slice(0, 5).join('')
  for (const [pattern, format, name] of XML_ROOTS)
    if (pattern.test(tags)) return known(format, `XML with the root or namespace of ${name}`)
  if (/pain\.001|CstmrCdtTrfInitn/.test(tags)) return unknown('a payment order (pain.001), not a statement')
  return unknown('XML that is neither camt nor pain.002')
}

function detectMt(text: string): DetectedFormat | null {
  const block = /^(?:\{1:[^}]*\}\s*)?\{2:[IO](94[02])/.exec(text.trimStart())?.[1]
  if (block) return known(`mt${block}` as 'mt940' | 'mt942', `a SWIFT header of MT${block}`)
  if (!/^:(?:20|25|28C?):/m.test(text)) return null
  if (/^:(?:34F|13D):/m.test(text)) return known('mt942', 'the tags :34F: or :13D:')
  if (/^:6[02][FM]:|^:61:/m.test(text)) return known('mt940', 'the tags :20:, :25: and :60F:')
  return null
}

function detectTable(text: string, profiles: readonly BankProfile[]): DetectedFormat {
  const rows = text.split('\n').slice(0, 200)
  const fitting = profiles.flatMap((profile) => {
    const header = headerOf(rows, profile)
    return header ? [{ profile, ...header }] : []
  })
  for (const one of fitting) {
    const how = recognise(one.profile, one.names, rows.slice(0, one.line - 1).join('\n'))
    if (how) return known('csv', `a table with its header on line ${one.line}; ${how}`, one.profile)
  }
  const [first] = fitting
  if (first && profiles.length === 1)
    return known('csv', `a table with its header on line ${first.line}`, first.profile)
  if (first) return known('csv', `a table with its header on line ${first.line}; nothing tells the bank, so choose it`)
  const counts = SEPARATORS.map((separator) => rows.filter((row) => row.split(separator).length > 3).length)
  if (Math.max(...counts) >= 2)
    return known('csv', 'a table whose header is of no known bank; save a column mapping for it')
  return unknown('neither XML, MT940, a spreadsheet nor a table with a known header')
}

function headerOf(rows: string[], profile: BankProfile): { line: number; names: string[] } | null {
  for (const separator of profile.separator === null ? SEPARATORS : [profile.separator])
    for (const [index, row] of rows.entries()) {
      const header = matchHeader(splitRow(row, separator), profile)
      if ('layout' in header) return { line: index + 1, names: header.names }
    }
  return null
}

/** The strongest sign first: an IBAN of the bank, its name, its own header. Null if there is none. */
function recognise({ recognise: signs, name }: BankProfile, names: string[], above: string): string | null {
  const codes = [...above.replaceAll(' ', '').matchAll(/TR\d{2}0(\d{4})0/gi)].map(([, code]) => code ?? '')
  if (codes.length > 0 && signs.bankCodes.length > 0)
    return codes.some((code) => signs.bankCodes.includes(code)) ? `the IBAN is of ${name}` : null
  const folded = foldLabel(above)
  if (signs.names.some((one) => folded.includes(foldLabel(one)))) return `a row above it names ${name}`
  const has = (header: string[]) => header.every((one) => names.includes(foldLabel(one)))
  return signs.headers.some(has) ? `the columns are those of ${name}` : null
}
