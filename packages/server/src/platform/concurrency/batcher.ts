import { Refusal } from '../refusal.ts'

/**
 * Groups single requests into batches without a timer: a batch starts at the end of the event loop turn of its first
 * item. Each takes half of the waiting and recently answered callers, so that database and process work in parallel.
 */
export type Coalesced<In, Out> = {
  (item: In): Promise<Out>
  /** Resolves when every item added so far has its result. */
  idle: () => Promise<void>
}

type Options = {
  /** Larger batches only add latency: the cost per row no longer falls (measured, see bench/). */
  maxList?: number
  /** More waiting items mean that the database has stalled; refusing at once is better than a timeout later. */
  maxWaiting?: number
  /** An item that has waited longer than this for its batch is refused, with nothing saved. */
  maxWaitMs?: number
  onList?: (size: number) => void
}

type Work<In, Out> = (items: In[]) => Promise<(Out | Refusal)[]>
type Waiting<In, Out> = { item: In; since: number; resolve: (out: Out) => void; reject: (error: unknown) => void }

export function batcher<In, Out>(
  work: Work<In, Out>,
  { maxList = 256, maxWaiting = 10_000, maxWaitMs = 4000, onList }: Options = {},
): Coalesced<In, Out> {
  const waiting: Waiting<In, Out>[] = []
  let atWork = false
  /** Size of the last completed batch: its callers are likely to send again. */
  let lastLength = 0
  let leaving = false
  const atRest: (() => void)[] = []

  function leaveSoon(): void {
    if (!leaving) setImmediate(leave)
    leaving = true
  }

  function leave(): void {
    leaving = false
    if (atWork) return
    refuseLate(waiting, maxWaitMs)
    if (waiting.length > 0)
      return void workOn(waiting.splice(0, Math.min(maxList, halfOf(waiting.length + lastLength))))
    for (const resolve of atRest.splice(0)) setImmediate(resolve)
  }

  async function workOn(list: Waiting<In, Out>[]): Promise<void> {
    atWork = true
    onList?.(list.length)
    const settle = await outcomesOf(work, list)
    atWork = false
    lastLength = list.length
    // The next batch starts first, so that the database works while this process writes these responses.
    leaveSoon()
    setImmediate(settle)
  }

  function enqueue(item: In): Promise<Out> {
    if (waiting.length >= maxWaiting) return Promise.reject(tooMany())
    return new Promise((resolve, reject) => {
      waiting.push({ item, since: performance.now(), resolve, reject })
      if (!atWork) leaveSoon()
    })
  }

  const idle = async () => {
    if (atWork || waiting.length > 0) await new Promise<void>((resolve) => void atRest.push(resolve))
  }
  return Object.assign(enqueue, { idle })
}

/** The fixed database cost of a batch is about that of this many rows, so smaller batches are not worth it. */
const WORTH_A_LIST = 16

function halfOf(about: number): number {
  return Math.max(WORTH_A_LIST, Math.ceil(about / 2))
}

function tooMany(): Refusal {
  return new Refusal('SERVICE_UNAVAILABLE', 'Too many requests are waiting for the database. Try again shortly.', {
    retryAfterSeconds: 1,
  })
}

/** Items are in arrival order, so late ones come first. */
function refuseLate<In, Out>(waiting: Waiting<In, Out>[], maxWaitMs: number): void {
  const oldest = performance.now() - maxWaitMs
  if (!waiting[0] || waiting[0].since > oldest) return
  const inTime = waiting.findIndex(({ since }) => since > oldest)
  for (const { reject } of waiting.splice(0, inTime === -1 ? waiting.length : inTime)) {
    const why = 'The database takes too long at the moment. Nothing was saved.'
    reject(new Refusal('SERVICE_UNAVAILABLE', why, { retryAfterSeconds: 2 }))
  }
}

/** Runs a batch and returns the function that settles its items. */
async function outcomesOf<In, Out>(work: Work<In, Out>, list: Waiting<In, Out>[]): Promise<() => void> {
  try {
    const outcomes = await work(list.map(({ item }) => item))
    return () => settle(list, outcomes)
  } catch (error) {
    if (list.length === 1 || !rolledBack(error)) return () => list.forEach(({ reject }) => reject(error))
    // One bad item failed the batch: run alone, each item gets its own result and only the bad one fails.
    for (const one of list) (await outcomesOf(work, [one]))()
    return () => undefined
  }
}

function settle<In, Out>(list: Waiting<In, Out>[], outcomes: (Out | Refusal)[]): void {
  list.forEach(({ resolve, reject }, index) => {
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
