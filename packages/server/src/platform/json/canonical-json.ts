/** JSON with sorted keys, the same text for the same value. Amounts and times keep their type: `{"bigint": "5"}`, `{"date": …}`. */
export function writeCanonical(value: unknown): string {
  return JSON.stringify(plain(value))
}

function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return { bigint: String(value) }
  if (value instanceof Date) return { date: value.toISOString() }
  if (Array.isArray(value)) return value.map(plain)
  if (value === null || typeof value !== 'object') return value
  const fields = Object.entries(value).filter(([, field]) => field !== undefined)
  return Object.fromEntries(
    fields.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, field]) => [name, plain(field)]),
  )
}

export function readCanonical(text: string): unknown {
  return JSON.parse(text, (_, value: unknown) => {
    if (value === null || typeof value !== 'object' || Object.keys(value).length !== 1) return value
    if ('bigint' in value && typeof value.bigint === 'string') return BigInt(value.bigint)
    return 'date' in value && typeof value.date === 'string' ? new Date(value.date) : value
  })
}
