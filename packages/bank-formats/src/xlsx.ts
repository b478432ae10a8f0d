import { BankFileError } from './bank-file-error.ts'
import type { BankProfile } from './bank-profile.ts'
import { detectFormat } from './detect-format.ts'
import { joinBytes } from './pieces.ts'
import type { SheetRow } from './sheet-row.ts'
import { statementEvents } from './statement-events.ts'
import type { Bytes, StatementReader } from './statement.ts'
import { sheetRows } from './xlsx-rows.ts'
import { openWorkbook } from './xlsx-workbook.ts'
import { MAX_FILE } from './xlsx-zip.ts'

/** Reads a statement that a bank exports as XLSX. The packed file is held in memory, its sheet is read as it is unpacked. */
export function readXlsx(profile: BankProfile): StatementReader {
  return (bytes) => statementEvents(workbookRows(bytes), profile, 'xlsx')
}

async function* workbookRows(bytes: Bytes): AsyncGenerator<SheetRow> {
  const file = await wholeFile(bytes)
  const { format, reason } = detectFormat(file)
  if (format !== 'xlsx') throw new BankFileError({ line: 1 }, `expected an .xlsx file; this is ${reason}`)
  const workbook = openWorkbook(file)
  const [first, ...others] = workbook.sheets
  for (const sheet of others)
    for (const { position } of sheetRows(workbook, sheet))
      throw new BankFileError(
        position,
        'a second sheet with values; expected one sheet, export each account to its own file',
      )
  if (first) yield* sheetRows(workbook, first)
}

async function wholeFile(bytes: Bytes): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of bytes) {
    chunks.push(chunk)
    size += chunk.length
    if (size > MAX_FILE)
      throw new BankFileError(
        { line: 1 },
        `the file has more than ${MAX_FILE / 1024 / 1024} MB; export a shorter period`,
      )
  }
  return joinBytes(chunks)
}
