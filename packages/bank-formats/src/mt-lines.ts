import { fileError } from './file-problems.ts'
import { joinBytes, PIECE_BYTES, piecesOf } from './pieces.ts'
import type { Bytes } from './statement.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })
const turkish = new TextDecoder('windows-1254')

const [LF, CR] = [0x0a, 0x0d]

/** The lines of a text file in groups, without their ends (LF or CRLF; CR in a file that begins without any LF). */
export async function* readLines(bytes: Bytes): AsyncGenerator<string[]> {
  let held: Uint8Array = new Uint8Array()
  let count = 0
  let mark = LF
  const take = (line: Uint8Array) => textOf(line, ++count)
  const wholeLines = () => {
    const lines: string[] = []
    let start = 0
    for (let end = held.indexOf(mark); end >= 0; end = held.indexOf(mark, start)) {
      lines.push(take(held.subarray(start, end)))
      start = end + 1
    }
    held = held.slice(start)
    return lines
  }
  for await (const piece of piecesOf(bytes)) {
    held = joinBytes([held, piece])
    let lines = wholeLines()
    if (held.length > PIECE_BYTES && count === 0) {
      mark = CR
      lines = wholeLines()
    }
    if (lines.length > 0) yield lines
    if (held.length > PIECE_BYTES) throw fileError({ line: count + 1 }, 'too_long', { what: 'line', most: PIECE_BYTES })
  }
  if (count === 0) mark = CR
  yield [...wholeLines(), ...(held.length > 0 ? [take(held)] : [])]
}

/** The format has no place for an encoding: a line that is not UTF-8 is windows-1254, which includes ISO-8859-9. */
function textOf(bytes: Uint8Array, line: number): string {
  if (bytes.includes(0)) throw fileError({ line }, 'zero_byte')
  const text = bytes.at(-1) === CR ? bytes.subarray(0, -1) : bytes
  try {
    return utf8.decode(text)
  } catch {
    return turkish.decode(text)
  }
}
