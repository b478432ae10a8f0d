import type { Marks } from '../../platform/crypto/marks.ts'
import type { Queryable } from '../../platform/postgres/db.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { refuse } from '../../kernel/refusals/refuse.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Proposed } from '../books/index.ts'
import { forged } from '../people/index.ts'
import type { ChangeDeps, ChangeRequest } from './change.ts'
import { EXPIRES_MS, isExpired, wordOf } from './change.ts'
import { describeStored, isAsProposed, kindOf, OF_MERCHANTS_ONLY } from './kinds.ts'
import { countSince, findRequest, newestRequests, openAbout, openSince, requestsOfMerchant } from './store.ts'

/**
 * What can only be rejected. `isStale`: what it is about has changed since it was proposed. `isForged`: no one has proposed it, it was
 * written in SQL.
 */
export type ShownChange = ChangeRequest & { isStale: boolean; isForged: boolean }

/** Open ones, oldest first, without those that have expired, and without what only users of a merchant decide. */
export function openRequests(app: { db: Queryable; clock: Clock }, limit: number): Promise<ChangeRequest[]> {
  return openBesides(app, OF_MERCHANTS_ONLY, limit)
}

function openBesides({ db, clock }: { db: Queryable; clock: Clock }, besides: string[], limit: number) {
  return openSince(db, oldestOpen(clock), { besides, limit })
}

export const countOpen = ({ db, clock }: { db: Queryable; clock: Clock }) =>
  countSince(db, oldestOpen(clock), OF_MERCHANTS_ONLY)

const oldestOpen = (clock: Clock) => new Date(clock.now().getTime() - EXPIRES_MS)

/** Ids of open ones that no one has proposed: they were written in SQL. */
export async function forgedChanges(
  app: { db: Queryable; clock: Clock; marks: Marks },
  limit: number,
): Promise<string[]> {
  return (await forged(app, app.db, await openBesides(app, [], limit), wordOf)).map(({ id }) => id)
}

/** The open one about this target, if there is one. */
export async function openRequestAbout(
  { db, clock }: { db: Queryable; clock: Clock },
  target: string,
): Promise<ChangeRequest | null> {
  const open = await openAbout(db, null, target)
  return open.find((one) => !isExpired(one, clock.now())) ?? null
}

/** The same, with whether each still fits. */
export async function openChanges(app: ChangeDeps, db: Queryable, limit: number): Promise<ShownChange[]> {
  const requests = await openRequests({ ...app, db }, limit)
  return withState(app, db, requests)
}

/** The journal entry that an open request proposes. */
export const entryIn = (request: ChangeRequest): Proposed | null =>
  request.kind === 'journal.entry' && request.state === 'open' ? (kindOf(request).terms as Proposed) : null

/** Newest first: decided ones too. */
export async function listChanges({ db, clock }: ChangeDeps, limit: number): Promise<ChangeRequest[]> {
  return (await newestRequests(db.pages, { besides: OF_MERCHANTS_ONLY, limit })).map((one) => asOf(one, clock.now()))
}

/** Newest first: decided ones too. */
export async function changesOfMerchant(
  app: ChangeDeps,
  db: Queryable,
  merchantId: string,
  limit: number,
): Promise<ShownChange[]> {
  const requests = await requestsOfMerchant(db, merchantId, { besides: OF_MERCHANTS_ONLY, limit })
  return withState(app, db, requests)
}

export async function showChange(app: ChangeDeps, id: string): Promise<ShownChange> {
  const request = await findRequest(app.db, id)
  if (!request || OF_MERCHANTS_ONLY.includes(request.kind)) throw refuse('change_unknown', { change: id })
  const [shown] = await withState(app, app.db, [request])
  return shown as ShownChange
}

export const asOf = (request: ChangeRequest, now: Date): ChangeRequest =>
  isExpired(request, now) ? { ...request, state: 'expired' } : request

export async function withState(app: ChangeDeps, db: Queryable, requests: ChangeRequest[]): Promise<ShownChange[]> {
  const all = requests.map((request) => asOf(request, app.clock.now()))
  const open = all.filter(({ state }) => state === 'open')
  const unmarked = new Set((await forged(app, db, open, wordOf)).map(({ id }) => id))
  return Promise.all(
    all.map(async (one) => {
      const isStale = one.state === 'open' && (await hasChanged(app, db, one))
      return { ...one, isStale, isForged: unmarked.has(one.id) }
    }),
  )
}

async function hasChanged(app: ChangeDeps, db: Queryable, request: ChangeRequest): Promise<boolean> {
  try {
    const { rows } = await describeStored(app, db, request)
    return !isAsProposed(request, rows)
  } catch (error) {
    // What it is about has become something for which it is not valid, or another version wrote it.
    if (error instanceof Refusal) return true
    throw error
  }
}
