// Control characters, bidirectional marks, invisible characters and lone surrogates: in a terminal they can move the
// cursor, fake a row or reverse an IBAN.
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu

const SHORT_ESCAPES: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** Escapes one line of text for display: `\x1b`, `\u202e`, `\n`. */
export function escapeInvisible(line: string): string {
  return line.replace(INVISIBLE, (character) => SHORT_ESCAPES[character] ?? escapeOf(character.codePointAt(0) ?? 0))
}

/** The same for a cell of a file, which keeps its line breaks and tabs. */
export function escapeInvisibleInCell(text: string): string {
  return text.replace(INVISIBLE, (character) =>
    /[\t\r\n]/.test(character) ? character : escapeOf(character.codePointAt(0) ?? 0),
  )
}

/** The same for JSON, which stays valid: line breaks between its parts remain. */
export function escapeInvisibleInJson(json: string): string {
  const escapeUnits = (character: string) => character.replace(/[^]/g, (unit) => `\\u${hex(unit.charCodeAt(0), 4)}`)
  return json.replace(INVISIBLE, (character) => (character === '\n' ? character : escapeUnits(character)))
}

function escapeOf(code: number): string {
  if (code < 0x100) return `\\x${hex(code, 2)}`
  return code < 0x10000 ? `\\u${hex(code, 4)}` : `\\u{${hex(code, 5)}}`
}

function hex(number: number, digits: number): string {
  return number.toString(16).padStart(digits, '0')
}
