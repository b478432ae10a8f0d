import type { Actor } from '../../kernel/actor.ts'
import { actorName } from '../../kernel/actor.ts'
import { writeCanonical } from '../../platform/json/canonical-json.ts'
import type { Tx } from '../../platform/postgres/db.ts'
import { within } from '../../platform/postgres/within.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Why } from '../../kernel/refusals/refuse.ts'
import type { Proposal } from '../people/index.ts'
import {
  authorized,
  claimSubjects,
  expireBefore,
  insertProposal,
  markWord,
  mustBeFree,
  openAbout,
  releaseOutdated,
  releaseSubjects,
  updateDecided,
} from '../people/index.ts'
import type { ProposalDeps, ProposalKind, Described } from './proposal-kind.ts'
import { EXPIRES_MS, isExpired, wordOf } from './proposal-kind.ts'
import { approveProposal } from './decide.ts'
import type { KindName, ResultOf, TermsOf } from './kinds.ts'
import { auditedReason, KINDS, knownKind, seenHash, sha256, usersOf, withoutForgotten } from './kinds.ts'

export type ProposalOutcome<Result> =
  | { state: 'applied'; result: Result }
  | { state: 'open'; proposal: Proposal }
  | { state: 'unchanged' }

type Options = {
  reason?: string | null | undefined
  /** In a sandbox without a second person, as the command line does it. */
  atOnce?: boolean
  /** Ask a second person, also where one may do it. */
  second?: boolean
}

/**
 * Makes a proposal. What one person may do is done; anything else becomes a proposal that another person approves. Who asks for
 * exactly what another person has proposed approves it.
 */
export async function makeProposal<Name extends KindName>(
  app: ProposalDeps,
  actor: Actor,
  name: Name,
  given: TermsOf<Name>,
  { reason = null, atOnce = false, second = false }: Options = {},
): Promise<ProposalOutcome<ResultOf<Name>>> {
  const kind = KINDS[name] as unknown as ProposalKind<TermsOf<Name>, ResultOf<Name>>
  if (atOnce && app.sandbox && !kind.always)
    return { state: 'applied', result: await kind.apply(app, actor, given, reason) }
  const terms = kind.normalise ? await kind.normalise(app, given) : given
  const described = await kind.describe(app, app.db, terms)
  described.mustExplain?.(reason ?? '')
  const asked: Asked<TermsOf<Name>, ResultOf<Name>> = { name, kind, terms, reason: reason?.trim() || null }
  const agreed = await agree(app, actor, asked)
  if (agreed) return agreed
  if (described.alone && !second)
    return { state: 'applied', result: await applyAlone(app, actor, asked, described.subjects) }
  return proposeOrAgree(app, actor, asked)
}

type Asked<Terms, Result> = { name: KindName; kind: ProposalKind<Terms, Result>; terms: Terms; reason: string | null }

/** Approves the proposal of another person who asked for exactly this. */
async function agree<Terms, Result>(
  app: ProposalDeps,
  actor: Actor,
  { name, kind, terms, reason }: Asked<Terms, Result>,
): Promise<ProposalOutcome<Result> | null> {
  const payload = writeCanonical(terms)
  const known = await openAbout(app.db, name, kind.targetOf(terms))
  const open = known.find((one) => one.payload === payload && !isExpired(one, app.clock.now()))
  if (!open || open.proposedBy === actorName(actor)) return null
  const seen = kind.seenOf?.(terms) ?? open.seenSha256
  const { result } = await approveProposal(app, actor, open.id, seen, reason)
  return { state: 'applied', result: result as Result }
}

/** Of two people who ask for the same at once, the second approves. */
async function proposeOrAgree<Terms, Result>(
  app: ProposalDeps,
  actor: Actor,
  asked: Asked<Terms, Result>,
): Promise<ProposalOutcome<Result>> {
  try {
    return await openProposal(app, actor, asked as Asked<unknown, unknown>)
  } catch (error) {
    const isHeld = error instanceof Refusal && error.why === ('proposal_open' satisfies Why)
    const agreed = isHeld ? await agree(app, actor, asked) : null
    if (agreed) return agreed
    throw error
  }
}

async function applyAlone<Terms, Result>(
  app: ProposalDeps,
  actor: Actor,
  { name, kind, terms, reason }: Asked<Terms, Result>,
  subjects = subjectsOf(name, kind, terms),
): Promise<Result> {
  if (!kind.oneAtATime) return kind.apply(app, actor, terms, reason)
  return app.db.transaction(async (outer) => {
    await mustBeFree(app, outer, subjects)
    return kind.apply({ ...app, db: within(app.db, outer) }, actor, terms, reason)
  })
}

