import { CsvError, parse } from 'csv-parse'
import type { Parser } from 'csv-parse'
import { excerpt, fileError } from './file-problems.ts'
import type { BankProfile, Separator } from './bank-profile.ts'
import { visibleText } from './fold-text.ts'
import { matchHeader } from './header-row.ts'
import type { SheetRow } from './sheet-row.ts'

/** A row has a few hundred characters. More is a quote that was never closed. */
const MAX_ROW = 100_000
/** Statements have ten or twenty. Empty cells further right do not count. */
const MAX_COLUMNS = 500
/** The header is looked for in so many characters, to find the separator. */
const MAX_HEAD = 64 * 1024

export const SEPARATORS: Separator[] = [';', '\t', ',']

/** The rows of a text file; `line` is that on which the row begins. */
export async function* csvRows(text: AsyncIterable<string>, profile: BankProfile): AsyncGenerator<SheetRow> {
  const lines = unixLines(text)
  let head = ''
  let done: boolean | undefined = false
  while (!done && head.length < MAX_HEAD) {
    const next: IteratorResult<string> = await lines.next()
    done = next.done
    head += next.done ? '' : next.value
  }
  const separator = profile.separator ?? findSeparator(head, profile)
  const parser = parse({
    delimiter: separator,
    record_delimiter: '\n',
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: MAX_ROW,
    info: true,
  })
  void feed(parser, head, lines)
  yield* readRows(parser, separator)
}

async function* readRows(parser: Parser, separator: Separator): AsyncGenerator<SheetRow> {
  let line = 1
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
      assertOneRow(record, line, separator)
      if (record.length > MAX_COLUMNS && record.findLastIndex((text) => text !== '') >= MAX_COLUMNS)
        throw fileError({ line, column: MAX_COLUMNS + 1 }, 'too_many', { what: 'columns', most: MAX_COLUMNS })
      yield {
        position: { line },
        cells: record.map((text) => ({ text: visibleText(text), kind: 'text' })),
        sparse: false,
      }
      line = info.lines + 1
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    if (error.code === 'CSV_MAX_RECORD_SIZE') throw fileError({ line }, 'row_endless', { most: MAX_ROW })
    if (error.code === 'CSV_QUOTE_NOT_CLOSED') throw fileError({ line }, 'quote_unclosed')
    throw fileError({ line }, 'table_malformed', { error: excerpt(error.message) })
  } finally {
    parser.destroy()
  }
}

/** Two stray quotes would make one text of all rows between them. */
function assertOneRow(record: string[], line: number, separator: Separator): void {
  const swallowed = record.some((text) => {
    return text.split('\n', 1000).some((row, index) => index > 0 && DATED.test(row) && row.includes(separator))
  })
  if (swallowed) throw fileError({ line }, 'quote_unclosed')
}

const DATED = /^\s*"?(?:\d{1,2}[./-]\d{1,2}[./-]\d{4}|\d{4}-\d{2}-\d{2})/

async function feed(parser: Parser, head: string, lines: AsyncGenerator<string>): Promise<void> {
  try {
    parser.write(head)
    for await (const chunk of lines) {
      if (parser.destroyed) return
      if (parser.write(chunk)) continue
      await writable(parser)
    }
    parser.end()
  } catch (error) {
    parser.destroy(error as Error)
  }
}

function writable(parser: Parser): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      parser.off('drain', go).off('close', go)
      resolve()
    }
    parser.on('drain', go).on('close', go)
  })
}

/** The separator with which a row is the header. Without one the reader says what is missing. */
function findSeparator(head: string, profile: BankProfile): Separator {
  const rows = head.split('\n')
  const isHeader = (row: string, separator: Separator) => 'layout' in matchHeader(splitRow(row, separator), profile)
  return SEPARATORS.find((separator) => rows.some((row) => isHeader(row, separator))) ?? ';'
}

/** Good enough for headers, which have no separators inside of their names. */
export const splitRow = (row: string, separator: Separator) =>
  row.split(separator).map((cell) => cell.replace(/^\s*"(.*)"\s*$/, '$1'))

/** Windows and old Mac line ends as \n, also where one is cut in two. A line longer than a row may be is an error. */
async function* unixLines(text: AsyncIterable<string>): AsyncGenerator<string> {
  let carried = ''
  const end = { line: 1, column: 0 }
  for await (const chunk of text) {
    const all = carried + chunk
    carried = all.endsWith('\r') ? '\r' : ''
    const lines = all.slice(0, all.length - carried.length).replaceAll(/\r\n?/g, '\n')
    assertLinesEnd(lines, end)
    yield lines
  }
  if (carried !== '') yield '\n'
}

/** The parser limits the texts of a row, but not how many are empty. */
function assertLinesEnd(lines: string, end: { line: number; column: number }): void {
  let from = 0
  for (let at = 0; at >= 0; from = at + 1) {
    at = lines.indexOf('\n', from)
    end.column += (at < 0 ? lines.length : at) - from
    if (end.column > MAX_ROW) throw fileError({ line: end.line }, 'row_endless', { most: MAX_ROW })
    if (at < 0) return
    end.line++
    end.column = 0
  }
}
