export const withoutNul = (text: string) => text.replaceAll('\0', '')

/** A database stores no NUL, and what is asked for is compared with what it stores. */
export function storable(query: Record<string, unknown>): Record<string, unknown> {
  const clean = (value: unknown) => (typeof value === 'string' ? withoutNul(value) : value)
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [name, clean(value)]))
}
