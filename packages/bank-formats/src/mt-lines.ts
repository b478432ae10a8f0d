import { BankFileError } from './bank-file-error.ts'
import { joinBytes, PIECE_BYTES, piecesOf } from './pieces.ts'
import type { Bytes } from './statement.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })
const turkish = new TextDecoder('windows-1254')

/** The lines of a text file in groups, without their ends (LF or CRLF). */
export async function* readLines(bytes: Bytes): AsyncGenerator<string[]> {
  let held: Uint8Array = new Uint8Array()
  let count = 0
  const take = (line: Uint8Array) => textOf(line, ++count)
  for await (const piece of piecesOf(bytes)) {
    held = joinBytes([held, piece])
    const lines: string[] = []
    let start = 0
    for (let end = held.indexOf(0x0a); end >= 0; end = held.indexOf(0x0a, start)) {
      lines.push(take(held.subarray(start, end)))
      start = end + 1
    }
    held = held.slice(start)
    if (lines.length > 0) yield lines
    if (held.length > PIECE_BYTES) throw new BankFileError({ line: count + 1 }, 'the line is longer than 64 KiB')
  }
  if (held.length > 0) yield [take(held)]
}

/** The format has no place for an encoding: a line that is not UTF-8 is windows-1254, which includes ISO-8859-9. */
function textOf(bytes: Uint8Array, line: number): string {
  if (bytes.includes(0)) throw new BankFileError({ line }, 'found a zero byte, expected the text of an MT940 or MT942')
  const text = bytes.at(-1) === 0x0d ? bytes.subarray(0, -1) : bytes
  try {
    return utf8.decode(text)
  } catch {
    return turkish.decode(text)
  }
}
