/** A number of sixteen digits, or with an exponent, after a colon, comma or bracket. In a string it only costs time. */
const CANDIDATE = /[:,[]\s*-?(?:\d[\d.]{15}|[\d.]+[eE])/

/** Of V8; not in the types of TypeScript yet. `JSON.stringify` writes such a value as its text. */
type Raw = { rawJSON: string }
const { rawJSON, isRawJSON } = JSON as unknown as {
  rawJSON: (source: string) => Raw
  isRawJSON: (value: unknown) => value is Raw
}

/**
 * Like JSON.parse, but a number that JavaScript would round stays as it is written: `writtenNumber` returns its text, and
 * JSON.stringify writes it unchanged. So two different numbers never become one.
 */
export function parseExactly(json: string): unknown {
  if (!CANDIDATE.test(json)) return JSON.parse(json)
  return JSON.parse(json, (_key, value: unknown, context?: { source?: string }) => {
    const source = context?.source ?? ''
    return typeof value === 'number' && !isExact(value, source) ? rawJSON(source) : value
  })
}

/** The text of a number from `parseExactly`; null if the value is not a number. */
export function writtenNumber(value: unknown): string | null {
  if (typeof value === 'number') return String(value)
  return isRawJSON(value) ? value.rawJSON : null
}

/** Every decimal number of up to fifteen digits survives as a double. */
function isExact(value: number, source: string): boolean {
  if (/^-?\d+$/.test(source)) return Number.isSafeInteger(value)
  const digits = source
    .replace(/[eE].*/, '')
    .replaceAll(/\D/g, '')
    .replaceAll(/^0+|0+$/g, '')
  return Number.isFinite(value) && digits.length <= 15
}
