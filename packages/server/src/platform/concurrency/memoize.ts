/** More than a deployment uses at a time; beyond it the cache is emptied. */
const MAX_ENTRIES = 10_000

/**
 * Caches a pure function of a string or number. Only for keys that a caller cannot invent in large numbers or sizes.
 */
export function memoize<Value, Key extends string | number = string>(
  compute: (key: Key) => Value,
  maxEntries = MAX_ENTRIES,
): (key: Key) => Value {
  const values = new Map<Key, Value>()
  return (key) => {
    const found = values.get(key)
    if (found !== undefined) return found
    if (values.size >= maxEntries) values.clear()
    const value = compute(key)
    values.set(key, value)
    return value
  }
}
