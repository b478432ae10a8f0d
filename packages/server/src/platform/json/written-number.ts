/** A number with a point or exponent after a colon: almost always the value of a key, rarely text inside a string. */
const CANDIDATE = /:\s*-?\d+[.eE]/

/**
 * The text of the number at a top-level key if it has a point or exponent, else null: JSON.parse does not distinguish
 * 1250 from 1250.00. The bytes must be valid JSON.
 */
export function unusuallyWritten(json: Buffer, wanted: string): string | null {
  // Only ASCII matters, so the cheapest decoding is used. Almost every body returns here.
  if (!CANDIDATE.test(json.toString('latin1'))) return null
  const sources = new Map<unknown, string>()
  const root = JSON.parse(json.toString(), function (this: unknown, key, value, context?: { source?: string }) {
    if (key === wanted && typeof value === 'number') sources.set(this, context?.source ?? '')
    return value as unknown
  }) as unknown
  const source = sources.get(root) ?? ''
  return /[.eE]/.test(source) ? source : null
}
