/** As many as a deployment has in use at a time; past it everything is forgotten and worked out anew. */
const MOST = 10_000

/** Remembers what follows from a text or a number alone. For keys that nobody can make up in great numbers or lengths. */
export function memoize<Value, Key extends string | number = string>(
  workOut: (key: Key) => Value,
  most = MOST,
): (key: Key) => Value {
  const known = new Map<Key, Value>()
  return (key) => {
    const found = known.get(key)
    if (found !== undefined) return found
    if (known.size >= most) known.clear()
    const value = workOut(key)
    known.set(key, value)
    return value
  }
}
