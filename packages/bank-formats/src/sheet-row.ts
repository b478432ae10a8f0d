import type { Position } from './statement.ts'

/**
 * `text` is what the cell shows in a CSV file. A spreadsheet also has numbers (`-1234.5`, exact, with a point) and
 * dates (`2026-01-31` or `2026-01-31 14:05:00`).
 */
export type Cell = { text: string; kind: 'text' | 'number' | 'date' }

export type SheetRow = {
  position: Position
  cells: Cell[]
  /** A CSV row with fewer cells than its header was cut off. A spreadsheet leaves out empty cells. */
  sparse: boolean
}

export const EMPTY_CELL: Cell = { text: '', kind: 'text' }
