// Control characters, marks that change the direction of text, and whatever has no shape of its own: in a terminal they move the
// cursor, forge a row or turn an IBAN around. Half a surrogate pair, too: it has no character.
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu

const SHORT: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** One line of text as people may see it: `\x1b`, `\u202e`, `\n`. */
export function escapeInvisible(line: string): string {
  return line.replace(INVISIBLE, (one) => SHORT[one] ?? written(one.codePointAt(0) ?? 0))
}

/** The same for JSON, which stays what it is for programs: line breaks between its parts remain. */
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
