/**
 * Keeps what was loaded for a moment, and lets simultaneous askers share one load. The moment is short enough (one
 * second at most) that a revoked key or a changed limit takes effect while the operator still looks at the screen.
 */
export function remember<Key, Value>(
  load: (key: Key) => Promise<Value>,
  { forMs = 1000, maxEntries = 10_000 }: { forMs?: number; maxEntries?: number } = {},
): (key: Key) => Promise<Value> {
  const entries = new Map<Key, { value: Promise<Value>; until: number }>()
  return (key) => {
    const now = performance.now()
    const found = entries.get(key)
    if (found && found.until > now) return found.value
    // Unknown keys are remembered too; emptying the map keeps a flood of invented ones from growing it.
    if (entries.size >= maxEntries) entries.clear()
    const value = load(key)
    entries.set(key, { value, until: now + forMs })
    value.catch(() => entries.delete(key))
    return value
  }
}