type Subjects<Terms> = Pick<ProposalKind<Terms, unknown>, 'subjectsOf' | 'targetOf'>

function subjectsOf<Terms>(name: KindName, kind: Subjects<Terms>, terms: Terms): string[] {
  return kind.subjectsOf?.(terms) ?? [`${name} ${kind.targetOf(terms)}`]
}

/** Recorded even if nothing would change: someone asked for it. */
function openProposal(app: ProposalDeps, actor: Actor, { name, kind, terms, reason }: Asked<unknown, unknown>) {
  const payload = writeCanonical(terms)
  const [target, merchantId] = [kind.targetOf(terms), kind.merchantOf(terms)]
  const allowed = { named: true as const, ...usersOf(kind, merchantId) }
  return authorized(
    app,
    actor,
    kind.action,
    async (tx, audit): Promise<ProposalOutcome<never>> => {
      await kind.lock?.(tx, terms)
      await kind.mayPropose?.(app, tx, terms, actor)
      const { rows, subjects = subjectsOf(name, kind, terms), mustExplain } = await kind.describe(app, tx, terms)
      mustExplain?.(reason ?? '')
      if (!changes({ rows })) {
        await audit(target, { after: { state: 'unchanged', kind: name } })
        return { state: 'unchanged' }
      }
      const hashes = { payloadSha256: sha256(payload), seenSha256: seenHash(name, target, payload, rows) }
      const known = await sameProposal(app, tx, name, { target, ...hashes, proposedBy: actorName(actor) })
      const proposed = { proposedBy: actorName(actor), proposedAt: app.clock.now(), reason, state: 'open' as const }
      const undecided = { decidedBy: null, decidedAt: null, note: null }
      const proposal: Proposal = known ?? {
        ...{ id: app.ids.next(), kind: name, target, merchantId, payload, rows },
        ...{ ...hashes, ...proposed, ...undecided },
      }
      if (!known) {
        const until = new Date(proposed.proposedAt.getTime() + EXPIRES_MS)
        const claim = { proposalId: proposal.id, kind: name, proposedBy: proposed.proposedBy, until }
        await claimSubjects(app, tx, claim, subjects)
        await insertProposal(tx, proposal)
        await markWord(app, tx, wordOf(proposal))
      }
      const shown = withoutForgotten(proposal)
      const after = { state: 'proposed', kind: name, target, rows: shown }
      await audit(`proposal:${proposal.id}`, { after, reason: auditedReason(kind, reason) })
      return { state: 'open', proposal }
    },
    allowed,
  )
}

const changes = ({ rows }: Described) =>
  rows.some(({ before, after }) => writeCanonical(before) !== writeCanonical(after))

type Same = Pick<Proposal, 'target' | 'seenSha256' | 'proposedBy'>

/** The person's own, if a form was sent twice. Those that have expired make room. */
async function sameProposal(app: ProposalDeps, tx: Tx, name: string, same: Same): Promise<Proposal | undefined> {
  const known = await openAbout(tx, name, same.target)
  for (const old of known.filter((one) => isExpired(one, app.clock.now()))) await expire(app, tx, old)
  return known.find(
    (one) =>
      one.seenSha256 === same.seenSha256 && one.proposedBy === same.proposedBy && !isExpired(one, app.clock.now()),
  )
}

async function expire(app: Pick<ProposalDeps, 'clock'>, tx: Tx, proposal: Proposal): Promise<void> {
  const { id, kind } = proposal
  const kept = knownKind(kind)?.isForgotten ? withoutForgotten(proposal) : null
  await updateDecided(tx, id, { state: 'expired', decidedBy: null, note: null, kept }, app.clock.now())
  await releaseSubjects(tx, id)
}

/** What no one decided about for a week. Returns the number. */
export function expireProposals(app: Pick<ProposalDeps, 'clock' | 'db'>): Promise<number> {
  const forgotten = Object.keys(KINDS).filter((name) => knownKind(name)?.isForgotten)
  const now = app.clock.now()
  return app.db.transaction(async (tx) => {
    await releaseOutdated(tx, now)
    return expireBefore(tx, new Date(now.getTime() - EXPIRES_MS), forgotten, now)
  })
}
