/** A number with a point or an exponent behind a colon: almost always the value of a key, rarely text inside a string. */
const MAYBE = /:\s*-?\d+[.eE]/

/**
 * How the number at a key of the top level is written, if it has a point or an exponent; else null. JSON.parse loses
 * the difference between 1250 and 1250.00. The bytes must be valid JSON.
 */
export function unusuallyWritten(json: Buffer, wanted: string): string | null {
  // Looks at ASCII only, so the cheapest decoding will do. Nearly every body ends here.
  if (!MAYBE.test(json.toString('latin1'))) return null
  const sources = new Map<unknown, string>()
  const root = JSON.parse(json.toString(), function (this: unknown, key, value, context?: { source?: string }) {
    if (key === wanted && typeof value === 'number') sources.set(this, context?.source ?? '')
    return value as unknown
  }) as unknown
  const source = sources.get(root) ?? ''
  return /[.eE]/.test(source) ? source : null
}
