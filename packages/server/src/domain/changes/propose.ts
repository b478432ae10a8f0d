import type { Actor } from '../../kernel/actor.ts'
import { actorName } from '../../kernel/actor.ts'
import { writeCanonical } from '../../platform/json/canonical-json.ts'
import type { Tx } from '../../platform/postgres/db.ts'
import { refuse } from '../../kernel/refusals/refuse.ts'
import { authorized, markWord } from '../people/index.ts'
import type { ChangeDeps, ChangeKind, ChangeRequest, Described } from './change.ts'
import { isExpired, wordOf } from './change.ts'
import { approveChange } from './decide.ts'
import type { KindName, ResultOf, TermsOf } from './kinds.ts'
import { KINDS, seenHash, sha256, usersOf } from './kinds.ts'
import { findOpen, insertRequest, updateDecided } from './store.ts'

export type Requested<Result> =
  | { state: 'applied'; result: Result }
  | { state: 'open'; request: ChangeRequest }
  | { state: 'unchanged' }

type Options = {
  reason?: string | null | undefined
  /** In a sandbox without a second person, as the command line does it. */
  atOnce?: boolean
}

/**
 * Asks for a change. What one person may do is done; anything else becomes a request that another person approves. Who asks for
 * exactly what another person has proposed approves it.
 */
export async function requestChange<Name extends KindName>(
  app: ChangeDeps,
  actor: Actor,
  name: Name,
  given: TermsOf<Name>,
  { reason = null, atOnce = false }: Options = {},
): Promise<Requested<ResultOf<Name>>> {
  const kind = KINDS[name] as unknown as ChangeKind<TermsOf<Name>, ResultOf<Name>>
  if (atOnce && app.sandbox && !kind.always)
    return { state: 'applied', result: await kind.apply(app, actor, given, reason) }
  const terms = kind.normalise ? await kind.normalise(app, given) : given
  const described = await kind.describe(app, app.db, terms)
  described.mustExplain?.(reason ?? '')
  const payload = writeCanonical(terms)
  const known = await findOpen(app.db, name, kind.targetOf(terms))
  const open = known && !isExpired(known, app.clock.now()) ? known : undefined
  const isSame = open?.payload === payload
  if (!described.alone && isSame && open.proposedBy !== actorName(actor)) {
    const { result } = await approveChange(app, actor, open.id, open.seenSha256)
    return { state: 'applied', result: result as ResultOf<Name> }
  }
  await kind.mustBeFree?.(app.db, terms)
  if (described.alone) {
    if (open && kind.mustBeFree) throw isOpen(open)
    return { state: 'applied', result: await kind.apply(app, actor, terms, reason) }
  }
  const asked = { name, kind, terms, payload, reason: reason?.trim() || null }
  return openProposal(app, actor, asked as Proposal)
}

type Proposal = {
  name: KindName
  kind: ChangeKind<unknown, unknown>
  terms: unknown
  payload: string
  reason: string | null
}

/** Recorded even if nothing would change: someone asked for it. */
function openProposal(app: ChangeDeps, actor: Actor, { name, kind, terms, payload, reason }: Proposal) {
  const [target, merchantId] = [kind.targetOf(terms), kind.merchantOf(terms)]
  const allowed = { named: true as const, ...usersOf(kind, merchantId) }
  return authorized(
    app,
    actor,
    kind.action,
    async (tx, audit): Promise<Requested<never>> => {
      await kind.lock?.(tx, terms)
      await kind.mayPropose?.(tx, terms, actor)
      const { rows } = await kind.describe(app, tx, terms)
      if (!changes({ rows })) {
        await audit(target, { after: { state: 'unchanged', kind: name } })
        return { state: 'unchanged' }
      }
      const hashes = { payloadSha256: sha256(payload), seenSha256: seenHash(name, target, payload, rows) }
      const known = await openRequest(app, tx, name, target)
      const proposed = { proposedBy: actorName(actor), proposedAt: app.clock.now(), reason, state: 'open' as const }
      const undecided = { decidedBy: null, decidedAt: null, note: null }
      const request: ChangeRequest = known ?? {
        ...{ id: app.ids.next(), kind: name, target, merchantId, payload, rows },
        ...{ ...hashes, ...proposed, ...undecided },
      }
      if (known && (known.seenSha256 !== hashes.seenSha256 || known.proposedBy !== proposed.proposedBy))
        throw isOpen(known)
      if (!known) {
        await insertRequest(tx, request)
        await markWord(app, tx, wordOf(request))
      }
      await audit(`change:${request.id}`, { after: { state: 'proposed', kind: name, target, rows }, reason })
      return { state: 'open', request }
    },
    allowed,
  ).catch(explainRace)
}

const changes = ({ rows }: Described) =>
  rows.some(({ before, after }) => writeCanonical(before) !== writeCanonical(after))

/** One that has expired makes room. */
async function openRequest(app: ChangeDeps, tx: Tx, name: string, target: string): Promise<ChangeRequest | undefined> {
  const known = await findOpen(tx, name, target)
  if (!known || !isExpired(known, app.clock.now())) return known
  await updateDecided(tx, known.id, { state: 'expired', decidedBy: null, note: null }, app.clock.now())
  return undefined
}

const isOpen = ({ id, proposedBy }: ChangeRequest) => refuse('change_open', { change: id, proposedBy })

/** Two people at once: the index lets one of them propose. */
function explainRace(error: unknown): never {
  if ((error as { constraint?: string }).constraint !== 'change_requests_one_open') throw error
  throw refuse('change_just_proposed')
}
