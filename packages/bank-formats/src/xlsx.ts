import { BankFileError, fileError } from './file-problems.ts'
import type { FileProblem } from './file-problems.ts'
import type { BankProfile } from './bank-profile.ts'
import { detectFormat, unlike } from './detect-format.ts'
import { joinBytes } from './pieces.ts'
import type { SheetRow } from './sheet-row.ts'
import { statementEvents } from './statement-events.ts'
import type { Bytes, StatementReader } from './statement.ts'
import { MAX_FILE, turn } from './xlsx-bounds.ts'
import { sheetRows } from './xlsx-rows.ts'
import { openWorkbook } from './xlsx-workbook.ts'

/** Reads a statement that a bank exports as XLSX. The packed file is held in memory, its sheet is read as it is unpacked. */
export function readXlsx(profile: BankProfile): StatementReader {
  return (bytes) => statementEvents(workbookRows(bytes), profile, 'xlsx')
}

/** The header is in the first 200 rows; some lines below it show that they can be read. */
const FIRST_ROWS = 300
const FIRST_CHARACTERS = 1024 * 1024

/** The profiles that can read the first rows of a workbook, which is unpacked once for all. `problem` is that of the last that cannot. */
export async function fittingProfiles(
  bytes: Bytes,
  profiles: readonly BankProfile[],
): Promise<{ fitting: BankProfile[]; problem: FileProblem | null }> {
  const rows = await firstRows(bytes)
  const fitting: BankProfile[] = []
  let problem: FileProblem | null = null
  for (const profile of profiles) {
    try {
      for await (const _ of statementEvents(inTurns(rows), profile, 'xlsx')) break
      fitting.push(profile)
    } catch (error) {
      if (!(error instanceof BankFileError)) throw error
      problem = error.problem
    }
  }
  return { fitting, problem }
}

async function firstRows(bytes: Bytes): Promise<SheetRow[]> {
  const rows: SheetRow[] = []
  let characters = 0
  for await (const row of workbookRows(bytes)) {
    for (const { text } of row.cells) characters += text.length
    if (rows.push(row) >= FIRST_ROWS || characters > FIRST_CHARACTERS) break
  }
  return rows
}

async function* inTurns(rows: readonly SheetRow[]): AsyncGenerator<SheetRow> {
  for (const [index, row] of rows.entries()) {
    if (index % 10 === 0) await turn()
    yield row
  }
}

async function* workbookRows(bytes: Bytes): AsyncGenerator<SheetRow> {
  const file = await wholeFile(bytes)
  const detected = detectFormat(file)
  if (detected.format !== 'xlsx') throw unlike(detected, 'xlsx')
  const workbook = await openWorkbook(file)
  const [first, ...others] = workbook.sheets
  for (const sheet of others)
    for await (const { position } of sheetRows(workbook, sheet)) throw fileError(position, 'sheet_second')
  if (first) yield* sheetRows(workbook, first)
}

async function wholeFile(bytes: Bytes): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of bytes) {
    chunks.push(chunk)
    size += chunk.length
    if (size > MAX_FILE) throw fileError(null, 'too_large', { what: 'file', megabytes: MAX_FILE / 1024 / 1024 })
  }
  return joinBytes(chunks)
}
