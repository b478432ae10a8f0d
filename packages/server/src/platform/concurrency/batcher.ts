import { Refusal } from '../refusal.ts'

/**
 * Turns single requests into lists without a timer. A list leaves at the end of the turn of the event loop in which its first
 * item came: whatever arrived in the same moment goes together, and a lone request waits for nothing. While a list is being worked on,
 * the next gathers; under load, hundreds share one transaction and one commit.
 *
 * A list takes half of those who are about. If it took all of them, they would be answered together, come back together and
 * leave together again: this process would stand still while the database works, and the database while this process does.
 */
export type Coalesced<In, Out> = {
  (item: In): Promise<Out>
  /** Resolves when everything handed in so far has been answered. */
  idle: () => Promise<void>
}

type Options = {
  /** Past this a list only adds latency: the cost per row has flattened out (measured, see bench/). */
  maxList?: number
  /** More waiting than this means the database has stalled; saying so at once beats a time-out later. */
  maxWaiting?: number
  /** Who has waited longer than this for its list to leave is refused instead, with nothing saved. */
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
  /** How long the list was that came back last: its callers are likely to ask again. */
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
    // The next list leaves first: the database works on it while this process writes these answers.
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

/** What a list costs the database beyond its rows is about as much as so many rows: fewer are not worth a list of their own. */
const WORTH_A_LIST = 16

function halfOf(about: number): number {
  return Math.max(WORTH_A_LIST, Math.ceil(about / 2))
}

function tooMany(): Refusal {
  return new Refusal('SERVICE_UNAVAILABLE', 'Too many requests are waiting for the database. Try again shortly.', {
    retryAfterSeconds: 1,
  })
}

/** They came in order, so those who waited too long are the first ones. */
function refuseLate<In, Out>(waiting: Waiting<In, Out>[], maxWaitMs: number): void {
  const oldest = performance.now() - maxWaitMs
  if (!waiting[0] || waiting[0].since > oldest) return
  const inTime = waiting.findIndex(({ since }) => since > oldest)
  for (const { reject } of waiting.splice(0, inTime === -1 ? waiting.length : inTime)) {
    const why = 'The database takes too long at the moment. Nothing was saved.'
    reject(new Refusal('SERVICE_UNAVAILABLE', why, { retryAfterSeconds: 2 }))
  }
}

/** Works on a list; what it gives back tells everyone what came of it. */
async function outcomesOf<In, Out>(work: Work<In, Out>, list: Waiting<In, Out>[]): Promise<() => void> {
  try {
    const outcomes = await work(list.map(({ item }) => item))
    return () => settle(list, outcomes)
  } catch (error) {
    if (list.length === 1 || !rolledBack(error)) return () => list.forEach(({ reject }) => reject(error))
    // One item spoiled the list: alone, each gets its own answer and only the spoiler fails.
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
 * Only when PostgreSQL itself said no is it certain that nothing was written. A lost connection may have lost just
 * the answer to a commit: trying again would then report a merchant's own success as a duplicate. A lock that was not to
 * be had, or a server out of resources, would only say no again, and each item would wait its turn for it.
 */
function rolledBack(error: unknown): boolean {
  // Others in the way, at this list only: a deadlock or a conflict.
  if (error instanceof Refusal)
    return /^40(001|P01)$/.test(String((error.cause as { code?: unknown } | undefined)?.code))
  const state = (error as { code?: unknown }).code
  return typeof state === 'string' && /^(2[0-9A-Z]|4[0-9A-Z]|54|P0|XX)[0-9A-Z]{3}$/.test(state)
}
