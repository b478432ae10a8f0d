import type { Actor } from '../../kernel/actor.ts'
import { actorName } from '../../kernel/actor.ts'
import { mustGiveReason } from '../../kernel/reason.ts'
import type { Tx } from '../../platform/postgres/db.ts'
import { within } from '../../platform/postgres/within.ts'
import { refuse } from '../../kernel/refusals/refuse.ts'
import { lockEntitledUser } from '../identity/index.ts'
import type { Approval, ChangeRequest } from '../people/index.ts'
import {
  authorize,
  authorized,
  findRequest,
  lockEntitled,
  lockRequest,
  mustBeOfPerson,
  releaseSubjects,
  updateDecided,
} from '../people/index.ts'
import type { ChangeDeps } from './change.ts'
import { isExpired, wordOf } from './change.ts'
import {
  approvalRight,
  auditedReason,
  describeStored,
  isAsProposed,
  kindOf,
  knownKind,
  usersOf,
  withoutForgotten,
} from './kinds.ts'

/** The second person approves what was on the screen, by its hash. If anything of it has changed since, nothing is done. */
export async function approveChange(
  app: ChangeDeps,
  actor: Actor,
  id: string,
  seen: string,
  note: string | null = null,
): Promise<{ request: ChangeRequest; result: unknown }> {
  const known = await findRequest(app.db, id)
  const done = await app.db.transaction(async (outer) => {
    if (known) await knownKind(known.kind)?.lockFirst?.(outer, known.target)
    return approveOpen({ ...app, db: within(app.db, outer) }, actor, id, { seen, note })
  })
  await kindOf(done.request).kind.finish?.(app, done.result)
  return done
}

type Approving = { seen: string; note: string | null }

async function approveOpen(app: ChangeDeps, actor: Actor, id: string, { seen, note }: Approving) {
  const allowed = await allowedFor(app, id)
  return authorized(
    app,
    actor,
    'change.approve',
    async (tx, audit) => {
      const request = await lockOpen(app, tx, id)
      const { kind, terms } = kindOf(request)
      await authorize(app, tx, actor, approvalRight(kind), allowed)
      await mustBeAnother(app, tx, request, actor)
      await mustBeOfPerson(app, tx, wordOf(request))
      const { proposedBy, proposedAt } = request
      const inside = { ...app, approval: { id, proposedBy, proposedAt } as Approval }
      await kind.lock?.(tx, terms)
      const { rows } = await describeStored(inside, tx, request)
      if (!isAsProposed(request, rows) || !isSeen(kind.seenOf?.(terms) ?? request.seenSha256, seen))
        throw changedSince(request)
      const result = await kind.apply(inside, actor, terms, request.reason)
      const decided = { state: 'applied' as const, decidedBy: actorName(actor), note }
      await end(app, tx, request, decided)
      const after = { state: 'applied', kind: request.kind, proposedBy: request.proposedBy, seen }
      await audit(`change:${id}`, { before: { state: 'open' }, after })
      return { request: { ...request, ...decided, decidedAt: app.clock.now() }, result }
    },
    allowed,
  )
}

/** Anyone who may approve it; who proposed it withdraws it. */
export async function rejectChange(app: ChangeDeps, actor: Actor, id: string, why: string): Promise<ChangeRequest> {
  mustGiveReason('why', why)
  const allowed = await allowedFor(app, id)
  return authorized(
    app,
    actor,
    'change.reject',
    async (tx, audit) => {
      const request = await lockOpen(app, tx, id)
      const state = request.proposedBy === actorName(actor) ? ('withdrawn' as const) : ('rejected' as const)
      const kind = knownKind(request.kind)
      if (state === 'rejected' && kind) await authorize(app, tx, actor, approvalRight(kind), allowed)
      const decided = { state, decidedBy: actorName(actor), note: why.trim() }
      await end(app, tx, request, decided)
      const reason = auditedReason(kind, why)
      await audit(`change:${id}`, { before: { state: 'open' }, after: { state, kind: request.kind }, reason })
      return { ...request, ...decided, decidedAt: app.clock.now() }
    },
    allowed,
  )
}

type Decided = Pick<ChangeRequest, 'decidedBy' | 'note'> & { state: 'applied' | 'rejected' | 'withdrawn' }

/** What it is about is free for another proposal. */
async function end(app: ChangeDeps, tx: Tx, request: ChangeRequest, decided: Decided): Promise<void> {
  const { id, kind } = request
  const kept = knownKind(kind)?.isForgotten ? withoutForgotten(request) : null
  await updateDecided(tx, id, { ...decided, kept }, app.clock.now())
  await releaseSubjects(tx, id)
}

async function allowedFor(app: ChangeDeps, id: string) {
  const known = await findRequest(app.db, id)
  const kind = known && knownKind(known.kind)
  return { named: true as const, ...(kind && usersOf(kind, known.merchantId)) }
}

/** People type the first characters on a command line: 48 bits of the hash. */
const isSeen = (hash: string, seen: string) => seen.length >= 12 && hash.startsWith(seen)

async function lockOpen({ clock }: ChangeDeps, tx: Tx, id: string): Promise<ChangeRequest> {
  const request = await lockRequest(tx, id)
  if (!request) throw refuse('change_unknown', { change: id })
  if (request.state !== 'open') throw refuse('change_decided', { state: request.state, by: request.decidedBy })
  if (isExpired(request, clock.now())) throw refuse('change_expired')
  return request
}

async function mustBeAnother(app: ChangeDeps, tx: Tx, request: ChangeRequest, actor: Actor): Promise<void> {
  const { id, proposedBy } = request
  if (actorName(actor) === proposedBy) throw refuse('proposal_own', { proposedBy })
  if (await mayStillDecide(app, tx, request)) return
  throw refuse('change_proposer_without_right', { change: id, proposedBy })
}

/** The proposer has the right to propose it now, too. */
async function mayStillDecide(app: ChangeDeps, tx: Tx, request: ChangeRequest): Promise<boolean> {
  const { proposedBy } = request
  const { action } = kindOf(request).kind
  if (proposedBy.startsWith('merchant:')) return lockEntitledUser(app, tx, proposedBy, action)
  return (await lockEntitled(app, tx, [proposedBy], action)).has(proposedBy)
}

const changedSince = ({ id }: ChangeRequest) => refuse('change_outdated', { change: id })
