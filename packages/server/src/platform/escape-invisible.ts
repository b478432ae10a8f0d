// Control characters, bidirectional marks, invisible characters and lone surrogates: in a terminal they can move the
// cursor, fake a row or reverse an IBAN.
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu

const SHORT: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** Escapes one line of text for display: `\x1b`, `\u202e`, `\n`. */
export function escapeInvisible(line: string): string {
  return line.replace(INVISIBLE, (one) => SHORT[one] ?? written(one.codePointAt(0) ?? 0))
}

/** The same for JSON, which stays valid: line breaks between its parts remain. */
export function escapeInvisibleInJson(json: string): string {
  const units = (one: string) => one.replace(/[^]/g, (unit) => `\\u${hex(unit.charCodeAt(0), 4)}`)
  return json.replace(INVISIBLE, (one) => (one === '\n' ? one : units(one)))
}

function written(code: number): string {
  if (code < 0x100) return `\\x${hex(code, 2)}`
  return code < 0x10000 ? `\\u${hex(code, 4)}` : `\\u{${hex(code, 5)}}`
}

function hex(number: number, digits: number): string {
  return number.toString(16).padStart(digits, '0')
}
