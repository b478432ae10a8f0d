import type { Clock } from '../../platform/time/clock.ts'
import { causedByData } from '../../platform/postgres/database-faults.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import type { Log } from '../../platform/log.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { AsideKind } from './store.ts'
import { deleteAside, deleteDue, upsertAside } from './store.ts'

type Deps = { db: Db; clock: Clock; log: Log }

export type BatchWork<Item, Out> = {
  what: AsideKind
  /** Runs claim and work in one transaction, if that has more to it. */
  transact?: (work: (tx: Tx) => Promise<Out[]>) => Promise<Out[]>
  idOf: (item: Item) => string
  /** Locks rows that are due and not set aside: a batch of them, or those of `only` that are still due. */
  claim: (tx: Tx, only?: Item[]) => Promise<Item[]>
  /** Runs in the transaction of the claim. */
  work: (tx: Tx, items: Item[]) => Promise<Out[]>
  /** Says on the row itself that it fails. Without it, only the list of rows set aside does. */
  mark?: (tx: Tx, item: Item, error: Error, retryAt: Date) => Promise<void>
  /** What `mark` does takes the row out of the worker's way for good, so that it needs no list. */
  marksEnd?: true
  /** The rows leave in one piece, as in an order file. Alone they are only tried, to find those that fail; the next run takes the others. */
  together?: true
}

/** `moved`: how many rows are out of the way, with those set aside. */
type BatchResult<Out> = { done: Out[]; moved: number }

/** A row is tried again by itself: its cause may be gone by then. */
const RETRY_MS = 10 * 60_000
/** If more rows than this fail alone in one run, the program is at fault, not the rows: the others are tried and stay as they are. */
const MAX_ASIDE = 5

/**
 * Claims and processes a batch in one transaction. If it fails because of its data, its rows are tried one by one, and those that fail
 * alone are set aside: one row never stops the others. Any other error is temporary and thrown.
 */
export async function runBatch<Item, Out>(app: Deps, batch: BatchWork<Item, Out>): Promise<BatchResult<Out>> {
  let claimed: Item[] = []
  try {
    const done = await transact(app, batch, async (tx) => {
      await deleteDue(tx, batch.what, app.clock.now())
      claimed = await batch.claim(tx)
      return claimed.length === 0 ? [] : batch.work(tx, claimed)
    })
    return { done, moved: done.length }
  } catch (error) {
    if (claimed.length === 0 || !failsAgain(error)) throw error
    if (claimed.length > 1) app.log.warn({ err: error, what: batch.what }, 'a batch failed; its rows run one by one')
    const result = await oneByOne(app, batch, claimed)
    // They fail only together: no row is to blame.
    if (result.moved === 0) throw error
    return result
  }
}

function transact<Item, Out>(app: Deps, batch: BatchWork<Item, Out>, work: (tx: Tx) => Promise<Out[]>): Promise<Out[]> {
  return batch.transact ? batch.transact(work) : app.db.transaction(work)
}

async function oneByOne<Item, Out>(app: Deps, batch: BatchWork<Item, Out>, claimed: Item[]): Promise<BatchResult<Out>> {
  const done: Out[] = []
  const failures: unknown[] = []
  for (const item of claimed) {
    try {
      done.push(...(await transact(app, batch, (tx) => runAlone(tx, batch, item))))
    } catch (error) {
      if (error instanceof Tried) continue
      // What was done counts: its caller goes on with it, and the rest is claimed again.
      if (!failsAgain(error) && done.length > 0) break
      if (!failsAgain(error)) throw error
      if (failures.push(error) <= MAX_ASIDE) await setAside(app, batch, item, error as Error)
    }
  }
  if (failures.length > MAX_ASIDE && done.length === 0) throw failures.at(-1)
  return { done, moved: done.length + Math.min(failures.length, MAX_ASIDE) }
}

async function runAlone<Item, Out>(tx: Tx, batch: BatchWork<Item, Out>, item: Item) {
  await deleteAside(tx, batch.what, batch.idOf(item))
  const [locked] = await batch.claim(tx, [item])
  const done = locked ? await batch.work(tx, [locked]) : []
  if (batch.together) throw new Tried()
  return done
}

/** It would have succeeded: rolled back. */
class Tried extends Error {}

async function setAside<Item, Out>(
  app: Deps,
  { what, idOf, mark, marksEnd }: BatchWork<Item, Out>,
  item: Item,
  error: Error,
): Promise<void> {
  const now = app.clock.now()
  const retryAt = new Date(now.getTime() + RETRY_MS)
  const aside = { what, id: idOf(item), error: error.message, since: now, retryAt }
  app.log.error({ err: error, what, id: idOf(item) }, 'a row cannot be processed and is set aside; see: vezne doctor')
  try {
    await app.db.transaction(async (tx) => {
      await mark?.(tx, item, error, retryAt)
      if (!marksEnd) await upsertAside(tx, aside)
    })
  } catch (failure) {
    // Not even its mark can be written.
    if (!mark || !failsAgain(failure)) throw failure
    await app.db.transaction((tx) => upsertAside(tx, aside))
  }
}

function failsAgain(error: unknown): boolean {
  return error instanceof Refusal ? error.code !== 'SERVICE_UNAVAILABLE' : causedByData(error)
}
