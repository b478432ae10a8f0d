import { excerpt, fileError } from './file-problems.ts'
import { joinBytes, PIECE_BYTES, piecesOf } from './pieces.ts'
import type { Bytes, Position } from './statement.ts'

/** An XML declaration ends before. */
const DECLARATION_BYTES = 1024
/** Encodings in which a byte below 128 is always that character, so that text can be cut after it. */
const CUTTABLE = /^(?:utf-8|windows-\d+|iso-8859-\d+)$/

type Decoder = InstanceType<typeof TextDecoder>
type Encoding = { decoder: Decoder; unit: 1 | 2; lowByte: 0 | 1 }

/** The text of an XML file in the encoding that its first bytes or its declaration name. Invalid bytes are an error. */
export async function* decodeXml(bytes: Bytes): AsyncGenerator<string> {
  let encoding: Encoding | null = null
  let held: Uint8Array = new Uint8Array()
  let end: Position & { column: number } = { line: 1, column: 1 }
  const decode = (part: Uint8Array, { decoder }: Encoding) => {
    const text = decodePart(part, decoder, end)
    end = endOf(text, end)
    return text
  }
  for await (const piece of piecesOf(bytes)) {
    held = joinBytes([held, piece])
    if (!encoding && held.length < DECLARATION_BYTES && !held.includes(0x3e)) continue
    encoding ??= encodingOf(held)
    const cut = lastCut(held, encoding)
    if (cut > 0) yield decode(held.subarray(0, cut), encoding)
    held = held.slice(cut)
    if (held.length > PIECE_BYTES) throw fileError(end, 'too_long', { what: 'gap', most: PIECE_BYTES })
  }
  if (held.length > 0) yield decode(held, encoding ?? encodingOf(held))
}

function encoding(label: string, unit: 1 | 2 = 1, lowByte: 0 | 1 = 0): Encoding {
  return { decoder: new TextDecoder(label, { fatal: true }), unit, lowByte }
}

/** Where a text ends that begins at a place. */
function endOf(text: string, { line, column }: { line: number; column: number }) {
  let [lines, last] = [0, -1]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) [lines, last] = [lines + 1, at]
  return { line: line + lines, column: lines > 0 ? text.length - last : column + text.length }
}

function encodingOf(start: Uint8Array): Encoding {
  const [a, b] = start
  if ((a === 0xff && b === 0xfe) || (a === 0x3c && b === 0)) return encoding('utf-16le', 2, 0)
  if ((a === 0xfe && b === 0xff) || (a === 0 && b === 0x3c)) return encoding('utf-16be', 2, 1)
  const declaration = new TextDecoder('latin1').decode(start.subarray(0, DECLARATION_BYTES))
  const label = /^(?:\xef\xbb\xbf)?\s*<\?xml\s[^>]*?\sencoding\s*=\s*["']([^"'<>]*)["']/.exec(declaration)?.[1]
  // Programs write "utf-16" into a text that they then save in UTF-8; these bytes cannot be UTF-16.
  if (label === undefined || a === 0xef || /^utf-?16/i.test(label)) return encoding('utf-8')
  let known: string
  try {
    known = new TextDecoder(label).encoding
  } catch {
    known = ''
  }
  if (!CUTTABLE.test(known)) throw fileError(null, 'encoding_unknown', { encoding: excerpt(label) })
  return encoding(known)
}

/** After the last character below 128: what follows may be a part of a character. */
function lastCut(bytes: Uint8Array, { unit, lowByte }: Encoding): number {
  for (let at = bytes.length - (bytes.length % unit) - unit; at >= 0; at -= unit) {
    const high = unit === 2 ? bytes[at + 1 - lowByte] : 0
    if (high === 0 && (bytes[at + lowByte] as number) < 0x80) return at + unit
  }
  return 0
}

function decodePart(part: Uint8Array, decoder: Decoder, start: { line: number; column: number }): string {
  try {
    return decoder.decode(part)
  } catch {
    const { encoding } = decoder
    throw fileError(endOf(validPrefix(part, encoding), start), 'encoding_wrong', { encoding })
  }
}

/** The text before the first invalid byte, by bisection. */
function validPrefix(part: Uint8Array, label: string): string {
  let [good, bad] = [0, part.length + 1]
  let text = ''
  while (bad - good > 1) {
    const middle = (good + bad) >> 1
    try {
      text = new TextDecoder(label, { fatal: true }).decode(part.subarray(0, middle), { stream: true })
      good = middle
    } catch {
      bad = middle
    }
  }
  return text
}
