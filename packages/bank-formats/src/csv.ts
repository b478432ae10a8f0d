import type { BankProfile } from './bank-profile.ts'
import { csvRows } from './csv-rows.ts'
import { detectOther, unlike } from './detect-format.ts'
import { joinBytes } from './pieces.ts'
import { statementEvents } from './statement-events.ts'
import type { Bytes, StatementReader } from './statement.ts'
import { decodeText } from './text-encoding.ts'

/** Reads a statement that a bank exports as CSV, with any of the three separators and in any encoding that is known. */
export function readCsv(profile: BankProfile): StatementReader {
  return (bytes) => statementEvents(csvRows(decodeText(tableBytes(bytes)), profile), profile, 'csv')
}

/** So many bytes tell a spreadsheet, a web page or another format from a table. */
const SIGNATURE = 1024

async function* tableBytes(bytes: Bytes): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] | null = []
  let size = 0
  for await (const chunk of bytes) {
    held?.push(chunk)
    size += chunk.length
    if (!held) yield chunk
    else if (size >= SIGNATURE) {
      yield asTable(joinBytes(held))
      held = null
    }
  }
  if (held) yield asTable(joinBytes(held))
}

function asTable(head: Uint8Array): Uint8Array {
  const other = detectOther(head)
  if (other) throw unlike(other, 'csv')
  return head
}
