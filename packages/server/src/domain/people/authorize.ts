import type { Actor } from '../../kernel/actor.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import type { Marks } from '../../platform/crypto/marks.ts'
import { refuse, type Why } from '../../kernel/refusals/refuse.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Clock } from '../../platform/time/clock.ts'
import type { Audit } from '../audit/index.ts'
import { openAudit } from '../audit/index.ts'
import { operatorFits } from './mark-people.ts'
import type { Action } from './rights.ts'
import { mayTake, MERCHANT_RIGHTS, merchantMayTake, RIGHTS } from './rights.ts'
import { lockOperator } from './store.ts'

declare const approvedByTwo: unique symbol

/** Another person has approved what `proposedBy` proposed. `id`: of the proposal. Only `approveProposal` of domain/proposals makes one. */
export type Approval = { readonly [approvedByTwo]: true; id: string; proposedBy: string; proposedAt: Date }

/** What the authorization check and its record in the audit need. */
export type Authority = { sandbox: boolean; clock: Clock; marks: Marks; approval?: Approval }

/** For decisions that two people take. In a sandbox one is enough, unless money leaves or is credited by it alone. */
export function mustBeApproved({ sandbox, approval }: Authority, { always = false } = {}): void {
  if (approval || (sandbox && !always)) return
  throw refuse('two_people_needed')
}

/** What two people always decide, in a sandbox too. */
export function approvalOf({ approval }: Authority): Approval {
  if (approval) return approval
  throw refuse('two_people_needed')
}

/** Who may decide besides an operator. */
type Allowed = {
  /** The decision must record a person's name, even in a sandbox. */
  named?: true
  /** This merchant, for its own data: by its signature, or a user of its console who has the right. */
  merchantId?: string
  /** Only users of this merchant's console who have the right. */
  usersOf?: string
  /** The decision only stops something: it takes no proof. */
  brake?: boolean
  /** This automatic task. */
  task?: 'restore' | 'inbox'
}

type Deciding = Authority & { db: Db }
type Decide<Result> = (tx: Tx, audit: Audit) => Promise<Result>

/**
 * Runs a decision reserved to people, in a transaction that begins with authorizing the actor. The decision records what it changed in
 * the audit, once; if it does not, nothing is saved.
 */
export function authorized<Result>(
  app: Deciding,
  actor: Actor,
  action: Action,
  decide: Decide<Result>,
  allowed: Allowed = {},
): Promise<Result> {
  return app.db.transaction(async (tx) => {
    const record = await authorize(app, tx, actor, action, allowed)
    let entries = 0
    const result = await decide(tx, (...about) => {
      entries++
      return record(...about)
    })
    if (entries !== 1) throw new Error(`The decision ${action} made ${entries} audit entries; it must make one.`)
    return result
  })
}

/** The same for a decision that must record a person's name, even in a sandbox. */
export function authorizedByName<Result>(app: Deciding, actor: Actor, action: Action, decide: Decide<Result>) {
  return authorized(app, actor, action, decide, { named: true })
}

/**
 * Refuses an actor who may not make this decision. Returns the function that records it in the audit. Runs a query only for an operator.
 */
export async function authorize(
  app: Authority,
  tx: Tx,
  actor: Actor,
  action: Action,
  allowed: Allowed = {},
): Promise<Audit> {
  await mustBeAllowed(app, tx, actor, action, allowed)
  if ('proved' in actor && !actor.proved && takesProof(action) && !allowed.brake) throw proofNeeded()
  return openAudit(app, tx, actor, action)
}

async function mustBeAllowed(
  { sandbox, marks }: Authority,
  tx: Tx,
  actor: Actor,
  action: Action,
  allowed: Allowed,
): Promise<void> {
  switch (actor.kind) {
    case 'operator':
      return mustDecide(marks, tx, actor.name, action)
    case 'unattributed':
      if (sandbox && !allowed.named) return
      throw refuse('decider_missing')
    case 'merchant':
      if (actor.merchantId === allowed.merchantId) return
      throw refuse('decision_not_of_merchant')
    case 'merchant_user':
      return mustBeUser(actor, action, allowed)
    case 'system':
      if (actor.task === allowed.task) return
      throw new Error(`Automatic work (${actor.task}) may not take a decision of people.`)
  }
}

type MerchantUser = Extract<Actor, { kind: 'merchant_user' }>

/** The role is that of the session, which was read for this request. */
function mustBeUser({ merchantId, role }: MerchantUser, action: Action, allowed: Allowed): void {
  if (merchantId !== allowed.merchantId && merchantId !== allowed.usersOf) throw refuse('decision_not_of_merchant')
  if (merchantMayTake(role, action)) return
  throw refuse('user_without_right', { role, action, needs: MERCHANT_RIGHTS[action] ?? [] })
}

/** Disabling the operator waits until this decision is committed, so that none is made afterwards. */
async function mustDecide(marks: Marks, tx: Tx, name: string, action: Action): Promise<void> {
  const known = await lockOperator(tx, name)
  if (!known) throw refuse('operator_unknown', { name })
  if (known.disabledAt !== null) throw refuse('operator_disabled', { name })
  if (!(await operatorFits(marks, known))) throw refuse('operator_roles_not_recorded', { name })
  if (mayTake(known.roles, action)) return
  throw refuse('operator_without_right', { name, action, needs: RIGHTS[action] })
}

/** Move neither money nor rights, or stop what does: no one looks for a password while money leaves. */
const WITHOUT_PROOF: ReadonlySet<Action> = new Set([
  ...(['audit.read', 'endpoint.test', 'event.resend', 'session.revoke', 'withdrawal.stop'] as const),
])

/** Whether a decision takes a password, a passkey or a code of the last ten minutes, in a console and on the command line. */
export const takesProof = (action: Action) => !WITHOUT_PROOF.has(action)

export const proofNeeded = () => refuse('proof_needed')

/** An edge asks for the proof and tries again. */
export const isProofNeeded = (error: unknown) =>
  error instanceof Refusal && error.why === ('proof_needed' satisfies Why)
