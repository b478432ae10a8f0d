import { fileError } from './file-problems.ts'
import type { FileProblems } from './file-problems.ts'

// A busy account has a few tens of thousands of lines a month. All bounds are for 100,000 lines of 13 columns.

/** Packed; 100,000 lines have 10 MB. */
export const MAX_FILE = 50 * 1024 * 1024
/** Of the zip file. */
export const MAX_ENTRIES = 1000
/** Unpacked; 100,000 lines have 40 MB. */
export const MAX_SHEET = 64 * 1024 * 1024
/** Unpacked, of the part with the texts, which are held in memory: three of a hundred bytes for each line. */
export const MAX_TEXTS_PART = 32 * 1024 * 1024
export const MAX_TEXTS = 300_000
/** Characters of a text. */
export const MAX_CELL = 100_000
/** Unpacked, of the other parts that are held: styles, lists of parts. */
export const MAX_HELD_PART = 8 * 1024 * 1024
/** Unpacked, of all parts that are read, each time that one is read. */
const MAX_UNPACKED = 100 * 1024 * 1024
/** Sheets shrink to a tenth or a thirtieth. More than this, past the first megabyte, is a zip bomb. */
export const MAX_RATIO = 200
export const RATIO_FROM = 1024 * 1024
/** Those that a person sees. Only the first may have values; spreadsheets add two or three empty ones. */
export const MAX_SHEETS = 50
/** With empty ones, of all sheets. */
const MAX_ROWS = 100_000
/** A cell has two or three, a text two. */
const MAX_ELEMENTS = 4_000_000
/** Of all cells: a few bytes in a sheet can name a long text. */
const MAX_CHARACTERS = 64 * 1024 * 1024

/** What reading a workbook has cost so far, all parts together. */
export type Work = Record<keyof typeof MOST, number>

const MOST = { bytes: MAX_UNPACKED, elements: MAX_ELEMENTS, rows: MAX_ROWS, characters: MAX_CHARACTERS }

export const noWork = (): Work => ({ bytes: 0, elements: 0, rows: 0, characters: 0 })

export function spend(work: Work, kind: keyof Work, count = 1): void {
  work[kind] += count
  if (work[kind] <= MOST[kind]) return
  if (kind === 'rows' || kind === 'elements') throw tooMany(kind, MOST[kind])
  throw fileError(null, 'too_large', { what: 'workbook', megabytes: MOST[kind] / 1024 / 1024 })
}

export const tooMany = (what: FileProblems['too_many']['what'], most: number) =>
  fileError(null, 'too_many', { what, most })

/** Lets others have their turn: a piece of a workbook takes some milliseconds, all of them seconds. */
export const turn = () => new Promise<void>((resolve) => void setImmediate(resolve))
