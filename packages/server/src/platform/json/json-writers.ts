// JSON as other languages write it, compared with JSON.stringify. A signature is over bytes, so parsing and rewriting a
// body changes what is signed.

/** Python's default separators. */
export function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`
  if (!isObject(value)) return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([key, part]) => `${JSON.stringify(key)}: ${spaced(part)}`)
    .join(', ')}}`
}

export function withSortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedKeys)
  if (!isObject(value)) return value
  const keys = Object.keys(value).toSorted()
  return Object.fromEntries(keys.map((key) => [key, withSortedKeys(value[key])]))
}

const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Python and PHP. */
export const ascii = (json: string) => json.replace(/[\u0080-\uffff]/g, escaped)
/** PHP. */
export const slashed = (json: string) => json.replaceAll('/', '\\/')
/** Go. */
export const htmlSafe = (json: string) => json.replace(/[<>&\u2028\u2029]/g, escaped)
/** Java, by Gson. */
export const gson = (json: string) => json.replace(/[<>&='\u2028\u2029]/g, escaped)
/** .NET's System.Text.Json: everything but plain ASCII in upper-case escapes, and quotes as numbers too. */
export const dotNet = (json: string) =>
  json
    // In pairs: the backslash before a quote may itself be escaped.
    .replace(/\\(.)/g, (pair, character) => (character === '"' ? '\\u0022' : pair))
    .replace(/[<>&'+`\u007f-\uffff]/g, (character) => `\\u${escaped(character).slice(2).toUpperCase()}`)

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
