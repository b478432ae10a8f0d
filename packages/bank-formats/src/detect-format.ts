import { BANK_PROFILES } from './bank-profiles.ts'
import type { BankProfile } from './bank-profile.ts'
import { SEPARATORS, splitRow } from './csv-rows.ts'
import { BankFileError, fileError, fileProblem } from './file-problems.ts'
import type { FileProblem, FileProblems } from './file-problems.ts'
import { foldLabel } from './fold-text.ts'
import { matchHeader } from './header-row.ts'
import { encodingOf } from './text-encoding.ts'

export type DetectedFormat = {
  format: 'camt' | 'mt940' | 'mt942' | 'pain.002' | 'csv' | 'xlsx' | null
  /** The bank, where a table shows it. */
  profile: BankProfile | null
  /** What is wrong with it, or not known: always without a format, and with a table whose bank nothing shows. */
  problem: FileProblem | null
}

/** So much is looked at. */
const HEAD = 64 * 1024

/** Says what a file is, from its first kilobytes. The reader of that format then checks the whole. */
export function detectFormat(
  head: Uint8Array,
  profiles: readonly BankProfile[] = Object.values(BANK_PROFILES),
): DetectedFormat {
  if (head.length === 0) return { format: null, profile: null, problem: fileProblem(null, 'file_empty') }
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

const known = (format: DetectedFormat['format'], profile: BankProfile | null = null): DetectedFormat => ({
  format,
  profile,
  problem: null,
})
const other = (kind: FileProblems['file_is']['kind']): DetectedFormat => ({
  format: null,
  profile: null,
  problem: fileProblem(null, 'file_is', { kind }),
})

/** The error of a reader that was given another format than its own. */
export function unlike({ format, problem }: DetectedFormat, expected: 'csv' | 'xlsx'): BankFileError {
  if (format === null && problem) return new BankFileError(problem)
  return fileError(null, 'format_differs', { found: format ?? '', expected })
}

/** A NUL is half a character in UTF-16, and in no other text. */
const isText = (bytes: Uint8Array) => encodingOf(bytes).startsWith('utf-16') || !bytes.includes(0)

const begins = (bytes: Uint8Array, signature: number[]) => signature.every((byte, at) => bytes[at] === byte)

function detectBinary(bytes: Uint8Array): DetectedFormat | null {
  if (begins(bytes, [0xd0, 0xcf, 0x11, 0xe0])) return other('old_excel')
  if (begins(bytes, [0x25, 0x50, 0x44, 0x46])) return other('pdf')
  if (!begins(bytes, [0x50, 0x4b, 0x03, 0x04])) return isText(bytes) ? null : other('binary')
  const names = new TextDecoder('windows-1254').decode(bytes)
  return /\[Content_Types\]\.xml|xl\/|_rels\//.test(names) ? known('xlsx') : other('zip')
}

const XML_ROOTS: [RegExp, DetectedFormat['format']][] = [
  [/camt\.05[234]|BkToCstmr(?:Stmt|AcctRpt|DbtCdtNtfctn)/, 'camt'],
  [/pain\.002|CstmrPmtStsRpt/, 'pain.002'],
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
  if (/<(?:!DOCTYPE\s+html|html|table|meta|style)\b/i.test(start.slice(0, 4096))) return other('html')
  if (/mso-application|schemas-microsoft-com:office:spreadsheet/.test(start)) return other('excel_xml')
  // Only names and namespaces of elements count, not what the bank wrote between them.
  const tags = (withoutHeader(start).match(/<[^!?][^>]{0,2000}>/g) ?? []).slice(0, 5).join('')
  for (const [pattern, format] of XML_ROOTS) if (pattern.test(tags)) return known(format)
  return other(/pain\.001|CstmrCdtTrfInitn/.test(tags) ? 'payment_order' : 'xml')
}

function detectMt(text: string): DetectedFormat | null {
  const block = /^(?:\{1:[^}]*\}\s*)?\{2:[IO](94[02])/.exec(text.trimStart())?.[1]
  if (block) return known(`mt${block}` as 'mt940' | 'mt942')
  if (!/^:(?:20|25|28C?):/m.test(text)) return null
  if (/^:(?:34F|13D):/m.test(text)) return known('mt942')
  if (/^:6[02][FM]:|^:61:/m.test(text)) return known('mt940')
  return null
}

function detectTable(text: string, profiles: readonly BankProfile[]): DetectedFormat {
  const rows = text.split('\n').slice(0, 200)
  const fitting = profiles.flatMap((profile) => {
    const header = headerOf(rows, profile)
    return header ? [{ profile, ...header }] : []
  })
  const shown = fitting.find(({ profile, names, line }) => isOf(profile, names, rows.slice(0, line - 1).join('\n')))
  if (shown) return known('csv', shown.profile)
  const [first] = fitting
  if (first && profiles.length === 1) return known('csv', first.profile)
  if (first) return { ...known('csv'), problem: fileProblem(null, 'bank_unshown', { line: first.line }) }
  const counts = SEPARATORS.map((separator) => rows.filter((row) => row.split(separator).length > 3).length)
  if (Math.max(...counts) >= 2) return { ...known('csv'), problem: fileProblem(null, 'header_unknown') }
  return other('text')
}

function headerOf(rows: string[], profile: BankProfile): { line: number; names: string[] } | null {
  for (const separator of profile.separator === null ? SEPARATORS : [profile.separator])
    for (const [index, row] of rows.entries()) {
      const header = matchHeader(splitRow(row, separator), profile)
      if ('layout' in header) return { line: index + 1, names: header.names }
    }
  return null
}

/** The strongest sign first: an IBAN of the bank, its name, its own header. */
function isOf({ recognise: signs }: BankProfile, names: string[], above: string): boolean {
  const codes = [...above.replaceAll(' ', '').matchAll(/TR\d{2}0(\d{4})0/gi)].map(([, code]) => code ?? '')
  if (codes.length > 0 && signs.bankCodes.length > 0) return codes.some((code) => signs.bankCodes.includes(code))
  const folded = foldLabel(above)
  if (signs.names.some((one) => folded.includes(foldLabel(one)))) return true
  const has = (header: string[]) => header.every((one) => names.includes(foldLabel(one)))
  return signs.headers.some(has)
}
