import type { Warning } from '@vezne/contract'

/** The only parts of a schema that are used here. */
type Fields = { properties?: Record<string, Fields> }

/** No one would read more, and a body may contain thousands. */
const MAX_WARNINGS = 20
const MAX_FIELD_LENGTH = 100

/** The field names that an object may have, each with its nested fields. */
export type Documented = Map<string, Documented | null>

/** Null for an object without documented fields, such as metadata, which may contain anything. */
export function documentedFields({ properties = {} }: Fields): Documented | null {
  const fields = Object.entries(properties).map(([name, inside]) => [name, documentedFields(inside)] as const)
  return fields.length > 0 ? new Map(fields) : null
}

/** Null if there is nothing to warn about, which is the common case. */
export function unknownFields(
  value: unknown,
  documented: Documented | null,
  inQuery: string[] = [],
  path = '',
): Warning[] | null {
  if (typeof value !== 'object' || value === null || documented === null) return null
  let warnings: Warning[] | null = null
  for (const name in value) {
    if (warnings && warnings.length >= MAX_WARNINGS) break
    const inside = documented.get(name)
    if (inside === null) continue
    const found =
      inside === undefined
        ? [warningOf(path, name, [...documented.keys()], inQuery)]
        : unknownFields((value as Record<string, unknown>)[name], inside, [], `${path}${name}.`)
    if (found) warnings = [...(warnings ?? []), ...found]
  }
  return warnings && warnings.slice(0, MAX_WARNINGS)
}

function warningOf(path: string, name: string, documented: string[], inQuery: string[]): Warning {
  const field = `${path}${name}`.slice(0, MAX_FIELD_LENGTH)
  return {
    field,
    message: `${field} is not a documented field and was ignored${hintOf(path, name, documented, inQuery)}`,
  }
}

/** Many services take the callback URL with each transaction; here it is a setting. */
const CALLBACK_ADDRESS = /^(callback|webhook|notify|notification)_?url$/i

function hintOf(path: string, name: string, documented: string[], inQuery: string[]): string {
  if (inQuery.includes(name)) return `; send it in the query: ?${name}=…`
  if (CALLBACK_ADDRESS.test(name)) return '; callbacks go to endpoints: npx vezne endpoint add'
  const meant = probablyMeant(name, documented)
  return meant === undefined ? '.' : `; did you mean ${path}${meant}?`
}

/** The two endpoints use different names, which are easily confused. */
const OTHER_NAMES: Record<string, string> = { bankid: 'bankCode', bankcode: 'bankId' }

/**
 * The same name in another case, the other endpoint's name for it, or the closest within two edits. Short names must match exactly: two
 * edits can turn one into any other.
 */
export function probablyMeant(name: string, documented: string[]): string | undefined {
  const lower = name.toLowerCase()
  const same = OTHER_NAMES[lower]
  if (same !== undefined && documented.includes(same)) return same
  const near = documented
    .map((known) => ({ known, edits: editDistance(lower, known.toLowerCase()) }))
    .filter(({ known, edits }) => edits <= (known.length < 4 ? 0 : 2))
  return near.toSorted((a, b) => a.edits - b.edits)[0]?.known
}

/** Levenshtein distance. Names that differ by more than two characters in length are not compared. */
export function editDistance(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > 2) return Infinity
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    for (let j = 1; j <= other.length; j++) {
      const replaced = (row[j - 1] ?? 0) + Number(one[i - 1] !== other[j - 1])
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[other.length] ?? Infinity
}
