import { BankFileError, quoted } from './bank-file-error.ts'
import type { Bytes } from './statement.ts'

/** Decoded and parsed at once; bounds what is in memory however large the pieces of the file are. */
const PIECE_BYTES = 64 * 1024
/** An XML declaration ends before. */
const DECLARATION_BYTES = 1024
/** Encodings in which a byte below 128 is always that character, so that text can be cut after it. */
const CUTTABLE = /^(?:utf-8|windows-\d+|iso-8859-\d+)$/

type Encoding = { label: string; unit: 1 | 2; lowByte: 0 | 1 }

const UTF_8: Encoding = { label: 'utf-8', unit: 1, lowByte: 0 }

/** The text of an XML file in the encoding that its first bytes or its declaration name. Invalid bytes are an error. */
export async function* decodeXml(bytes: Bytes): AsyncGenerator<string> {
  let encoding: Encoding | null = null
  let held: Uint8Array = new Uint8Array()
  let line = 1
  const decode = (part: Uint8Array, from: Encoding) => {
    const text = decodePart(part, from.label, line)
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) line++
    return text
  }
  for await (const piece of piecesOf(bytes)) {
    held = held.length === 0 ? piece : Buffer.concat([held, piece])
    if (!encoding && held.length < DECLARATION_BYTES && !held.includes(0x3e)) continue
    encoding ??= encodingOf(held)
    const end = lastCut(held, encoding)
    if (end > 0) yield decode(held.subarray(0, end), encoding)
    held = held.slice(end)
    if (held.length > PIECE_BYTES) throw new BankFileError({ line }, 'this is not XML: no markup for 64 KiB')
  }
  if (held.length > 0) yield decode(held, encoding ?? encodingOf(held))
}

async function* piecesOf(bytes: Bytes): AsyncGenerator<Uint8Array> {
  for await (const piece of bytes)
    for (let at = 0; at < piece.length; at += PIECE_BYTES) yield piece.subarray(at, at + PIECE_BYTES)
}

function encodingOf(start: Uint8Array): Encoding {
  const [a, b] = start
  if ((a === 0xff && b === 0xfe) || (a === 0x3c && b === 0)) return { label: 'utf-16le', unit: 2, lowByte: 0 }
  if ((a === 0xfe && b === 0xff) || (a === 0 && b === 0x3c)) return { label: 'utf-16be', unit: 2, lowByte: 1 }
  const declaration = Buffer.from(start.subarray(0, DECLARATION_BYTES)).toString('latin1')
  const label = /^(?:\xef\xbb\xbf)?\s*<\?xml\s[^>]*?\sencoding\s*=\s*["']([^"'<>]*)["']/.exec(declaration)?.[1]
  // Programs write "utf-16" into a text that they then save in UTF-8; these bytes cannot be UTF-16.
  if (label === undefined || a === 0xef || /^utf-?16/i.test(label)) return UTF_8
  let known: string
  try {
    known = new TextDecoder(label).encoding
  } catch {
    known = ''
  }
  if (!CUTTABLE.test(known))
    throw new BankFileError(
      { line: 1 },
      `found the encoding ${quoted(label)}, expected for example UTF-8 or ISO-8859-9`,
    )
  return { label: known, unit: 1, lowByte: 0 }
}

/** After the last character below 128: what follows may be a part of a character. */
function lastCut(bytes: Uint8Array, { unit, lowByte }: Encoding): number {
  for (let at = bytes.length - (bytes.length % unit) - unit; at >= 0; at -= unit) {
    const high = unit === 2 ? bytes[at + 1 - lowByte] : 0
    if (high === 0 && (bytes[at + lowByte] as number) < 0x80) return at + unit
  }
  return 0
}

function decodePart(part: Uint8Array, label: string, line: number): string {
  try {
    return new TextDecoder(label, { fatal: true }).decode(part)
  } catch {
    const valid = validPrefix(part, label)
    const lines = valid.split('\n')
    const position = { line: line + lines.length - 1, column: (lines.at(-1)?.length ?? 0) + 1 }
    throw new BankFileError(position, `found a byte that is not ${label.toUpperCase()}; the file names that encoding`)
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
