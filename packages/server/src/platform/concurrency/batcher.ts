import { Refusal } from '../refusal.ts'

/**
 * Groups single requests into batches without a timer: a batch starts at the end of the event loop turn of its first
 * item. Each takes half of the waiting and recently answered callers, so that database and process work in parallel.
 */
export type Batcher<In, Out> = {
  (item: In): Promise<Out>
  /** Resolves when every item added so far has its result. */
  idle: () => Promise<void>
}

type Options = {
  /** Larger batches only add latency: the cost per row no longer falls (measured, see bench/). */
  maxBatchSize?: number
  /** More waiting items mean that the database has stalled; refusing at once is better than a timeout later. */
  maxWaiting?: number
  /** An item that has waited longer than this for its batch is refused, with nothing saved. */
  maxWaitMs?: number
  /** The monotonic clock by which items wait. */
  now?: () => number
  onBatch?: (size: number) => void
}

type Work<In, Out> = (items: In[]) => Promise<(Out | Refusal)[]>
type Waiting<In, Out> = { item: In; since: number; resolve: (out: Out) => void; reject: (error: unknown) => void }

const monotonic = () => performance.now()

export function batcher<In, Out>(
  work: Work<In, Out>,
  { maxBatchSize = 256, maxWaiting = 10_000, maxWaitMs = 4000, now: clock = monotonic, onBatch }: Options = {},
): Batcher<In, Out> {
  const waiting: Waiting<In, Out>[] = []
  let running = false
  /** Size of the last completed batch: its callers are likely to send again. */
  let lastBatchSize = 0
  let scheduled = false
  const idleWaiters: (() => void)[] = []

  function schedule(): void {
    if (!scheduled) setImmediate(startNext)
    scheduled = true
  }

  function startNext(): void {
    scheduled = false
    if (running) return
    rejectLate(waiting, clock() - maxWaitMs)
    if (waiting.length > 0)
      return void runBatch(waiting.splice(0, Math.min(maxBatchSize, batchSizeFor(waiting.length + lastBatchSize))))
    for (const resolve of idleWaiters.splice(0)) setImmediate(resolve)
  }

  async function runBatch(batch: Waiting<In, Out>[]): Promise<void> {
    running = true
    onBatch?.(batch.length)
    const settle = await execute(work, batch)
    running = false
    lastBatchSize = batch.length
    // The next batch starts first, so that the database works while this process writes these responses.
    schedule()
    setImmediate(settle)
  }

  function enqueue(item: In): Promise<Out> {
    if (waiting.length >= maxWaiting) return Promise.reject(overloaded())
    return new Promise((resolve, reject) => {
      waiting.push({ item, since: clock(), resolve, reject })
      if (!running) schedule()
    })
  }

  const idle = async () => {
    if (running || waiting.length > 0) await new Promise<void>((resolve) => void idleWaiters.push(resolve))
  }
  return Object.assign(enqueue, { idle })
}

/** The fixed database cost of a batch is about that of this many rows, so smaller batches are not worth it. */
const MIN_BATCH_SIZE = 16

function batchSizeFor(activeCallers: number): number {
  return Math.max(MIN_BATCH_SIZE, Math.ceil(activeCallers / 2))
}

function overloaded(): Refusal {
  return new Refusal('SERVICE_UNAVAILABLE', 'Too many requests are waiting for the database. Try again shortly.', {
    retryAfterSeconds: 1,
  })
}

/** Items are in arrival order, so late ones come first. */
function rejectLate<In, Out>(waiting: Waiting<In, Out>[], oldest: number): void {
  if (!waiting[0] || waiting[0].since > oldest) return
  const firstInTime = waiting.findIndex(({ since }) => since > oldest)
  for (const { reject } of waiting.splice(0, firstInTime === -1 ? waiting.length : firstInTime)) {
    const message = 'The database takes too long at the moment. Nothing was saved.'
    reject(new Refusal('SERVICE_UNAVAILABLE', message, { retryAfterSeconds: 2 }))
  }
}

/** Runs a batch and returns the function that settles its items. */
async function execute<In, Out>(work: Work<In, Out>, batch: Waiting<In, Out>[]): Promise<() => void> {
  try {
    const outcomes = await work(batch.map(({ item }) => item))
    return () => settle(batch, outcomes)
  } catch (error) {
    if (batch.length === 1 || !rolledBack(error)) return () => batch.forEach(({ reject }) => reject(error))
    // One bad item failed the batch: run alone, each item gets its own result and only the bad one fails.
    for (const entry of batch) (await execute(work, [entry]))()
    return () => undefined
  }
}

function settle<In, Out>(batch: Waiting<In, Out>[], outcomes: (Out | Refusal)[]): void {
  batch.forEach(({ resolve, reject }, index) => {
    const outcome = outcomes[index] as Out | Refusal
    if (outcome instanceof Refusal) reject(outcome)
    else resolve(outcome)
  })
}

/**
 * Retries only if PostgreSQL reported the error, so that nothing was written: a lost connection may have committed, and
 * a retry would then report a duplicate. Lock timeouts and missing resources would fail again.
 */
function rolledBack(error: unknown): boolean {
  // A conflict with other transactions, for this batch only: deadlock or serialisation failure.
  if (error instanceof Refusal)
    return /^40(001|P01)$/.test(String((error.cause as { code?: unknown } | undefined)?.code))
  const state = (error as { code?: unknown }).code
  return typeof state === 'string' && /^(2[0-9A-Z]|4[0-9A-Z]|54|P0|XX)[0-9A-Z]{3}$/.test(state)
}
