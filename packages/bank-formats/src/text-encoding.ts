import { fileError } from './file-problems.ts'
import { joinBytes } from './pieces.ts'
import type { Bytes } from './statement.ts'

export type TextEncoding = 'utf-8' | 'windows-1254' | 'iso-8859-9' | 'utf-16le' | 'utf-16be'

/** From the first byte that is not ASCII, so many decide between UTF-8 and windows-1254. The rest of the file streams. */
const WINDOW = 64 * 1024

const BOMS: [number[], TextEncoding][] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
]

type Place = { line: number; column: number }

/**
 * The text of a file, without its byte order mark. A byte order mark wins over what is declared; without both, valid
 * UTF-8 is UTF-8 and everything else windows-1254. Bytes without a meaning are an error with their place.
 */
export async function* decodeText(bytes: Bytes, declared?: TextEncoding): AsyncGenerator<string> {
  const place: Place = { line: 1, column: 1 }
  let encoding = declared
  let pending: Uint8Array = new Uint8Array()
  let started = false
  const start = () => {
    started = true
    const [mark, named] = BOMS.find(([bom]) => bom.every((byte, at) => pending[at] === byte)) ?? [[], encoding]
    encoding = named
    pending = pending.subarray(mark.length)
  }
  for await (const chunk of bytes) {
    pending = joinBytes([pending, chunk])
    if (!started && pending.length < 3) continue
    if (!started) start()
    if (encoding === undefined) {
      const at = firstBeyondAscii(pending)
      yield decode('utf-8', pending.subarray(0, at), place)
      pending = pending.subarray(at)
      if (pending.length < WINDOW) continue
      encoding = guessEncoding(pending, false)
    }
    const whole = wholeCharacters(encoding, pending)
    yield decode(encoding, pending.subarray(0, whole), place)
    pending = pending.subarray(whole)
  }
  if (!started) start()
  yield decode(encoding ?? guessEncoding(pending, true), pending, place)
}

/** The encoding of the first kilobytes of a file. */
export function encodingOf(head: Uint8Array): TextEncoding {
  const named = BOMS.find(([bom]) => bom.every((byte, at) => head[at] === byte))?.[1]
  return named ?? guessEncoding(head, false)
}

/**
 * İ, ş, ğ, ü and the like are two bytes in UTF-8, the first of them C3 to C5. In windows-1254 these would be Ã, Ä or Å
 * before a sign, which no Turkish text has: a file with such pairs is UTF-8, and bytes that do not fit are damage.
 */
function guessEncoding(bytes: Uint8Array, last: boolean): TextEncoding {
  const isPair = (byte: number, at: number) => byte >= 0xc3 && byte <= 0xc5 && ((bytes[at + 1] ?? 0) & 0xc0) === 0x80
  if (isValid('utf-8', last ? bytes : bytes.subarray(0, wholeCharacters('utf-8', bytes)))) return 'utf-8'
  return bytes.some(isPair) ? 'utf-8' : 'windows-1254'
}

function decode(encoding: TextEncoding, bytes: Uint8Array, place: Place): string {
  const label = encoding === 'iso-8859-9' ? 'windows-1254' : encoding
  const text = new TextDecoder(label, { ignoreBOM: true }).decode(bytes)
  const wrong = encoding === 'iso-8859-9' ? wrongByte(bytes) : text.search(isValid(label, bytes) ? NO_TEXT : /\ufffd/)
  if (wrong >= 0) {
    advance(place, text.slice(0, wrong))
    throw text[wrong] === '\0'
      ? fileError({ ...place }, 'zero_byte')
      : fileError({ ...place }, 'encoding_wrong', { encoding })
  }
  advance(place, text)
  return text
}

/** Zero bytes, and bytes to which windows-1254 gives no sign. */
const NO_TEXT = /[\0\u0080-\u009f]/

function isValid(label: string, bytes: Uint8Array): boolean {
  try {
    new TextDecoder(label, { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

/** windows-1254 has signs at 80 to 9F, ISO-8859-9 has none there. */
const wrongByte = (bytes: Uint8Array) => bytes.findIndex((byte) => byte === 0 || (byte >= 0x80 && byte <= 0x9f))

function advance(place: Place, text: string): void {
  let from = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', from)) {
    place.line++
    place.column = 1
    from = at + 1
  }
  place.column += text.length - from
}

function firstBeyondAscii(bytes: Uint8Array): number {
  const at = bytes.findIndex((byte) => byte >= 0x80)
  return at < 0 ? bytes.length : at
}

/** How many bytes do not end inside a character. */
function wholeCharacters(encoding: TextEncoding, bytes: Uint8Array): number {
  const { length } = bytes
  if (encoding === 'utf-8') {
    for (let back = 1; back <= Math.min(3, length); back++) {
      const byte = bytes[length - back] as number
      if (byte < 0x80) return length
      if (byte >= 0xc0) return (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) > back ? length - back : length
    }
    return length
  }
  if (encoding !== 'utf-16le' && encoding !== 'utf-16be') return length
  const even = length - (length % 2)
  const high = bytes[encoding === 'utf-16le' ? even - 1 : even - 2] ?? 0
  return high >= 0xd8 && high <= 0xdb ? even - 2 : even
}
