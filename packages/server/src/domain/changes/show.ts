import type { Marks } from '../../platform/crypto/marks.ts'
import type { Queryable } from '../../platform/postgres/db.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { refuse } from '../../kernel/refusals/refuse.ts'
import type { Said } from '../../platform/refusal.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Proposed } from '../books/index.ts'
import type { ChangeRequest } from '../people/index.ts'
import {
  countSince,
  findRequest,
  forged,
  newestRequests,
  openSince,
  proposalAbout,
  requestsOfMerchant,
} from '../people/index.ts'
import type { ChangeDeps } from './change.ts'
import { EXPIRES_MS, isExpired, wordOf } from './change.ts'
import type { KindName } from './kinds.ts'
import { describeStored, isAsProposed, kindOf, OF_MERCHANTS_ONLY } from './kinds.ts'

/**
 * What can only be rejected. `isStale`: what it is about has changed since it was proposed; `refused`: so that it would be refused now.
 * `isForged`: no one has proposed it, it was written in SQL.
 */
export type ShownChange = ChangeRequest & { isStale: boolean; refused: Said | null; isForged: boolean }

/** Approvals of withdrawals are shown with the withdrawals. */
const SHOWN_ELSEWHERE = [...OF_MERCHANTS_ONLY, 'withdrawal.approve' satisfies KindName]

/** Open ones, oldest first, without those that have expired, and without what only users of a merchant decide. */
export function openRequests(app: { db: Queryable; clock: Clock }, limit: number): Promise<ChangeRequest[]> {
  return openBesides(app, SHOWN_ELSEWHERE, limit)
}

function openBesides({ db, clock }: { db: Queryable; clock: Clock }, besides: string[], limit: number) {
  return openSince(db, oldestOpen(clock), { besides, limit })
}

export const countOpen = ({ db, clock }: { db: Queryable; clock: Clock }) =>
  countSince(db, oldestOpen(clock), SHOWN_ELSEWHERE)

export const oldestOpen = (clock: Clock) => new Date(clock.now().getTime() - EXPIRES_MS)

/** Ids of open ones that no one has proposed: they were written in SQL. */
export async function forgedChanges(
  app: { db: Queryable; clock: Clock; marks: Marks },
  limit: number,
): Promise<string[]> {
  return (await forged(app, app.db, await openBesides(app, [], limit), wordOf)).map(({ id }) => id)
}

/** The open one about this, if there is one. */
export async function openRequestAbout(
  { db, clock }: { db: Queryable; clock: Clock },
  subject: string,
): Promise<ChangeRequest | null> {
  const id = await proposalAbout({ clock }, db, subject)
  return id === null ? null : ((await findRequest(db, id)) ?? null)
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
      const now = one.state === 'open' ? await compare(app, db, one) : UNCHANGED
      return { ...one, ...now, isForged: unmarked.has(one.id) }
    }),
  )
}

type Compared = Pick<ShownChange, 'isStale' | 'refused'>
const UNCHANGED: Compared = { isStale: false, refused: null }

async function compare(app: ChangeDeps, db: Queryable, request: ChangeRequest): Promise<Compared> {
  try {
    const { rows } = await describeStored(app, db, request)
    return { isStale: !isAsProposed(request, rows), refused: null }
  } catch (error) {
    // What it is about has become something for which it is not valid, or another version wrote it.
    if (error instanceof Refusal) return { isStale: true, refused: error.said ?? null }
    throw error
  }
}
