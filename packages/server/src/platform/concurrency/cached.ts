/**
 * Caches loaded values for a short time (default one second, so that revoked keys take effect quickly); concurrent
 * callers share one load. Values still in use are reloaded before they expire, so that no request waits.
 */
export function cached<Key, Value>(
  load: (key: Key) => Promise<Value>,
  { forMs = 1000, renewAfterMs = RENEWED_BY * forMs, maxEntries = 10_000 }: Options = {},
): (key: Key) => Promise<Value> {
  const entries = new Map<Key, Entry<Value>>()

  function begin(key: Key): Entry<Value> {
    const now = performance.now()
    // Not renewed before the load completes: a stalled database gets no second query.
    const entry: Entry<Value> = { value: load(key), renewAt: Number.POSITIVE_INFINITY, until: now + forMs }
    entry.value.then(
      () => {
        const tookMs = performance.now() - now
        entry.renewAt = now + Math.min(Math.max(renewAfterMs, TIMES_A_LOAD * tookMs), RENEWED_BY * forMs)
      },
      () => undefined,
    )
    return entry
  }

  function renew(key: Key, entry: Entry<Value>): void {
    // One renewal per entry: if it fails, the next caller after expiry gets the error.
    entry.renewAt = Number.POSITIVE_INFINITY
    const next = begin(key)
    next.value.then(
      // A slow renewal must not replace a newer value.
      () => entries.get(key) === entry && entries.set(key, next),
      () => undefined,
    )
  }

  return (key) => {
    const now = performance.now()
    const found = entries.get(key)
    if (found && found.until > now) {
      if (found.renewAt <= now) renew(key, found)
      return found.value
    }
    // Unknown keys are cached too; clearing the map bounds it against a flood of invented keys.
    if (entries.size >= maxEntries) entries.clear()
    const entry = begin(key)
    entries.set(key, entry)
    entry.value.catch(() => entries.get(key) === entry && entries.delete(key))
    return entry.value
  }
}

/** Latest start of a renewal, as a fraction of `forMs`. */
const RENEWED_BY = 0.8
/**
 * Values that are slow to load are renewed less often: loading takes at most a fiftieth of the time, if `forMs` allows.
 */
const TIMES_A_LOAD = 50

type Entry<Value> = { value: Promise<Value>; renewAt: number; until: number }

type Options = {
  /** Maximum age of a cached value, counted from the start of its load. */
  forMs?: number
  /** Age from which a call triggers a renewal; at most four fifths of `forMs`. */
  renewAfterMs?: number
  maxEntries?: number
}
