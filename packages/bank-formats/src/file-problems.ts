import type { Position } from './statement.ts'

type None = Readonly<Record<string, never>>
type Texts = readonly string[]
/** As JSON: minor units with their sign. */
type Money = { readonly minor: string; readonly currency: string }
type Side = 'credit' | 'debit'

/** What a file is instead of a statement. */
type OtherKind =
  | ('old_excel' | 'excel_xml' | 'html' | 'pdf' | 'binary' | 'zip')
  | ('payment_order' | 'order_report' | 'xml' | 'text')

/** The kind of the file, and which bank it is of. */
type OfKind = {
  file_empty: None
  file_is: { kind: OtherKind }
  format_differs: { found: string; expected: string }
  encoding_unknown: { encoding: string }
  encoding_wrong: { encoding: string }
  zero_byte: None
  /** `line`: of the header, which known banks have. */
  bank_unshown: { line: number }
  bank_ambiguous: { banks: Texts }
  /** `problem`: of the last layout that was tried. */
  bank_unfitting: { problem: FileProblem | null }
  header_unknown: None
}

/** What is larger than any statement, and would fill the memory. */
type OfSize = {
  too_large: { what: 'file' | 'report' | 'workbook' | 'part' | 'day' | 'newest_first'; megabytes: number }
  /** In characters; `gap`: without an element. */
  too_long: {
    what: 'line' | 'field' | 'row' | 'cell' | 'text' | 'attribute' | 'name' | 'element' | 'gap'
    most: number
  }
  too_many: {
    what:
      | ('balances' | 'information' | 'payments' | 'transactions')
      | ('rows' | 'columns' | 'texts' | 'sheets' | 'parts')
      | ('elements' | 'attributes' | 'levels')
    most: number
  }
}

/** Elements of XML as `<Ntry>`, fields of MT940 as `:61:`. */
type OfMessage = {
  xml_malformed: { error: string }
  xml_doctype: None
  /** `found`: null if there is none at all. */
  message_unexpected: { found: string | null; expected: Texts }
  namespace_differs: { element: string; format: string; namespace: string }
  message_unfinished: { end: Texts }
  /** One of `fields`. `inside`: null for the message. */
  field_missing: { fields: Texts; inside: string | null }
  field_twice: { field: string }
  field_misplaced: { field: string; before: Texts }
  field_wrong: { field: string; text: string; example: string }
  code_unknown: { field: string; text: string; known: Texts }
  /** An opening or closing balance that is neither credit nor debit. */
  balance_sign_unknown: None
}

/** One value. `text` is what the file says, in part. */
type OfValue = {
  value_not_amount: { text: string; form: string }
  value_ambiguous: { text: string; whole: string; decimal: string }
  value_decimals: { text: string; most: number; currency: string }
  value_not_date: { text: string; forms: Texts }
  date_out_of_range: { day: string; from: string; to: string }
  value_not_time: { text: string }
  value_not_currency: { text: string }
  value_not_iban: { account: string }
  value_missing: { value: 'amount' | 'balance' }
  value_signed: { text: string }
  value_against_mark: { text: string }
  debit_and_credit: None
  currency_differs: { found: string; expected: string }
  account_differs: { found: string; expected: string }
}

/** `columns` and one of `amounts` are needed. */
type Needed = { columns: Texts; amounts: readonly Texts[] }

/** Rows of a table. */
type OfTable = {
  header_missing: Needed
  header_incomplete: Needed
  row_without_date: { text: string; forms: Texts }
  row_incomplete: { found: number; columns: number }
  row_overfull: { columns: number }
  row_after_totals: { totals: number }
  row_unended: None
  row_endless: { most: number }
  quote_unclosed: None
  quote_found: None
  control_character: None
  table_malformed: { error: string }
  sheet_second: None
  spreadsheet_locked: None
  spreadsheet_cut_off: None
  /** `at`: the part of the zip file, or the value in the cell. */
  spreadsheet_damaged: { fault: SpreadsheetFault; at: string | null }
}

export type SpreadsheetFault =
  | ('part_missing' | 'part_twice' | 'part_misplaced' | 'part_method' | 'part_lengths' | 'part_packing')
  | ('part_bomb' | 'part_longer' | 'part_checksum')
  | ('xml' | 'doctype' | 'encoding' | 'no_sheet')
  | ('cell_without_row' | 'cell_place' | 'cell_twice' | 'row_order' | 'text_number' | 'number')

/** A file that was read whole and contradicts itself. `expected` is what the rest of the file gives. */
type OfTotals = {
  opening_differs: { found: Money; expected: Money }
  closing_differs: { found: Money; expected: Money }
  /** `before`: on line `beforeLine`. */
  balance_differs: { found: Money; expected: Money; before: Money; beforeLine: number; change: Money }
  /** `field`: null for a row of totals. */
  sum_differs: { field: string | null; of: Side | 'both' | 'net'; found: Money; expected: Money }
  count_differs: { field: string; of: Side | 'both' | 'net'; found: number; expected: number }
  balance_unmarked: { which: 'opening' | 'closing' }
  problems_more: { count: number }
}

/** What can be wrong with a file of a bank, and the facts of each. Nothing else is said about it: whoever shows it has the words. */
export type FileProblems = FormProblems & ContentProblems
export type FormProblems = OfKind & OfSize & OfMessage
export type ContentProblems = OfValue & OfTable & OfTotals

/** `position`: null for the file as a whole. */
export type FileProblem = {
  [Code in keyof FileProblems]: { code: Code; facts: FileProblems[Code]; position: Position | null }
}[keyof FileProblems]

type Given<Code extends keyof FileProblems> = None extends FileProblems[Code]
  ? [facts?: None]
  : [facts: FileProblems[Code]]

export function fileProblem<Code extends keyof FileProblems>(
  position: Position | null,
  code: Code,
  ...[facts]: Given<Code>
): FileProblem {
  return { code, facts: facts ?? {}, position } as FileProblem
}

/** A file that is not what it should be. */
export class BankFileError extends Error {
  readonly problem: FileProblem

  constructor(problem: FileProblem) {
    const { code, facts, position } = problem
    super(`${position ? `${placeOf(position)}: ` : ''}${code} ${JSON.stringify(facts)}`)
    this.problem = problem
  }
}

export function fileError<Code extends keyof FileProblems>(
  position: Position | null,
  code: Code,
  ...given: Given<Code>
): BankFileError {
  return new BankFileError(fileProblem(position, code, ...given))
}

/** `line 3, column 5`, for engineers. */
function placeOf({ sheet, line, column }: Position): string {
  const place = `line ${line}${column === undefined ? '' : `, column ${column}`}`
  return sheet === undefined ? place : `sheet ${JSON.stringify(sheet)}, ${place}`
}

const MAX_EXCERPT = 40

/** Text of the bank as a fact: short, and without characters that a terminal would act on or a database refuses. */
export function excerpt(text: string): string {
  const printable = text.toWellFormed().replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '·')
  const shortened = Array.from(printable.slice(0, 2 * MAX_EXCERPT + 1))
  return shortened.length > MAX_EXCERPT ? `${shortened.slice(0, MAX_EXCERPT).join('')}…` : printable
}

export const moneyOf = (amount: bigint, currency: string): Money => ({ minor: String(amount), currency })
