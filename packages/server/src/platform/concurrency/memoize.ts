/** More than a deployment uses at a time; beyond it the cache is emptied. */
const MOST = 10_000

/**
 * Caches a pure function of a string or number. Only for keys that a caller cannot invent in large numbers or sizes.
 */
export function memoize<Value, Key extends string | number = string>(
  workOut: (key: Key) => Value,
): (key: Key) => Value {
  const known = new Map<Key, Value>()
  return (key) => {
    const found = known.get(key)
    if (found !== undefined) return found
    if (known.size >= MOST) known.clear()
    const value = workOut(key)
    known.set(key, value)
    return value
  }
}
