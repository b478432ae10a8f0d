import { fileError } from './file-problems.ts'
import { EMPTY_CELL } from './sheet-row.ts'
import type { Cell, SheetRow } from './sheet-row.ts'
import type { Position } from './statement.ts'
import { MAX_CELL, spend } from './xlsx-bounds.ts'
import { plainDecimal, serialDate } from './xlsx-numbers.ts'
import { cellText } from './xlsx-workbook.ts'
import type { Sheet, Workbook } from './xlsx-workbook.ts'
import type { Attributes, Handlers } from './xlsx-xml.ts'
import { damaged } from './xlsx-zip.ts'

/** Of a row; statements have ten or twenty. Empty cells further right do not count. */
const MAX_COLUMNS = 500
/** As in CSV files; a row has a few hundred. */
const MAX_ROW = 100_000

/** What has been read of the cell that is open. */
type OpenCell = { position: Position; type: string; style: number; value: string; inline: string }

/** The rows of a sheet that have a value, as they are unpacked. `line` is the number of the row. */
export async function* sheetRows(workbook: Workbook, sheet: Sheet): AsyncGenerator<SheetRow> {
  const rows: SheetRow[] = []
  const handlers = rowHandlers(workbook, sheet, (row) => rows.push(row))
  for await (const _ of workbook.parse(sheet.part, handlers)) yield* rows.splice(0)
  yield* rows
}

function rowHandlers(workbook: Workbook, sheet: Sheet, emit: (row: SheetRow) => void): Handlers {
  let row: SheetRow = { position: { sheet: sheet.name, line: 0 }, cells: [], sparse: true }
  let cell: OpenCell | null = null
  let column = 0
  let characters = 0
  let reading: 'value' | 'inline' | null = null
  let aloud = false
  return {
    open(tag, attributes) {
      if (tag === 'row') {
        row = { position: nextRow(row.position, attributes), cells: [], sparse: true }
        column = 0
        characters = 0
        spend(workbook.work, 'rows')
      } else if (tag === 'c') {
        if (row.position.line === 0) throw damaged({ sheet: sheet.name, line: 1 }, 'cell_without_row')
        column = columnOf(attributes['r'], column + 1, row.position)
        const { t: type = 'n', s = '0' } = attributes
        cell = { position: { ...row.position, column }, type, style: Number(s), value: '', inline: '' }
      } else if (tag === 'rPh') aloud = true
      reading = tag === 'v' ? 'value' : tag === 't' && !aloud ? 'inline' : null
    },
    text(text) {
      if (!cell || !reading) return
      if (cell[reading].length + text.length > MAX_CELL)
        throw fileError(cell.position, 'too_long', { what: 'cell', most: MAX_CELL })
      cell[reading] += text
    },
    close(tag) {
      reading = null
      if (tag === 'rPh') aloud = false
      else if (tag === 'c' && cell) {
        const read = readCell(cell, workbook)
        characters += read.text.length
        spend(workbook.work, 'characters', read.text.length)
        if (characters > MAX_ROW) throw fileError(cell.position, 'too_long', { what: 'row', most: MAX_ROW })
        place(read, column, row)
        cell = null
      } else if (tag === 'row' && row.cells.length > 0) emit(row)
    },
  }
}

function nextRow({ sheet = '', line: last }: Position, { r }: Attributes): Position {
  const line = r === undefined ? last + 1 : Number(r)
  if (!Number.isInteger(line) || line <= last || line > 1_048_576)
    throw damaged({ sheet, line: Math.max(1, last) }, 'row_order', r)
  return { sheet, line }
}

/** `AB12` is column 28. Without a reference a cell is right of the one before. */
function columnOf(reference: string | undefined, next: number, position: Position): number {
  if (reference === undefined) return next
  const [, letters = '', line] = /^([A-Z]{1,3})(\d{1,7})$/.exec(reference) ?? []
  let column = 0
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64
  if (letters === '' || column > 16_384 || Number(line) !== position.line)
    throw damaged(position, 'cell_place', reference)
  return column
}

function place(cell: Cell, column: number, { cells, position }: SheetRow): void {
  if (cell.text === '') return
  const at = { ...position, column }
  if (column > MAX_COLUMNS) throw fileError(at, 'too_many', { what: 'columns', most: MAX_COLUMNS })
  if ((cells[column - 1]?.text ?? '') !== '') throw damaged(at, 'cell_twice')
  while (cells.length < column) cells.push(EMPTY_CELL)
  cells[column - 1] = cell
}

/** Formulas count by the value that was stored with them. */
function readCell({ position, type, style, value, inline }: OpenCell, workbook: Workbook): Cell {
  const text = (raw: string): Cell => ({ text: cellText(raw), kind: 'text' })
  if (type === 'inlineStr') return text(inline)
  if (value === '') return EMPTY_CELL
  if (type === 's') {
    const shared = workbook.texts[Number(value)]
    if (shared === undefined) throw damaged(position, 'text_number', value)
    return { text: shared, kind: 'text' }
  }
  if (type === 'd') return { text: value.replace('T', ' ').replace(/Z$|\.\d+Z?$/, ''), kind: 'date' }
  if (type !== 'n') return text(value)
  const number = plainDecimal(value.trim())
  if (number === null) throw damaged(position, 'number', value)
  const date = workbook.dateStyles[style] ? serialDate(Number(number), workbook.from1904) : null
  return date ?? { text: number, kind: 'number' }
}
