/**
 * Caches loaded values for a short time (default one second, so that revoked keys take effect quickly); concurrent
 * callers share one load. Values still in use are reloaded before they expire, so that no request waits.
 */
export function cached<Key, Value>(
  load: (key: Key) => Promise<Value>,
  { maxAgeMs = 1000, renewAfterMs = RENEW_FRACTION * maxAgeMs, maxEntries = 10_000 }: Options = {},
): (key: Key) => Promise<Value> {
  const entries = new Map<Key, Entry<Value>>()

  function startLoad(key: Key): Entry<Value> {
    const now = performance.now()
    // Not renewed before the load completes: a stalled database gets no second query.
    const entry: Entry<Value> = { value: load(key), renewAt: Number.POSITIVE_INFINITY, expiresAt: now + maxAgeMs }
    entry.value.then(
      () => {
        const tookMs = performance.now() - now
        entry.renewAt = now + Math.min(Math.max(renewAfterMs, RENEW_AFTER_LOADS * tookMs), RENEW_FRACTION * maxAgeMs)
      },
      () => undefined,
    )
    return entry
  }

  function renew(key: Key, entry: Entry<Value>): void {
    // One renewal per entry: if it fails, the next caller after expiry gets the error.
    entry.renewAt = Number.POSITIVE_INFINITY
    const next = startLoad(key)
    next.value.then(
      // A slow renewal must not replace a newer value.
      () => entries.get(key) === entry && entries.set(key, next),
      () => undefined,
    )
  }

  return (key) => {
    const now = performance.now()
    const found = entries.get(key)
    if (found && found.expiresAt > now) {
      if (found.renewAt <= now) renew(key, found)
      return found.value
    }
    // Unknown keys are cached too; clearing the map bounds it against a flood of invented keys.
    if (entries.size >= maxEntries) entries.clear()
    const entry = startLoad(key)
    entries.set(key, entry)
    entry.value.catch(() => entries.get(key) === entry && entries.delete(key))
    return entry.value
  }
}

/** Latest start of a renewal, as a fraction of `maxAgeMs`. */
const RENEW_FRACTION = 0.8
/**
 * Values that are slow to load are renewed less often: loading takes at most a fiftieth of the time, if `maxAgeMs` allows.
 */
const RENEW_AFTER_LOADS = 50

type Entry<Value> = { value: Promise<Value>; renewAt: number; expiresAt: number }

type Options = {
  /** Maximum age of a cached value, counted from the start of its load. */
  maxAgeMs?: number
  /** Age from which a call triggers a renewal; at most four fifths of `maxAgeMs`. */
  renewAfterMs?: number
  maxEntries?: number
}
