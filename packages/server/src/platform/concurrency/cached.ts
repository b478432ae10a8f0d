/**
 * Keeps what was loaded for a moment, and lets simultaneous askers share one load. The moment is short enough (one
 * second unless told otherwise) that a revoked key or a changed limit takes effect while the operator still looks at the screen.
 * What is still asked for is loaded again before the moment ends, so that nobody waits for it: else every request would
 * stand still once a second.
 */
export function cached<Key, Value>(
  load: (key: Key) => Promise<Value>,
  { forMs = 1000, renewAfterMs = RENEWED_BY * forMs, maxEntries = 10_000 }: Options = {},
): (key: Key) => Promise<Value> {
  const entries = new Map<Key, Entry<Value>>()

  function begin(key: Key): Entry<Value> {
    const now = performance.now()
    // Not before it has come: a database that hangs is not asked twice.
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
    // Once in an entry's life: if it fails, whoever asks after the moment hears of it.
    entry.renewAt = Number.POSITIVE_INFINITY
    const next = begin(key)
    next.value.then(
      // A slow one must not replace what was loaded after it.
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
    // Unknown keys are remembered too; emptying the map keeps a flood of invented ones from growing it.
    if (entries.size >= maxEntries) entries.clear()
    const entry = begin(key)
    entries.set(key, entry)
    entry.value.catch(() => entries.get(key) === entry && entries.delete(key))
    return entry.value
  }
}

/** When a renewal begins at the latest, as a part of the moment. */
const RENEWED_BY = 0.8
/** What takes long to load is renewed less often: loading is at most a fiftieth of the time, if the moment is long enough. */
const TIMES_A_LOAD = 50

type Entry<Value> = { value: Promise<Value>; renewAt: number; until: number }

type Options = {
  /** Nothing that is given out began to be loaded longer ago than this. */
  forMs?: number
  /** From then on whoever asks has it renewed; in the last fifth of the moment in any case. */
  renewAfterMs?: number
  maxEntries?: number
}
